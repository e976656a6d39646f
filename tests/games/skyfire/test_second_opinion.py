"""Random games, each fact judged twice: by the companion's rules and by a second reading of the clauses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.games.skyfire.rules.deck import Face
from companion.games.skyfire.rules.flow import closed, zone_satisfies
from companion.games.skyfire.rules.model import State, Zone
from companion.games.skyfire.rules.options import HOUSE_RULES
from companion.games.skyfire.rules.standings import scores, winners
from companion.rules.facts import Fact, Refused, Setup
from companion.rules.seats import seats_from_names
from tests.games.pairwise import TIMES, choices, covering_rows, rarest
from tests.games.skyfire.playing import GAME
from tests.games.skyfire.second_opinion import FIREWORKS, TARGETS, WORDS, Against, Table
from tests.thorough import examples

NAMES = ("ann", "bob", "cid", "dot", "eve")
VALUES = choices(HOUSE_RULES, (), {})
ROWS = covering_rows(VALUES, TIMES * examples(1, 4), seed=20)
PARTS = 4
"""The rows are split into this many tests, for several workers."""
FACTS = examples(500, 1_000)
"""Facts tried in a game."""
WEIGHTS = {
    "deal": 2, "first": 1, "direction": 0.5, "place": 12, "launch": 2, "misfire": 1.5, "satisfied": 1.5, "revealed": 3,
    "target": 3, "removed": 0.3, "backs": 1, "hand_shown": 1, "turn": 0.3, "override": 0.3, "round_end": 0.1,
    "pause": 0.1, "unpause": 3, "seat_leaves": 0.1, "seat_joins": 0.3, "seat_changes": 0.1, "score_set": 0.1,
    "abandon": 0.005,
}  # fmt: skip


class Player:
    """Deals real cards, makes up facts, mostly true ones, and keeps the time."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.us = 1_000
        self.hands: dict[str, list[str]] = {}
        self.zones: list[list[str]] = []
        self.left_over: list[str] = []

    def fact(self, table: Table) -> dict[str, Any]:
        weights = dict(WEIGHTS)
        if table.paused:
            weights["unpause"] = 20
        elif not table.open:
            weights |= {"deal": 20, "seat_joins": 2}
        elif table.round["question"] is not None:
            weights |= {"revealed": 20, "satisfied": 4}
        elif table.round["hands"][table.round["turn"]] == 0:
            weights |= {"launch": 4, "misfire": 8}
        kind = self.rng.choices(list(weights), list(weights.values()))[0]
        return {"kind": kind, "at": self.moment(), **self.body(kind, table)}

    def moment(self) -> dict[str, Any] | None:
        """Return a moment, mostly a little later than the last; at times earlier, unknown, or of another clock."""
        chance = self.rng.random()
        if chance < 0.05:
            return None
        if chance < 0.08:
            return {"us": self.rng.randrange(5_000), "pm": 0, "clock": "screen"}
        if chance < 0.13:
            return {"us": max(0, self.us - self.rng.randrange(2_000)), "pm": 2, "clock": "board"}
        self.us += self.rng.randrange(100)
        return {"us": self.us, "pm": 2, "clock": "board"}

    def body(self, kind: str, table: Table) -> dict[str, Any]:
        pick = self.rng.choice
        seat = pick([*table.seats, *(table.round["players"] if table.round else ()), "nobody"])
        zone = (
            self.rng.randrange(1, len(self.zones) + 1)
            if self.zones and self.rng.random() < 0.95
            else 4
        )
        word = pick(("", "", "", "it lies there"))
        bodies: dict[str, Callable[[], dict[str, Any]]] = {
            "first": lambda: {"seat": seat},
            "turn": lambda: {"seat": seat, "reason": ""},
            "seat_leaves": lambda: {"seat": seat},
            "direction": lambda: {"clockwise": pick((True, False))},
            "place": lambda: {"zone": zone, "back": self.back_of_next(table)},
            "launch": lambda: {"zone": zone},
            "satisfied": lambda: {"satisfied": pick((True, False))},
            "revealed": lambda: {"zone": zone, "cards": self.faces(table, zone), "reason": word},
            "target": lambda: {"card": self.target(table)},
            "removed": lambda: {"cards": tuple(self.rng.sample(TARGETS, pick((6, 6, 6, 5))))},
            "backs": lambda: {**self.backs(pick((0, zone, zone))), "reason": word},
            "hand_shown": lambda: self.hand_shown(table, seat) | {"reason": word},
            "override": lambda: {"seat": seat, "status": pick(("in", "out")), "reason": ""},
            "round_end": lambda: {
                "seats": tuple(self.rng.choices(table.seats, k=pick((0, 1, 2)))),
                "points": self.rng.randrange(4),
                "reason": "",
            },
            "seat_joins": lambda: {"name": pick((*NAMES, "fay")), "left_of": pick((None, seat))},
            "seat_changes": lambda: {"seat": seat, "name": pick((*NAMES, "fay"))},
            "score_set": lambda: {
                "seat": seat,
                "score": self.rng.randrange(-2, 8),
                "reason": "lost a record",
            },
        }
        return bodies[kind]() if kind in bodies else {}

    def target(self, table: Table) -> str:
        """Return a target, mostly one that may be on the stack; its letters in any order."""
        card = self.rng.choice(TARGETS)
        if table.round and table.round["number"] >= 5 and self.rng.random() < 0.7:
            card = table.finale(len(table.round["players"]))
        return "".join(self.rng.sample(card, len(card)))

    def faces(self, table: Table, zone: int) -> tuple[str, ...]:
        """Return the cards of a zone that were turned up, in full or by face alone; at times a lie."""
        if not table.round or zone > len(table.round["zones"]):
            return ("rb",)
        return self.told(self.zones[zone - 1][: table.round["zones"][zone - 1]["turned"]])

    def hand_shown(self, table: Table, seat: str) -> dict[str, Any]:
        """Return the hand of an eliminated player, mostly."""
        out = table.round["out"] if table.round else []
        if out and self.rng.random() < 0.8:
            seat = self.rng.choice(out)
        return {"seat": seat, "cards": self.told(self.hands.get(seat, []))}

    def told(self, cards: list[str]) -> tuple[str, ...]:
        words = {letter: word for word, letter in WORDS.items()}
        texts = [words[card[0]] if self.rng.random() < 0.15 else card for card in cards]
        if texts and self.rng.random() < 0.15:
            texts[self.rng.randrange(len(texts))] = self.rng.choice([*FIREWORKS, *WORDS])
        if self.rng.random() < 0.05:
            texts = texts[1:]
        return tuple(self.rng.sample(texts, len(texts)))

    def back_of_next(self, table: Table) -> str:
        """Return the back of the card placed next; often nobody looks."""
        if not table.open or self.rng.random() < 0.5:
            return ""
        held = self.hands.get(table.round["turn"]) or ["rb"]
        return self.seen(held[-1])

    def backs(self, zone: int) -> dict[str, Any]:
        lying = self.left_over if zone == 0 or zone > len(self.zones) else self.zones[zone - 1]
        told = [self.seen(card) if self.rng.random() < 0.7 else "?" for card in lying]
        if self.rng.random() < 0.1:
            told.append("?")
        return {"zone": zone, "backs": tuple(told)}

    def seen(self, card: str) -> str:
        """Return a back in letters, in either order; at times a wrong one."""
        card = self.rng.choice(FIREWORKS) if self.rng.random() < 0.08 else card
        return card[::-1] if self.rng.random() < 0.5 else card

    def follow(self, fact: Mapping[str, Any], table: Table, turn: str | None) -> None:
        """Move the real cards as the fact says."""
        if fact["kind"] == "deal":
            players = table.round["players"]
            cards = self.rng.sample(
                table.fireworks(len(players)), len(table.fireworks(len(players)))
            )
            self.hands = {
                seat: cards[4 * place : 4 * place + 4] for place, seat in enumerate(players)
            }
            self.left_over = cards[4 * len(players) :]
            self.zones = [[] for _ in table.round["zones"]]
        elif fact["kind"] == "place" and turn is not None:
            self.zones[fact["zone"] - 1].append(self.hands[turn].pop())


