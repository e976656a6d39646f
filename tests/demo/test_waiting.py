"""Players wait by the clock of their board, however slow that is."""

from __future__ import annotations

import threading

import pytest

from companion.demo.run import Stopped, Waiting


class SlowClock:
    """A clock that advances by a millisecond at each reading."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> float:
        self.ms += 1
        return self.ms / 1000


def test_a_rest_lasts_until_that_clock_has_come_so_far() -> None:
    clock = SlowClock()
    Waiting(clock).rest(0.02)
    assert 20 <= clock.ms <= 24


def test_what_is_not_shown_in_that_time_is_not_waited_for_any_longer() -> None:
    clock = SlowClock()
    assert not Waiting(clock).sees(lambda: False, 0.02)
    assert clock.ms <= 24


def test_what_is_shown_ends_the_wait_at_once() -> None:
    waiting = Waiting(lambda: 0.0)  # this one stands still
    event = threading.Event()

    def happens() -> None:
        event.set()
        waiting.wake()

    threading.Timer(0.0, happens).start()
    assert waiting.sees(event.is_set, 15)


def test_who_is_told_to_stop_rests_no_more() -> None:
    waiting = Waiting(lambda: 0.0)
    waiting.end()
    with pytest.raises(Stopped):
        waiting.rest(1000)
