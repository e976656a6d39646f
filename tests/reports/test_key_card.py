"""The cards to print: every key of a game, and what the board's buttons do, on one sheet."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from companion.commands.key_cards import MOST_KEYS, meanings
from companion.dashboard.keymap import actions_of
from companion.exits import Exit
from companion.rules.actions import key_name
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import unnamed
from tests.commands.ran import Ran


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("paper", "size"), [("a4", "A4"), ("letter", "letter")])
def test_a_card_names_every_action_of_its_game(game_id: str, paper: str, size: str) -> None:
    ran = Ran("keycard", game_id, "--paper", paper)
    assert ran.code == 0
    page = html.unescape(ran.out)
    assert f"@page {{ size: {size};" in page
    assert "<script" not in page
    for action in actions_of(game_id):
        number = action.id.rpartition(".")[2]
        name = unnamed(int(number))[-1] if number.strip("0").isdigit() else ""
        is_players = bool(name) and name in action.help.casefold()
        if action.keys and not (is_players and int(number) > MOST_KEYS - 1):
            assert f"<kbd>{key_name(action.keys[0])}</kbd>" in page, action.id


def test_keys_that_a_person_gave_are_on_the_card(tmp_path: Path) -> None:
    from companion.config.reading import config_path

    config_path().parent.mkdir(parents=True, exist_ok=True)
    config_path().write_text('[keys]\n"dashboard.sound" = ["f12"]\n', encoding="utf-8")
    page = Ran("keycard", "panic-fire").out
    assert "<kbd>F12</kbd>" in page
    assert "<kbd>F9</kbd>" not in page


def test_the_boards_card_says_what_each_gesture_does_in_each_game() -> None:
    page = html.unescape(Ran("keycard", "board").out)
    for info in GAMES.values():
        assert info.title in page
    assert meanings(open_game("panic-fire")) == {
        "tap a zone button": "card was drawn",
        "hold a zone button": "fire! was called, or who was hit, or who shot",
        "pull the trigger and hit": "shot was fired",
        "pull the trigger, no hit": "pull that hit nothing",
    }
    assert meanings(open_game("skyfire"))["hold the trigger"] == "misfire was declared"


def test_a_word_that_is_no_game_is_refused_with_the_games_there_are() -> None:
    ran = Ran("keycard", "pannic-fire")
    assert ran.code == Exit.USAGE
    assert "panic-fire" in ran.err
