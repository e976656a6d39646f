"""Component files: what only the cards, boards and pieces in the box show, as data with a status and a source.

How a game adds its file. In the folder of the game, beside `game.py`:

- `components.toml`, the packaged file: commented TOML, a row a fact.

      [[match_number]]
      name = "The Nun"
      value = 3
      status = "confirmed"
      source = "published rules"

  `name`, `status` and `source` stand in every row, the rest is the table's own. The statuses: `confirmed` (published,
  or read from the box), `inferred` (follows from what is confirmed), `provisional` (likely, to be checked), `unknown`
  (the row states nothing yet), `example` (made up). The packaged file holds confirmed, inferred and unknown rows alone;
  what is made up to try things out goes into `example.toml` beside it.
- `box.py` with `TABLES` (the tables, what a row of each may state, and how an owner is asked for it), `check(box)`
  (what the rules of the game find wrong), `costs(box)` (what the open rows cost the table) and `notice(setup)` (the
  same for who begins, in a sentence). `UNLOCKS` may say what the companion does once some of them are known.
  Those of the games in `companion/games` are whole ones.

The game asks `box_of(setup)` in `start`, and from then on it knows the box as it was when the session began. An
owner's file overrides the packaged one row by row and may add rows; `companion.box.owner_box` reads it. Each
session pins its box, so a packaged file may change. Sessions that were begun before they did have none: for these, a
packaged file that changes is kept as `components_v2.toml`, by the last version of the rules that had it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol, cast

# Those that are named twice are for games, which take all of this from here.
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
    """A fact about the box. Of status `unknown` it has no fields; lists are tuples. `line` counts from 1 in the
    file it was read from, 0 where that is not known; `own` marks the owner's rows."""

    table: str
    name: str
    fields: Mapping[str, Any]
    status: Status
    source: str
    line: int = field(default=0, compare=False)
    own: bool = field(default=False, compare=False)

    @property
    def value(self) -> Any:
        """What the field `value` states; None where it is not known."""
        return self.fields.get("value")

    @property
    def open(self) -> bool:
        """Whether nobody has confirmed it yet."""
        return self.status in OPEN


class BoxError(Exception):
    """A component file that makes no sense: `str()` is the first problem in one sentence, `problems` are all."""

    def __init__(self, where: str, problems: Sequence[Problem]) -> None:
        super().__init__(
            f"{where}, {problems[0]}" if problems[0].line else f"{where}: {problems[0]}"
        )
        self.where = where
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Box:
    """All rows of a component file, in its order."""

    rows: tuple[ComponentRow, ...] = ()

    def table(self, name: str) -> tuple[ComponentRow, ...]:
        """Return the rows of a table; none for a table the file does not have."""
        return _tables(self).get(name, ())

    def row(self, table: str, name: str) -> ComponentRow | None:
        """Return the row of that name; None when the file has none."""
        return next((row for row in self.table(table) if row.name == name), None)

    def value(self, table: str, name: str, otherwise: Any = None) -> Any:
        """Return what the field `value` of a row states; `otherwise` where it is not known, or there is no such row."""
        row = self.row(table, name)
        return otherwise if row is None or row.value is None else row.value

    @property
    def open_rows(self) -> tuple[ComponentRow, ...]:
        """The rows that nobody has confirmed: unknown, provisional, or an example."""
        return tuple(row for row in self.rows if row.open)


@once
def _tables(box: Box) -> Mapping[str, tuple[ComponentRow, ...]]:
    """The rows of a box by their tables: whoever reads one asks for dozens."""
    found: dict[str, list[ComponentRow]] = {}
    for row in box.rows:
        found.setdefault(row.table, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}


class BoxRules(Protocol):
    """What the module `box` of a game has."""

    TABLES: tuple[ComponentTable, ...]

    def check(self, box: Box) -> tuple[Problem, ...]:
        """Return what the rules of the game find wrong with a box of well-formed rows; they know no lines."""

    def costs(self, box: Box) -> tuple[str, ...]:
        """Return what the open rows cost the table, a plain line each."""

    def notice(self, setup: Setup) -> str:
        """Return in a sentence what a table of this setup has to do itself because of the open rows; empty: nothing."""


