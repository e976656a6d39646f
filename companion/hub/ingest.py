"""What a table sends, put behind what its hub has: each entry once, whatever is sent again, and nothing replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, insert, select, text, update

from companion.hub.batch import Batch, Link, ToldEvent
from companion.hub.schema import ENTRIES, EVENTS, FORKS, RECORDS, TABLES
from companion.journal.record import FIRST_DIGEST
from companion.outbound.hub_batches import NOTHING, Head

MOST_BYTES: Final = 50 << 20
"""That a table may send in all: some five hundred evenings."""
_LINK_BYTES: Final = 80  # of an entry, with what the database needs beside it


class Refused(Exception):  # noqa: N818  an answer to whoever sent it
    """The hub takes no such batch; the sentence says why, and what to do."""


class Ahead(Refused):
    """The batch begins behind the end of what the hub has."""


class Forked(Refused):
    """The batch goes another way than what the hub has."""


def head_of(connection: Connection, session: bytes, table: int) -> Head:
    """Return how far the hub has that record; raise `Refused` where it is another table's."""
    row = _record(connection, session)
    if row is None:
        return NOTHING
    _require_own(row, table)
    return Head(row.n, row.digest, row.event)


def take(connection: Connection, session: bytes, table: int, batch: Batch, now: float) -> Head:
    """Put what is new of `batch` behind what the hub has, in the transaction that is open, and return the new head;
    raise `Refused`. `now` is Unix time. Of a fork, `note_fork` keeps what was seen, in a transaction of its own."""
    record = _locked(connection, session, table)
    _require_own(record, table)
    if batch.after > record.n:
        raise Ahead(f"The hub has {record.n} entries of this session: send from entry {record.n + 1} on.")
    _compare(connection, record, batch)
    links = [each for each in batch.links if each.n > record.n]
    events = [each for each in batch.events if each.number > record.event]
    size = _LINK_BYTES * len(links) + sum(len(each.body) for each in events)
    _reserve(connection, table, size, now)
    _store(connection, record.id, links, events)
    _store_names(connection, record.id, batch.names)
    head = Head(
        links[-1].n if links else record.n,
        links[-1].digest if links else record.digest,
        events[-1].number if events else record.event,
    )
    total = max(batch.total, head.n)
    since = 0.0 if total == head.n else record.behind_since or now
    said = {"n": head.n, "digest": head.digest, "event": head.event, "total": total, "behind_since": since}
    said |= {"title": batch.title} if batch.title and not record.title else {}
    connection.execute(update(RECORDS).where(RECORDS.c.id == record.id).values(said))
    return head


def note_fork(connection: Connection, session: bytes, batch: Batch, now: float) -> None:
    """Keep that the record went another way at a table; once for each way."""
    record = _record(connection, session)
    if record is None:
        return
    n, theirs = (batch.links[-1].n, batch.links[-1].digest) if batch.links else (batch.after, batch.digest)
    same = (FORKS.c.record == record.id) & (FORKS.c.n == n) & (FORKS.c.theirs == theirs)
    if connection.execute(select(FORKS.c.id).where(same)).first() is None:
        connection.execute(insert(FORKS).values(record=record.id, n=n, theirs=theirs, seen=now, settled=False))


def _record(connection: Connection, session: bytes, *, lock: bool = False) -> Row[Any] | None:
    query = select(RECORDS).where(RECORDS.c.session == session)
    return connection.execute(query.with_for_update() if lock else query).first()


def _locked(connection: Connection, session: bytes, table: int) -> Row[Any]:
    """The row of the record, which nobody else writes until the transaction ends."""
    found = _record(connection, session, lock=True)
    if found is None:
        # Two may begin one record at once: the second finds what the first made.
        said = "INSERT INTO records (session, table_id, n, digest, event, total, title, behind_since, gathering) "
        said += "SELECT :session, :table, 0, :digest, 0, 0, '', 0, MAX(id) FROM gatherings WHERE TRUE "
        said += "ON CONFLICT (session) DO NOTHING"
        connection.execute(text(said), {"session": session, "table": table, "digest": FIRST_DIGEST})
        found = _record(connection, session, lock=True)
    assert found is not None, "it was made just now"
    return found


