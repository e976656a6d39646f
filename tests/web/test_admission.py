"""Who is let in by a touch of the box."""

from __future__ import annotations

import pytest

from companion.web.admission import (
    AFTER_POWER_ON_S,
    AWAY_S,
    TOUCH_S,
    Admission,
    Entrance,
)

LONG_ON_S = 3 * AFTER_POWER_ON_S


class Waiting:
    """Devices at a box, on a clock of the test."""

    def __init__(self, since_power_on_s: float = LONG_ON_S) -> None:
        self.now_s = 1000.0
        self.let_in = 0
        self.admission = Admission(self._count, lambda: self.now_s)
        self.admission.board_found(since_power_on_s)

    def _count(self) -> None:
        self.let_in += 1


def test_a_device_that_waits_is_let_in_by_a_touch_once() -> None:
    box = Waiting()
    assert box.admission.ask("tablet") is Entrance.WAITING
    box.admission.touched()
    assert box.admission.ask("tablet") is Entrance.OPEN
    assert box.admission.ask("tablet") is Entrance.OPEN
    assert box.let_in == 1


def test_after_the_first_device_only_a_code_opens() -> None:
    box = Waiting()
    box.admission.ask("tablet")
    box.admission.touched()
    box.admission.ask("tablet")
    box.admission.touched()
    assert box.admission.ask("phone") is Entrance.TAKEN
    assert box.let_in == 1


def test_of_two_devices_that_wait_a_touch_lets_in_neither() -> None:
    box = Waiting()
    box.admission.ask("tablet")
    box.admission.ask("phone")
    box.admission.touched()
    assert box.admission.ask("tablet") is Entrance.SEVERAL
    assert box.admission.ask("phone") is Entrance.SEVERAL
    assert box.let_in == 0


def test_a_device_that_comes_after_the_touch_is_not_let_in_by_it() -> None:
    box = Waiting()
    box.admission.touched()
    assert box.admission.ask("phone") is Entrance.WAITING


def test_a_device_that_stopped_asking_does_not_wait_any_more() -> None:
    box = Waiting()
    box.admission.ask("phone")
    box.now_s += AWAY_S
    box.admission.ask("tablet")
    box.admission.touched()
    assert box.admission.ask("tablet") is Entrance.OPEN


def test_a_touch_is_over_after_some_seconds() -> None:
    box = Waiting()
    box.admission.ask("tablet")
    box.admission.touched()
    box.now_s += TOUCH_S
    assert box.admission.ask("tablet") is Entrance.WAITING


@pytest.mark.parametrize(
    ("since_s", "told"),
    [(AFTER_POWER_ON_S - 1, Entrance.OPEN), (AFTER_POWER_ON_S, Entrance.WAITING)],
)
def test_for_two_minutes_after_power_on_no_touch_is_needed(since_s: float, told: Entrance) -> None:
    box = Waiting(since_s)
    assert box.admission.ask("tablet") is told


def test_of_two_devices_after_power_on_neither_is_let_in_by_itself() -> None:
    box = Waiting(LONG_ON_S)
    box.admission.ask("tablet")
    box.admission.ask("phone")
    box.admission.board_found(1)
    assert box.admission.ask("tablet") is Entrance.SEVERAL
    assert box.let_in == 0


def test_switching_the_board_on_again_lets_in_another_device() -> None:
    box = Waiting()
    box.admission.ask("tablet")
    box.admission.touched()
    box.admission.ask("tablet")
    box.now_s += 60
    box.admission.board_found(LONG_ON_S + 60)
    assert box.admission.ask("phone") is Entrance.TAKEN
    box.admission.board_found(2)
    assert box.admission.ask("phone") is Entrance.OPEN
    assert box.let_in == 2


def test_whoever_has_the_code_ends_the_waiting() -> None:
    box = Waiting()
    box.admission.opened_by_code()
    box.admission.touched()
    assert box.admission.ask("tablet") is Entrance.TAKEN


def test_without_a_board_nobody_is_let_in() -> None:
    box = Waiting()
    box.admission.board_lost()
    box.admission.touched()
    assert box.admission.ask("tablet") is Entrance.NO_BOARD


@pytest.mark.parametrize("since_s", [5, LONG_ON_S])
def test_the_first_board_that_is_found_takes_nothing_from_whoever_has_the_code(
    since_s: float,
) -> None:
    now_s = 1000.0
    admission = Admission(clock=lambda: now_s)
    admission.opened_by_code()
    now_s += 40
    admission.board_found(since_s)
    assert admission.ask("phone") is Entrance.TAKEN
    # unplugging the board and plugging it in again still lets in another device
    now_s += 600
    admission.board_found(2)
    assert admission.ask("phone") is Entrance.OPEN


def test_a_power_on_before_somebody_was_let_in_lets_in_nobody_else() -> None:
    box = Waiting()
    box.now_s += 600
    box.admission.opened_by_code()
    box.now_s += 30
    box.admission.board_found(60)
    assert box.admission.ask("phone") is Entrance.TAKEN
