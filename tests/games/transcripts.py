"""Transcripts in the form their reader takes, and the results of the recorded ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.reports.importing import fold_transcript
from companion.reports.record import Record
from companion.rules.facts import Fact, Setup, body_of


def format_transcript(setup: Setup, facts: Iterable[Fact] = (), voids: Iterable[int] = ()) -> str:
    """Return the transcript as text: the header, then a line for each fact and each retracted entry."""
    header = {
        "game": setup.game,
        "rules": setup.rules_version,
        "seats": [{"id": seat.id, "name": seat.name} for seat in setup.seats],
        "options": dict(setup.options),
        **({"components": dict(setup.components)} if setup.components else {}),
    }
    bodies = ({"kind": fact.kind, **body_of(fact)} for fact in facts)
    return "".join(
        map(_dump, (header, *bodies, *({"kind": "void", "entry": entry} for entry in voids)))
    )


def _dump(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def folded(path: Path) -> Record:
    """Return the result of a transcript."""
    return fold_transcript(path.read_text(encoding="utf-8"), path.name)


def states_of(record: Record) -> Iterator[Any]:
    """Yield all states of a record, the first before anything happened."""
    state = record.game.start(record.begun)
    yield state
    for line in record.facts:
        if line.fact is not None and line.counts:
            state = record.game.apply(state, line.fact, line.entry.n)
            yield state
