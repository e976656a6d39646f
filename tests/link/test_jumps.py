"""A faulty clock is reported, and does not fill the record."""

from __future__ import annotations

from companion.link.words import JUMPED, Jumps

S = 1_000_000_000


def sentences(*at_s: float) -> list[str]:
    """Return the sentences noted for jumps at these times."""
    jumps = Jumps()
    return [sentence for one_s in at_s for sentence in jumps.take(round(one_s * S))]


def test_a_jump_now_and_then_is_told_each_time() -> None:
    assert sentences(0, 61, 200) == [JUMPED] * 3


def test_a_clock_that_jumps_all_the_time_is_told_once_a_minute_with_how_often() -> None:
    assert sentences(*(number / 4 for number in range(4 * 125))) == [
        JUMPED,
        "The clocks of board and computer jumped 240 times in a minute: one of them runs wrong.",
        "The clocks of board and computer jumped 240 times in a minute: one of them runs wrong.",
    ]
