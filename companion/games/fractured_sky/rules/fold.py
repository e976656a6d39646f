"""The fold: a state and a fact give the next state, or a refusal with its clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.fractured_sky.rules import by_hand, ending, facts as f, opponents, turns
from companion.games.fractured_sky.rules.board import Side, board_of
from companion.games.fractured_sky.rules.box import box_for
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.options import HOUSE_RULES
from companion.games.fractured_sky.rules.standing import standings
from companion.rules.common import (
    COMMON_FACTS,
    Common,
    ScoreSet,
    SeatJoins,
    SeatLeaves,
    apply_common,
)
from companion.rules.facts import Fact, Refused, Setup, by_kind
from companion.rules.house_rules import Options, read_options
from companion.rules.pauses import GO_ON_FIRST
from companion.rules.replacing import replace
from companion.rules.seats import require_setup

RULES_VERSION = 2
SEAT_COUNTS = range(1, 6)
_SMALL_SIDE = 3  # FS-U8: up to three players, AIs among them, play on eight regions
_AIS: tuple[f.Ai, f.Ai] = ("@black", "@orange")
# FS-T6: refused during a pause; everything else can be named and corrected
_TURN_FACTS = (f.Airship, f.Build, f.Skimmer, f.Scout, f.Take, f.Peek, f.Slot, f.AiTurn, f.AiDone)


def start(setup: Setup) -> State:
    """Return the state before the first round; raise `Refused` for seats, options or a version that do not fit."""
    require_setup(setup, "Fractured Sky", RULES_VERSION, SEAT_COUNTS, "FS-31")
    seats = len(setup.seats)
    options = read_options(setup.options, HOUSE_RULES)
    side: Side = "eight" if seats <= _SMALL_SIDE else "ten"
    board = board_of(box_for(setup), side)
    return State(Common(setup), options, board, _ais_for(seats, options))


def _ais_for(seats: int, options: Options) -> tuple[f.Ai, ...]:
    """Return the AIs in the order in which they play: two for one seat, one for two (FS-31)."""
    black, orange = ais = _AIS
    # of two AIs, `black_first` lets black play first wherever it sits
    by_side = seats > 1 or options["ai_order"] == "as_seated"
    if by_side and options["ai_color"] == "orange":
        ais = (orange, black)
    return ais[: max(0, _SMALL_SIDE - seats)]


def apply(state: State, fact: Fact, entry: int = 0) -> State:
    """Return the state after `fact`, journal entry number `entry`; raise `Refused` if the rules forbid it."""
    if isinstance(fact, COMMON_FACTS):
        after = _apply_common(state, fact)
    elif state.common.paused and isinstance(fact, _TURN_FACTS):
        raise Refused("PAUSE", "the clock stands still", "the game to go on first", GO_ON_FIRST)
    else:
        after = _HANDLERS[type(fact)](state, fact)
    # whatever the fact corrected, a move that was pending before it may rest on it
    if after.now.pending is state.now.pending:
        after = opponents.redecide(after)
    if isinstance(fact, f.RoundEnd):
        return ending.as_entry(after, entry)
    if after.clearing:
        return replace(after, clearing=False)
    return after


def _apply_common(state: State, fact: Fact) -> State:
    if isinstance(fact, SeatLeaves) and state.playing == (fact.seat,):
        why = f"{state.name(fact.seat)} is the last seat"
        raise Refused("FS-T1", why, do="End the session instead.")
    if isinstance(fact, ScoreSet) and fact.score < 0:
        raise Refused("FS-T5", "nobody has less than no Starfalls", "0 or more")
    after = replace(state, common=apply_common(state.common, fact, standings(state)))
    if isinstance(fact, SeatJoins) and len(after.common.playing) >= SEAT_COUNTS.stop:
        raise Refused("FS-T2", "five seats play already", do="Somebody has to leave first.")
    if isinstance(fact, SeatLeaves):
        return _seat_left(after, fact.seat)
    return after


def _seat_left(state: State, seat: str) -> State:
    """Take a leaving seat's Airships, Skimmers and turn slot off the board (FS-T1)."""
    now = state.current
    if now is None:
        return state
    cleared = replace(
        now,
        ships=tuple(ship for ship in now.ships if ship.player != seat),
        flights=tuple(flight for flight in now.flights if flight.player != seat),
        slots={slot: player for slot, player in now.slots.items() if player != seat},
        powers={player: chips for player, chips in now.powers.items() if player != seat},
        objective=None if now.objective == (seat,) else now.objective,
    )
    return replace(state, current=cleared)


_HANDLERS: dict[type[Fact], Callable[[State, Any], State]] = {
    f.First: turns.first, f.Deal: turns.deal, f.Public: turns.public, f.Airship: turns.airship, f.Slot: turns.slot,
    f.Build: turns.build, f.Skimmer: turns.skimmer, f.Scout: turns.scout, f.Take: turns.take, f.Peek: turns.peek,
    f.Saw: turns.saw, f.Reveal: ending.reveal, f.Powers: ending.powers, f.Objective: ending.objective,
    f.RoundEnd: ending.round_end,
    f.Shuffle: opponents.shuffle, f.AiTurn: opponents.ai_turn, f.AiCompass: opponents.ai_compass,
    f.AiChoose: opponents.ai_choose, f.AiCannot: opponents.ai_cannot, f.AiDone: opponents.ai_done,
    f.AiSitsOut: ending.ai_sits_out, f.AiTokens: ending.ai_tokens,
    f.Turn: by_hand.turn, f.Adjust: by_hand.adjust, f.Remove: by_hand.remove, f.Move: by_hand.move,
    f.MapRegion: by_hand.map_region, f.MapPlatform: by_hand.map_platform,
}  # fmt: skip
FACTS = by_kind(*_HANDLERS, *COMMON_FACTS)
