"""Imports an export or a transcript as a record with the same fold, and as a session file."""

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
from companion.program import PROGRAM
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

# The maximum number of placeholders: a long evening has some ten thousand entries.
MOST_OMITTED = 100_000
# Keeps the number of an entry that was left out.
_PLACEHOLDER = Draft(Layer.EVIDENCE, OMITTED, actor="import")
_ENTRY_FIELDS = {"n", "after", "joined", "actor", "causes", "key", "t_us", "wall"}
# The time of lines without one when a transcript is only folded.
_EPOCH = "1970-01-01T00:00:00+00:00"
_A_LINE = f"one JSON object a line, as `{PROGRAM} export --format jsonl` writes them"
_HEADER = ("game", "rules", "seats", "options", "components")
_SEAT = {"id", "name", "color", "glyph", "initial"}


class TranscriptError(CommandError):
    """An invalid transcript or export; `str()` gives file, line, clause, reason and what is
    expected."""

    def __init__(self, name: str, number: int, refusal: Refused) -> None:
        sentence = f"{name}, line {number}: {refusal}".removesuffix(".")
        super().__init__(
            f"{clean(sentence)}."
        )  # control codes in a file must not reach the terminal


def parse_export(text: str, name: str, wall: str) -> tuple[Entry, ...]:
    """Read an export or a transcript; entries without a time of day get `wall`.

    Raises `TranscriptError` at the first line that does not fit the format. Facts that the rules
    refuse are kept.
    """
    return tuple(_read(text, name, wall).entries)


def fold_transcript(text: str, name: str) -> Record:
    """Fold a transcript or an export. Raises `TranscriptError` as `parse_export` does.

    In a transcript it is also raised at the first fact that the rules refuse. An export keeps
    refused facts, which do not count.
    """
    builder = _read(text, name, _EPOCH)
    record = record_of(builder.entries, Path(name).stem)
    if builder.exported:
        return record
    for line in record.facts:
        if line.problem is not None:
            number = builder.line_of[line.entry.n]
            raise TranscriptError(name, number, line.problem) from line.problem
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
    except (ValueError, TypeError, RecursionError) as error:  # the journal rejects the entry
        unfit = Refused("FORMAT", str(error), "an entry that can be recorded")
        raise TranscriptError(name, number, unfit) from error
    return builder


def _object_of(row: str) -> dict[str, Any]:
    """Return the JSON object on a line; raise `Refused` if there is none."""
    try:
        value = json.loads(row)
    except (ValueError, RecursionError) as error:
        where: object = error
        if isinstance(error, json.JSONDecodeError):  # some messages already end with "at"
            where = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise Refused(
            "FORMAT", f"there is no JSON object on this line ({where})", _A_LINE
        ) from error
    if not isinstance(value, dict):
        raise Refused("FORMAT", "this is JSON, but no object", _A_LINE)
    return value


def write_session(path: Path, entries: Sequence[Entry], origin: str, *, over: bool) -> None:
    """Create a session file from `entries`, keeping their numbers and times; raise `JournalError`.

    Its header names `origin`. A transcript gets the packaged box; an exported session keeps its
    own. If the game is `over`, the session is ended, so that nobody is asked to continue it.
    """
    # Its place in the order of another folder means nothing here, and an old game must not become the last one.
    header = {"name": path.stem, **without_place(entries[0].body), "imported": origin}
    is_transcript = "name" not in entries[0].body
    if is_transcript:
        box = pinned(setup_of(header)).components
        if box:
            header["components"] = dict(box)
    copied = [entries[0]._replace(body=header), *map(_copy_of, entries[1:])]
    if over and not _ended(entries):
        end = Draft(Layer.CONTROL, Control.ENDED)
        # Any digest will do: `_rows` chains all entries anew.
        copied.append(seal(end, len(entries) + 1, entries[-1].wall, FIRST_DIGEST, new_salt())[0])
    create_store(path, *_rows(copied)).close()


