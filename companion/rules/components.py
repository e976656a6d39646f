"""Component files: facts that only the cards, boards and pieces in the box show, as data with a status and a source.

To add a file to a game, put into the folder of the game, beside `game.py`:

- `components.toml`, the packaged file: commented TOML, one row per fact.

      [[match_number]]
      name = "The Nun"
      value = 3
      status = "confirmed"
      source = "published rules"

  Every row has `name`, `status` and `source`; the other fields are the table's own. The statuses: `confirmed`
  (published, or read from the box), `inferred` (follows from confirmed facts), `provisional` (likely, to be checked),
  `unknown` (the row states nothing yet), `example` (made up). The packaged file has only confirmed, inferred and
  unknown rows; made-up rows for trying things out go into `example.toml` beside it.
- `box.py` with `TABLES` (the tables, the fields of their rows, and how an owner is asked for them), `check(box)` (what
  the rules of the game find wrong), `costs(box)` (what the open rows cost the table) and `notice(setup)` (the same in a
  sentence, for players about to begin). `UNLOCKS` may say what the companion does once some rows are known. The games
  in `companion/games` have complete ones.

The game calls `box_of(setup)` in `start`, and keeps the box as it was when the session began. An owner's file overrides
the packaged one row by row and may add rows; `companion.box.owner_box` reads it. Each session records its whole box, so
a packaged file may change. Only the oldest sessions have none; for these, a packaged file that changes is kept as
`components_v2.toml`, where 2 is the last version of the rules that used it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol, cast

# The `as` names are exported again: games import all of them from this module.
from companion.program import PROGRAM
from companion.rules.component_rows import (
    IN_EVERY_ROW,
    OPEN,
    ComponentTable as ComponentTable,
    Field as Field,
    LineOf,
    Problem as Problem,
    Status as Status,
    Unlock as Unlock,
    problems,
    short_repr,
)
from companion.rules.once import once
from companion.rules.registry import DEFINITION_KEY, info_of

if TYPE_CHECKING:
    from companion.rules.facts import Setup

PACKAGED, EXAMPLE = "components.toml", "example.toml"


@dataclass(frozen=True, slots=True)
class ComponentRow:
    """A fact about the box; it has no `fields` if its status is `unknown`, and lists are tuples.

    `line` is its line in the file, from 1, or 0 if that is not known; `own` marks the owner's rows.
    """

    table: str
    name: str
    fields: Mapping[str, Any]
    status: Status
    source: str
    line: int = field(default=0, compare=False)
    own: bool = field(default=False, compare=False)

    @property
    def value(self) -> Any:
        """The field `value`, or None if it is not known."""
        return self.fields.get("value")

    @property
    def open(self) -> bool:
        """Whether nobody has confirmed it yet."""
        return self.status in OPEN


class BoxError(Exception):
    """A component file is wrong: `str()` is the first problem in one sentence, `problems` are all of them."""

    def __init__(self, where: str, problems: Sequence[Problem]) -> None:
        separator = ", " if problems[0].line else ": "  # a problem with a line begins "line 3: "
        super().__init__(f"{where}{separator}{problems[0]}")
        self.where = where
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Box:
    """All rows of a component file, in its order."""

    rows: tuple[ComponentRow, ...] = ()

    def table(self, name: str) -> tuple[ComponentRow, ...]:
        """Return the rows of a table; none if the file does not have it."""
        return _tables(self).get(name, ())

    def row(self, table: str, name: str) -> ComponentRow | None:
        """Return the row of that name, or None."""
        for row in self.table(table):
            if row.name == name:
                return row
        return None

    def value(self, table: str, name: str, otherwise: Any = None) -> Any:
        """Return the field `value` of a row; `otherwise` if it is not known or there is no such row."""
        row = self.row(table, name)
        if row is None or row.value is None:
            return otherwise
        return row.value

    @property
    def open_rows(self) -> tuple[ComponentRow, ...]:
        """The rows that nobody has confirmed: unknown, provisional, or an example."""
        return tuple(row for row in self.rows if row.open)


@once
def _tables(box: Box) -> Mapping[str, tuple[ComponentRow, ...]]:
    """Return the rows of a box by table; cached, because the start of a game looks up dozens of rows."""
    tables: dict[str, list[ComponentRow]] = {}
    for row in box.rows:
        tables.setdefault(row.table, []).append(row)
    return {name: tuple(rows) for name, rows in tables.items()}


class BoxRules(Protocol):
    """The interface of a game's module `box`."""

    TABLES: tuple[ComponentTable, ...]

    def check(self, box: Box) -> tuple[Problem, ...]:
        """Return what the rules of the game find wrong with a box of well-formed rows, without line numbers."""

    def costs(self, box: Box) -> tuple[str, ...]:
        """Return what the open rows cost the table, as plain lines."""

    def notice(self, setup: Setup) -> str:
        """Return a sentence for what the players have to do themselves because of open rows; empty if nothing."""


