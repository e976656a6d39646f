"""What a game says may be possible is asked of its rules."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.common import Abandon, Pause, SeatChanges, SeatLeaves, Unpause
from tests.session.toy import TOY, toy_setup

ASKED = [SeatLeaves(seat=seat) for seat in ("cy", "zoe", "ada", "cy")]
GAME = replace(
    TOY, candidates=lambda _: [*ASKED, Unpause(), Pause(), SeatChanges(seat="ada", name="Ada")]
)


def test_what_is_allowed_comes_sorted_and_once() -> None:
    assert GAME.legal(GAME.start(toy_setup())) == (
        Pause(),
        SeatLeaves(seat="ada"),
        SeatLeaves(seat="cy"),
    )


def test_nothing_is_allowed_once_the_table_has_ended_the_game_early() -> None:
    assert GAME.legal(GAME.apply(GAME.start(toy_setup()), Abandon(), 1)) == ()
