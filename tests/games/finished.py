"""Finished tables of any game, by random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from companion.journal.entries import Control, Draft, Layer
from companion.journal.record import FIRST_DIGEST, seal
from companion.rules.facts import Fact, body_of
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.session.table import Table
from tests.games.hints import setup_of
from tests.games.random_play import steps
from tests.session.parts import WALL, MemoryJournal, journal_of


@lru_cache
def facts_of(game_id: str, seed: int) -> tuple[Fact, ...]:
    game, setup = open_game(game_id), setup_of(game_id, 3)
    return tuple(fact for _, fact, _, _ in steps(game, setup, random.Random(seed)))


@contextmanager
def finished(game_id: str, seed: int = 0, *, typed: bool = False) -> Iterator[Table]:
    """Yield a table of three, or as many as can play, with a whole game entered; its keys have no delay."""
    game, setup = open_game(game_id), setup_of(game_id, 3)
    drafts = [Draft(Layer.CONTROL, Control.SESSION, header(setup, "evening"))]
    drafts += [
        Draft(Layer.FACT, fact.kind, body_of(fact), actor="keyboard")
        for fact in facts_of(game_id, seed)
    ]
    entries = [
        seal(draft, n, WALL, FIRST_DIGEST, bytes(16))[0] for n, draft in enumerate(drafts, start=1)
    ]
    with journal_of(entries, MemoryJournal) as journal:
        table = Table(game, journal, setup, host_us=lambda: 0, typed=typed, guard_us=0)
        yield table
        table.close()
