"""The rows of component files: what a table may state, and what is wrong with the form of a row."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    their names: cards have no numbers. `adds` says what an owner may add a row for, such as "a Character" of an
    expansion; without it the screen adds none.
    """

    name: str
    about: str
    fields: tuple[Field, ...]
    names: tuple[str, ...] = ()
    heading: str = ""
    row: str = "{name}"
    map_side: str = ""
    same: tuple[str, ...] = ()
    adds: str = ""


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
            names = " or ".join(f"[[{table}]]" for table in known)
            line = line_of(name, 0) if rows else 0
            yield Problem(name, "", "there is no such table", names, line=line)
        else:
            yield from _row_problems(known[name], rows, line_of)


def _row_problems(
    table: ComponentTable, rows: Sequence[Mapping[str, Any]], line_of: LineOf
) -> Iterator[Problem]:
    line_of_name: dict[str, int] = {}
    for place, row in enumerate(rows):
        line = line_of(table.name, place)
        name: str = row["name"] if _is_text(row.get("name")) else ""
        for why, expected in _faults(table, row):
            yield Problem(table.name, name, why, expected, line=line)
        if name in line_of_name:
            first_line = line_of_name[name]
            where = f" (line {first_line})" if first_line else ""
            why = f"there is such a row already{where}"
            yield Problem(table.name, name, why, "each row once", line=line)
        elif name:
            line_of_name[name] = line


def _faults(table: ComponentTable, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with one row, as (why, expected)."""
    for name, expected in _EXPECTED.items():
        if name not in row:
            yield f"the {name} is missing", expected
        elif not _is_text(row[name]) or (name == "status" and row[name] not in STATUSES):
            yield f"the {name} is {short_repr(row[name])}", expected
    if table.names and _is_text(row.get("name")) and row["name"] not in table.names:
        yield "there is no row of that name", " or ".join(table.names)
    known = {field.name: field for field in table.fields}
    for name in sorted(row.keys() - {*IN_EVERY_ROW, *known}):
        yield f"unknown field {short_repr(name)}", ", ".join((*IN_EVERY_ROW, *known))
    if row.get("status") != "unknown":
        yield from _field_faults(table.fields, row)
        return
    for name in known:
        if name in row:
            why = f"the status is unknown, and yet {name} is {short_repr(row[name])}"
            yield why, f"another status, or no {name}"


_EXPECTED = {
    "name": "a text",
    "status": ", ".join(STATUSES[:-1]) + f" or {STATUSES[-1]}",
    "source": 'where you know it from, for example "my copy, 2026"',
}


def _field_faults(fields: Sequence[Field], row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in fields:
        if field.name in row:
            if not fits(field, row[field.name]):
                yield f"{field.name} is {short_repr(row[field.name])}", expected_value(field)
        elif not field.optional:
            yield f"{field.name} is missing", f'{expected_value(field)}, or status = "unknown"'
    names = [field.name for field in fields]
    if all(field.optional for field in fields) and not any(name in row for name in names):
        yield "the row states nothing", f'{" or ".join(names)}, or status = "unknown"'


def fits(field: Field, value: Any) -> bool:
    """Return whether the field may have that value."""
    if field.kind == "flag":
        return isinstance(value, bool)
    if field.kind in ("numbers", "texts"):
        is_list = isinstance(value, (list, tuple)) and len(value) <= LONGEST_LIST
        return is_list and all(_item_fits(field, item) for item in value)
    return _item_fits(field, value)


def _item_fits(field: Field, value: Any) -> bool:
    if field.kind in ("number", "numbers"):
        return type(value) is int and field.least <= value <= field.most  # a bool is an int, too
    return _is_text(value) and (not field.choices or value in field.choices)


def expected_value(field: Field) -> str:
    """Return in words which values the field may have."""
    if field.kind == "flag":
        return "true or false"
    if field.kind in ("number", "numbers"):
        bounds = f"of at least {field.least}"
        if field.most < 2**31:
            bounds = f"from {field.least} to {field.most}"
        what = "a whole number" if field.kind == "number" else "a list of whole numbers"
        return f"{what} {bounds}"
    if not field.choices:
        return "a text" if field.kind == "text" else "a list of texts"
    choices = ", ".join(f'"{choice}"' for choice in field.choices)
    return f"one of {choices}" if field.kind == "text" else f"a list out of {choices}"


def _is_text(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        return False
    return bool(value.strip()) and value.isprintable()


_REPR = reprlib.Repr()
_REPR.maxlevel = 3
_REPR.maxdict = 3
_REPR.maxlist = 12
_REPR.maxstring = 60
_REPR.maxother = 60


def short_repr(value: Any) -> str:
    """Return a value as it is written in the file, but never long or deep: a stranger may have made it."""
    try:
        return _REPR.repr(value)
    except ValueError:  # Python converts no number of thousands of digits to text
        return "an endless number"
