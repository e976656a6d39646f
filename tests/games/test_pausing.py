"""Which kinds of facts the pause of a game refuses, for every game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.common import COMMON_FACTS, PAUSE
from companion.rules.facts import Fact, Refused, by_kind
from companion.rules.game import Game
from companion.rules.pausing import stopped_kinds
from companion.rules.registry import open_game
from tests.games.hints import EVERY
from tests.games.test_every_game import played

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")
PAUSES = {"pause", "unpause"}


def clause_against(game: Game[Any], state: Any, fact: Fact) -> str:
    """Return the clause that refuses a fact, empty if it is possible."""
    try:
        game.advance(state, fact, 1)
    except Refused as refusal:
        return refusal.clause
    return ""


@pytest.mark.parametrize("game_id", EVERY)
def test_exactly_the_kinds_that_a_pause_refuses_are_stopped(game_id: str) -> None:
    game = open_game(game_id)
    kinds = set(game.facts) - PAUSES
    for _, _, _, running in played(game_id, game.seat_counts[-1], seed=7, most=90)[::11]:
        if game.over(running) or game.common(running).paused:
            continue
        assert stopped_kinds(game, running, kinds) == frozenset()
        paused = game.advance(running, game.parse("pause", {}), 1)
        stopped = stopped_kinds(game, paused, kinds)
        assert not stopped & set(by_kind(*COMMON_FACTS))
        for fact in game.candidates(running):
            if fact.kind in PAUSES:
                continue
            assert (clause_against(game, paused, fact) == PAUSE) == (fact.kind in stopped), fact


def test_a_kind_that_is_not_possible_now_is_stopped_as_well() -> None:
    game = open_game("panic-fire")
    _, _, _, running = played("panic-fire", 3, seed=7)[0]
    paused = game.advance(running, game.parse("pause", {}), 1)
    assert {"draw", "shot", "stalemate_draw"} <= stopped_kinds(game, paused, set(game.facts))
