"""Random games, each fact judged twice: by the companion's rules and by a second reading of the clauses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.games.panic_fire.rules.model import State
from companion.games.panic_fire.rules.options import HOUSE_RULES, NUMBERS
from companion.games.panic_fire.rules.standings import (
    bullets,
    cards_left,
    champion,
    current_outcome,
    largest_pile,
    open_pulls,
)
from companion.games.panic_fire.rules.view import kill_matrix
from companion.rules.facts import Fact, Refused, Setup
from companion.rules.seats import seats_from_names
from tests.games.pairwise import TIMES, choices, covering_rows, rarest
from tests.games.panic_fire.playing import GAME
from tests.games.panic_fire.second_opinion import SHOTS, Against, Table
from tests.thorough import examples

NAMES = ("ann", "bob", "cid", "dot", "eve")
VALUES = choices(
    HOUSE_RULES, NUMBERS, {"removed_shields": ("0", "40", "62"), "stamp_error_us": ("0", "3", "50")}
)
ROWS = covering_rows(VALUES, TIMES, seed=20)
PARTS = 6
"""The rows are split into this many tests, for several workers."""
FACTS = examples(220, 1_500)
"""Facts tried in a game; two of three are refused."""
WEIGHTS = {
    "fire": 6, "draw": 5, "shot": 3, "dry_pull": 1, "knock": 0.5, "promote": 0.5, "target": 4, "shooter": 4,
    "illegal": 1, "legal": 1, "match": 3, "shield_hand": 1.5, "shield_in_play": 1.5, "stalemate_draw": 1,
    "reshuffle": 0.7, "tie_break": 1.5, "override": 0.5, "round_end": 0.25, "pause": 0.2, "unpause": 3,
    "seat_leaves": 0.15, "seat_joins": 0.15, "seat_changes": 0.2, "score_set": 0.25, "abandon": 0.005,
}  # fmt: skip


class Player:
    """Makes up facts, sensible or not, and keeps the time."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.us = 1_000

    def fact(self, table: Table) -> dict[str, Any]:
        kinds = dict(WEIGHTS)
        if table.paused:
            kinds["unpause"] = 10
        elif table.status() != "open":
            kinds["fire"] = 30
        if table.waiting():
            kinds |= {"target": 12, "shooter": 12}
        kind = self.rng.choices(list(kinds), list(kinds.values()))[0]
        return {"kind": kind, "at": self.moment(), **self.body(kind, table)}

    def moment(self) -> dict[str, Any] | None:
        """Return a moment, mostly a little later than the last; at times within a stamp's error of it, earlier,
        unknown, or of another clock."""
        chance = self.rng.random()
        if chance < 0.05:
            return None
        if chance < 0.08:
            return {"us": self.rng.randrange(5_000), "pm": 0, "clock": "screen"}
        if chance < 0.16:
            return {"us": max(0, self.us - self.rng.randrange(2_000)), "pm": 2, "clock": "board"}
        self.us += self.rng.choice((0, 1, 2, 3, 4, 49, 50, 900))
        return {"us": self.us, "pm": self.rng.choice((1, 2)), "clock": "board"}

    def body(self, kind: str, table: Table) -> dict[str, Any]:
        pick = self.rng.choice
        seat = pick([*table.seats, *(table.round["players"] if table.round else ()), "nobody"])
        bodies: dict[str, Callable[[], dict[str, Any]]] = {
            "draw": lambda: {"seat": seat},
            "target": lambda: {"seat": seat},
            "shooter": lambda: {"seat": seat},
            "seat_leaves": lambda: {"seat": seat},
            "promote": lambda: {"entry": pick([*self.pulls(table), 1])},
            "match": lambda: {"basis": pick(("shooter", "target", "both", "unknown"))},
            "shield_in_play": lambda: {
                "seat": seat,
                "present": self.rng.random() < 0.8,
                "reason": pick(("", "", "seen")),
            },
            "stalemate_draw": lambda: {
                "seats": tuple(self.rng.choices(table.seats, k=pick((0, 0, 1, 2))))
            },
            "reshuffle": lambda: {
                "cards": pick((None, self.rng.randrange(107), self.pile_size(table))),
                "reason": pick(("", "few")),
            },
            "tie_break": lambda: {"order": pick(("as_stamped", "swapped", "both", "both"))},
            "override": lambda: {"seat": seat, "status": pick(("in", "out")), "reason": ""},
            "round_end": lambda: {"seat": pick((None, seat)), "reason": ""},
            "seat_joins": lambda: {"name": pick((*NAMES, "fay")), "left_of": pick((None, seat))},
            "seat_changes": lambda: {"seat": seat, "name": pick((*NAMES, "fay"))},
            "score_set": lambda: {
                "seat": seat,
                "score": self.rng.randrange(-1, 5),
                "reason": "lost a record",
            },
        }
        return bodies[kind]() if kind in bodies else {}

    @staticmethod
    def pulls(table: Table) -> list[int]:
        return [event["entry"] for event in table.round.get("events", ()) if event["kind"] in SHOTS]

    def pile_size(self, table: Table) -> int | None:
        """Return about as many cards as a new pile can have."""
        if table.status() != "open":
            return None
        return min(106, max(0, table.largest_pile() + self.rng.choice((0, 0, 1))))


