"""The import: an export or a transcript becomes a record with the same fold, and a new session file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.errors import CommandError
from companion.journal.entries import Control, Draft, Entry, Layer, draft_of, is_control, is_lost
from companion.journal.record import (
    FIRST_DIGEST,
    LostEntries,
    Row,
    check_draft,
    misfit,
    new_salt,
    seal,
)
from companion.journal.sessions import ORDER_KEY
from companion.journal.store import create_store
from companion.reports.record import Record, record_of
from companion.reports.transcripts import OMITTED, derived_t_us
from companion.rules.columns import can_be_shown, clean, json_text
from companion.rules.components import check_json, pinned
from companion.rules.facts import Refused, Seat, Setup
from companion.rules.game import Game
from companion.rules.header import setup_of, with_all_options
from companion.rules.order import without_place
from companion.rules.registry import GAMES, learn_of, open_game
from companion.rules.seats import seats_with_looks

# As many numbers as an import fills for entries that were left out: a long evening has some ten thousand entries.
MOST_OMITTED = 100_000
_LEFT_OUT = Draft(Layer.EVIDENCE, OMITTED, actor="import")
_ABOUT = {"n", "after", "joined", "actor", "causes", "key", "t_us", "wall"}
# an export carries its own times; a line without one has no other
_EPOCH = "1970-01-01T00:00:00+00:00"
_A_LINE = "one JSON object a line, as `companion export --format jsonl` writes them"
_HEADER = ("game", "rules", "seats", "options", "components")
_SEAT = {"id", "name", "color", "glyph", "initial"}


class TranscriptError(CommandError):
    """A transcript or an export that makes no sense; `str()` says it: file, line, clause, why, and what would do."""

    def __init__(self, name: str, number: int, refusal: Refused) -> None:
        sentence = f"{name}, line {number}: {refusal}".removesuffix(".")
        super().__init__(f"{clean(sentence)}.")  # a file's words must not move anybody's cursor


def parse_export(text: str, name: str, wall: str) -> tuple[Entry, ...]:
    """Read an export or a transcript; `wall` is the wall clock of what carries none.

    Raise `TranscriptError` at the first line that does not fit the format. Facts that the rules refuse are kept.
    """
    return tuple(_read(text, name, wall).entries)


def fold_transcript(text: str, name: str) -> Record:
    """Fold a transcript or an export; raise `TranscriptError` as `parse_export` does and, in a transcript, at the first
    fact that the rules refuse: an export keeps what made no sense any more, and it does not count."""
    builder = _read(text, name, _EPOCH)
    record = record_of(builder.entries, Path(name).stem)
    for line in record.facts if not builder.exported else ():
        if line.problem is not None:
            raise TranscriptError(
                name, builder.line_of[line.entry.n], line.problem
            ) from line.problem
    return record


def _read(text: str, name: str, wall: str) -> _Builder:
    number = 1
    try:
        if not text.strip():
            raise Refused("FORMAT", "the file is empty", "a header with the game and its seats")
        first, *rows = text.split("\n")
        builder = _Builder(_object_of(first), wall)
        for number, row in enumerate(rows, start=2):
            if row.strip():
                builder.add(_object_of(row), number)
    except Refused as refusal:
        raise TranscriptError(name, number, refusal) from refusal
    except (ValueError, TypeError, RecursionError) as error:  # what the journal does not accept
        raise TranscriptError(
            name, number, Refused("FORMAT", str(error), "an entry that can be recorded")
        ) from error
    return builder


def _object_of(row: str) -> dict[str, Any]:
    """The JSON object on a line; raise `Refused`."""
    try:
        found = json.loads(row)
    except (ValueError, RecursionError) as error:
        where: object = error
        if isinstance(error, json.JSONDecodeError):  # some messages end with the word already
            where = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise Refused(
            "FORMAT", f"there is no JSON object on this line ({where})", _A_LINE
        ) from error
    if not isinstance(found, dict):
        raise Refused("FORMAT", "this is JSON, but no object", _A_LINE)
    return found


def write_session(path: Path, entries: Sequence[Entry], origin: str, *, over: bool) -> None:
    """Make a session file of `entries`, which keep their numbers and wall clocks; its header names `origin`, and of
    a transcript it has the whole box: a session that was exported stays as it is.

    A game that is `over` ends it, so that nobody is asked to go on. Raise `JournalError`.
    """
    # Its place among the sessions of another folder says nothing here, and an old game is not to be the last one.
    header = {"name": path.stem, **without_place(entries[0].body), "imported": origin}
    is_transcript = "name" not in entries[0].body
    if is_transcript and (box := pinned(setup_of(header)).components):
        header["components"] = dict(box)
    told = [entries[0]._replace(body=header), *map(_brought_along, entries[1:])]
    if over and not _ended(entries):
        end = Draft(Layer.CONTROL, Control.ENDED)
        told.append(seal(end, len(entries) + 1, entries[-1].wall, FIRST_DIGEST, new_salt())[0])
    create_store(path, *_rows(told)).close()


def _brought_along(entry: Entry) -> Entry:
    if not is_control(entry, Control.RESUMED):
        return entry
    key = None if (entry.key or "").startswith(ORDER_KEY) else entry.key
    return entry._replace(body=without_place(entry.body), key=key)


def _rows(entries: Iterable[Entry]) -> Iterator[Row]:
    """The rows of a new file: entries chained anew, and one gap for all numbers of one loss."""
    previous = FIRST_DIGEST
    for entry in entries:
        row = seal(draft_of(entry), entry.n, entry.wall, previous, new_salt())[1]
        if not is_lost(entry):
            yield row
        elif entry.n == entry.body["to"]:
            yield LostEntries(
                entry.body["from"], entry.n, row.digest, entry.wall, entry.body["why"]
            )
        previous = row.digest


def _ended(entries: Sequence[Entry]) -> bool:
    marks = [entry.kind for entry in entries if is_control(entry, Control.ENDED, Control.RESUMED)]
    return marks[-1:] == [Control.ENDED]


class _Builder:
    """Rows in, sealed entries out. What says when it was begun is `exported` from a session; `line_of` is where each
    entry stands that has a line."""

    def __init__(self, header: dict[str, Any], wall: str) -> None:
        self.exported = "wall" in header
        self._wall = _wall(header.pop("wall", wall))
        if not self.exported and (unknown := header.keys() - set(_HEADER)):
            raise Refused(
                "FORMAT", f"unknown fields: {', '.join(sorted(unknown))}", ", ".join(_HEADER)
            )
        setup = _setup(header)
        self._game: Game[Any] = open_game(setup.game)
        setup = with_all_options(self._game, setup)
        body = {**header, "rules": setup.rules_version, "options": dict(setup.options)}
        body["seats"] = [asdict(seat) for seat in setup.seats]
        self.entries: list[Entry] = []
        self.line_of: dict[int, int] = {}
        self._keys: set[str] = set()
        self._omitted = 0
        self._seal(Draft(Layer.CONTROL, Control.SESSION, body), self._wall)

    def add(self, row: dict[str, Any], number: int) -> None:
        n = row.get("n", len(self.entries) + 1)
        if type(n) is not int or n <= len(self.entries):
            raise Refused(
                "FORMAT",
                f"the number of the entry is {n!r}",
                f"a whole number above {len(self.entries)}",
            )
        wall = _wall(row.get("wall", self.entries[-1].wall if "joined" in row else self._wall))
        draft = self._read(row)
        loss = is_control(draft, Control.LOST)
        if loss and not draft.body["from"] == n <= draft.body["to"]:
            where = f"from {draft.body['from']} to {draft.body['to']}"
            raise Refused(
                "FORMAT", f"entry {n} tells of entries {where}", f"a loss that begins at {n}"
            )
        self._leave_free(n, wall)
        if draft.after is not None:
            _require_earlier(draft.after, n, "before this line")
        if is_control(draft, Control.VOID):
            _require_earlier(draft.body.get("entry"), n, "to take back")
        if draft.key is not None and draft.key in self._keys:
            raise Refused(
                "FORMAT",
                f"the key {draft.key!r} was used before",
                "a key of its own for each entry",
            )
        self._keys.update(() if draft.key is None else (draft.key,))
        check_draft(draft, n, lambda number: self.entries[number - 1])
        self._seal(draft, wall)
        self.line_of[n] = number
        if loss:
            self._leave_free(draft.body["to"] + 1, wall, draft)

    def _leave_free(self, n: int, wall: str, draft: Draft = _LEFT_OUT) -> None:
        self._omitted += max(n - len(self.entries) - 1, 0)
        if self._omitted > MOST_OMITTED:
            raise Refused(
                "FORMAT",
                f"entry {n} leaves too many numbers free",
                f"at most {MOST_OMITTED} in all",
            )
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
        return (
            draft
            if "t_us" in row or layer is not Layer.FACT
            else replace(draft, t_us=derived_t_us(body))
        )


def _require_earlier(named: Any, n: int, what: str) -> None:
    if type(named) is not int or not 1 <= named < n:
        which = "it names no entry" if named is None else f"there is no entry {named!r}"
        raise Refused("FORMAT", f"{which} {what}", "an earlier entry of this file")


def _setup(header: dict[str, Any]) -> Setup:
    game_id, rules = header.get("game"), header.get("rules")
    try:
        learn_of(header.get("components"))
    except ValueError as fault:
        raise Refused(
            "FORMAT", f"the game it carries cannot be read: {fault}", "the file of a game"
        ) from fault
    if not isinstance(game_id, str) or game_id not in GAMES:
        stated = "no game is named" if game_id is None else f"the game is {game_id!r}"
        raise Refused("FORMAT", stated, f"one of {', '.join(sorted(GAMES))}")
    if type(rules) is not int:
        stated = (
            "no version of the rules is named"
            if rules is None
            else f"the rules version is {rules!r}"
        )
        raise Refused("FORMAT", stated, "a whole number as rules")
    options = header.get("options", {})
    if not isinstance(options, dict) or not all(
        isinstance(value, str) for value in options.values()
    ):
        raise Refused("FORMAT", "the options are no texts", "an object of option names and texts")
    seats, components = _seats(header.get("seats")), header.get("components", {})
    for problem in check_json(game_id, components):
        what = f"[[{problem.table}]] {problem.name}: " if problem.table else ""
        raise Refused(
            problem.clause or "FORMAT", f"components: {what}{problem.why}", problem.expected
        )
    setup = Setup(game_id, rules, seats, options, components)
    open_game(game_id).start(setup)
    return setup


def _seats(rows: Any) -> tuple[Seat, ...]:
    """The seats; they keep the look that they were exported with."""
    wanted = 'a list of {"id": text, "name": text}, with color, glyph and initial or without'
    if not isinstance(rows, list):
        raise Refused("FORMAT", "the seats are no list", wanted)
    for row in rows:
        texts = (
            row.values()
            if isinstance(row, dict) and {"id", "name"} <= row.keys() <= _SEAT
            else (None,)
        )
        if not all(isinstance(text, str) and can_be_shown(text) for text in texts):
            raise Refused("FORMAT", f"a seat is {json_text(row)}", wanted)
    plain = seats_with_looks([(row["id"], row["name"]) for row in rows])
    return tuple(replace(seat, **row) for seat, row in zip(plain, rows, strict=True))


def _other(kind: str, row: dict[str, Any]) -> tuple[Layer, dict[str, Any]]:
    layer, body = row["layer"], row.get("body", {})
    known = (
        kind in set(Control) - {Control.SESSION, Control.VOID} if layer == Layer.CONTROL else True
    )
    if layer not in (Layer.EVIDENCE, Layer.CONTROL) or not known or not isinstance(body, dict):
        raise Refused(
            "FORMAT",
            f"{layer!r} {kind!r} is no entry of a session",
            "evidence or control, with its body",
        )
    if row.keys() - {"layer", "body"}:
        raise Refused("FORMAT", f"{kind} has more fields than a body", "layer, kind and body")
    if (wrong := misfit(Layer(layer), kind, body)) is not None:
        raise Refused("FORMAT", f"{kind}: {wrong.field} is {body.get(wrong.field)!r}", wrong.wanted)
    return Layer(layer), body


_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "after": (lambda value: type(value) is int, "the number of an entry"),
    "joined": (lambda value: value is True, "true, or nothing"),
    "actor": (lambda value: isinstance(value, str), "a text"),
    "key": (lambda value: isinstance(value, str), "a text"),
    "causes": (
        lambda value: isinstance(value, list) and all(type(one) is int for one in value),
        "a list of entries",
    ),
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
    with suppress(TypeError, ValueError):
        if datetime.fromisoformat(value).tzinfo is not None:
            return str(value)
    raise Refused("FORMAT", f"the wall clock is {value!r}", "ISO 8601 with a time zone")
