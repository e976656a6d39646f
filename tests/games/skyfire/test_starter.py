"""Who starts, on the players' cards and in the table of the round."""

from __future__ import annotations

from companion.display.panels import panels_of
from companion.rules.facts import TABLE
from companion.rules.registry import open_game
from tests.games.test_every_game import played


def test_after_a_round_no_card_says_that_its_player_starts() -> None:
    game, panels, phases = open_game("skyfire"), panels_of("skyfire"), set[str]()
    for _, _, _, state in played("skyfire", 3, seed=7, most=120):
        view = game.view(state, TABLE)
        assert panels.seats is not None
        phases.add(view.phase)
        starting = [line.name for line in panels.seats(view) if "starts" in line.words]
        assert len(starting) == (0 if view.phase in ("over", "finished") else 1), view.phase
    assert {"open", "over"} <= phases
