"""What the round's clock reads at the time of a recording, however late things were recorded."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, strategies as st

from companion.feed.round_clock import RoundClock
from companion.journal.entries import Control, Entry, Layer
from companion.rules.facts import Moment
from companion.session.clocks import clock_name

BOOT = 0x5F3A
CLOCK = clock_name(BOOT)
BEGAN = (Moment(us=0, pm=0, clock=CLOCK), ())


def entry(layer: Layer, kind: str, body: dict[str, Any], wall_s: float, **rest: Any) -> Entry:
    wall = datetime.fromtimestamp(wall_s, UTC).isoformat(timespec="milliseconds")
    fields = {"actor": "board", "causes": (), "after": None, "t_us": None, "key": None} | rest
    return Entry(n=1, layer=layer, kind=kind, body=body, wall=wall, digest=b"", **fields)


def fact(happened_s: float, wall_s: float, after: int | None = None) -> Entry:
    at = {"us": round(happened_s * 1e6), "pm": 25, "clock": CLOCK}
    return entry(Layer.FACT, "draw", {"at": at}, wall_s, after=after)


def evidence(happened_s: float, wall_s: float) -> Entry:
    return entry(Layer.EVIDENCE, "event", {"boot": BOOT}, wall_s, t_us=round(happened_s * 1e6))


def ran(*entries: Entry) -> float | None:
    """Return the reading at the time of the last entry."""
    clock = RoundClock()
    clock.read(entries)
    return clock.ran_s(BEGAN, False, entries[-1])


def test_a_shot_that_somebody_agreed_to_later_reads_the_time_of_the_yes() -> None:
    assert ran(fact(0, 1000), evidence(5, 1005.05), fact(5, 1013)) == pytest.approx(13, abs=0.1)


def test_what_the_board_kept_while_the_cable_was_out_sets_no_clock_back() -> None:
    assert ran(fact(0, 1000), evidence(5, 1060), evidence(9, 1060)) == pytest.approx(60, abs=0.1)


def test_a_fact_that_was_inserted_says_nothing_of_now() -> None:
    assert ran(fact(0, 1000), fact(2, 1090, after=1)) == pytest.approx(90)


def test_a_wall_clock_that_is_set_back_shows_in_no_reading() -> None:
    assert ran(fact(0, 1000), fact(5, 1005), fact(9, -2591)) == pytest.approx(9)


def test_a_wall_clock_that_is_set_forward_is_noticed_by_the_second_reading() -> None:
    begun = (fact(0, 1000), fact(5, 1005), fact(9, 4609))
    assert ran(*begun) == pytest.approx(3609), "it may be an hour late as well"
    assert ran(*begun, fact(9, 4609)) == pytest.approx(3609), "the same happening confirms nothing"
    assert ran(*begun, fact(12, 4612)) == pytest.approx(12)


def test_after_a_break_nothing_is_known_until_the_clock_is_heard() -> None:
    resumed = entry(Layer.CONTROL, Control.RESUMED, {}, 9000)
    assert ran(fact(0, 1000), resumed) is None
    assert ran(fact(0, 1000), resumed, fact(20, 9001)) == pytest.approx(20)


@given(st.lists(st.integers(1, 120), max_size=20, unique=True), st.randoms(use_true_random=False))
def test_recordings_of_different_lateness_do_not_move_the_reading(
    late: list[int], chance: random.Random
) -> None:
    """Two that are late by the same time are as a wall clock that was set."""
    happened = [(chance.uniform(1, 600), late_s) for late_s in late]
    recorded = [fact(0, 0)]
    recorded += [
        evidence(at_s, at_s + late_s)
        for at_s, late_s in sorted(happened, key=lambda each: sum(each))
    ]
    reading = ran(*recorded)
    assert reading == pytest.approx(datetime.fromisoformat(recorded[-1].wall).timestamp())
