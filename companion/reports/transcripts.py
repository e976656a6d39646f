"""Writes a session as JSON lines: a transcript with the rest of the record.

The format is that of `companion/rules/TRANSCRIPTS.md`. Beyond it

- the header has all of the session's first entry, and its `wall` (ISO 8601, UTC);
- facts and voids may carry `joined`, `actor`, `wall`, `causes`, `key` and `t_us` of their entry, a void its `reason`;
- a line with `layer` (`evidence` or `control`) is any other entry, with its `body`;
- one line of kind `lost` stands for all lost entries from `from` to `to`.

Numbers of entries that were left out are kept free: the import puts an empty entry of kind
`omitted` there, so that facts which name other entries still name the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from companion.journal.entries import Control, Entry, Layer, is_control, is_lost
from companion.reports.record import WITHHELD
from companion.rules.columns import json_text

OMITTED = "omitted"
# Control entries that make no sense without it.
_OF_EVIDENCE = frozenset(
    {
        Control.IGNORED,
        Control.READ_AS,
        Control.PROPOSED,
        Control.ENTERED,
        Control.TAPPED,
        Control.TEST,
    }
)


def format_export(entries: Sequence[Entry], *, evidence: bool = False, withheld: str = "") -> str:
    """Return the session as text.

    `evidence` adds what the board said, what was not counted, and what depends on it. `withheld` is
    the header's sentence on entries that are missing.
    """
    return "".join(json_text(row) + "\n" for row in _rows(entries, evidence, withheld))


def derived_t_us(body: Mapping[str, Any]) -> int | None:
    """Return the board's time of a fact whose entry states no other: that of its moment."""
    at = body.get("at")
    us = at.get("us") if isinstance(at, dict) else None
    return us if type(us) is int else None


def _rows(entries: Sequence[Entry], evidence: bool, withheld: str) -> Iterator[Mapping[str, Any]]:
    header = {**entries[0].body, "wall": entries[0].wall}
    if withheld:
        header[WITHHELD] = withheld
    yield header
    implied = 2  # the number of a line that states none
    for before, entry in pairwise(entries):
        if not evidence and _rests_on_evidence(entry):
            continue
        if is_lost(entry) and entry.n != entry.body["from"]:
            continue  # the first of the lost entries stands for all
        # Nothing can be one step with an entry that is lost.
        row = _row(entry._replace(joined=entry.joined and not is_lost(before)), evidence)
        if entry.n != implied:
            row = {"n": entry.n, **row}
        yield row
        implied = entry.body["to"] + 1 if is_lost(entry) else entry.n + 1


def _rests_on_evidence(entry: Entry) -> bool:
    if entry.layer is Layer.CONTROL:
        return entry.kind in _OF_EVIDENCE
    return entry.layer is Layer.EVIDENCE


def _row(entry: Entry, evidence: bool) -> Mapping[str, Any]:
    about = _entry_fields(entry, evidence)
    if entry.layer is Layer.FACT or is_control(entry, Control.VOID):
        return {**about, "kind": entry.kind, **entry.body}
    return {"layer": str(entry.layer), "kind": entry.kind, "body": dict(entry.body), **about}


def _entry_fields(entry: Entry, evidence: bool) -> dict[str, Any]:
    optional: dict[str, Any] = {"after": entry.after, "joined": entry.joined or None}
    if evidence:
        optional |= {"causes": list(entry.causes) or None, "key": entry.key}
    fields = {name: value for name, value in optional.items() if value is not None}
    implied_t_us = derived_t_us(entry.body) if entry.layer is Layer.FACT else None
    if entry.t_us != implied_t_us:
        fields["t_us"] = entry.t_us
    return {**fields, "actor": entry.actor, "wall": entry.wall}