def first_opinion(state: State) -> dict[str, Any]:
    """Return what the companion's rules say."""
    said: dict[str, Any] = {
        "playing": list(state.playing),
        "scores": scores(state),
        "winners": list(winners(state)),
        "over": GAME.over(state),
        "rounds": len(state.rounds),
        "clockwise": state.clockwise,
    }
    if (current := state.current) is None:
        return said
    question, result = current.question, current.result
    return said | {
        "round": (
            current.number,
            list(current.players),
            current.first,
            current.turn,
            list(current.out),
        ),
        "hands": {seat: current.hand(seat) for seat in current.players},
        "target": None if current.target is None else colors([current.target]),
        "question": None if question is None else (question.what, question.seat, question.zone),
        "result": None
        if result is None
        else (result.how, list(result.winners), result.points, result.seat, result.zone),
        "zones": [told_zone(state, zone) for zone in current.zones],
        "left over": (current.left_over, [back_colors(back) for back in current.left_over_backs]),
        "shown": {seat: colors(faces) for seat, faces in current.shown},
        "face up": [zone.face_up for zone in GAME.view(state, "table").zones]
        if result is None
        else None,
    }


def told_zone(state: State, zone: Zone) -> tuple[Any, ...]:
    assert state.current is not None
    return (
        len(zone.cards),
        zone.turned,
        list(zone.failed),
        closed(zone, state.options),
        colors(zone.faces),
        [back_colors(card.back) for card in zone.cards],
        zone_satisfies(state.current, zone, state.options),
    )


