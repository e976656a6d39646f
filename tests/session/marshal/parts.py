"""Shorthands for the tests of rereading."""

from __future__ import annotations

from collections.abc import Sequence

from companion.journal.entries import Draft, Entry
from companion.rules.gestures import GestureSettings
from companion.session.rereading import Rereading, reread
from tests.session.parts import GAME, MemoryJournal, journal_of, setup

USUAL = GestureSettings()


def read(entries: Sequence[Entry], settings: GestureSettings) -> Rereading:
    return reread(GAME, setup(), entries, settings)


def with_drafts(entries: Sequence[Entry], drafts: Sequence[Draft]) -> list[Entry]:
    with journal_of(entries, MemoryJournal) as journal:
        journal.append(*drafts)
        return list(journal.entries)
