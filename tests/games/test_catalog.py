"""What is said of a game before it is opened is what the game says of itself."""

from __future__ import annotations

import pytest

from companion.games import GAMES, open_game
from companion.games.catalog import BY_GAME, CARDS
from companion.games.rulings import rulings

LONGEST = 120  # characters; two lines of the narrowest screen hold them


def test_every_game_has_a_card_and_no_other() -> None:
    assert sorted(card.game for card in CARDS) == sorted(GAMES)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_card_says_what_the_game_says(game: str) -> None:
    card, opened = BY_GAME[game], open_game(game)
    assert (card.title, card.seats) == (opened.title, opened.seat_counts)
    assert max(len(card.does), len(card.credits)) <= LONGEST


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_house_rule_has_its_words_in_the_rules(game: str) -> None:
    words = rulings(game)
    for rule in open_game(game).house_rules:
        assert words[rule.name].clause == rule.clause
        assert rule.alternatives[0] in words[rule.name].default
        assert all(other in words[rule.name].others for other in rule.alternatives[1:])
