"""With every action on another key, no sentence names a default key."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.dashboard.app import Dashboard
from companion.rules.actions import with_keys
from companion.rules.facts import Refused
from companion.rules.registry import GAMES, open_game
from tests.dashboard.recorded import FIXTURES, recorded
from tests.dashboard.screen import screen_text
from tests.games.transcripts import folded, states_of
from tests.other_keys import delivered, other_keys

PAGES = ("log", "statistics", "details", "marshal", "why")
MIDDLE = {  # a state in the middle of a recorded game, and what its screens add to the keyboard
    "drills": ("plates-with-a-tie", 8, ()),
    "panic-fire": ("six-rounds", 20, ()),
    "skyfire": ("a-tie-broken", 30, ()),
    "sky-rise": ("three-players-by-buttons", 40, ()),
    "fractured-sky": (
        "two-seats-and-an-ai",
        60,
        ("resolution", "fortress", "here", "powers", "take"),
    ),
}


def states(game_id: str) -> Iterator[Any]:
    """Return every state of the recorded games."""
    for path in sorted((FIXTURES / game_id).glob("*.jsonl")):
        yield from states_of(folded(path))


@cache
def sentences(game_id: str) -> frozenset[str]:
    """Return what all states say: the prompts, the results' last lines, and refusals of keys."""
    game, spoken = open_game(game_id), set()
    for state in states(game_id):
        spoken |= {game.awaiting(state), game.summary(state)[-1]}
        for action in game.actions(game.common(state).setup):
            try:
                game.pressed(state, action.id)
            except Refused as refusal:
                spoken.add(refusal.spoken())
    return frozenset(spoken)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_no_sentence_of_a_game_names_a_key_that_an_action_does_not_have(game_id: str) -> None:
    assert any(delivered(with_keys(text)) for text in sentences(game_id))
    keys = other_keys(game_id)
    assert [text for text in sentences(game_id) if delivered(with_keys(text, keys))] == []


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_where_lines_are_typed_nothing_is_pressed(game_id: str) -> None:
    for text in (with_keys(sentence, typed=True) for sentence in sentences(game_id)):
        assert "press" not in text
        assert "grid" not in text
        assert "curtain" not in text
        assert not set(text) & set("{}\x1f")


@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_no_page_names_a_key_that_an_action_does_not_have(
    game_id: str, tmp_path: Path
) -> None:
    name, facts, own = MIDDLE[game_id]
    keys = other_keys(game_id)
    with recorded(game_id, name, facts, tmp_path, keys) as table:
        app, seen = Dashboard(table, keys=keys), {}
        async with app.run_test(size=(120, 50)) as pilot:
            for action in (
                "",
                *(f"dashboard.{page}" for page in PAGES),
                *(f"{game_id}.{word}" for word in own),
            ):
                if action:
                    app.perform(action)
                await pilot.pause()
                seen[action] = [
                    places for row in screen_text(app).splitlines() if (places := delivered(row))
                ]
                while len(app.screen_stack) > 1:
                    app.pop_screen()
    assert {action: places for action, places in seen.items() if places} == {}
