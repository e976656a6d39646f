"""Reports and the feed of long records: equal to a slow reference, each fact applied once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.feed.feed import Feed
from companion.journal.entries import Control, Entry, is_control
from companion.journal.timeline import NEAR
from companion.reports import record as records
from companion.reports.record import RecordedFact, record_of
from companion.rules.facts import TABLE, Refused, Setup
from companion.rules.game import Game
from companion.rules.registry import open_game
from companion.session.readings import timeline_of
from tests.benchmarks.long_records import in_memory
from tests.games.hints import EVERY, setup_of
from tests.thorough import examples

ENTRIES, UNDONE = 120, 25

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")
every_game = pytest.mark.parametrize("game_id", EVERY)
seeds = st.integers(0, 2**32)


def evening(game_id: str, seed: int, entries: int = ENTRIES, undone: int = UNDONE) -> list[Entry]:
    """Return a record of that game, corrected in every way."""
    return in_memory(
        open_game(game_id), setup_of(game_id, 4), entries, undone, corrected=True, seed=seed
    )


def slowly(
    game: Game[Any], setup: Setup, entries: Sequence[Entry]
) -> tuple[list[RecordedFact], Any]:
    """Return the facts and the state of a record by a slow reference.

    It folds all of it once, and describes each fact by another fold up to it.
    """
    timeline = timeline_of(game, setup)
    timeline.extend(entries)
    voids = {
        entry.body["entry"]: entry
        for entry in entries
        if is_control(entry, Control.VOID) and timeline.order.stands(entry.n)
    }
    lines, undone = [], None
    for entry, before in timeline.history():
        undone = undone if entry.n in voids else None
        fact = game.parse(entry.kind, entry.body)
        text = game.describe(before, fact)
        for state in (undone, before) if entry.n in voids else ():
            with suppress(Refused):
                if state is not None:
                    after = game.advance(state, fact, 1)
                    text, undone = game.sentence(state, after, fact, TABLE), after
                    break
        problem = timeline.problems.get(entry.n)
        assert problem is None or isinstance(problem, Refused)
        lines.append(RecordedFact(entry, fact, text, voids.get(entry.n), problem))
    return lines, timeline.state


def shown(line: RecordedFact) -> tuple[Any, ...]:
    """Return a line for comparison, its problem as text: two refusals are never equal."""
    return line.entry.n, line.fact, line.text, line.void, str(line.problem), line.counts


@every_game
@settings(max_examples=examples(3, 60))
@given(seed=seeds)
def test_a_record_read_in_one_fold_is_the_one_read_in_many(game_id: str, seed: int) -> None:
    entries = evening(game_id, seed)
    record = record_of(entries, "long")
    lines, state = slowly(record.game, record.begun, entries)
    assert [shown(line) for line in record.facts] == [shown(line) for line in lines]
    assert record.state == state


class Counted:
    """A game whose rules count how often a fact is applied and a state is viewed."""

    def __init__(self, game: Game[Any]) -> None:
        self.applied = self.viewed = 0
        self.game = replace(
            game,
            apply=self._counting("applied", game.apply),
            view=self._counting("viewed", game.view),
        )
        if game.glance is not None:
            self.game = replace(self.game, glance=self._counting("viewed", game.glance))

    def _counting(self, what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*given: Any) -> Any:
            setattr(self, what, getattr(self, what) + 1)
            return function(*given)

        return counting


@every_game
def test_a_report_applies_each_fact_once_and_looks_at_no_state_on_the_way(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = evening(game_id, 1, 400, 80)
    counted = Counted(open_game(game_id))
    monkeypatch.setattr(records, "game_of", lambda _body: (counted.game, setup_of(game_id, 4)))
    record = record_of(entries, "long")
    refused = sum(line.problem is not None for line in record.facts)
    taken_back = sum(line.void is not None for line in record.facts)
    assert counted.applied <= len(record.facts) + 2 * taken_back + refused
    assert counted.viewed == 0


def undone_at_the_end(game_id: str) -> Iterator[Entry]:
    """Return a record whose facts are each undone and redone in turn."""
    return iter(
        in_memory(open_game(game_id), setup_of(game_id, 4), 400, 120, corrected=False, seed=3)
    )


@every_game
def test_an_undo_in_the_feed_applies_no_fact_again_and_comes_back_to_a_state_that_was_seen(
    game_id: str,
) -> None:
    entries = list(undone_at_the_end(game_id))
    facts = sum(entry.kind != Control.VOID for entry in entries) - 1
    brought_back = sum(entry.body.get("reason") == "redo" for entry in entries)
    counted = Counted(open_game(game_id))
    feed = Feed(counted.game, setup_of(game_id, 4), entries)
    assert list(feed.take(len(entries)))
    assert brought_back < NEAR
    assert counted.applied <= facts + brought_back + sum(_sentences_asked(entries))
    assert counted.viewed <= facts + brought_back + 2


def _sentences_asked(entries: Sequence[Entry]) -> Iterator[int]:
    """Return one for each void: its fact may have to be described as it was."""
    return (1 for entry in entries if entry.kind == Control.VOID)
