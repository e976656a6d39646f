"""Facts that a game calls possible are checked by its rules."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.common import Abandon, Pause, SeatChanges, SeatLeaves, Unpause
from tests.session.counting_game import COUNTING, small_setup

ASKED = [SeatLeaves(seat=seat) for seat in ("cy", "zoe", "ada", "cy")]
GAME = replace(
    COUNTING, candidates=lambda _: [*ASKED, Unpause(), Pause(), SeatChanges(seat="ada", name="Ada")]
)


def test_what_is_allowed_comes_sorted_and_once() -> None:
    assert GAME.legal(GAME.start(small_setup())) == (
        Pause(),
        SeatLeaves(seat="ada"),
        SeatLeaves(seat="cy"),
    )


def test_nothing_is_allowed_once_the_table_has_ended_the_game_early() -> None:
    assert GAME.legal(GAME.apply(GAME.start(small_setup()), Abandon(), 1)) == ()
