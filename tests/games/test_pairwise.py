"""The option rows of random games: each pair of values often enough, in few rows."""

from __future__ import annotations

import pytest

from companion.rules.registry import GAMES, open_game
from tests.games.pairwise import TIMES, all_pairs, choices, covering_rows, pairs_of, rarest

RULED = [game_id for game_id in GAMES if open_game(game_id).house_rules]
VALUES = {
    "weather": ("dry", "wet"),
    "dealer": ("left", "fixed", "winner"),
    "piles": ("one", "two", "three"),
}


def test_every_pair_of_values_of_two_options_occurs_as_often_as_asked() -> None:
    rows = covering_rows(VALUES, times=5, seed=1)

    assert len(all_pairs(VALUES)) == 2 * 3 + 2 * 3 + 3 * 3
    assert rarest(VALUES, rows) >= 5
    assert len(rows) <= 5 * 9 + 5, "nine pairs of dealers and piles need nine rows each time"


def test_the_rarest_pair_is_counted_where_none_has_it() -> None:
    rows = [
        row
        for row in covering_rows(VALUES, times=2, seed=1)
        if (row["weather"], row["piles"]) != ("wet", "two")
    ]

    assert rarest(VALUES, rows) == 0


def test_a_row_has_a_value_of_every_option_and_the_seed_gives_the_same_rows() -> None:
    rows = covering_rows(VALUES, times=3, seed=7)

    assert all(row.keys() == VALUES.keys() for row in rows)
    assert all(len(list(pairs_of(row))) == 3 for row in rows)
    assert rows == covering_rows(VALUES, times=3, seed=7) != covering_rows(VALUES, times=3, seed=8)


@pytest.mark.parametrize("game_id", RULED)
def test_few_games_play_every_pair_of_a_games_options_twenty_times(game_id: str) -> None:
    game = open_game(game_id)
    numbers = {number.name: (str(number.default), str(number.most)) for number in game.numbers}
    values = choices(game.house_rules, game.numbers, numbers)
    rows = covering_rows(values, TIMES, seed=1)

    assert set(values) == {rule.name for rule in game.house_rules} | set(numbers)
    assert rarest(values, rows) >= TIMES
    most = sorted(len(each) for each in values.values())[-2:]
    assert len(rows) <= 1.4 * TIMES * most[0] * most[1]
