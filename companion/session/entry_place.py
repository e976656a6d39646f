"""Where somebody stopped who enters a box: what was half answered, and the way back. Beside the owner's file.

The file can be lost or damaged at no cost but the way back: what was answered whole stands in the owner's file.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.journal.disk import read_regular
from companion.rules.box_questions import Draft, RowId, question_of
from companion.rules.component_rows import ComponentTable, fits
from companion.rules.components import BoxError, ComponentRow, read_box
from companion.session.owner_box import MOST_BYTES, as_toml, write_whole

MOST_STEPS: Final = 300
"""Answers that can be taken back; the largest box has fewer fields."""


@dataclass(frozen=True, slots=True)
class Before:
    """How things stood before an answer: the fact at hand, and what was half answered. `row`: the owner's row that the
    answer took the place of; `wrote`: the one that it wrote."""

    at: RowId | None
    drafts: Mapping[RowId, Draft]
    row: ComponentRow | None = None
    wrote: ComponentRow | None = None


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """Where somebody stands: the fact at hand (None: behind the last one), what was half answered, and how things stood
    before each of the last answers. `stopped` is False where nobody was here before."""

    at: RowId | None = None
    drafts: Mapping[RowId, Draft] = dataclasses.field(default_factory=dict)
    past: Sequence[Before] = ()
    stopped: bool = True


def keep(path: Path, place: EntryPlace) -> None:
    """Put a place on the disk; raise `OSError`."""
    past = [
        {
            "at": before.at,
            "drafts": _as_json(before.drafts),
            "row": _text(before.row),
            "wrote": _text(before.wrote),
        }
        for before in place.past[-MOST_STEPS:]
    ]
    write_whole(path, json.dumps({"at": place.at, "drafts": _as_json(place.drafts), "past": past}))


def kept(path: Path, tables: Mapping[str, ComponentTable], facts: Collection[RowId]) -> EntryPlace:
    """Return the place that stands in the file, as far as it makes sense for these facts: it may be anybody's."""
    found = EntryPlace(stopped=False)
    with suppress(OSError, ValueError, BoxError, RecursionError, KeyError, TypeError, AttributeError):
        data = json.loads(read_regular(path, MOST_BYTES))
        at = _fact(data["at"], facts)
        found = EntryPlace(at, _drafts(data["drafts"], tables, facts))
        past = tuple(
            Before(
                _fact(one["at"], facts),
                _drafts(one["drafts"], tables, facts),
                _row(one["row"], tables),
                _row(one["wrote"], tables),
            )
            for one in data["past"][-MOST_STEPS:]
        )
        found = EntryPlace(at, found.drafts, past)
    return found


def _as_json(drafts: Mapping[RowId, Draft]) -> list[dict[str, Any]]:
    return [{"table": table, "name": name, "fields": dict(draft)} for (table, name), draft in drafts.items()]


def _text(row: ComponentRow | None) -> str:
    return "" if row is None else "\n".join(as_toml(row))


def _row(text: str, tables: Mapping[str, ComponentTable]) -> ComponentRow | None:
    if not text:
        return None
    (row,) = read_box(text, "a step", tuple(tables.values())).rows
    return row


def _fact(said: Any, facts: Collection[RowId]) -> RowId | None:
    if said is None:
        return None
    table, name = said
    if (table, name) not in facts:
        raise ValueError("there is no such fact")
    return table, name


def _drafts(said: Any, tables: Mapping[str, ComponentTable], facts: Collection[RowId]) -> dict[RowId, Draft]:
    found: dict[RowId, Draft] = {}
    for one in said:
        fact = (one["table"], one["name"])
        if fact in facts:
            found[fact] = _sound(tables[fact[0]], one["fields"])
    return found


def _sound(table: ComponentTable, fields: Mapping[str, Any]) -> Draft:
    """The answers that could have been given."""
    draft: dict[str, Any] = {}
    for field in table.fields:
        value = fields.get(field.name)
        value = tuple(value) if isinstance(value, list) else value
        left_out = value is None and field.optional and field.name in fields
        if left_out or (
            value is not None and fits(field, value) and (not field.exactly or len(value) == field.exactly)
        ):
            draft[field.name] = value
    return draft if question_of(table, "", draft) is not None else {}