def _copy_of(entry: Entry) -> Entry:
    if not is_control(entry, Control.RESUMED):
        return entry
    key = entry.key
    if key is not None and key.startswith(ORDER_KEY):
        key = None
    return entry._replace(body=without_place(entry.body), key=key)


def _rows(entries: Iterable[Entry]) -> Iterator[Row]:
    """Yield the rows of a new file: entries chained anew, one gap for each range of lost entries."""
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
    """Builds sealed entries from parsed lines.

    `exported` is whether the header has a start time, as exports do; `line_of` maps entries to
    lines.
    """

    def __init__(self, header: dict[str, Any], wall: str) -> None:
        self.exported = "wall" in header
        self._wall = _wall(header.pop("wall", wall))
        unknown = header.keys() - set(_HEADER)
        if unknown and not self.exported:
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
        # A joined entry was written with the one before it, at the same time.
        default = self.entries[-1].wall if "joined" in row else self._wall
        wall = _wall(row.get("wall", default))
        draft = self._draft(row)
        loss = is_control(draft, Control.LOST)
        if loss and not draft.body["from"] == n <= draft.body["to"]:
            where = f"from {draft.body['from']} to {draft.body['to']}"
            raise Refused(
                "FORMAT", f"entry {n} tells of entries {where}", f"a loss that begins at {n}"
            )
        self._fill_up_to(n, wall)  # before the checks: they look entries up by number
        if draft.after is not None:
            _require_earlier(draft.after, n, "before this line")
        if is_control(draft, Control.VOID):
            _require_earlier(draft.body.get("entry"), n, "to take back")
        if draft.key is not None:
            if draft.key in self._keys:
                raise Refused(
                    "FORMAT",
                    f"the key {draft.key!r} was used before",
                    "a key of its own for each entry",
                )
            self._keys.add(draft.key)
        check_draft(draft, n, lambda number: self.entries[number - 1])
        self._seal(draft, wall)
        self.line_of[n] = number
        if loss:
            self._fill_up_to(draft.body["to"] + 1, wall, draft)

    def _fill_up_to(self, n: int, wall: str, draft: Draft = _PLACEHOLDER) -> None:
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

    def _draft(self, row: dict[str, Any]) -> Draft:
        kind = row.get("kind")
        if not isinstance(kind, str):
            raise Refused("FORMAT", "the line has no kind", "a kind and its fields")
        body = {
            key: value for key, value in row.items() if key not in _ENTRY_FIELDS and key != "kind"
        }
        layer: Layer
        if "layer" in row:
            layer, body = _layer_and_body(kind, body)
        elif kind == Control.VOID:
            layer = Layer.CONTROL
            for field in ("reason", "who"):
                if not isinstance(body.get(field, ""), str):
                    raise Refused("FORMAT", f"the {field} is {body[field]!r}", "a text")
        else:
            layer = Layer.FACT
            self._game.parse(kind, body)
        draft = _with_entry_fields(row, Draft(layer, kind, body))
        if layer is Layer.FACT and "t_us" not in row:
            draft = replace(draft, t_us=derived_t_us(body))
        return draft


def _require_earlier(number: Any, n: int, purpose: str) -> None:
    if type(number) is not int or not 1 <= number < n:
        problem = "it names no entry" if number is None else f"there is no entry {number!r}"
        raise Refused("FORMAT", f"{problem} {purpose}", "an earlier entry of this file")


