"""What a tap means at a moment: the facts that it would record and the sentence that it would show.
Pure.

A page shows the table as it was some time ago. If what its person asked for means something else by
now, it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from companion.display.grids import ColumnEntry, Entering, GridCell, GridRow, NumberGrid, RowEnd
from companion.display.panels import panels_of
from companion.journal.entries import Control, Layer, is_control
from companion.rules.clauses import without_clauses
from companion.rules.facts import TABLE, Fact, Refused, body_of, secret_kinds
from companion.rules.game import Retraction
from companion.session.corrections import STAYS, NotDone, Plan, amend, insert, step, take_back
from companion.session.key_meanings import OWN, PAUSE, KeyContext, pause_kind
from companion.session.projection import SessionProjection
from companion.session.roles import Doing
from companion.session.taps import (
    AddMissed,
    Change,
    Delete,
    EndRow,
    EnterFact,
    Step,
    TypeNumbers,
    Undo,
    Wish,
)

LOOK = "Check the page, then tap again."
_OF_THE_TABLE = frozenset(action.id for action in OWN) - {PAUSE.id}


class Meant(NamedTuple):
    """What a tap means: the fact it would record, as kind and body without its time (None if it
    records none), and what else it depends on."""

    fact: tuple[str, dict[str, Any]] | None
    depends_on: object


def doing_of(wish: Wish) -> Doing:
    """Return the kind of a wish; the pause is an action of the table that many roles have."""
    if isinstance(wish, Step) and wish.action == PAUSE.id:
        return Doing.PAUSE
    return wish.does


def meant(record: SessionProjection, wish: Wish, at: KeyContext) -> Meant:
    """Return what `wish` means at a moment; raise `Refused` or `NotDone` if it cannot be done then.

    Numbers and corrections name what their page showed, so they are compared with that alone.
    """
    match wish:
        case Step(action=action):
            return _of_step(record, action, at)
        case EnterFact(kind=kind, body=body):
            _require_public(record, kind)
            _require_no_time(body)
            return _of_fact(record, _fact_of(record, kind, body), at)
        case TypeNumbers():
            _require_as_shown(record, wish, at)
        case Undo(entry=number, redo=redo):
            _require_last(record, number, at.redo if redo else at.undo, redo=redo)
        case AddMissed(kind=kind, body=body):
            _require_public(record, kind)
            _require_no_time(body)
            _missed_after(record, wish.after)
            return Meant(content_of(_fact_of(record, kind, body)), None)
        case Delete() | Change():
            _require_correctable(record, wish)
        case EndRow():
            row_end_of(record, wish, at)
    return Meant(None, wish)


def _require_last(
    record: SessionProjection, number: int, target: int | None, *, redo: bool
) -> None:
    """Raise `NotDone` if undo or redo would take another entry than the one with this number."""
    if target is not None and record.number(target) == number:
        return
    n = ruling_of(record, number)
    done = "restored" if redo else "undone"
    if record.stands(n) is redo:
        raise NotDone(f"This is {done} already: {without_clauses(record.text(n))}.")
    raise NotDone(f"Another step would be {done} now, so nothing was done. {LOOK}")


def _missed_after(record: SessionProjection, number: int) -> int:
    """Return the entry after which something missed belongs; raise `NotDone` if the page cannot have shown it."""
    if not number:
        return 0
    n = record.entry_numbered(number)
    if n is None or record.is_private(n):
        raise NotDone(f"There is no line {number} to add something after. {LOOK}")
    return n


def _require_correctable(record: SessionProjection, wish: Delete | Change) -> None:
    n = ruling_of(record, wish.entry)
    if isinstance(wish, Delete) and record.stands(n) is wish.restore:
        state = "counts already" if wish.restore else "is deleted already"
        raise NotDone(f"This {state}: {without_clauses(record.text(n))}.")
    if isinstance(wish, Change):  # refuse a body that does not fit before anybody is asked
        body = {name: value for name, value in wish.body.items() if name != "at"}
        _fact_of(record, record.entries[n - 1].kind, body)


def planned_by(record: SessionProjection, wish: Wish, at: KeyContext) -> Fact | Plan:
    """Return the fact that a wish enters now, or the plan of its correction; raise `Refused` or
    `NotDone`."""
    match wish:
        case Step():
            return record.game.parse(pause_kind(record.game, at.state), {})
        case EnterFact(kind=kind, body=body):
            return _fact_of(record, kind, body)
        case EndRow():
            end = row_end_of(record, wish, at)
            return record.game.parse(end.kind, end.body)
        case TypeNumbers():
            return _planned_number(record, wish, at)
        case Undo(redo=redo):
            return step(record, back=not redo)
        case Delete(entry=number, why=why, who=who):
            return partial(take_back, record, ruling_of(record, number), why, who)
        case Change(entry=number, body=body, why=why, who=who):
            return partial(amend, record, ruling_of(record, number), body, why, who)
        case AddMissed(kind=kind, body=body, after=after, why=why, who=who):
            n = _missed_after(record, after)
            return partial(insert, record, kind, body, n, why, who)
    raise NotDone(LOOK)


def _planned_number(record: SessionProjection, wish: TypeNumbers, at: KeyContext) -> Fact | Plan:
    if not wish.row:
        column, _ = column_of(record, wish, at)
        return _fact_of(record, column.kind, column.body_of(wish.numbers))
    _, cell = cell_of(record, wish, at)
    entry = cell.entry
    assert entry is not None
    body = entry.body_of(wish.numbers[0])
    if entry.how is Entering.AMEND:
        return partial(amend, record, entry.entry, body, "", "")
    if entry.how is Entering.INSERT:
        return partial(insert, record, entry.kind, body, entry.entry, "", "")
    return _fact_of(record, entry.kind, body)


def reason_of(wish: Wish) -> tuple[str, str]:
    """Return why and by whom a fact is entered, as typed into its form."""
    return (wish.why, wish.who) if isinstance(wish, EnterFact) else ("", "")


def _fact_of(record: SessionProjection, kind: str, body: Mapping[str, Any]) -> Fact:
    """Return the fact of that kind with that body; raise `Refused` with the names of this table's players."""
    setup = record.common.setup
    fact = record.game.parse(kind, body, setup)  # first: `entered` takes only a body that fits
    return record.game.parse(kind, type(fact).entered(dict(body), setup), setup)