_NO_BOX = SimpleNamespace(
    TABLES=(), check=lambda _box: (), costs=lambda _box: (), notice=lambda _setup: ""
)
"""For games that ask nothing about their box."""


# -- a game's own file and rules


def rules_of(game_id: str) -> BoxRules:
    """Return a game's module `box`; raise `ValueError` with one sentence for an unknown id."""
    info = info_of(game_id)
    return cast("BoxRules", info.part(info.box) if info.box else _NO_BOX)


@cache
def packaged(game_id: str, version: int | None = None) -> Box:
    """Return the box of the packaged file, or of the file that was packaged with `version` of the rules.

    Raise `ValueError` for an unknown id.
    """
    name = PACKAGED if version is None else _packaged_name(game_id, version)
    return _read_packaged(game_id, name)


_OLDER_FILE = re.compile(r"components_v([0-9]+)\.toml")


def _packaged_name(game_id: str, version: int) -> str:
    """Return the name of the packaged file that sessions of this version began with.

    That is the oldest kept file whose version is not older, or today's file.
    """
    kept: list[tuple[int, str]] = []
    for name in info_of(game_id).files:
        match = _OLDER_FILE.fullmatch(name)
        if match is not None:
            kept.append((int(match[1]), name))
    for last_version, name in sorted(kept):
        if version <= last_version:
            return name
    return PACKAGED


@cache
def example(game_id: str) -> Box:
    """Return the packaged box, overlaid with the made-up rows of `example.toml` if the game has one."""
    return overlay(packaged(game_id), _read_packaged(game_id, EXAMPLE))


def _read_packaged(game_id: str, name: str) -> Box:
    return read_box(info_of(game_id).text(name), name, rules_of(game_id).TABLES)


def check_box(game_id: str, box: Box) -> tuple[Problem, ...]:
    """Return what the game finds wrong with a box; a problem has the line of the owner's row that it is about."""
    return tuple(problem for problem in _checked(game_id, box) if not problem.doubt)


def doubts(game_id: str, box: Box) -> tuple[Problem, ...]:
    """Return what is odd about a usable box: unusual sums, which real cards may still have."""
    return tuple(problem for problem in _checked(game_id, box) if problem.doubt)


def _checked(game_id: str, box: Box) -> Iterator[Problem]:
    lines = {(row.table, row.name): row.line for row in box.rows if row.own}
    for problem in rules_of(game_id).check(box):
        yield replace(problem, line=lines.get((problem.table, problem.name), 0))


@once
def box_of(setup: Setup) -> Box:
    """Return the box that the session was begun with.

    It is empty for a game defined by a file: `components` then has the text of that file instead of tables.
    """
    if not setup.components:
        return packaged(setup.game, setup.rules_version)
    tables = {table: rows for table, rows in setup.components.items() if table != DEFINITION_KEY}
    return from_json(tables)


def pinned(setup: Setup) -> Setup:
    """Return the setup with its whole box, so that a later packaged file does not change the session.

    If options of a game choose between boxes, its module `box` has `box_for(setup)`, which returns the chosen one.
    """
    box_for = getattr(rules_of(setup.game), "box_for", None)
    if box_for is None and setup.components:
        return setup
    return replace(setup, components=as_json((box_for or box_of)(setup)))


def lacks(table: ComponentTable, row: ComponentRow) -> bool:
    """Return whether a row is open or lacks a wanted field."""
    return row.open or any(field.wanted and field.name not in row.fields for field in table.fields)


def open_facts(game_id: str, box: Box) -> int:
    """Return how many facts a box lacks, of those that an owner is asked for."""
    by_name = {table.name: table for table in rules_of(game_id).TABLES}
    return sum(lacks(by_name[row.table], row) for row in box.rows)