def _setup(header: dict[str, Any]) -> Setup:
    game_id, rules = header.get("game"), header.get("rules")
    try:
        learn_of(header.get("components"))
    except ValueError as fault:
        raise Refused(
            "FORMAT", f"the game it carries cannot be read: {fault}", "the file of a game"
        ) from fault
    if not isinstance(game_id, str) or game_id not in GAMES:
        problem = "no game is named" if game_id is None else f"the game is {game_id!r}"
        raise Refused("FORMAT", problem, f"one of {', '.join(sorted(GAMES))}")
    if type(rules) is not int:
        problem = f"the rules version is {rules!r}"
        if rules is None:
            problem = "no version of the rules is named"
        raise Refused("FORMAT", problem, "a whole number as rules")
    options = header.get("options", {})
    if not isinstance(options, dict) or any(type(value) is not str for value in options.values()):
        raise Refused("FORMAT", "the options are no texts", "an object of option names and texts")
    seats, components = _seats(header.get("seats")), header.get("components", {})
    for flaw in check_json(game_id, components):
        row = f"[[{flaw.table}]] {flaw.name}: " if flaw.table else ""
        raise Refused(flaw.clause or "FORMAT", f"components: {row}{flaw.why}", flaw.expected)
    setup = Setup(game_id, rules, seats, options, components)
    open_game(game_id).start(setup)
    return setup


def _seats(rows: Any) -> tuple[Seat, ...]:
    """Return the seats, with the look that they were exported with."""
    wanted = 'a list of {"id": text, "name": text}, with color, glyph and initial or without'
    if not isinstance(rows, list):
        raise Refused("FORMAT", "the seats are no list", wanted)
    for row in rows:
        fits = isinstance(row, dict) and {"id", "name"} <= row.keys() <= _SEAT
        if not fits or not all(
            isinstance(text, str) and can_be_shown(text) for text in row.values()
        ):
            raise Refused("FORMAT", f"a seat is {json_text(row)}", wanted)
    plain = seats_with_looks([(row["id"], row["name"]) for row in rows])
    return tuple(replace(seat, **row) for seat, row in zip(plain, rows, strict=True))


def _layer_and_body(kind: str, row: dict[str, Any]) -> tuple[Layer, dict[str, Any]]:
    layer, body = row["layer"], row.get("body", {})
    known = layer == Layer.EVIDENCE
    if layer == Layer.CONTROL:
        # The header makes the session's entry, and voids are lines without a layer.
        known = kind in set(Control) - {Control.SESSION, Control.VOID}
    if not known or not isinstance(body, dict):
        raise Refused(
            "FORMAT",
            f"{layer!r} {kind!r} is no entry of a session",
            "evidence or control, with its body",
        )
    if row.keys() - {"layer", "body"}:
        raise Refused("FORMAT", f"{kind} has more fields than a body", "layer, kind and body")
    wrong = misfit(Layer(layer), kind, body)
    if wrong is not None:
        raise Refused("FORMAT", f"{kind}: {wrong.field} is {body.get(wrong.field)!r}", wrong.wanted)
    return Layer(layer), body


_FIELD_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "after": (lambda value: type(value) is int, "the number of an entry"),
    "joined": (lambda value: value is True, "true, or nothing"),
    "actor": (lambda value: isinstance(value, str), "a text"),
    "key": (lambda value: isinstance(value, str), "a text"),
    "causes": (
        lambda value: isinstance(value, list) and all(type(number) is int for number in value),
        "a list of entries",
    ),
    "t_us": (lambda value: value is None or type(value) is int, "whole microseconds"),
}


def _with_entry_fields(row: dict[str, Any], draft: Draft) -> Draft:
    fields: dict[str, Any] = {}
    for field, (fits, wanted) in _FIELD_TYPES.items():
        if field not in row:
            continue
        if not fits(row[field]):
            raise Refused("FORMAT", f"{field} is {row[field]!r}", wanted)
        fields[field] = row[field]
    if "causes" in fields:
        fields["causes"] = tuple(fields["causes"])
    return replace(draft, **fields)


def _wall(value: Any) -> str:
    with suppress(TypeError, ValueError):
        if datetime.fromisoformat(value).tzinfo is not None:
            return str(value)
    raise Refused("FORMAT", f"the wall clock is {value!r}", "ISO 8601 with a time zone")
