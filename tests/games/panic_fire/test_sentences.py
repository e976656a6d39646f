"""The log's sentence for each kind of fact: one round, fact by fact."""

from __future__ import annotations

from typing import Any

from companion.rules.common import COMMON_FACTS
from companion.rules.facts import by_kind
from tests.games.panic_fire.playing import GAME, Record, at

SECOND = 1_000_000
TOLD: list[tuple[str, dict[str, Any], str]] = [
    ("fire", {"us": 0}, "fire! round 1 of 6 starts"),
    ("shield_in_play", {"seat": "blue"}, "blue has a Shield in play (PF-6)"),
    ("shield_in_play", {"seat": "blue", "present": False}, "blue has no Shield in play (PF-6)"),
    (
        "shield_in_play",
        {"seat": "blue", "reason": "seen"},
        "blue has a Shield in play, seen (PF-R6)",
    ),
    ("draw", {"seat": "blue", "us": SECOND}, "blue draws"),
    (
        "stalemate_draw",
        {"us": 2 * SECOND},
        "stalemate: everyone still in draws one card; play a Shield if you have one (PF-16)",
    ),
    (
        "stalemate_draw",
        {"us": 2 * SECOND, "seats": ["red", "blue"]},
        "stalemate: red, blue draw one card; play a Shield if you have one (PF-16)",
    ),
    ("reshuffle", {"cards": 40}, "there is a new pile of 40 cards (PF-R1)"),
    ("reshuffle", {"reason": "it fell"}, "there is a new pile, not counted, it fell (PF-R1)"),
    ("shot", {"us": 3 * SECOND, "lag_us": 4_100}, "the gun fired, hit +4.1 ms after the trigger"),
    ("match", {"basis": "both"}, "both held a match (PF-14)"),
    ("target", {"seat": "blue"}, "blue was shot at"),
    (
        "shooter",
        {"seat": "red"},
        "red shot blue: blue's Shield in play is spent and blue stays (PF-12)",
    ),
    ("dry_pull", {"us": 4 * SECOND, "reason": "no hit"}, "dry pull: no hit"),
    ("knock", {"us": 5 * SECOND}, "knock"),
    ("promote", {"entry": 15}, "the dry pull was a shot after all (PF-R3)"),
    ("shooter", {"seat": "red"}, "red shot"),
    ("target", {"seat": "green"}, "red shot green: green is out (PF-12)"),
    ("illegal", {}, "red shot green: illegal, red is out (PF-11)"),
    ("legal", {}, "red shot green: green is out (PF-12)"),
    ("match", {"basis": "target"}, "the target held the match: no new set (PF-14)"),
    (
        "match",
        {"basis": "shooter"},
        "the shooter held the match: red lays four new cards; do not enter them (PF-14)",
    ),
    (
        "match",
        {"basis": "unknown"},
        "who held the match is unknown: cards left is a range (PF-14)",
    ),
    (
        "tie_break",
        {"order": "as_stamped"},
        "the table rules: the two shots count as measured (PF-R2)",
    ),
    (
        "tie_break",
        {"order": "swapped"},
        "the table rules: the later of the two shots counts first (PF-R2)",
    ),
    ("tie_break", {"order": "both"}, "the table rules: both shots count (PF-R2)"),
    ("promote", {"entry": 16}, "the knock was a shot after all (PF-R3)"),
    ("illegal", {}, "illegal shot; its shooter will be out once named (PF-11)"),
    ("legal", {}, "the open shot is legal (PF-10)"),
    ("override", {"seat": "green", "status": "in"}, "the table takes green back in (PF-13)"),
    (
        "override",
        {"seat": "green", "status": "out", "reason": "late"},
        "the table eliminates green, late (PF-13)",
    ),
    ("round_end", {"seat": "red"}, "the table ends the round; red takes a Bullet card (PF-17)"),
    (
        "round_end",
        {"seat": None, "reason": "we start over"},
        "the table ends the round, we start over; red puts the Bullet card back, nobody takes the Bullet card, the"
        " round is played again (PF-R5)",
    ),
]


def test_each_kind_of_fact_is_told_in_its_own_sentence() -> None:
    record = Record(shot_disputes="table", stalemate_who="agreed")
    for kind, body, text in TOLD:
        fields = {name: value for name, value in body.items() if name != "us"}
        when = at(body["us"]) if "us" in body else None
        fact = GAME.parse(kind, fields).model_copy(update={"at": when})
        assert GAME.describe(record.state, fact) == text
        record.enter(fact)


def test_the_round_has_every_kind_of_fact_that_is_the_games_own() -> None:
    shared = by_kind(*COMMON_FACTS).keys()
    assert {kind for kind, _, _ in TOLD} == GAME.facts.keys() - shared - {"shield_hand"}
