"""The players' lines of every game, over whole random games."""

from __future__ import annotations

import pytest

from companion.display.panels import panels_of
from companion.rules.facts import TABLE
from companion.rules.registry import open_game
from tests.games.hints import EVERY
from tests.games.test_every_game import played

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")


@pytest.mark.parametrize("game_id", EVERY)
def test_each_seat_has_one_line_with_its_score_and_whoever_left_is_idle(game_id: str) -> None:
    game, panels = open_game(game_id), panels_of(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=5, most=150)[::5]:
        common, standings = game.common(state), game.standings(state)
        asked = (game.view(state, TABLE), common.setup, standings, common.left)
        lines = panels.lines(*asked, ended=False)
        line_of = {line.id: line for line in lines}
        assert len(line_of) == len(lines)
        for seat in common.setup.seats:
            line = line_of[seat.id]
            assert (line.name, line.color, line.glyph, line.initial) == (
                seat.name, seat.color, seat.glyph, seat.initial,
            )  # fmt: skip
            assert line.score == str(standings[seat.id])
            assert line.idle or seat.id not in common.left
        if game.over(state):
            assert not any(line.turn for line in lines)
        assert not any(line.turn for line in panels.lines(*asked, ended=True))  # ended early


@pytest.mark.parametrize("game_id", [game for game in EVERY if game != "pebbles"])
def test_a_game_says_where_it_stands_at_every_moment(game_id: str) -> None:
    game, panels = open_game(game_id), panels_of(game_id)
    places = {
        panels.where(game.view(state, TABLE)) for *_, state in played(game_id, 3, seed=2, most=150)
    }
    assert "" not in places
    assert len(places) > 1