def _require_own(record: Row[Any], table: int) -> None:
    if record.table_id != table:
        raise Refused("This session belongs to another table of the hub: ask the organiser to move it.")


def _compare(connection: Connection, record: Row[Any], batch: Batch) -> None:
    """Raise `Forked` where the batch and the hub disagree on an entry that both have. Each digest stands for all before
    it: the first and the last of those are enough."""
    known: dict[int, bytes] = {batch.after: batch.digest}
    known |= {each.n: each.digest for each in batch.links if each.n <= record.n}
    asked = {min(known), max(known)} - {0}
    if asked == {record.n}:
        stored = {record.n: record.digest}
    else:
        query = select(ENTRIES.c.n, ENTRIES.c.digest).where(ENTRIES.c.record == record.id, ENTRIES.c.n.in_(asked))
        stored = {row.n: row.digest for row in connection.execute(query)}
    for n in sorted(asked):
        if stored.get(n) != known[n]:
            raise Forked(
                f"Entry {n} is another one here: the table's file is an older copy that went on, or was put right. "
                "Nothing was replaced; ask the organiser which of the two counts."
            )


def _reserve(connection: Connection, table: int, size: int, now: float) -> None:
    there = TABLES.c
    room = (there.id == table) & (there.bytes <= MOST_BYTES - size)
    counted = connection.execute(update(TABLES).where(room).values(bytes=there.bytes + size, heard=now))
    if not counted.rowcount:
        raise Refused(f"This table has sent {MOST_BYTES >> 20} MB, as much as a table may: ask the organiser.")


def _store(connection: Connection, record: int, links: Sequence[Link], events: Sequence[ToldEvent]) -> None:
    if links and connection.dialect.name == "postgresql" and all(each.commitment for each in links):
        said = "INSERT INTO entries (record, n, commitment, digest) SELECT :record, :first + at, "
        said += (
            "substr(:commitments, 32 * at + 1, 32), substr(:digests, 32 * at + 1, 32) FROM generate_series(0, :last) at"
        )
        joined = {"commitments": b"".join(each.commitment or b"" for each in links)}
        joined |= {"digests": b"".join(each.digest for each in links)}
        about = {"record": record, "first": links[0].n, "last": len(links) - 1}
        connection.execute(text(said), {**about, **joined})
    elif links:
        rows = [(each.n, each.commitment, each.digest) for each in links]
        _insert(connection, ENTRIES, record, ("n", "commitment", "digest"), rows)
    if events:
        told = [(each.number, each.kind, each.body) for each in events]
        _insert(connection, EVENTS, record, ("number", "kind", "body"), told)


def _insert(
    connection: Connection, table: Table, record: int, names: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows of one record. PostgreSQL takes them as arrays: one statement for a batch spares the way there and
    back of one for each row."""
    if connection.dialect.name == "postgresql":
        arrays = ", ".join(f"CAST(:{name} AS {table.c[name].type.compile(connection.dialect)}[])" for name in names)
        said = f"INSERT INTO {table.name} (record, {', '.join(names)}) SELECT :record, * FROM unnest({arrays})"
        columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
        connection.execute(text(said), {"record": record, **columns})
    else:
        connection.execute(insert(table), [{"record": record, **dict(zip(names, row, strict=True))} for row in rows])


def _store_names(connection: Connection, record: int, names: Mapping[str, str]) -> None:
    for seat, name in names.items():
        said = "INSERT INTO names (record, seat, name) VALUES (:record, :seat, :name) "
        said += "ON CONFLICT (record, seat) DO UPDATE SET name = excluded.name WHERE names.name <> ''"
        connection.execute(text(said), {"record": record, "seat": seat, "name": name})
