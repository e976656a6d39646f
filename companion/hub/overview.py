"""The tables as the hub shows them: their progress, their scores, and forks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Select, func, select, true

from companion.hub.forks import Fork, forks_in
from companion.hub.kept_events import KeptEvent, KeptTable, readable
from companion.hub.parts import parts_in
from companion.hub.schema import EVENTS, NAMES, RECORDS, TABLES
from companion.outbound.hub_batches import NAME_MARK
from companion.rules.columns import capitalized, plural
from companion.session.clocks import time_of_day

SILENT_S: Final = 30.0
"""Seconds of silence until a table's row says so; a table sends something every ten, played or not."""
GONE: Final = "Somebody"  # shown for a person whose name was taken out


@dataclass(frozen=True, slots=True)
class PlayerNow:
    """A player at a table: name, and score if it is known, with what it counts."""

    name: str
    score: int | None
    turn: bool
    out: bool
    unit: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table in one row. `sentence` says how complete its record is; `last_event` is the sentence of its last event.
    `record` is the hub's id of the record it sent last, and `gathering` that of its event; 0 if there is none. `parts`
    says that the game has several parts, and what was lost between them."""

    number: int
    record: int
    gathering: int
    title: str
    where: str
    players: tuple[PlayerNow, ...]
    last_event: str
    sentence: str
    joined: bool
    ended: bool
    forks: tuple[Fork, ...] = ()
    parts: tuple[str, ...] = ()


def table_rows(connection: Connection, now: float) -> tuple[TableRow, ...]:
    """Return all tables by number, each with the session it sent last."""
    parts = parts_in(connection)
    counts = select(RECORDS.c.table_id, func.max(RECORDS.c.id).label("id")).where(
        RECORDS.c.aside == 0
    )
    newest = counts.group_by(RECORDS.c.table_id).subquery()
    tables, record = TABLES.c, RECORDS.c
    of_record = (
        record.id,
        record.n,
        record.total,
        record.behind_since,
        record.title,
        record.gathering,
    )
    query = (
        select(tables.number, tables.id.label("table_id"), tables.token, tables.heard, *of_record)
        .outerjoin_from(TABLES, newest, newest.c.table_id == tables.id)
        .outerjoin(RECORDS, record.id == newest.c.id)
        .order_by(tables.number)
    )
    rows = connection.execute(query).all()
    events = newest_events(connection)
    names = names_of(connection)
    forks = forks_in(connection)
    table_list = []
    for row in rows:
        forks_and_parts = (forks.get(row.table_id, ()), parts.sentences(row.id, events))
        table_list.append(
            _row(row, events.get(row.id), names.get(row.id, {}), *forks_and_parts, now)
        )
    return tuple(table_list)


def _row(
    row: Any,
    event: KeptEvent | None,
    names: Mapping[str, str],
    forks: tuple[Fork, ...],
    parts: tuple[str, ...],
    now: float,
) -> TableRow:
    table = KeptTable()
    last_event = ""
    if event is not None:
        table = event.table
        last_event = named(event.text, names)
    players = tuple(
        PlayerNow(
            names.get(player.id) or GONE,
            player.score,
            player.id in table.turn,
            player.out,
            table.unit,
        )
        for player in table.players
    )
    return TableRow(
        number=row.number,
        record=row.id or 0,
        gathering=row.gathering or 0,
        title=row.title or "",
        where=named(table.where, names),
        players=players,
        last_event=last_event,
        sentence=_sentence(row, now),
        joined=row.token is not None,
        ended=table.ended,
        forks=forks,
        parts=parts,
    )


def _sentence(row: Any, now: float) -> str:
    if row.token is None and not row.heard:
        return "not joined yet"
    lag = (row.total or 0) - (row.n or 0)
    if lag > 0:
        return f"{plural(lag, 'entry', 'entries')} behind since {time_of_day(row.behind_since)}"
    if now - row.heard > SILENT_S:
        return f"not heard since {time_of_day(row.heard)}"
    if not row.n:
        return "joined"
    count = plural(row.n, "entry", "entries")
    return f"all {count} here" if row.n > 1 else f"{count} here"


def named(sentence: str, names: Mapping[str, str]) -> str:
    """Return a sentence of the feed with names in the place of marks."""
    for seat, name in names.items():
        shown = name or GONE
        sentence = sentence.replace(NAME_MARK.format(seat), shown)
        sentence = sentence.replace(NAME_MARK.format(seat.upper()), capitalized(shown))
    return sentence


def table_numbers(connection: Connection) -> dict[int, int]:
    """Return the number of each table that people see, by the hub's id."""
    return {row.id: row.number for row in connection.execute(select(TABLES.c.id, TABLES.c.number))}


def newest_events(
    connection: Connection, records: Select[tuple[int]] | None = None
) -> dict[int, KeptEvent]:
    """Return the newest readable event of each record, by the record's id; only of the records that `records` selects,
    if given."""
    number = func.max(EVENTS.c.number).label("number")
    newest = (
        select(EVENTS.c.record, number)
        .where(_of(EVENTS.c.record, records))
        .group_by(EVENTS.c.record)
        .subquery()
    )
    query = select(EVENTS).join(
        newest, (newest.c.record == EVENTS.c.record) & (newest.c.number == EVENTS.c.number)
    )
    rows = connection.execute(query).all()
    events = dict(readable(rows))
    for record in {row.record for row in rows} - events.keys():
        # the newest row of these cannot be read: look for the newest that can
        before = select(EVENTS).where(EVENTS.c.record == record).order_by(EVENTS.c.number.desc())
        events |= dict(islice(readable(connection.execute(before)), 1))
    return events


def names_of(
    connection: Connection, records: Select[tuple[int]] | None = None
) -> dict[int, dict[str, str]]:
    """Return the names of seats, by the record's id and the seat, empty for a name taken out; `records` as in
    `newest_events`."""
    names: dict[int, dict[str, str]] = {}
    for row in connection.execute(select(NAMES).where(_of(NAMES.c.record, records))):
        names.setdefault(row.record, {})[row.seat] = row.name
    return names


def _of(record: Column[int], records: Select[tuple[int]] | None) -> ColumnElement[bool]:
    return true() if records is None else record.in_(records)