def colors(faces: Any) -> str:
    """Return all colors on these faces, in letters and in order."""
    found: list[Face] = list(faces)
    return "".join(sorted(WORDS[symbol] for face in found for symbol in face.symbols or ()))


def back_colors(back: str | None) -> str | None:
    return None if back is None else "".join(sorted(WORDS.get(word, word) for word in back.split()))


def second_opinion(table: Table) -> dict[str, Any]:
    """Return what the second reading of the clauses says."""
    said: dict[str, Any] = {
        "playing": table.playing(),
        "scores": table.scores(),
        "winners": table.winners(),
        "over": bool(table.winners()),
        "rounds": len(table.played()),
        "clockwise": table.clockwise,
    }
    if not table.round:
        return said
    played, result = table.round, table.round["result"]
    return said | {
        "round": (
            played["number"],
            played["players"],
            played["first"],
            played["turn"],
            played["out"],
        ),
        "hands": played["hands"],
        "target": None if played["target"] is None else "".join(sorted(played["target"])),
        "question": played["question"],
        "result": None
        if result is None
        else (result["how"], result["winners"], result["points"], result["seat"], result["zone"]),
        "zones": [
            (
                zone["cards"],
                zone["turned"],
                zone["failed"],
                table.is_closed(zone),
                "".join(sorted(card[0] for card in zone["faces"])),
                [None if back is None else "".join(sorted(back)) for back in zone["backs"]],
                table.satisfies(zone),
            )
            for zone in played["zones"]
        ],
        "left over": (
            played["left_over"],
            [None if back is None else "".join(sorted(back)) for back in played["left_over_backs"]],
        ),
        "shown": {
            seat: "".join(sorted(card[0] for card in cards))
            for seat, cards in played["shown"].items()
        },
        "face up": [table.face_up(number) for number in range(1, len(played["zones"]) + 1)]
        if result is None
        else None,
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
    names = NAMES[: rng.choice((3, 4, 5))]
    setup = Setup("skyfire", GAME.rules_version, seats_from_names(names), dict(row))
    state, player, table = GAME.start(setup), Player(rng), Table(names, row)
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
        turn = table.round["turn"] if table.round else None
        state, table = first, second
        player.follow(body, table, turn)
        taken[body["kind"]] += 1
        record.append({"entry": entry} | body)
        assert first_opinion(state) == second_opinion(table), (body, row, record)
        if table.abandoned:
            break
    return taken


@pytest.mark.parametrize("part", range(PARTS))
def test_two_readings_of_the_clauses_agree_after_each_fact_of_random_games(part: int) -> None:
    taken: Counter[str] = Counter()
    for number, row in list(enumerate(ROWS))[part::PARTS]:
        taken += play(row, f"game {number}", FACTS)

    assert taken.keys() >= WEIGHTS.keys() - {"abandon"}, "every kind of fact is tried"


def test_each_pair_of_option_values_is_played_in_twenty_random_games() -> None:
    assert {rule.name for rule in HOUSE_RULES} == VALUES.keys()
    assert rarest(VALUES, ROWS) >= TIMES
