"""Comparing measured times: the same arithmetic for ties, medians and trends in every game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import companion
from companion.rules.comparing import (
    apart,
    is_faster,
    is_known_before,
    is_tie,
    median,
    trend,
    unbeaten,
)
from companion.rules.facts import Moment
from companion.rules.pauses import Span
from companion.rules.spans import KEY_ERROR_US


def at(us: int, pm: int = 2, clock: str = "board-1") -> Moment:
    return Moment(us=us, pm=pm, clock=clock)


@pytest.mark.parametrize(
    ("us", "pm", "house_us", "tie"),
    [
        (0, 0, 0, True),  # equal times are a tie whatever the errors
        (1, 0, 0, False),
        (3, 4, 0, True),
        (4, 4, 0, False),  # as far apart as the error is an order
        (-3, 4, 0, True),
        (-4, 4, 0, False),
        (9, 4, 10, True),  # a house rule widens it
        (10, 4, 10, False),
        (9, 10, 4, True),  # and never narrows it
    ],
)
def test_a_tie_is_a_difference_smaller_than_its_error_or_the_house_rules_number(
    us: int, pm: int, house_us: int, tie: bool
) -> None:
    assert is_tie(Span(us, pm), house_us) is tie


def test_two_stamps_of_a_board_differ_with_the_sum_of_their_errors() -> None:
    assert apart(at(100, 2), at(103, 5)) == Span(3, 7)
    assert apart(at(103, 5), at(100, 2)) == Span(-3, 7)


def test_what_a_board_publishes_of_a_difference_takes_the_place_of_the_sum() -> None:
    assert apart(at(100), at(103), published_us=1) == Span(3, 1)
    assert apart(at(100), at(103), published_us=0) == Span(3, 0)
    assert not is_known_before(at(100), at(103))
    assert is_known_before(at(100), at(103), published_us=3)
    assert not is_known_before(at(100), at(103), house_us=4, published_us=3)


def test_a_key_press_is_good_to_a_tenth_of_a_second() -> None:
    first, second = at(0, 0, "host-1"), at(2 * KEY_ERROR_US - 1, 0, "host-1")
    assert apart(first, second) == Span(2 * KEY_ERROR_US - 1, 2 * KEY_ERROR_US)
    assert not is_known_before(first, second)
    assert is_known_before(first, at(2 * KEY_ERROR_US, 0, "host-1"))


@pytest.mark.parametrize(
    ("one", "other"), [(None, at(1)), (at(1), None), (at(1), at(9, clock="board-2"))]
)
def test_moments_that_no_clock_compares_have_no_order(
    one: Moment | None, other: Moment | None
) -> None:
    assert apart(one, other) is None
    assert not is_known_before(one, other)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 60)), min_size=1, max_size=6))
def test_somebody_is_unbeaten_and_the_fastest_always_is(times: list[tuple[int, int]]) -> None:
    spans = [Span(us, pm) for us, pm in times]
    left = unbeaten(range(len(spans)), lambda one, other: is_faster(spans[one], spans[other]))
    least = min(span.us for span in spans)
    assert {place for place, span in enumerate(spans) if span.us == least} <= set(left)
    for place in set(range(len(spans))) - set(left):
        assert any(
            spans[place].us - spans[one].us >= spans[place].pm + spans[one].pm for one in left
        )


def test_a_time_of_two_rivals_that_it_cannot_be_told_from_may_be_beaten_by_one_of_them() -> None:
    spans = {"vague": Span(0, 100), "clear": Span(50, 1), "late": Span(60, 1)}
    assert unbeaten(spans, lambda one, other: is_faster(spans[one], spans[other])) == (
        "vague",
        "clear",
    )


@pytest.mark.parametrize(
    ("times", "middle"),
    [
        ([(300, 10)], (300, 10)),
        ([(300, 10), (100, 30)], (200, 20)),
        ([(300, 7), (100, 1), (200, 2)], (200, 2)),
        ([(300, 10), (200, 30), (400, 50), (100, 70)], (250, 20)),
        # half a microsecond is cut from the time, and the error not made smaller
        ([(300, 3), (201, 2)], (250, 3)),
        ([(300_000, 0), (100_000, 0)], (200_000, 0)),  # by keys
        # a key counts with its tenth of a second
        ([(300_000, 0), (100_000, 102)], (200_000, 50_051)),
    ],
)
def test_the_median_of_an_even_count_is_the_mean_of_the_middle_two_and_so_is_its_error(
    times: list[tuple[int, int]], middle: tuple[int, int]
) -> None:
    assert median([Span(*one) for one in times]) == Span(*middle)


@given(st.lists(st.builds(Span, st.integers(0, 10**9), st.integers(0, 10**6)), min_size=1))
def test_the_median_is_the_same_in_any_order_and_lies_between_the_best_and_the_slowest(
    times: list[Span],
) -> None:
    found = median(times)
    assert found.us == median(times[::-1]).us
    assert min(span.us for span in times) <= found.us <= max(span.us for span in times)


def test_a_trend_shows_the_median_that_is_shown_elsewhere() -> None:
    times = [Span(us, 10) for us in (300, 290, 310, 200, 210, 190)]
    statistics = trend(times)
    assert statistics is not None
    assert statistics.median == median(times) == Span(250, 10)


_BY_HAND = re.compile(
    r"^(?:import statistics\b|from statistics import .*\bmedian)|def _?(?:median|middle)\w*\([^)]*Span",
    re.MULTILINE,
)
# the latter chooses by the version
_OLD_VERSIONS = {"games/drills/rules/older.py", "games/drills/rules/timing.py"}
_COMPARES = {"rules/comparing.py"}


def test_no_other_file_works_out_a_median() -> None:
    root = Path(companion.__file__).parent
    files = {
        str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in root.rglob("*.py")
    }
    own = {name for name, text in files.items() if _BY_HAND.search(text)}
    assert own - _OLD_VERSIONS - _COMPARES == set()


_ERRORS = re.compile(r"max\([^)\n]*\.pm\b|\.pm \+ \w+\.pm\b")
_MAY_ADD = {
    "rules/pauses.py",  # the error of an interval
    "games/panic_fire/rules/timing.py",  # intervals from the lamp
    "games/panic_fire/rules/standings.py",  # version 2 took the larger error
    "dashboard/screens/correcting/times.py",  # a moment that was typed in
    *_OLD_VERSIONS,
    *_COMPARES,
}


def test_no_other_file_makes_one_error_of_two() -> None:
    root = Path(companion.__file__).parent
    files = {
        str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in root.rglob("*.py")
    }
    assert {name for name, text in files.items() if _ERRORS.search(text)} <= _MAY_ADD
