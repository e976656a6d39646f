"""The rows of component files: what a table may state, and what is wrong with a row by its form alone."""

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
"""Characters of a text; the words of a card are far shorter."""
LONGEST_LIST = 100

Kind = Literal["number", "text", "flag", "numbers", "texts"]


@dataclass(frozen=True, slots=True)
class Field:
    """Something that a row states. `least` and `most` bound a number, or each of several; `choices` are the only texts.

    A field that is `optional` may be left out where it is not known; all others stand in every row that is not unknown.

    How an owner is asked for it on the screen: `asks` is the question behind the name of the row, without which an
    optional field is not asked for; `keys` has a key for
    each choice (else a letter of each), a list of `exactly` so many ends by itself, the items of a list are some of
    those of the field `among`, and `without` says what holds where an optional field is left out. An optional field
    that is `wanted` keeps its row open as long as it is missing.
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
    """A table of the file: what a row of it is about (`copies of a Character`), its fields, and the only
    `names` of rows; without `names` an owner may add any row.

    On the screen its rows stand under `heading`, and one is called as `row` says, in which `{name}` is its name. Rows
    with a `map_side` are entered with the game's map editor, too. Two rows that state the same of each field in `same`
    are about the same thing, whatever they are called: cards have no numbers.
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
    """What the companion does once every row of these tables is known: `does` goes on after "the companion". `rows`
    are the only ones that count, by name; none: all."""

    tables: tuple[str, ...]
    does: str
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A row that is wrong: why, what was expected, and the clause that says so; `line` 0: not known.
    `doubt`: the cards may be right all the same, so it is told and nothing is refused."""

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
"""The line, from 1, of a table's row at that place; 0 where it is not known."""


def problems(
    data: Mapping[str, Any], tables: Sequence[ComponentTable], line_of: LineOf
) -> Iterator[Problem]:
    """Yield every row of a file's `data` that does not state what its table may state."""
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
    """Return whether the field may be that."""
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
    """Return in words what the field may be."""
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
    """Return a value as a sentence shows it: as in the file, but never long or deep; a stranger may have made it."""
    try:
        return _BRIEF.repr(value)
    except ValueError:  # Python writes no number of thousands of digits
        return "an endless number"
