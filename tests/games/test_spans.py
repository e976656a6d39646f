"""Times and rates as text: one figure for one quantity, and no more digits than were measured."""

from __future__ import annotations

import pytest

from companion.rules.spans import RATE_FROM, measured, per_minute, plus_minus, seconds


@pytest.mark.parametrize(
    ("us", "pm", "text"),
    [
        (3_491_235, 4, "3.491 s ±4 µs"),
        (3_491_999, 1_250, "3.491 s ±1.2 ms"),
        (3_491_235, 0, "3.4 s ±0.1 s"),
        (3_491_235, 99_999, "3.491 s ±100.0 ms"),
        (3_491_235, 100_000, "3.4 s ±0.1 s"),
        (3_491_235, 100_302, "3.4 s ±0.1 s"),  # by key at a live board
        (3_491_235, 200_604, "3.4 s ±0.2 s"),  # over a pause that was
        (0, 50, "0.000 s ±50 µs"),
        (-1_500, 2, "-0.001 s ±2 µs"),
    ],
)
def test_a_time_has_the_digits_that_were_measured_and_a_key_no_more_than_one(
    us: int, pm: int, text: str
) -> None:
    assert measured(us, pm) == text
    assert text == f"{seconds(us, pm)} {plus_minus(pm)}"


def test_two_stamps_never_swap_by_being_shown() -> None:
    times = [seconds(us, 2) for us in range(0, 3_000_000, 499)]
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("number", "us", "rate"), [(9, 60_000_000, None), (10, 60_000_000, 10.0), (10, 0, None)]
)
def test_a_rate_needs_ten_events_and_some_time(number: int, us: int, rate: float | None) -> None:
    assert RATE_FROM == 10
    assert per_minute(number, us) == rate
