"""Transcripts written as their reader takes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from companion.rules.game import body_of
from companion.rules.transcript import VOID, Line, Transcript, VoidLine


def format_transcript(transcript: Transcript) -> str:
    """Return the transcript as text: the header, then one line for each entry."""
    setup = transcript.setup
    header = {
        "game": setup.game,
        "rules": setup.rules_version,
        "seats": [{"id": seat.id, "name": seat.name} for seat in setup.seats],
        "options": dict(setup.options),
        **({"components": dict(setup.components)} if setup.components else {}),
    }
    return "".join(_dump(row) for row in (header, *_rows(transcript.lines)))


def _rows(lines: Iterable[Line]) -> Iterable[Mapping[str, Any]]:
    coming = 2
    for line in lines:
        number = {} if line.n == coming else {"n": line.n}
        coming = line.n + 1
        if isinstance(line, VoidLine):
            yield {**number, "kind": VOID, "entry": line.entry}
        else:
            after = {} if line.after is None else {"after": line.after}
            yield {**number, **after, "kind": line.fact.kind, **body_of(line.fact)}


def _dump(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