_NO_BOX = SimpleNamespace(
    TABLES=(), check=lambda _box: (), costs=lambda _box: (), notice=lambda _setup: ""
)
"""Of a game that asks nothing of its box."""


# -- a game's own file and rules


def rules_of(game_id: str) -> BoxRules:
    """Return what a game makes of its box; raise `ValueError` with one sentence for an id nobody registered."""
    info = info_of(game_id)
    return cast("BoxRules", info.part(info.box) if info.box else _NO_BOX)


@cache
def packaged(game_id: str, version: int | None = None) -> Box:
    """Return the box as the packaged file gives it, or gave it under that `version` of the rules; raise `ValueError`
    for an id nobody registered."""
    return _beside(game_id, PACKAGED if version is None else _file_of(game_id, version))


_KEPT = re.compile(r"components_v([0-9]+)\.toml")


def _file_of(game_id: str, version: int) -> str:
    """The packaged file that sessions of that version began with: the oldest one kept that is not older, or today's."""
    kept = [
        (int(found[1]), name) for name in info_of(game_id).files if (found := _KEPT.fullmatch(name))
    ]
    return next((name for last, name in sorted(kept) if version <= last), PACKAGED)


@cache
def example(game_id: str) -> Box:
    """Return the packaged box with the made-up rows of `example.toml`, if the game has any, laid over it."""
    return overlay(packaged(game_id), _beside(game_id, EXAMPLE))


def _beside(game_id: str, name: str) -> Box:
    return read_box(info_of(game_id).text(name), name, rules_of(game_id).TABLES)


def check_box(game_id: str, box: Box) -> tuple[Problem, ...]:
    """Return what the game finds wrong with a box, each with the line of the owner's row it is about."""
    return tuple(one for one in _found(game_id, box) if not one.doubt)


def doubts(game_id: str, box: Box) -> tuple[Problem, ...]:
    """Return what is odd about a box that can be used: sums that real cards may contradict."""
    return tuple(one for one in _found(game_id, box) if one.doubt)


def _found(game_id: str, box: Box) -> Iterator[Problem]:
    lines = {(row.table, row.name): row.line for row in box.rows if row.own}
    for one in rules_of(game_id).check(box):
        yield replace(one, line=lines.get((one.table, one.name), 0))


@once
def box_of(setup: Setup) -> Box:
    """Return the box that the session was begun with; an empty one for a game that a file states, which stands in the
    place of the box."""
    if not setup.components:
        return packaged(setup.game, setup.rules_version)
    return from_json(
        {table: rows for table, rows in setup.components.items() if table != DEFINITION_KEY}
    )


def pinned(setup: Setup) -> Setup:
    """Return the setup with the whole box it is played with, so that no packaged file that changes later changes the
    session. A game whose options choose between boxes says in `box_for(setup)` which one that is."""
    box_for = getattr(rules_of(setup.game), "box_for", None)
    if box_for is None and setup.components:
        return setup
    return replace(setup, components=as_json((box_for or box_of)(setup)))


def lacks(table: ComponentTable, row: ComponentRow) -> bool:
    """Return whether a row leaves open what an owner is asked for."""
    return row.open or any(field.wanted and field.name not in row.fields for field in table.fields)


def open_facts(game_id: str, box: Box) -> int:
    """Return how many of the facts that an owner is asked for a box leaves open."""
    by_name = {table.name: table for table in rules_of(game_id).TABLES}
    return sum(lacks(by_name[row.table], row) for row in box.rows)


def still_open(game_id: str, box: Box) -> tuple[str, ...]:
    """Return how many facts about the box an owner is asked for, then what that costs; nothing when none is open."""
    if not (count := open_facts(game_id, box)):
        return ()
    are_open = f"{count} of {len(box.rows)} facts about the box are open"
    return (f"{are_open}: companion components enter {game_id}", *rules_of(game_id).costs(box))


