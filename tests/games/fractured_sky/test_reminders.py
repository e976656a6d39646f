"""What the players are reminded of where the rulebook does: at the setup, before a round and at its end."""

from __future__ import annotations

import pytest

from companion.games.fractured_sky.rules.game import GAME
from tests.games.fractured_sky.playing import Record


def checklist(seats: str, **options: str) -> list[str]:
    return list(GAME.checklist(Record(seats, **options).state))


@pytest.mark.parametrize(
    ("options", "sides"),
    [
        ({}, "AI black sits to your left, AI orange to your right."),
        ({"ai_color": "orange"}, "AI orange sits to your left, AI black to your right."),
        ({"ai_color": "orange", "ai_order": "black_first"}, "AI orange sits to your left, AI black to your right."),
    ],
)
def test_fs31_the_setup_says_which_ai_sits_on_which_side(options: dict[str, str], sides: str) -> None:
    record = Record("ada", **options)
    assert sides in GAME.checklist(record.state)
    as_seated = record.state.options["ai_order"] == "as_seated"
    assert not as_seated or sides.startswith(record.state.name(record.state.ais[0])), "the one to the left plays first"


def test_fs31_one_ai_has_no_side() -> None:
    assert not [line for line in checklist("ada bo") if " sits to " in line]


def test_fs1_the_advice_for_a_first_game_is_part_of_the_setup() -> None:
    assert "Your first game? Take 2 Gold and 2 Wood." in checklist("ada bo cleo")
    assert "Your first game? Take 2 Gold and 2 Wood, and play against easy AIs." in checklist("ada")
