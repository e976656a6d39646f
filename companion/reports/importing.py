"""The import: an export or a transcript becomes a new session file with the same fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.journal.entries import Control, Draft, Entry, Layer, draft_of, is_control, is_lost
from companion.journal.record import FIRST_DIGEST, LostEntries, StoredEntry, check_draft, misfit, new_salt, seal
from companion.journal.store import create_store
from companion.reports.transcripts import OMITTED, derived_t_us
from companion.rules.columns import json_text
from companion.rules.game import Game, Refused, Seat, Setup
from companion.rules.header import with_all_options
from companion.rules.registry import open_game
from companion.rules.transcript import TranscriptError, object_of, parse_transcript

# As many numbers as an import fills for entries that were left out: a long evening has some ten thousand entries.
MOST_OMITTED = 100_000
_LEFT_OUT = Draft(Layer.EVIDENCE, OMITTED, actor="import")
_ABOUT = {"n", "after", "joined", "actor", "causes", "key", "t_us", "wall"}


def parse_export(text: str, name: str, wall: str) -> tuple[Entry, ...]:
    """Read an export or a transcript; `wall` is the wall clock of what carries none.

    Raise `TranscriptError` at the first line that does not fit the format. Facts that the rules refuse are kept.
    """
    rows = text.split("\n")
    number = 1
    try:
        builder = _Builder(rows[0], name, wall)
        for number, row in enumerate(rows[1:], start=2):  # noqa: B007  the error names it
            if row.strip():
                builder.add(object_of(row))
    except Refused as refusal:
        raise TranscriptError(name, number, refusal) from refusal
    except (ValueError, TypeError, RecursionError) as error:  # what the journal does not accept
        raise TranscriptError(name, number, Refused("FORMAT", str(error), "an entry that can be recorded")) from error
    return tuple(builder.entries)


def write_session(path: Path, entries: Sequence[Entry], origin: str, *, over: bool) -> None:
    """Make a session file of `entries`, which keep their numbers and wall clocks; its header names `origin`.

    A game that is `over` ends it, so that nobody is asked to go on. Raise `JournalError`.
    """
    header = {"name": path.stem, **entries[0].body, "imported": origin}
    told = [entries[0]._replace(body=header), *entries[1:]]
    if over and not _ended(entries):
        end = Draft(Layer.CONTROL, Control.ENDED)
        told.append(seal(end, len(entries) + 1, entries[-1].wall, FIRST_DIGEST, new_salt())[0])
    create_store(path, *_rows(told)).close()


def _rows(entries: Iterable[Entry]) -> Iterator[StoredEntry | LostEntries]:
    """The rows of a new file: entries chained anew, and one gap for all numbers of one loss."""
    previous = FIRST_DIGEST
    for entry in entries:
        row = seal(draft_of(entry), entry.n, entry.wall, previous, new_salt())[1]
        if not is_lost(entry):
            yield row
        elif entry.n == entry.body["to"]:
            yield LostEntries(entry.body["from"], entry.n, row.digest, entry.wall, entry.body["why"])
        previous = row.digest


def _ended(entries: Sequence[Entry]) -> bool:
    marks = [entry.kind for entry in entries if is_control(entry, Control.ENDED, Control.RESUMED)]
    return marks[-1:] == [Control.ENDED]


class _Builder:
    """Rows in, sealed entries out."""

    def __init__(self, first: str, name: str, wall: str) -> None:
        header = object_of(first)
        self._wall = _wall(header.pop("wall", wall))
        setup = _setup(header, name)
        self._game: Game[Any] = open_game(setup.game)
        setup = with_all_options(self._game, setup)
        body = {**header, "rules": setup.rules_version, "options": dict(setup.options)}
        body["seats"] = [asdict(seat) for seat in setup.seats]
        self.entries: list[Entry] = []
        self._keys: set[str] = set()
        self._omitted = 0
        self._seal(Draft(Layer.CONTROL, Control.SESSION, body), self._wall)

    def add(self, row: dict[str, Any]) -> None:
        n = row.get("n", len(self.entries) + 1)
        if type(n) is not int or n <= len(self.entries):
            raise Refused("FORMAT", f"the number of the entry is {n!r}", f"a whole number above {len(self.entries)}")
        wall = _wall(row.get("wall", self.entries[-1].wall if "joined" in row else self._wall))
        draft = self._read(row)
        loss = is_control(draft, Control.LOST)
        if loss and not draft.body["from"] == n <= draft.body["to"]:
            where = f"from {draft.body['from']} to {draft.body['to']}"
            raise Refused("FORMAT", f"entry {n} tells of entries {where}", f"a loss that begins at {n}")
        self._leave_free(n, wall)
        if draft.key is not None and draft.key in self._keys:
            raise Refused("FORMAT", f"the key {draft.key!r} was used before", "a key of its own for each entry")
        self._keys.update(() if draft.key is None else (draft.key,))
        check_draft(draft, n, lambda number: self.entries[number - 1])
        self._seal(draft, wall)
        if loss:
            self._leave_free(draft.body["to"] + 1, wall, draft)

    def _leave_free(self, n: int, wall: str, draft: Draft = _LEFT_OUT) -> None:
        self._omitted += max(n - len(self.entries) - 1, 0)
        if self._omitted > MOST_OMITTED:
            raise Refused("FORMAT", f"entry {n} leaves too many numbers free", f"at most {MOST_OMITTED} in all")
        while len(self.entries) < n - 1:
            self._seal(draft, wall)

    def _seal(self, draft: Draft, wall: str) -> None:
        previous = self.entries[-1].digest if self.entries else FIRST_DIGEST
        self.entries.append(seal(draft, len(self.entries) + 1, wall, previous, new_salt())[0])

    def _read(self, row: dict[str, Any]) -> Draft:
        kind = row.get("kind")
        if not isinstance(kind, str):
            raise Refused("FORMAT", "the line has no kind", "a kind and its fields")
        body = {key: value for key, value in row.items() if key not in _ABOUT and key != "kind"}
        if "layer" in row:
            layer, body = _other(kind, body)
        elif kind == Control.VOID:
            layer = Layer.CONTROL
            for field in ("reason", "who"):
                if not isinstance(body.get(field, ""), str):
                    raise Refused("FORMAT", f"the {field} is {body[field]!r}", "a text")
        else:
            layer = Layer.FACT
            self._game.parse(kind, body)
        draft = _about(row, Draft(layer, kind, body))
        return draft if "t_us" in row or layer is not Layer.FACT else replace(draft, t_us=derived_t_us(body))


def _setup(header: dict[str, Any], name: str) -> Setup:
    """The setup, checked as that of a transcript; seats keep the look they were exported with."""
    seats = header.get("seats")
    rows = [row for row in seats if isinstance(row, dict)] if isinstance(seats, list) else []
    plain = {key: header[key] for key in ("game", "rules", "seats", "options", "components") if key in header}
    if rows and seats is not None and len(rows) == len(seats):
        plain["seats"] = [{key: row[key] for key in ("id", "name") if key in row} for row in rows]
    setup = parse_transcript(json_text(plain), name).setup
    return replace(setup, seats=tuple(_dressed(*pair) for pair in zip(setup.seats, rows, strict=True)))


def _dressed(seat: Seat, row: dict[str, Any]) -> Seat:
    look = {key: row[key] for key in ("color", "glyph", "initial") if key in row}
    if not all(isinstance(value, str) and value for value in look.values()) or row.keys() - asdict(seat).keys():
        raise Refused("FORMAT", f"a seat is {json_text(row)}", "id, name, color, glyph and initial, all texts")
    return replace(seat, **look)


def _other(kind: str, row: dict[str, Any]) -> tuple[Layer, dict[str, Any]]:
    layer, body = row["layer"], row.get("body", {})
    known = kind in set(Control) - {Control.SESSION, Control.VOID} if layer == Layer.CONTROL else True
    if layer not in (Layer.EVIDENCE, Layer.CONTROL) or not known or not isinstance(body, dict):
        raise Refused("FORMAT", f"{layer!r} {kind!r} is no entry of a session", "evidence or control, with its body")
    if row.keys() - {"layer", "body"}:
        raise Refused("FORMAT", f"{kind} has more fields than a body", "layer, kind and body")
    wrong = misfit(Layer(layer), kind, body)
    if wrong is not None:
        raise Refused("FORMAT", f"{kind}: {wrong.field} is {body.get(wrong.field)!r}", wrong.wanted)
    return Layer(layer), body


_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "after": (lambda value: type(value) is int, "the number of an entry"),
    "joined": (lambda value: value is True, "true, or nothing"),
    "actor": (lambda value: isinstance(value, str), "a text"),
    "key": (lambda value: isinstance(value, str), "a text"),
    "causes": (lambda value: isinstance(value, list) and all(type(one) is int for one in value), "a list of entries"),
    "t_us": (lambda value: value is None or type(value) is int, "whole microseconds"),
}


def _about(row: dict[str, Any], draft: Draft) -> Draft:
    found: dict[str, Any] = {}
    for field, (fits, wanted) in _TYPES.items():
        if field in row:
            if not fits(row[field]):
                raise Refused("FORMAT", f"{field} is {row[field]!r}", wanted)
            found[field] = tuple(row[field]) if field == "causes" else row[field]
    return replace(draft, **found)


def _wall(value: Any) -> str:
    try:
        if datetime.fromisoformat(value).tzinfo is not None:
            return str(value)
    except (TypeError, ValueError):
        pass
    raise Refused("FORMAT", f"the wall clock is {value!r}", "ISO 8601 with a time zone")
