"""What is said of a game before it is opened is what the game says of itself."""

from __future__ import annotations

import re

import pytest

from companion.rules.house_rules import rulings
from companion.rules.registry import GAMES, open_game

LONGEST = 120  # characters; two lines of the narrowest screen hold them


@pytest.mark.parametrize("game", sorted(GAMES))
def test_an_entry_says_what_the_game_says(game: str) -> None:
    info, opened = GAMES[game], open_game(game)
    assert (info.id, info.title, info.seats) == (opened.id, opened.title, opened.seat_counts)
    assert max(len(info.does), len(info.credits)) <= LONGEST


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_an_entry_names_is_there(game: str) -> None:
    info = GAMES[game]
    parts = (info.options, info.box, info.screen, info.report, info.players, info.map_editor)
    assert all(info.part(where) for where in (info.rules, *parts) if where)
    assert info.text("RULES.md")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_house_rule_has_its_words_in_the_rules(game: str) -> None:
    words = rulings(game)
    for rule in open_game(game).house_rules:
        assert words[rule.name].clause == rule.clause
        assert rule.alternatives[0] in words[rule.name].default
        assert all(other in words[rule.name].others for other in rule.alternatives[1:])
        assert not re.search(r"[A-Z]{2}-\w", f"{words[rule.name].default} {words[rule.name].others}")
