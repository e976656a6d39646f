"""The rows of component files: what a table may state, and what is wrong with the form of a row."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

Status = Literal["confirmed", "inferred", "provisional", "unknown", "example"]
STATUSES: tuple[Status, ...] = get_args(Status)
OPEN: frozenset[Status] = frozenset({"provisional", "unknown", "example"})
IN_EVERY_ROW = ("name", "status", "source")

LONGEST_TEXT = 500
"""Characters of a text; the text of a card is far shorter."""
LONGEST_LIST = 100

Kind = Literal["number", "text", "flag", "numbers", "texts"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the rows of a table.

    `least` and `most` bound a number, or each of several; `choices` are the only texts. An `optional` field may be left
    out if it is not known; all others are required in every row that is not `unknown`.

    The rest is how the screen asks an owner for it. `asks` is the question that follows the name of the row; an
    optional field without one is not asked for. `keys` has a key for each choice (default: a letter of each), a list of
    `exactly` this many items ends by itself, a list with `among` may only have items of that field, and `without` says
    what holds if an optional field is left out. An optional field that is `wanted` keeps its row open while it is
    missing.
    """

    name: str
    kind: Kind
    least: int = 0
    most: int = 2**31
    choices: tuple[str, ...] = ()
    optional: bool = False
    asks: str = ""
    keys: tuple[str, ...] = ()
    exactly: int = 0
    among: str = ""
    without: str = ""
    wanted: bool = False


@dataclass(frozen=True, slots=True)
class ComponentTable:
    """A table of the file: what its rows are about (`copies of a Character`), their fields, and the only `names` of
    rows; without `names` an owner may add any row.

    The screen shows the rows under `heading`, each as `row`, in which `{name}` is its name. Rows with a `map_side` can
    also be entered with the game's map editor. Two rows with equal fields `same` are about the same thing, whatever
    their names: cards have no numbers.
    """

    name: str
    about: str
    fields: tuple[Field, ...]
    names: tuple[str, ...] = ()
    heading: str = ""
    row: str = "{name}"
    map_side: str = ""
    same: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unlock:
    """What the companion does once every row of these tables is known: `does` continues "the companion". If `rows` are
    given, only the rows with these names count."""

    tables: tuple[str, ...]
    does: str
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A wrong row: why, what was expected, and the clause that says so; `line` is 0 if it is not known.

    With `doubt` the cards may be right all the same: it is shown, and nothing is refused.
    """

    table: str
    name: str
    why: str
    expected: str
    clause: str = ""
    line: int = 0
    doubt: bool = False

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        row = f"[[{self.table}]] {self.name}".rstrip() + ": " if self.table else ""
        clause = f"{self.clause}: " if self.clause else ""
        return f"{place}{row}{clause}{self.why}; expected {self.expected}"


LineOf = Callable[[str, int], int]
"""Returns the line, from 1, of the row at a place of a table; 0 if it is not known."""


def problems(
    data: Mapping[str, Any], tables: Sequence[ComponentTable], line_of: LineOf
) -> Iterator[Problem]:
    """Yield what is wrong with the form of a file's `data`, row by row."""
    known = {table.name: table for table in tables}
    for name, rows in data.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            yield Problem(name, "", "this is no table of rows", f"[[{name}]] above each row")
        elif name not in known:
            wanted = " or ".join(f"[[{table}]]" for table in known)
            yield Problem(
                name, "", "there is no such table", wanted, line=line_of(name, 0) if rows else 0
            )
        else:
            yield from _rows(known[name], rows, line_of)


def _rows(
    table: ComponentTable, rows: Sequence[Mapping[str, Any]], line_of: LineOf
) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for place, row in enumerate(rows):
        line = line_of(table.name, place)
        called: str = row["name"] if _is_text(row.get("name")) else ""
        for why, expected in _wrong(table, row):
            yield Problem(table.name, called, why, expected, line=line)
        if called in seen:
            where = f" (line {seen[called]})" if seen[called] else ""
            yield Problem(
                table.name,
                called,
                f"there is such a row already{where}",
                "each row once",
                line=line,
            )
        elif called:
            seen[called] = line


def _wrong(table: ComponentTable, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with one row: why, and what was expected."""
    for name, expected in _EXPECTED.items():
        if name not in row:
            yield f"the {name} is missing", expected
        elif not _is_text(row[name]) or (name == "status" and row[name] not in STATUSES):
            yield f"the {name} is {short_repr(row[name])}", expected
    if table.names and _is_text(row.get("name")) and row["name"] not in table.names:
        yield "there is no row of that name", " or ".join(table.names)
    known = {one.name: one for one in table.fields}
    for name in sorted(row.keys() - {*IN_EVERY_ROW, *known}):
        yield f"unknown field {short_repr(name)}", ", ".join((*IN_EVERY_ROW, *known))
    if row.get("status") != "unknown":
        yield from _misstated(table.fields, row)
        return
    for one in (field.name for field in table.fields if field.name in row):
        yield (
            f"the status is unknown, and yet {one} is {short_repr(row[one])}",
            f"another status, or no {one}",
        )


_EXPECTED = {
    "name": "a text",
    "status": ", ".join(STATUSES[:-1]) + f" or {STATUSES[-1]}",
    "source": 'where you know it from, for example "my copy, 2026"',
}


def _misstated(fields: Sequence[Field], row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for one in fields:
        if one.name in row:
            if not fits(one, row[one.name]):
                yield f"{one.name} is {short_repr(row[one.name])}", expected_value(one)
        elif not one.optional:
            yield f"{one.name} is missing", f'{expected_value(one)}, or status = "unknown"'
    if not any(one.name in row for one in fields) and all(one.optional for one in fields):
        yield (
            "the row states nothing",
            f'{" or ".join(one.name for one in fields)}, or status = "unknown"',
        )


def fits(one: Field, value: Any) -> bool:
    """Return whether the field may have that value."""
    if one.kind == "flag":
        return isinstance(value, bool)
    if one.kind in ("numbers", "texts"):
        is_list = isinstance(value, (list, tuple)) and len(value) <= LONGEST_LIST
        return is_list and all(_fits_one(one, item) for item in value)
    return _fits_one(one, value)


def _fits_one(one: Field, value: Any) -> bool:
    if one.kind in ("number", "numbers"):
        return type(value) is int and one.least <= value <= one.most
    return _is_text(value) and (not one.choices or value in one.choices)


def expected_value(one: Field) -> str:
    """Return in words which values the field may have."""
    number = f"from {one.least} to {one.most}" if one.most < 2**31 else f"of at least {one.least}"
    text = f"one of {_quoted(one.choices)}" if one.choices else "a text"
    texts = f"a list out of {_quoted(one.choices)}" if one.choices else "a list of texts"
    return {
        "number": f"a whole number {number}",
        "numbers": f"a list of whole numbers {number}",
        "text": text,
        "texts": texts,
        "flag": "true or false",
    }[one.kind]


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def _is_text(value: Any) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= LONGEST_TEXT
        and bool(value.strip())
        and value.isprintable()
    )


_BRIEF = reprlib.Repr()
_BRIEF.maxlevel, _BRIEF.maxdict, _BRIEF.maxlist, _BRIEF.maxstring, _BRIEF.maxother = (
    3,
    3,
    12,
    60,
    60,
)


def short_repr(value: Any) -> str:
    """Return a value as it is written in the file, but never long or deep: a stranger may have made it."""
    try:
        return _BRIEF.repr(value)
    except ValueError:  # Python writes no number of thousands of digits
        return "an endless number"