def first_opinion(state: State) -> dict[str, Any]:
    """Return what the companion's rules say."""
    said: dict[str, Any] = {
        "seats": list(state.playing),
        "bullets": bullets(state),
        "champion": champion(state),
        "over": GAME.over(state),
        "status": current_outcome(state).status,
        "winner": current_outcome(state).winner,
        "rounds": len(state.rounds),
    }
    if (current := state.current) is None:
        return said
    reading = current.reading
    return said | {
        "number": (current.number, current.sudden_death),
        "players": current.players,
        "dealer": current.dealer,
        "draws": {seat: tally.draws for seat, tally in current.tallies},
        "alive": reading.alive,
        "shields": reading.shields,
        "stalemate": reading.stalemate,
        "shots": [
            (pull.entry, verdict.result, verdict.eliminated) for pull, verdict in reading.verdicts
        ],
        "waiting": [pull.entry for pull in open_pulls(state)],
        "cards": cards_left(current, state.options),
        "largest": largest_pile(state, current),
    }


def second_opinion(table: Table) -> dict[str, Any]:
    """Return what the second reading of the clauses says."""
    said: dict[str, Any] = {
        "seats": table.playing(),
        "bullets": table.bullets(),
        "champion": table.champion(),
        "over": table.champion() is not None,
        "status": table.status(),
        "winner": table.winner(),
        "rounds": table.rounds_before + bool(table.round),
    }
    if not table.round:
        return said
    played, read = table.round, table.read()
    return said | {
        "number": (played["number"], played["sudden"]),
        "players": tuple(played["players"]),
        "dealer": played["dealer"],
        "draws": played["draws"],
        "alive": read["alive"],
        "shields": read["shields"],
        "stalemate": read["stalemate"],
        "shots": [
            (
                shot["entry"],
                read["verdicts"][shot["entry"]]["result"],
                read["verdicts"][shot["entry"]]["out"],
            )
            for shot in table.shots()
        ],
        "waiting": [shot["entry"] for shot in table.waiting()],
        "cards": table.cards_left(),
        "largest": table.largest_pile(),
    }


def by_the_rules(state: State, fact: Fact, entry: int) -> State | Refused:
    """Return the state after a fact, or the refusal, by the companion's rules."""
    try:
        return GAME.advance(state, fact, entry)
    except Refused as refused:
        return refused


def by_the_clauses(table: Table, body: Mapping[str, Any], entry: int) -> Table | Against:
    """Return the state after a fact, or the refusal, by the second reading."""
    try:
        return table.after(body, entry)
    except Against as against:
        return against


def play(row: Mapping[str, str], seed: str, facts: int) -> Counter[str]:
    """Play a random game by these options; return how often each kind of fact was accepted."""
    rng = random.Random(seed)
    names = NAMES[: rng.choice((2, 3, 4, 5))]
    numbers = {name: int(row[name]) for name in ("removed_shields", "stamp_error_us")}
    setup = Setup("panic-fire", GAME.rules_version, seats_from_names(names), dict(row))
    state, player = GAME.start(setup), Player(rng)
    table = Table(names, row, numbers["removed_shields"], numbers["stamp_error_us"])
    taken: Counter[str] = Counter()
    record: list[dict[str, Any]] = []
    for entry in range(2, facts):
        body = player.fact(table)
        fact = GAME.parse(
            body["kind"], {name: value for name, value in body.items() if name != "kind"}
        )
        first, second = by_the_rules(state, fact, entry), by_the_clauses(table, body, entry)
        assert isinstance(first, Refused) == isinstance(second, Against), (
            first,
            second,
            body,
            row,
            record,
        )
        if isinstance(first, Refused) or isinstance(second, Against):
            continue
        state, table = first, second
        taken[body["kind"]] += 1
        record.append({"entry": entry} | body)
        assert first_opinion(state) == second_opinion(table), (body, row, record)
        if table.abandoned:
            break
    assert kill_matrix(state, state.setup.seats)
    return taken


@pytest.mark.parametrize("part", range(PARTS))
def test_two_readings_of_the_clauses_agree_after_each_fact_of_random_games(part: int) -> None:
    taken: Counter[str] = Counter()
    for number, row in list(enumerate(ROWS))[part::PARTS]:
        taken += play(row, f"game {number}", FACTS)

    assert taken.keys() >= WEIGHTS.keys() - {"abandon"}, "every kind of fact is tried"


def test_each_pair_of_option_values_is_played_in_twenty_random_games() -> None:
    assert {rule.name for rule in HOUSE_RULES} | {
        number.name for number in NUMBERS
    } == VALUES.keys()
    assert rarest(VALUES, ROWS) >= TIMES
