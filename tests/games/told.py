"""Recorded games as people read them: each sentence of the log, and the prompt after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from companion.rules.actions import with_keys
from companion.rules.facts import TABLE
from tests.games.transcripts import folded

FIXTURES = Path(__file__).parents[1] / "fixtures"
WRITE = os.environ.get("SNAPSHOTS") == "write"


def recorded(game: str) -> list[Path]:
    """Return the transcripts of a game."""
    return sorted((FIXTURES / game).glob("*.jsonl"))


def check_told(path: Path) -> None:
    """Compare a transcript with the text beside it, or rewrite that text if asked to."""
    beside, told = path.with_suffix(".told.txt"), "\n".join(_lines(path)) + "\n"
    if WRITE:
        beside.write_text(told, encoding="utf-8")
    assert told == beside.read_text(encoding="utf-8")


def _lines(path: Path) -> Iterator[str]:
    """Yield the setup; then each sentence, other words that a seat reads, and the prompt; then the result."""
    record = folded(path)
    game, state = record.game, record.game.start(record.begun)
    yield from game.checklist(state)
    awaited = ""
    for line in record.facts:
        if line.fact is None or not line.counts:
            continue
        text = game.describe(state, line.fact)
        yield text
        for seat in state.setup.seats:
            own = game.describe(state, line.fact, seat.id)
            if own != text:
                yield f"  {seat.name} reads: {own}"
        state = game.apply(state, line.fact, line.entry.n)
        before, awaited = awaited, with_keys(game.awaiting(state))
        if awaited != before:
            yield f"  > {awaited}"
    yield from game.view(state, TABLE).notes
    yield from game.summary(state)
