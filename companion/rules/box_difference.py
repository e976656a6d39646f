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
        if self.theirs is None:
            return ()
        return row_differences(self.mine, self.theirs)

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
    paired: dict[int, ComponentRow] = {}
    mine, free = list(rows), list(box.rows)
    # A test runs over all rows before the next, weaker one: a certain match is never taken by a guess.
    for matches in (_equal_in_all, _equal_in_known, _same_name, _any_of_a_deck):
        for place, row in enumerate(mine):
            if place in paired:
                continue
            table = by_name[row.table]
            equal = [
                other for other in free if other.table == row.table and matches(table, row, other)
            ]
            if equal:
                best = next((other for other in equal if other.name == row.name), equal[0])
                paired[place] = best
                free.remove(best)
    return tuple(Pair(row, paired.get(place)) for place, row in enumerate(mine))


def _equal_in_all(table: ComponentTable, row: ComponentRow, other: ComponentRow) -> bool:
    return row.fields.keys() >= set(table.same) and _equal_in_known(table, row, other)


def _equal_in_known(table: ComponentTable, row: ComponentRow, other: ComponentRow) -> bool:
    known = [name for name in table.same if name in row.fields]
    return bool(known) and all(
        _comparable(row.fields[name]) == _comparable(other.fields.get(name)) for name in known
    )


def _same_name(_table: ComponentTable, row: ComponentRow, other: ComponentRow) -> bool:
    return row.name == other.name


def _any_of_a_deck(table: ComponentTable, _row: ComponentRow, _other: ComponentRow) -> bool:
    return bool(table.same)


def overlay_matching(base: Box, own: Box, tables: Sequence[ComponentTable]) -> Box:
    """Return `base` with each row about the same thing as a row of `own` replaced by that row, under the name it has in
    `base`; new rows come last."""
    renamed: list[ComponentRow] = []
    for pair in pairs(own.rows, base, tables):
        name = pair.mine.name if pair.theirs is None else pair.theirs.name
        renamed.append(replace(pair.mine, name=name))
    return overlay(base, Box(tuple(renamed)))


def _comparable(value: Any) -> Any:
    """Return a value for comparison: letter case does not count, nor the order of symbols in a list."""
    if isinstance(value, tuple):
        return sorted(str(item).casefold() for item in value)
    return value.casefold() if isinstance(value, str) else value


def merged(mine: ComponentRow, theirs: ComponentRow, taken: Iterable[str]) -> ComponentRow:
    """Return the first row, under its name, with the fields `taken` from the second.

    If one row states all the resulting fields, status and source are that row's, the second's if both do. Otherwise the
    status is the weaker one and the source names both.
    """
    fields = {**mine.fields, **{name: theirs.fields[name] for name in taken}}
    parts = [row for row in (mine, theirs) if _shared_fields(row, fields)]
    complete = [row for row in parts if len(_shared_fields(row, fields)) == len(fields)]
    if complete:
        status, source = complete[-1].status, complete[-1].source
    else:
        status, source = _weakest_status(parts), _sources(parts)
    return ComponentRow(mine.table, mine.name, fields, status, source)


def _shared_fields(row: ComponentRow, fields: Mapping[str, Any]) -> list[str]:
    """Return the names of those fields that the row states with the same value."""
    names = [name for name in fields if name in row.fields]
    return [name for name in names if row.fields[name] == fields[name]]


def _weakest_status(rows: Iterable[ComponentRow]) -> Status:
    return max((row.status for row in rows), key=STATUSES.index)


def _sources(rows: Iterable[ComponentRow]) -> str:
    return "; ".join(dict.fromkeys(row.source for row in rows))[:LONGEST_TEXT]
