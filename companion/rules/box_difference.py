"""Two boxes beside each other, field by field: where they differ, and a row into which some fields of another go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.component_rows import LONGEST_TEXT, STATUSES, ComponentTable, Status
from companion.rules.components import Box, ComponentRow


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that one row states and another one states otherwise, or not at all."""

    mine_row: ComponentRow
    theirs_row: ComponentRow
    field: str

    @property
    def mine(self) -> Any:
        """What the first row states; None where it states nothing."""
        return self.mine_row.fields.get(self.field)

    @property
    def theirs(self) -> Any:
        """What the second row states."""
        return self.theirs_row.fields[self.field]


def row_differences(mine: ComponentRow, theirs: ComponentRow) -> tuple[Difference, ...]:
    """Return the fields that the second row states, and the first otherwise or not at all."""
    return tuple(
        Difference(mine, theirs, name) for name, value in theirs.fields.items() if mine.fields.get(name) != value
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """An owner's row, and the row of another box that is about the same thing; None where that has none."""

    mine: ComponentRow
    theirs: ComponentRow | None

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Where the second row states something else, or more."""
        return () if self.theirs is None else row_differences(self.mine, self.theirs)

    @property
    def renamed(self) -> bool:
        """Whether the same thing is another row in the second box: the cards of a deck are in no order."""
        return self.theirs is not None and self.theirs.name != self.mine.name


def pairs(rows: Iterable[ComponentRow], box: Box, tables: Sequence[ComponentTable]) -> tuple[Pair, ...]:
    """Return each of these rows with that of the box which is about the same thing: by what `ComponentTable.same` names
    where both state it, else by name."""
    by_name = {table.name: table for table in tables}
    found: dict[int, ComponentRow] = {}
    mine, free = list(rows), list(box.rows)
    for by_all in (True, False):
        for place, row in enumerate(mine):
            same = (each for each in free if place not in found and _are_one(by_name[row.table], row, each, by_all))
            other = min(same, key=lambda each: each.name != row.name, default=None)
            if other is not None:
                found[place] = other
                free.remove(other)
    return tuple(Pair(row, found.get(place)) for place, row in enumerate(mine))


def _are_one(table: ComponentTable, row: ComponentRow, other: ComponentRow, by_all: bool) -> bool:
    if row.table != other.table:
        return False
    if not by_all:
        return row.name == other.name
    return bool(table.same) and all(
        name in row.fields and _unordered(row.fields[name]) == _unordered(other.fields.get(name)) for name in table.same
    )


def _unordered(value: Any) -> Any:
    """A value to compare; in what order symbols are listed says nothing."""
    if isinstance(value, tuple):
        return sorted(str(one).casefold() for one in value)
    return value.casefold() if isinstance(value, str) else value


def merged(mine: ComponentRow, theirs: ComponentRow, taken: Iterable[str]) -> ComponentRow:
    """Return the first row, under its name, with these fields of the second. Where both have part in it, its status is
    the weaker one and its source names both."""
    fields = {**mine.fields, **{name: theirs.fields[name] for name in taken}}
    parts = [row for row in (mine, theirs) if any(_states(row, name, fields) for name in fields)]
    whole = [row for row in parts if all(_states(row, name, fields) for name in fields)]
    if whole:
        return ComponentRow(mine.table, mine.name, fields, whole[-1].status, whole[-1].source)
    return ComponentRow(mine.table, mine.name, fields, _weaker(parts), _sources(parts))


def _states(row: ComponentRow, name: str, fields: Mapping[str, Any]) -> bool:
    return name in row.fields and bool(row.fields[name] == fields[name])


def _weaker(rows: Iterable[ComponentRow]) -> Status:
    return max((row.status for row in rows), key=STATUSES.index)


def _sources(rows: Iterable[ComponentRow]) -> str:
    return "; ".join(dict.fromkeys(row.source for row in rows))[:LONGEST_TEXT]