def unlocks_of(game_id: str) -> tuple[Unlock, ...]:
    """Return what the companion does once rows are known, as far as the game says so."""
    found: tuple[Unlock, ...] = getattr(rules_of(game_id), "UNLOCKS", ())
    return found


# -- two files, one box


def overlay(base: Box, own: Box) -> Box:
    """Return `base` with the rows of `own` in the place of those of the same table and name; new rows come last."""
    mine = {(row.table, row.name): replace(row, own=True) for row in own.rows}
    kept = [mine.pop((row.table, row.name), row) for row in base.rows]
    return Box((*kept, *mine.values()))


# -- as JSON, in the header of a session


def as_json(box: Box) -> dict[str, list[dict[str, Any]]]:
    """Return the box as plain JSON values, in the shape of the file: tables with a list of rows each."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in box.rows:
        found.setdefault(row.table, []).append(row_as_json(row))
    return found


def row_as_json(row: ComponentRow) -> dict[str, Any]:
    """Return what a row says as plain JSON values, without its table."""
    fields = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in row.fields.items()
    }
    return {"name": row.name, **fields, "status": row.status, "source": row.source}


def from_json(data: Mapping[str, Any]) -> Box:
    """Return the box that `as_json` wrote; what others wrote goes through `check_json` first."""
    return Box(tuple(_row(table, row) for table, rows in data.items() for row in rows))


def check_json(game_id: str, data: Any) -> tuple[Problem, ...]:
    """Return what is wrong with what claims to be a box of that game from `as_json`; an empty one is none."""
    if not isinstance(data, dict):
        return (Problem("", "", "this is no object", "tables with a list of rows each"),)
    if not data or data == info_of(game_id).carried:
        return ()
    rules = rules_of(game_id)
    return tuple(problems(data, rules.TABLES, lambda _table, _place: 0)) or check_box(
        game_id, from_json(data)
    )


def _row(table: str, row: Mapping[str, Any], line: int = 0) -> ComponentRow:
    stated = ((name, value) for name, value in row.items() if name not in IN_EVERY_ROW)
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in stated}
    return ComponentRow(table, row["name"], fields, row["status"], row["source"], line)


# -- as text


def read_box(text: str, where: str, tables: Sequence[ComponentTable]) -> Box:
    """Return the box in a component file called `where`; raise `BoxError` with every row that is not well formed."""
    try:
        data = tomllib.loads(text)
    except RecursionError as error:
        raise BoxError(
            where, [Problem("", "", "lists stand in lists too deep", "a component file")]
        ) from error
    except (
        ValueError
    ) as error:  # the TOML reader's own, and that for a number of thousands of digits
        why = f"this is no TOML: {short_repr(str(error))[1:-1]}"
        raise BoxError(where, [Problem("", "", why, "a component file")]) from error
    lines = _lines(text, data)
    wrong = list(problems(data, tables, lines))
    if wrong:
        raise BoxError(where, sorted(wrong, key=lambda one: one.line))
    return Box(
        tuple(
            _row(table, row, lines(table, place))
            for table in data
            for place, row in enumerate(data[table])
        )
    )


_HEAD = re.compile(r"""^[ \t]*\[\[[ \t]*["']?([A-Za-z0-9_-]+)["']?[ \t]*\]\]""")


def _lines(text: str, data: Mapping[str, Any]) -> LineOf:
    """Where the rows stand, which the TOML reader does not tell: found by their heads, unless those mislead."""
    heads: dict[str, list[int]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _HEAD.match(line):
            heads.setdefault(found[1], []).append(number)

    def line_of(table: str, place: int) -> int:
        found = heads.get(table, [])
        return (
            found[place] if isinstance(data[table], list) and len(found) == len(data[table]) else 0
        )

    return line_of