def still_open(game_id: str, box: Box) -> tuple[str, ...]:
    """Return a line with the number of open facts, then lines for what they cost; nothing if none is open."""
    count = open_facts(game_id, box)
    if not count:
        return ()
    missing = f"{count} of {len(box.rows)} facts about the box are missing"
    return (
        f"{missing}; to enter them: {PROGRAM} components enter {game_id}",
        *rules_of(game_id).costs(box),
    )


def unlocks_of(game_id: str) -> tuple[Unlock, ...]:
    """Return what the companion does once rows are known; none if the game declares no `UNLOCKS`."""
    unlocks: tuple[Unlock, ...] = getattr(rules_of(game_id), "UNLOCKS", ())
    return unlocks


# -- two files, one box


def overlay(base: Box, own: Box) -> Box:
    """Return `base` with rows replaced by the rows of `own` with the same table and name; new rows come last."""
    mine = {(row.table, row.name): replace(row, own=True) for row in own.rows}
    kept = [mine.pop((row.table, row.name), row) for row in base.rows]
    return Box((*kept, *mine.values()))


# -- as JSON, in the header of a session


def as_json(box: Box) -> dict[str, list[dict[str, Any]]]:
    """Return the box as plain JSON values, shaped like the file: tables, each with a list of rows."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in box.rows:
        tables.setdefault(row.table, []).append(row_as_json(row))
    return tables


def row_as_json(row: ComponentRow) -> dict[str, Any]:
    """Return a row as plain JSON values, without the name of its table."""
    fields: dict[str, Any] = {}
    for name, value in row.fields.items():
        fields[name] = list(value) if isinstance(value, tuple) else value
    return {"name": row.name, **fields, "status": row.status, "source": row.source}


def from_json(data: Mapping[str, Any]) -> Box:
    """Return the box that `as_json` wrote. Check data from elsewhere with `check_json` first."""
    rows: list[ComponentRow] = []
    for table, items in data.items():
        for item in items:
            rows.append(_row(table, item))
    return Box(tuple(rows))


def check_json(game_id: str, data: Any) -> tuple[Problem, ...]:
    """Return what is wrong with data that should be a box of that game from `as_json`; an empty one is valid."""
    if not isinstance(data, dict):
        return (Problem("", "", "this is no object", "tables with a list of rows each"),)
    if not data or data == info_of(game_id).carried:
        return ()
    malformed = tuple(problems(data, rules_of(game_id).TABLES, lambda _table, _place: 0))
    return malformed or check_box(game_id, from_json(data))


def _row(table: str, row: Mapping[str, Any], line: int = 0) -> ComponentRow:
    fields: dict[str, Any] = {}
    for name, value in row.items():
        if name not in IN_EVERY_ROW:
            fields[name] = tuple(value) if isinstance(value, list) else value
    return ComponentRow(table, row["name"], fields, row["status"], row["source"], line)


# -- as text


def read_box(text: str, where: str, tables: Sequence[ComponentTable]) -> Box:
    """Return the box in a component file called `where`; raise `BoxError` with every row that is not well formed."""
    try:
        data = tomllib.loads(text)
    except RecursionError as error:
        problem = Problem("", "", "lists stand in lists too deep", "a component file")
        raise BoxError(where, [problem]) from error
    except ValueError as error:  # TOMLDecodeError, or plain for a number of thousands of digits
        why = f"this is no TOML: {short_repr(str(error))[1:-1]}"
        raise BoxError(where, [Problem("", "", why, "a component file")]) from error
    line_of = _line_finder(text, data)
    wrong = list(problems(data, tables, line_of))
    if wrong:
        raise BoxError(where, sorted(wrong, key=lambda problem: problem.line))
    rows: list[ComponentRow] = []
    for table in data:
        for place, row in enumerate(data[table]):
            rows.append(_row(table, row, line_of(table, place)))
    return Box(tuple(rows))


_HEAD = re.compile(r"""^[ \t]*\[\[[ \t]*["']?([A-Za-z0-9_-]+)["']?[ \t]*\]\]""")


def _line_finder(text: str, data: Mapping[str, Any]) -> LineOf:
    """Return a function for the line of a row, found by the heads `[[table]]`: tomllib does not report lines."""
    heads: dict[str, list[int]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        match = _HEAD.match(line)
        if match is not None:
            heads.setdefault(match[1], []).append(number)

    def line_of(table: str, place: int) -> int:
        lines = heads.get(table, [])
        # Another number of heads than rows: one is in a text of several lines, or the rows are written inline.
        if not isinstance(data[table], list) or len(lines) != len(data[table]):
            return 0
        return lines[place]

    return line_of
