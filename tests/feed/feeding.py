"""The public feed of a record, whole."""

from __future__ import annotations

from collections.abc import Sequence

from companion.feed.events import Event
from companion.feed.feed import Feed
from companion.journal.entries import Entry
from companion.rules.header import game_of
from companion.session.table import Table


def told(entries: Sequence[Entry]) -> list[Event]:
    """Return all events of these entries."""
    game, setup = game_of(entries[0].body)
    return list(Feed(game, setup, entries).take(len(entries)))


def feed_of(table: Table) -> list[Event]:
    """Return all events of a table's record so far."""
    return told(list(table._journal.entries))
