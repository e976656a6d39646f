"""The feed reads a glance of each state; its events are the same as with the whole view."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.display.panels import panels_of
from companion.feed.events import line_of
from companion.feed.feed import Feed
from companion.journal.entries import Entry
from companion.rules.facts import TABLE, Setup
from companion.rules.game import Game
from companion.rules.registry import open_game
from tests.benchmarks.long_records import in_memory
from tests.games.hints import EVERY, setup_of
from tests.thorough import examples

ENTRIES, UNDONE = 160, 30
DRILLS = ("reaction", "par", "splits", "string", "plates")
PLAYED: list[tuple[str, dict[str, str]]] = [
    *((game_id, {}) for game_id in EVERY),
    *(("drills", {"drill": drill, "strings": "9"}) for drill in DRILLS),
]

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")
every_game = pytest.mark.parametrize(("game_id", "options"), PLAYED, ids=lambda case: str(case))
seeds = st.integers(0, 2**32)


def evening(
    game_id: str, options: dict[str, str], seed: int
) -> tuple[Game[Any], Setup, list[Entry]]:
    """Return a record with undos and every kind of correction."""
    game, setup = open_game(game_id), replace(setup_of(game_id, 4), options=options)
    return game, setup, in_memory(game, setup, ENTRIES, UNDONE, corrected=True, seed=seed)


def lines(game: Game[Any], setup: Setup, entries: Sequence[Entry]) -> list[str]:
    """Return the feed of a record as it is written."""
    return [line_of(event) for event in Feed(game, setup, entries).take(len(entries))]


@every_game
@settings(max_examples=examples(3, 60))
@given(seed=seeds)
def test_the_feed_tells_the_same_by_a_glance_and_by_the_whole_view(
    game_id: str, options: dict[str, str], seed: int
) -> None:
    game, setup, entries = evening(game_id, options, seed)
    assert lines(game, setup, entries) == lines(replace(game, glance=None), setup, entries)


@every_game
@settings(max_examples=examples(2, 20))
@given(seed=seeds)
def test_an_event_is_written_as_its_fields_are_with_its_kind_first(
    game_id: str, options: dict[str, str], seed: int
) -> None:
    game, setup, entries = evening(game_id, options, seed)
    for event in Feed(game, setup, entries).take(len(entries)):
        fields = {"kind": event.kind} | event.model_dump(mode="json")
        assert line_of(event) == json.dumps(fields, separators=(",", ":"))


@every_game
@settings(max_examples=examples(2, 20))
@given(seed=seeds)
def test_the_feed_of_a_record_told_entry_by_entry_is_that_of_one_told_at_once(
    game_id: str, options: dict[str, str], seed: int
) -> None:
    """Values shared from event to event are shared between readers too: here two of them alternate."""
    game, setup, entries = evening(game_id, options, seed)
    other = Feed(game, setup, entries[: ENTRIES // 2])
    feed, feed_lines = Feed(game, setup, entries), list[str]()
    for up_to, entry in enumerate(entries, start=1):
        whole = up_to == len(entries) or not entries[up_to].joined
        if whole:
            feed_lines += [line_of(event) for event in feed.take(entry.n)]
            list(other.take(min(entry.n, feed.taken, ENTRIES // 2 - 10)))
    assert feed_lines == lines(game, setup, entries)


@pytest.mark.parametrize("game_id", [id_ for id_ in EVERY if id_ != "pebbles"])
def test_a_glance_says_where_the_game_stands_and_nothing_of_it_beside_a_line(game_id: str) -> None:
    game, setup = open_game(game_id), setup_of(game_id, 4)
    state, panels = game.start(setup), panels_of(game_id)
    assert game.glance is not None
    seen, whole = game.glance(state), game.view(state, TABLE)
    assert panels.where(seen) == panels.where(whole)
    assert panels.clock(seen) == panels.clock(whole)
    known = game.standings(state)
    brief = panels.lines(seen, setup, known, frozenset(), ended=False)
    full = panels.lines(whole, setup, known, frozenset(), ended=False)
    assert [(glance.look, glance.score, glance.turn, glance.out) for glance in brief] == [
        (glance.look, glance.score, glance.turn, glance.out) for glance in full
    ]
    assert not any(glance.words for glance in brief)
