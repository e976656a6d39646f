"""Two boxes compared field by field, and a row merged from two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.component_rows import LONGEST_TEXT, STATUSES, ComponentTable, Status
from companion.rules.components import Box, ComponentRow, overlay


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that the second row states and the first row does not, or states differently."""

    mine_row: ComponentRow
    theirs_row: ComponentRow
    field: str

    @property
    def mine(self) -> Any:
        """The value in the first row, or None if it has none."""
        return self.mine_row.fields.get(self.field)

    @property
    def theirs(self) -> Any:
        """The value in the second row."""
        return self.theirs_row.fields[self.field]


def row_differences(mine: ComponentRow, theirs: ComponentRow) -> tuple[Difference, ...]:
    """Return the fields that the second row states and the first does not, or states differently."""
    return tuple(
        Difference(mine, theirs, name)
        for name, value in theirs.fields.items()
        if mine.fields.get(name) != value
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """An owner's row and the row of another box about the same thing, or None if that box has none."""

    mine: ComponentRow
    theirs: ComponentRow | None

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The fields that the second row states and the first does not, or states differently."""
        return () if self.theirs is None else row_differences(self.mine, self.theirs)

    @property
    def about(self) -> tuple[str, str]:
        """The table and name of the second row, or of the first if there is no second."""
        row = self.theirs or self.mine
        return row.table, row.name

    @property
    def renamed(self) -> bool:
        """Whether the second box has this thing under another name: the cards of a deck have no order."""
        return self.theirs is not None and self.theirs.name != self.mine.name


def pairs(
    rows: Iterable[ComponentRow], box: Box, tables: Sequence[ComponentTable]
) -> tuple[Pair, ...]:
    """Pair these rows with the rows of the box about the same things; each row is in one pair at most.

    Most tables pair rows by name. Cards have no numbers, so a table of cards names the fields that make two rows equal
    (`ComponentTable.same`). Its rows are paired with a row that is equal in all of these, then with one that is equal
    in those that are known, then by name, then with any row that is left.
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
    """Return `base` with each row about the same thing as a row of `own` replaced by that row, under the name it has in
    `base`; new rows come last."""
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
    """Return the first row, under its name, with the fields `taken` from the second.

    If one row states all the resulting fields, status and source are that row's, the second's if both do. Otherwise the
    status is the weaker one and the source names both.
    """
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
