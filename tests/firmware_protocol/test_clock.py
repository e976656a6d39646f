"""64-bit time from a counter that wraps every 2^30 us."""

import pytest

from firmware_protocol.board.clock import TICKS_MASK, Clock, ticks_diff

WRAP = TICKS_MASK + 1


class Counter:
    def __init__(self, t_us: int) -> None:
        self.t_us = t_us

    def __call__(self) -> int:
        return self.t_us


def test_time_goes_on_across_every_wrap() -> None:
    counter = Counter(WRAP - 10)
    clock = Clock(lambda: counter() & TICKS_MASK)
    for step in range(400):
        counter.t_us = WRAP - 10 + step * (WRAP // 100)
        assert clock.now_us() == counter.t_us


def test_a_port_that_wraps_later_is_masked_to_the_chip() -> None:
    assert Clock(Counter(5 * WRAP + 3)).now_us() == 3


@pytest.mark.parametrize("age_us", [0, 1, 500, WRAP // 2, WRAP - 1])
def test_a_stamp_from_before_the_wrap_keeps_its_time(age_us: int) -> None:
    counter = Counter(0)
    clock = Clock(counter)
    for t_us in (WRAP // 2, WRAP - 1, WRAP + 100):
        counter.t_us = t_us & TICKS_MASK
        clock.now_us()
    stamp = (WRAP + 100 - age_us) & TICKS_MASK
    assert clock.extend(stamp) == WRAP + 100 - age_us


@pytest.mark.parametrize(
    ("later", "earlier", "us"), [(5, 3, 2), (3, 5, -2), (1, TICKS_MASK, 2), (TICKS_MASK, 1, -2)]
)
def test_differences_of_ticks_cross_the_wrap_in_both_directions(
    later: int, earlier: int, us: int
) -> None:
    assert ticks_diff(later, earlier) == us
