"""The players of the demos, in many evenings of each game: they reach the end, and nothing they do is refused."""

from __future__ import annotations

import pytest

from companion.rules.registry import GAMES
from tests.demo.quick_demo import play_at_once
from tests.thorough import examples

EVENINGS = examples(5, 100)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_players_come_to_the_end_of_their_game_and_nothing_they_do_is_refused(game: str) -> None:
    for seed in range(1, EVENINGS + 1):
        played = play_at_once(game, seed)
        assert played.refused == (), f"seed {seed}"
        assert played.table.view().ended, f"seed {seed}"


def test_players_in_a_hurry_still_read_the_screen_before_they_press_a_key() -> None:
    assert play_at_once("panic-fire", 3, speed=1000.0).refused == ()
