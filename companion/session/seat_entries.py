"""What a seat may enter on its own phone without asking, where the table lets it: its own numbers of
the grid, and its own steps, such as a draw.

What is entered becomes the fact that the laptop would make of it, caused by an entry that says which
seat sent it. The table undoes it like any other step.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.display.grids import (
    MOST_DIGITS,
    CellEntry,
    ColumnEntry,
    Entering,
    GridCell,
    GridRow,
    NumberGrid,
)
from companion.display.panels import Panels, PhoneProposal, panels_of
from companion.journal.entries import KEYBOARD, Control, Draft, Entry, Layer
from companion.rules.columns import listed
from companion.rules.facts import TABLE, Moment, Refused, SeatId
from companion.rules.spans import KEY_ERROR_US, error_us
from companion.session.corrections import NotDone, amend
from companion.session.intake import fact_draft
from companion.session.projection import SessionProjection
from companion.session.seat_notes import SeatNote

NUMBER = "number"
"""The name of the answer for a number; of several, followed by its place."""
TYPED_ON_A_PHONE = "typed on a phone"
"""The reason recorded for an entered fact, beside the seat."""
NETWORK_US = KEY_ERROR_US
"""Added to the error of a key press for network delay. An access point that lets phones sleep
delivers what is sent to them every 100 ms. A bad network can take as long as a phone waits for an
answer (`ANSWER_MS` in notes.js), which nobody measures: nothing is ordered by such a moment."""
ASK_THE_TABLE = "Ask the table to change it."
LOOK_AGAIN = "Look at the page, then enter it again if needed."
_NUMBER = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class OwnNumber:
    """A number that a seat may type: the name of the answer, its label, and what it is now."""

    name: str
    label: str
    value: int | None


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """Something that a seat may enter now: one or more `numbers`, which become what `records` says, or
    a `step`.

    `id` changes with the number, row and round shown, so an entry made on an outdated page is
    refused. It also changes with the total that a number is added to, and with how often a step was
    recorded. `anchor` stays the same as long as the row, or the step, is there. `subject` says in the
    record what it is for.
    """

    id: str
    anchor: str
    label: str
    subject: str
    numbers: tuple[OwnNumber, ...] = ()
    records: CellEntry | ColumnEntry | None = None
    step: PhoneProposal | None = None

    @property
    def new_kind(self) -> str:
        """The kind of the new fact that it becomes; empty for a correction."""
        if self.step is not None:
            return self.step.kind
        records = self.records
        if isinstance(records, CellEntry) and records.how is not Entering.NOW:
            return ""
        return "" if records is None else records.kind

    @property
    def values(self) -> list[int | None]:
        """The numbers as they are now."""
        return [number.value for number in self.numbers]


@dataclass(frozen=True, slots=True)
class EntryDrafts:
    """What to append for an entry of a seat, and the table's sentence about it; empty for none."""

    drafts: tuple[Draft, ...]
    notice: str = ""


def own_entries(panels: Panels, game: Any, seat: SeatId) -> tuple[OwnEntry, ...]:
    """Return what `seat` may enter on its phone; `game` is the game's view for the table."""
    return (*_numbers(panels, game, seat), *_steps(panels, game, seat))


def _numbers(panels: Panels, game: Any, seat: SeatId) -> Iterator[OwnEntry]:
    grids = panels.own_number_grids(game)
    own = [(grid, row, cell) for grid in grids for row, cell in grid.own_cells(seat)]
    titles = [row.title for _, row, _ in own]
    for grid, row, cell in own:
        names, label = (grid.title, row.title), _label(grid, row)
        # Two things that are counted may have a row for the same round.
        subject = row.title if titles.count(row.title) == 1 else label
        token = _digest(seat, grid.during, *names, cell.value, cell.total)
        number = OwnNumber(NUMBER, label, cell.value)
        yield OwnEntry(token, _digest(*names), label, subject, (number,), cell.entry)
    for grid in grids:
        column = grid.own_column(seat)
        if column is not None:
            yield _column_entry(grid, seat, *column)


