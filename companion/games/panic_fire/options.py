"""The house rules of Panic Fire: what the published rules leave open, each with its alternatives and its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.base import Refused


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One open question: the clause it belongs to, and the alternatives; the first is the default."""

    name: str
    clause: str
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A setting that is a whole number from 0 to `most`."""

    name: str
    clause: str
    default: int
    most: int


HOUSE_RULES = (
    HouseRule("next_round_deck", "PF-R4", ("reshuffle_all", "continue_piles")),
    HouseRule("dealer", "PF-R4", ("rotates_left", "last_winner", "fixed")),
    HouseRule("sudden_death_players", "PF-R5", ("tied_only", "all")),
    HouseRule("no_survivor", "PF-R5", ("replay_round", "table")),
    HouseRule("shield_from_hand", "PF-R6", ("only_when_shot", "into_play_if_none")),
    HouseRule("shield_discard_draws", "PF-R6", ("no", "yes")),
    HouseRule("new_set_shields", "PF-R6", ("as_opening", "cover_all")),
    HouseRule("illegal_shot_shield", "PF-R7", ("no_help", "saves")),
    HouseRule("blocked_match", "PF-R7", ("stays", "cleared")),
    HouseRule("stalemate_who", "PF-R8", ("all_still_in", "agreed")),
    HouseRule("over_four_draw", "PF-R8", ("still_draw", "down_to_four_first")),
    HouseRule("pile_exhausted", "PF-R1", ("reshuffle", "play_on")),
    HouseRule("shot_disputes", "PF-R2", ("first_trigger", "table")),
    HouseRule("accidental_discharge", "PF-R3", ("void", "illegal")),
    HouseRule("hit_sensor", "PF-R3", ("yes", "no")),
)
# 100 us is the longest latency reported for hard interrupts of MicroPython on the RP2040; a board publishes its own.
NUMBERS = (Number("removed_shields", "PF-1", 0, 106), Number("stamp_error_us", "PF-R2", 100, 1_000_000))


@dataclass(frozen=True, slots=True)
class Options:
    """The alternatives in force and the two numbers; `options["dealer"]` reads one alternative."""

    chosen: Mapping[str, str]
    removed_shields: int
    stamp_error_us: int

    def __getitem__(self, name: str) -> str:
        return self.chosen[name]


def read_options(given: Mapping[str, str]) -> Options:
    """Return the options with defaults filled in; raise `Refused` for an unknown name or alternative."""
    names = [rule.name for rule in HOUSE_RULES] + [number.name for number in NUMBERS]
    for name in given:
        if name not in names:
            raise Refused("OPTION", f"there is no option {name!r}", f"one of {', '.join(names)}")
    chosen = {rule.name: _alternative(rule, given) for rule in HOUSE_RULES}
    removed, stamp_error = (_number(number, given) for number in NUMBERS)
    return Options(chosen, removed, stamp_error)


def _alternative(rule: HouseRule, given: Mapping[str, str]) -> str:
    value = given.get(rule.name, rule.alternatives[0])
    if value not in rule.alternatives:
        raise Refused(rule.clause, f"{rule.name}={value} is no alternative", " or ".join(rule.alternatives))
    return value


def _number(number: Number, given: Mapping[str, str]) -> int:
    text = given.get(number.name, str(number.default))
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) <= number.most):
        raise Refused(number.clause, f"{number.name}={text} is out of range", f"a whole number from 0 to {number.most}")
    return int(text)
