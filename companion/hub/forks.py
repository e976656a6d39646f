"""Two ends of one game: a session's file that went another way than what the hub has. Nothing is replaced; the
organiser says which end counts, and may take that back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, func, insert, select, update

from companion.hub import Declined
from companion.hub.schema import FORKS, RECORDS, TABLES

BY_FILE: Final = ""  # the laptop of a fork that `hub take` found: none


class End(StrEnum):
    """Which end of a game counts: what the hub has, or the file that went another way."""

    HUB = "hub"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Fork:
    """A fork for the organiser: `n` is the last entry that was seen of the other end, `counts` which end does, None
    while nobody has said, and `who` said it. `waits` says that the other end counts and has not come yet."""

    id: int
    n: int
    counts: End | None
    who: str
    waits: bool = False


def note_fork(
    connection: Connection, session: bytes, end: tuple[int, bytes], now: float, laptop: str
) -> None:
    """Keep that the record went another way at a table, once for each laptop: `end` is the number and the digest of the
    last entry that came of it."""
    row = connection.execute(
        select(RECORDS.c.id, RECORDS.c.table_id).where(RECORDS.c.session == session)
    ).first()
    if row is None:
        return
    record = row.id
    if laptop != BY_FILE:
        connection.execute(update(TABLES).where(TABLES.c.id == row.table_id).values(heard=now))
    n, theirs = end
    of_record = FORKS.c.record == record
    seen_before = of_record & (FORKS.c.n == n) & (FORKS.c.theirs == theirs)
    if connection.execute(select(FORKS.c.id).where(seen_before)).first() is not None:
        return
    fork = connection.execute(
        select(FORKS.c.id).where(of_record & (FORKS.c.laptop == laptop))
    ).scalar()
    values = {"n": n, "theirs": theirs, "seen": now}
    if fork is not None:  # the same laptop played on
        connection.execute(update(FORKS).where(FORKS.c.id == fork).values(values))
        return
    connection.execute(insert(FORKS).values(record=record, settled=False, laptop=laptop, **values))


def decision_on(connection: Connection, session: bytes, laptop: str) -> str:
    """Return what the organiser decided of a record that went another way at that laptop, as a sentence for its table;
    empty while nobody has."""
    query = select(FORKS.c.counts).join(RECORDS, RECORDS.c.id == FORKS.c.record)
    of_laptop = (RECORDS.c.session == session) & (FORKS.c.laptop == laptop)
    if connection.execute(query.where(of_laptop)).scalar() != End.HUB:
        return ""
    return (
        "The organiser decided: what the hub has counts, not this file. Go on with the newer file, or type "
        "`companion hub continue`."
    )


def forks_in(connection: Connection) -> dict[int, tuple[Fork, ...]]:
    """Return the forks of each table's newest game, by the table's id: those that wait for the organiser first."""
    session = func.coalesce(RECORDS.c.aside_from, RECORDS.c.session).label("game")
    query = select(FORKS, RECORDS.c.table_id, RECORDS.c.aside, session).join(
        RECORDS, RECORDS.c.id == FORKS.c.record
    )
    rows = connection.execute(query.order_by(FORKS.c.settled, FORKS.c.id)).all()
    if not rows:
        return {}
    newest = dict[int, bytes]()
    in_force = (
        select(RECORDS.c.table_id, RECORDS.c.session)
        .where(RECORDS.c.aside == 0)
        .order_by(RECORDS.c.id)
    )
    for row in connection.execute(in_force):
        newest[row.table_id] = row.session
    forks: dict[int, tuple[Fork, ...]] = {}
    in_force_now = set(newest.values())
    for row in rows:
        waits = bool(row.aside) and row.game not in in_force_now
        if row.settled and not waits and newest.get(row.table_id) != row.game:
            continue  # of a game that is long over
        counts = End(row.counts) if row.settled and row.counts else None
        fork = Fork(row.id, row.n, counts, row.who, waits)
        forks[row.table_id] = (*forks.get(row.table_id, ()), fork)
    return forks


def settle(connection: Connection, fork: int, end: End | None, who: str) -> int:
    """Keep which end of a game counts, None: that is open again. Where it is the other end, what the hub has of the
    game is set aside, so that the table sends its own from the first entry on. Return the table's number; raise
    `Declined`."""
    query = select(FORKS, TABLES.c.number).select_from(FORKS)
    query = query.join(RECORDS, RECORDS.c.id == FORKS.c.record).join(
        TABLES, TABLES.c.id == RECORDS.c.table_id
    )
    row = connection.execute(query.where(FORKS.c.id == fork)).first()
    if row is None:
        raise Declined("There is no such fork.")
    record = connection.execute(
        select(RECORDS).where(RECORDS.c.id == row.record).with_for_update()
    ).one()
    if record.aside not in (0, fork):
        raise Declined("Another fork of this game is settled: take that back first.")
    if (end is End.TABLE) != bool(record.aside):
        _exchange(connection, record, fork)
    said = {
        "settled": end is not None,
        "counts": "" if end is None else end.value,
        "who": "" if end is None else who,
    }
    connection.execute(update(FORKS).where(FORKS.c.id == fork).values(said))
    return int(row.number)


def _exchange(connection: Connection, record: Row[Any], fork: int) -> None:
    """Set aside what counts of the game, with the parts that go on from it, and have what was set aside for this fork
    count again."""
    of_game = _records_of(connection, record.aside_from or record.session, record.table_id)
    aside = [row for row in of_game if row.aside == fork]
    for row in of_game:
        if not row.aside:
            unsent = hashlib.sha256(b"set aside %d " % row.id + row.session).digest()
            values = {"session": unsent, "aside": fork, "aside_from": row.session}
            connection.execute(update(RECORDS).where(RECORDS.c.id == row.id).values(values))
    for row in aside:  # behind the others, which have its session until then
        values = {"session": row.aside_from, "aside": 0, "aside_from": None}
        connection.execute(update(RECORDS).where(RECORDS.c.id == row.id).values(values))


def _records_of(connection: Connection, session: bytes, table: int) -> list[Row[Any]]:
    """The records of a table's game from that session on: all ends of it, and all that goes on from one of them."""
    rows = connection.execute(
        select(RECORDS).where(RECORDS.c.table_id == table).order_by(RECORDS.c.id)
    ).all()
    sessions, records = {session}, list[Row[Any]]()
    for row in rows:  # a part comes after the one that it goes on from
        own = row.aside_from or row.session
        if own in sessions or row.continues in sessions:
            sessions.add(own)
            records.append(row)
    return records
