"""Two boxes beside each other, field by field: where they differ, and a row into which some fields of another go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.component_rows import LONGEST_TEXT, STATUSES, ComponentTable, Status
from companion.rules.components import Box, ComponentRow, overlay


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
        Difference(mine, theirs, name)
        for name, value in theirs.fields.items()
        if mine.fields.get(name) != value
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
    def about(self) -> tuple[str, str]:
        """Return the table and name of the second row, or of the first if there is no second."""
        row = self.theirs or self.mine
        return row.table, row.name

    @property
    def renamed(self) -> bool:
        """Whether the same thing is another row in the second box: the cards of a deck are in no order."""
        return self.theirs is not None and self.theirs.name != self.mine.name


def pairs(
    rows: Iterable[ComponentRow], box: Box, tables: Sequence[ComponentTable]
) -> tuple[Pair, ...]:
    """Return each of these rows with that of the box which is about the same thing, each in one pair at most.

    Where the table says by which fields two rows are the same (`ComponentTable.same`), that is a row that states these
    alike, else one that states those alike which the first row states, and last any that is left: cards have no
    numbers. Everywhere else it is the row of that name.
    """
    by_name = {table.name: table for table in tables}
    found: dict[int, ComponentRow] = {}
    mine, free = list(rows), list(box.rows)
    for alike in (_states_the_same, _states_no_other, _is_named_so, _is_in_a_deck):
        for place, row in enumerate(mine):
            table = by_name[row.table]
            same = [
                each
                for each in free
                if place not in found and each.table == row.table and alike(table, row, each)
            ]
            other = min(same, key=lambda each: each.name != row.name, default=None)
            if other is not None:
                found[place] = other
                free.remove(other)
    return tuple(Pair(row, found.get(place)) for place, row in enumerate(mine))


def _states_the_same(table: ComponentTable, row: ComponentRow, other: ComponentRow) -> bool:
    return row.fields.keys() >= set(table.same) and _states_no_other(table, row, other)


def _states_no_other(table: ComponentTable, row: ComponentRow, other: ComponentRow) -> bool:
    stated = [name for name in table.same if name in row.fields]
    return bool(stated) and all(
        _unordered(row.fields[name]) == _unordered(other.fields.get(name)) for name in stated
    )


def _is_named_so(_table: ComponentTable, row: ComponentRow, other: ComponentRow) -> bool:
    return row.name == other.name


def _is_in_a_deck(table: ComponentTable, _row: ComponentRow, _other: ComponentRow) -> bool:
    return bool(table.same)


def overlay_matching(base: Box, own: Box, tables: Sequence[ComponentTable]) -> Box:
    """Return `base` with each row of `own` in the place, and under the name, of the row about the same thing; new rows
    come last."""
    found = [
        pair.mine if pair.theirs is None else replace(pair.mine, name=pair.theirs.name)
        for pair in pairs(own.rows, base, tables)
    ]
    return overlay(base, Box(tuple(found)))


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
