"""Tables over our own fixtures: recorded games on disk, with clocks that do not move."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.journal import Journal
from companion.reports.importing import parse_export
from companion.rules.actions import OWN_KEYS, KeyMap
from companion.rules.header import game_of, header
from companion.session.table import Table

FIXTURES = Path(__file__).parents[1] / "fixtures"
WALL = "2024-05-01T20:15:00+00:00"
FIVE_SECONDS_US = 5_000_000


@contextmanager
def recorded(
    game_id: str, name: str, facts: int | None, folder: Path, keys: KeyMap = OWN_KEYS
) -> Iterator[Table]:
    """Return a table with the first `facts` facts of a recorded game, None for all of them."""
    first, *rest = _entries(game_id, name)
    game, setup = game_of(first.body)
    journal = Journal.create(folder / f"{name}.sqlite", header(setup, name), wall=lambda: WALL)
    appended = journal.append(*map(_draft, rest[:facts]))
    journal.wait(appended.last_n)
    table = Table(game, journal, setup, host_us=lambda: FIVE_SECONDS_US, keys=keys, guard_us=0)
    try:
        yield table
    finally:
        table.close()


def rest_of(game_id: str, name: str, facts: int, table: Table) -> None:
    """Enter the facts of a recorded game after the first ones, at a table that has those."""
    for entry in _entries(game_id, name)[1:][facts:]:
        table.look(partial(_enter, table, _draft(entry)))  # nobody else looks meanwhile
        table.publish()


def _enter(table: Table, draft: Draft, _record: object) -> None:
    table._append(draft)


def _entries(game_id: str, name: str) -> tuple[Entry, ...]:
    path = FIXTURES / game_id / f"{name}.jsonl"
    return parse_export(path.read_text(encoding="utf-8"), path.name, WALL)


def _draft(entry: Entry) -> Draft:
    if entry.kind == Control.VOID:
        return Draft(Layer.CONTROL, Control.VOID, {**entry.body, "reason": "undo"})
    return Draft(Layer.FACT, entry.kind, entry.body, actor="keyboard", after=entry.after)


@contextmanager
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Show times of day in UTC, so that snapshots are the same everywhere."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
