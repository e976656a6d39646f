"""Reminders in the prompt and the checklist: overlapping cards, the Start token, a fallen piece."""

from __future__ import annotations

from companion.games.sky_rise.rules.game import GAME
from tests.games.sky_rise.playing import QUIET, Record

OVERLAP = "overlap a quarter inch"
FALLS = "A piece that falls is put back."


def test_sr4_sr5_and_sr18_the_checklist_says_them_before_the_game() -> None:
    lines = "\n".join(GAME.checklist(Record(2).state))
    assert OVERLAP in lines
    assert "Nobody knows? Choose somebody." in lines
    assert "A piece that falls is put back where it was." in lines


def test_sr4_the_first_card_of_a_later_floor_says_that_the_start_token_went_left() -> None:
    record = Record(2)
    assert "Start token went left" not in record.awaiting
    record.build(QUIET)
    assert "The Start token went left, to bo. Cards overlap a quarter inch." in record.awaiting
    record.do("card", place="a1", suit="hearts")
    assert "Start token" not in record.awaiting


def test_sr18_the_first_pyramid_of_a_level_says_what_becomes_of_a_piece_that_falls() -> None:
    record = Record(2)
    assert FALLS not in record.awaiting
    record.floor()
    assert FALLS in record.awaiting
    record.do("pyramid", place="a1", color="red")
    assert FALLS not in record.awaiting
