"""The refusals of Sky Rise in full: `refusals.jsonl` has the state of the game, the entry, and the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.rules.facts import Refused
from tests.games.sky_rise.playing import QUIET, Record, at
from tests.games.sky_rise.test_ending import built, finished, tied


def _after(record: Record, *facts: tuple[str, dict[str, Any]]) -> Record:
    for kind, body in facts:
        record.do(kind, **body)
    return record


def _floor(players: int = 2, **options: str) -> Record:
    record = Record(players, **options)
    record.floor()
    return record


def _placed() -> Record:
    record = _floor()
    record.pyramids("RRR. .... ....")
    return record


def _wild() -> Record:
    record = _floor()
    record.pyramids("###. .... ....")
    return record


def _shared() -> Record:
    record = _floor()
    for color in ("opaque", "red"):
        record.do("opaque", seat="ada", large=1, medium=2, small=1) if color == "opaque" else None
        record.do(
            "pyramid", place={"opaque": "a1", "red": "b1"}[color], color=color, reason="drawn"
        )
        record.do("turn", seat="ada", reason="for the test")
    return record


def _roof() -> Record:
    record = built()
    record.roof()
    return record


def _goals(*pairs: str) -> Record:
    record = finished(2, QUIET, QUIET, QUIET)
    record.goals(*pairs)
    return record


def _running() -> Record:
    record = tied(2)
    record.do("showdown", when=at(10))
    return record


def _done() -> Record:
    record = _running()
    record.do("showdown_stop", when=at(20), seat="bo")
    return record


def _won() -> Record:
    record = tied(2)
    record.do("score_set", seat="ada", score=60, reason="for the test")
    return record


OPAQUE_ANTENNA = {"place": "a1", "color": "opaque", "size": "large", "reason": "drawn"}
HEARTS = {"place": "a1", "suit": "hearts"}
STANDS: dict[str, Callable[[], Record]] = {
    "begun": Record,
    "card": lambda: _after(Record(2), ("card", HEARTS)),
    "adjacent": lambda: _after(Record(2, floor_cell="adjacent_to_laid"), ("card", HEARTS)),
    "ranked": lambda: _after(Record(2), ("card", HEARTS | {"rank": "7"})),
    "royals": lambda: Record(5),
    "floor": _floor,
    "placed": _placed,
    "wild": _wild,
    "shared": _shared,
    "roof": _roof,
    "antenna": lambda: _after(_roof(), ("pyramid", OPAQUE_ANTENNA)),
    "tower": lambda: finished(2, QUIET, QUIET, QUIET),
    "twins": lambda: _goals("red blue", "red green"),
    "trees": lambda: _goals("red blue", "green blue"),
    "tied": tied,
    "running": _running,
    "done": _done,
    "won": _won,
    "colors": lambda: Record(3, colors="4"),
    "full": lambda: Record(5),
}


LINES = Path(__file__).with_name("refusals.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(json.loads(line)[:2]))
def test_a_refusal_says_what_is_true_and_what_is_expected(line: str) -> None:
    stands, kind, body, text = json.loads(line)
    record = STANDS[stands]()
    with pytest.raises(Refused) as caught:
        record.do(kind, **body)
    assert str(caught.value) == text