def _column_entry(
    grid: NumberGrid,
    seat: SeatId,
    column: ColumnEntry,
    own: Sequence[tuple[GridRow, GridCell]],
) -> OwnEntry:
    numbers = []
    for place, (row, cell) in enumerate(own, start=1):
        numbers.append(OwnNumber(f"{NUMBER}-{place}", row.title, cell.value))
    shown = [(number.label, number.value) for number in numbers]
    token = _digest(seat, grid.during, grid.title, shown)
    return OwnEntry(token, _digest(grid.title), grid.title, grid.title, tuple(numbers), column)


def _label(grid: NumberGrid, row: GridRow) -> str:
    """Return the name of a field: that of its row, for a round with what is counted."""
    is_box = row.adds or sum(one.now for one in grid.rows) > 1
    if is_box or grid.title.casefold() in row.title.casefold():
        return row.title
    return f"{grid.title}, {row.title}"


def _steps(panels: Panels, game: Any, seat: SeatId) -> Iterator[OwnEntry]:
    proposals = () if panels.proposals is None else panels.proposals(game, seat)
    for step in proposals:
        if step.at_once:
            token = _step_token(seat, step, step.so_far)
            yield OwnEntry(token, _digest(step.id), step.label, step.id, step=step)


def _step_token(seat: SeatId, step: PhoneProposal, so_far: int) -> str:
    return _digest(seat, step.id, step.during, so_far)


