"""Forks: a session's file whose entries differ from those the hub has. Nothing is replaced; the organiser chooses which
end counts, and may undo that."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, func, insert, select, update

from companion.hub import Declined
from companion.hub.schema import FORKS, RECORDS, TABLES
from companion.program import PROGRAM

BY_FILE: Final = ""  # the laptop of a fork found by `hub take`: none


class End(StrEnum):
    """An end of a forked game: what the hub has, or the table's file."""

    HUB = "hub"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Fork:
    """A fork for the organiser. `n` is the last entry seen of the other end; `counts` says which end does, None until
    somebody chose, and `who` chose. `waits`: the other end counts and has not arrived yet."""

    id: int
    n: int
    counts: End | None
    who: str
    waits: bool = False


def note_fork(
    connection: Connection, session: bytes, end: tuple[int, bytes], now: float, laptop: str
) -> None:
    """Store a fork seen at a table, one for each laptop: `end` is the number and digest of the other end's last
    entry."""
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
    """Return the organiser's decision against a laptop's end of a record, as a sentence for its table; empty if there
    is none."""
    query = select(FORKS.c.counts).join(RECORDS, RECORDS.c.id == FORKS.c.record)
    of_laptop = (RECORDS.c.session == session) & (FORKS.c.laptop == laptop)
    if connection.execute(query.where(of_laptop)).scalar() != End.HUB:
        return ""
    return (
        "The organiser decided: what the hub has counts, not this file. Go on with the newer file, or type "
        f"`{PROGRAM} hub continue`."
    )


def forks_in(connection: Connection) -> dict[int, tuple[Fork, ...]]:
    """Return the forks of each table's newest game by the table's id, those to be decided first."""
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
            # of a game that is long over
            continue
        counts = End(row.counts) if row.settled and row.counts else None
        fork = Fork(row.id, row.n, counts, row.who, waits)
        forks[row.table_id] = (*forks.get(row.table_id, ()), fork)
    return forks


def settle(connection: Connection, fork: int, end: End | None, who: str) -> int:
    """Store which end of a game counts; None reopens the question. If the other end does, the hub's records of the game
    are set aside, so that the table sends its own from the first entry on. Return the table's number; raise
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
    # set aside for another fork: undoing this one would bring back the wrong end
    if record.aside not in (0, fork):
        raise Declined("Another fork of this game is settled: take that back first.")
    if (end is End.TABLE) != bool(record.aside):
        _exchange(connection, record, fork)
    decision = {"settled": False, "counts": "", "who": ""}
    if end is not None:
        decision = {"settled": True, "counts": end.value, "who": who}
    connection.execute(update(FORKS).where(FORKS.c.id == fork).values(decision))
    return int(row.number)


def _exchange(connection: Connection, record: Row[Any], fork: int) -> None:
    """Set aside the records of the game that count, with the parts that continue them, and restore those that were set
    aside for this fork."""
    of_game = _records_of(connection, record.aside_from or record.session, record.table_id)
    aside = [row for row in of_game if row.aside == fork]
    for row in of_game:
        if not row.aside:
            # the session is unique: a made-up digest, which no table can send, frees it for the other end
            unsent = hashlib.sha256(b"set aside %d " % row.id + row.session).digest()
            values = {"session": unsent, "aside": fork, "aside_from": row.session}
            connection.execute(update(RECORDS).where(RECORDS.c.id == row.id).values(values))
    for row in aside:  # after the others, which had its session until now
        values = {"session": row.aside_from, "aside": 0, "aside_from": None}
        connection.execute(update(RECORDS).where(RECORDS.c.id == row.id).values(values))


def _records_of(connection: Connection, session: bytes, table: int) -> list[Row[Any]]:
    """Return the records of a table's game from that session on: all ends of it, and all parts that continue one."""
    rows = connection.execute(
        select(RECORDS).where(RECORDS.c.table_id == table).order_by(RECORDS.c.id)
    ).all()
    sessions, records = {session}, list[Row[Any]]()
    for row in rows:  # ordered by id, because a part is stored after the one it continues
        own = row.aside_from or row.session
        if own in sessions or row.continues in sessions:
            sessions.add(own)
            records.append(row)
    return records