def _of_step(record: SessionProjection, action: str, at: KeyContext) -> Meant:
    if action in _OF_THE_TABLE:
        raise NotDone(f"This has a button of its own. {LOOK}")
    if action == PAUSE.id:
        return Meant((pause_kind(record.game, at.state), {}), None)
    answer = record.still_game.pressed(at.state, action)
    if isinstance(answer, Retraction):
        return Meant(None, (answer.entries, answer.reason))
    return _of_fact(record, answer, at)


def _of_fact(record: SessionProjection, fact: Fact, at: KeyContext) -> Meant:
    return Meant(content_of(fact), record.game.describe(at.state, fact, TABLE))


def content_of(fact: Fact) -> tuple[str, dict[str, Any]]:
    """Return the kind of a fact and its body without the time."""
    body = dict(body_of(fact))
    body.pop("at", None)
    return fact.kind, body


def _require_public(record: SessionProjection, kind: str) -> None:
    """Raise `Refused` for a kind of fact that only a seat itself may enter."""
    if kind in secret_kinds(record.game.facts):
        raise Refused("ROLE", "only the player may note this", do="Use the player's own page.")


def _require_no_time(body: Mapping[str, Any]) -> None:
    """Raise `Refused` for a body with a time: the table itself says when a tap arrived."""
    if "at" in body:
        raise Refused("FORMAT", "a page cannot say when something was", do="Reload the page.")


def ruling_of(record: SessionProjection, number: int) -> int:
    """Return the entry for which `number` is shown; raise `NotDone` if the page cannot have shown it."""
    n = record.entry_numbered(number)
    if n is None or record.is_private(n):
        raise NotDone(f"There is no line {number} to change. {LOOK}")
    entry = record.entries[n - 1]
    if entry.layer is not Layer.FACT and not is_control(entry, Control.VOID):
        raise NotDone(STAYS)
    if entry.kind in secret_kinds(record.game.facts):
        raise NotDone(f"Only the player can change what was noted in secret. {LOOK}")
    return n


# -- the grid of numbers


def _grid(record: SessionProjection, title: str, at: KeyContext) -> NumberGrid:
    view = record.game.view(at.state, TABLE)
    for grid in panels_of(record.game.id).own_number_grids(view):
        if grid.title == title and grid.rows:
            return grid
    raise NotDone(f"These numbers are not asked for now. {LOOK}")


def cell_of(
    record: SessionProjection, wish: TypeNumbers, at: KeyContext
) -> tuple[GridRow, GridCell]:
    """Return the row and the cell that a single number is for; raise `NotDone` if it takes none now."""
    for row in _grid(record, wish.grid, at).rows:
        if row.title == wish.row:
            for cell in row.cells:
                if cell.seat == wish.seat and cell.entry is not None:
                    return row, cell
    raise NotDone(f"No number can be typed there now. {LOOK}")


def shown_in(row: GridRow, cell: GridCell) -> int | None:
    """Return the number that a page shows in a cell: in a row that adds, what was counted so far."""
    return cell.total if row.adds else cell.value


def column_of(
    record: SessionProjection, wish: TypeNumbers, at: KeyContext
) -> tuple[ColumnEntry, tuple[int | None, ...]]:
    """Return the column that several numbers are for, and those it has; raise `NotDone`."""
    grid = _grid(record, wish.grid, at)
    for column in grid.columns:
        if column.seat == wish.seat:
            now = []
            for row in grid.rows:
                now += [
                    cell.value for cell in row.cells if cell.seat == wish.seat and cell.in_column
                ]
            if len(now) != len(wish.numbers):
                break
            return column, tuple(now)
    raise NotDone(f"These numbers are not asked for now. {LOOK}")


def row_end_of(record: SessionProjection, wish: EndRow, at: KeyContext) -> RowEnd:
    """Return what ends the row that the page named; raise `NotDone` if another one is played."""
    end = _grid(record, wish.grid, at).end
    if end is None or end.label != wish.label:
        raise NotDone(f"That row is closed. {LOOK}")
    return end


def _require_as_shown(record: SessionProjection, wish: TypeNumbers, at: KeyContext) -> None:
    """Raise `NotDone` unless the numbers are asked for and those that the page showed are still there."""
    is_added = False
    now: tuple[int | None, ...]
    if wish.row:
        row, cell = cell_of(record, wish, at)
        is_added = row.adds
        now = (shown_in(row, cell),)
    else:
        _, now = column_of(record, wish, at)
    if len(now) != len(wish.numbers):
        raise NotDone(f"These numbers are not asked for now. {LOOK}")
    if now == wish.numbers and not is_added:
        raise NotDone("This is recorded already.")
    if now != wish.shown:
        raise NotDone(f"Another number was typed there meanwhile. {LOOK}")