def _digest(*parts: object) -> str:
    """Return 16 hexadecimal digits for public names and numbers."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def phone_moment(now: Moment, waited_ms: int) -> Moment:
    """Return the moment of what a phone sent, which arrives `now`, with the errors of finger and
    usual network, and the time for which it waited on the phone before it was sent."""
    pm = error_us(now.pm) + NETWORK_US + waited_ms * 1000
    return now.model_copy(update={"pm": pm, "tapped": True})


def entered(record: SessionProjection, seat: SeatId, note: SeatNote, now: Moment) -> EntryDrafts:
    """Return what to append for what `seat` entered; raise `Refused`. What may be entered follows
    from the view of the whole table."""
    _require_allowed(record, seat)
    chosen = _chosen(record, seat, note.enter)
    n = len(record.entries) + 1
    arrived = Draft(
        Layer.CONTROL,
        Control.ENTERED,
        {"seat": seat, "line": chosen.subject},
        note.actor,
        key=note.key(seat),
    )
    notice = ""
    if chosen.step is None:
        typed = _typed(chosen, note)
        facts = _number_drafts(record, seat, chosen, typed, now, n)
        notice = _notice(record, seat, chosen, typed)
    else:
        facts = _step_drafts(record, chosen.step, note, now, n)
    remark = {"entries": [n + len(facts)], "why": TYPED_ON_A_PHONE, "who": seat}
    return EntryDrafts((arrived, *facts, Draft(Layer.CONTROL, Control.REMARK, remark)), notice)


def _chosen(record: SessionProjection, seat: SeatId, token: str) -> OwnEntry:
    """Return what has this id; raise `Refused` if the page that sent it is outdated."""
    reason = "what this page showed has changed, so nothing was entered"
    view = record.game.view(record.state, TABLE)
    for offered in own_entries(panels_of(record.game.id), view, seat):
        if offered.id == token:
            return offered
        step = offered.step
        if step is not None:
            earlier = [_step_token(seat, step, so_far) for so_far in range(step.so_far)]
            if token in earlier:
                reason = f"{step.label}: that was already entered"
    raise Refused("PHONE", reason, do=LOOK_AGAIN)


def _require_allowed(record: SessionProjection, seat: SeatId) -> None:
    if not record.phones.entries_allowed:
        raise Refused("PHONE", "this table does not accept entries from phones", do="Say it aloud.")
    if record.game.ended(record.state):
        raise Refused("PHONE", "the game is over", do=ASK_THE_TABLE)
    if seat in record.common.left:
        raise Refused(
            "PHONE",
            "you have left the game",
            do="To come back, join again at the table.",
        )


def _typed(chosen: OwnEntry, note: SeatNote) -> list[int]:
    """Return the numbers in the order of the page; raise `Refused` if one is missing, or no whole number."""
    if set(note.answers) - {number.name for number in chosen.numbers}:
        raise Refused("FORMAT", "the page has no such field", do="Reload the page.")
    typed = []
    for number in chosen.numbers:
        answer = note.answers.get(number.name, "").strip()
        if not _NUMBER.fullmatch(answer):
            raise Refused(
                "FORMAT",
                f"{number.label} needs a whole number",
                do=f"Type one with at most {MOST_DIGITS} digits.",
            )
        typed.append(int(answer))
    return typed


def _number_drafts(
    record: SessionProjection,
    seat: SeatId,
    chosen: OwnEntry,
    typed: Sequence[int],
    now: Moment,
    n: int,
) -> tuple[Draft, ...]:
    """Return the drafts that record `typed`, caused by entry `n`: a new fact, or the correction of an
    old one."""
    if typed == chosen.values:
        numbers = listed([str(number) for number in typed])
        if len(typed) == 1:
            reason, do = f"{numbers} is recorded already", "Type another number to change it."
        else:
            reason, do = f"{numbers} are recorded already", "Type other numbers to change them."
        raise Refused("PHONE", reason, do=do)
    records = chosen.records
    if isinstance(records, ColumnEntry):
        return (_fact(record, records.kind, records.body_of(typed), now, n),)
    assert records is not None
    if records.how is Entering.NOW:
        return (_fact(record, records.kind, records.body_of(typed[0]), now, n),)
    return _replaced(record, seat, records, typed[0], n)


def _replaced(
    record: SessionProjection, seat: SeatId, entry: CellEntry, number: int, n: int
) -> tuple[Draft, ...]:
    try:
        correction = amend(
            record, entry.entry, entry.body_of(number), why=TYPED_ON_A_PHONE, who=seat
        )
    except NotDone as problem:
        raise Refused("PHONE", str(problem), do=ASK_THE_TABLE) from problem
    void, successor = correction.drafts
    drafts = (void, replace(successor, causes=(*successor.causes, n)))
    # Only the table can agree to change what was shown, or what later entries are based on.
    if record.shown_by(drafts) or record.broken_by(drafts) is not None:
        raise Refused("PHONE", "later entries depend on this number", do=ASK_THE_TABLE)
    return drafts


def _step_drafts(
    record: SessionProjection, step: PhoneProposal, note: SeatNote, now: Moment, n: int
) -> tuple[Draft, ...]:
    if note.answers:
        raise Refused("FORMAT", f"{step.label} takes no answer", do="Press the button alone.")
    return (_fact(record, step.kind, step.body, now, n),)


def _fact(record: SessionProjection, kind: str, body: Any, now: Moment, n: int) -> Draft:
    fact = record.game.parse(kind, body, record.common.setup)
    stamped = fact.model_copy(update={"at": now})
    record.tried(stamped)
    return fact_draft(stamped, KEYBOARD, (n,))


def _notice(record: SessionProjection, seat: SeatId, chosen: OwnEntry, typed: Sequence[int]) -> str:
    name = record.common.setup.name_of(seat)
    numbers = listed([str(number) for number in typed])
    known = [str(value) for value in chosen.values if value is not None]
    instead = f" instead of {listed(known)}" if known else ""
    return f"{name} typed {numbers}{instead} for {chosen.subject} on their phone"


def check_stands(record: SessionProjection, arrived: Entry) -> None:
    """Raise `Refused` if the fact recorded for `arrived` was undone or changed since: a phone that
    missed the answer and sends it again must not read that it counts."""
    for n in (arrived.n + 1, arrived.n + 2):
        fact = record.entry(n)
        is_made_of_it = fact is not None and arrived.n in fact.causes
        if is_made_of_it and not record.stands(n):
            raise Refused("PHONE", "this was undone or changed since", do=LOOK_AGAIN)
