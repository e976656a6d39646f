"""Batches from tables: parsed from bytes that anybody may have made, and appended to the hub's records. Each entry is
stored once, however often it is sent, and nothing is replaced. HUB.md describes it."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pydantic import ValidationError
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    func,
    insert,
    literal,
    select,
    text,
    true,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from companion.hub.forks import BY_FILE
from companion.hub.kept_events import LARGEST_NUMBER, KeptEvent
from companion.hub.schema import ENTRIES, EVENTS, FORKS, GATHERINGS, NAMES, RECORDS, TABLES
from companion.journal.record import FIRST_DIGEST, link
from companion.outbound.hub_batches import LARGEST_EVENT, NOTHING, HubHead
from companion.rules.columns import can_be_shown
from companion.rules.names import person_key

MOST_ENTRIES: Final = 500  # in one batch
LARGEST_BATCH: Final = 4 << 20  # bytes of one batch
LONGEST_NAME: Final = 100
MOST_NAMES: Final = 64
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_SEAT: Final = re.compile(r"s[0-9]{1,2}")
MOST_BYTES: Final = 50 << 20  # from one table in all: some five hundred evenings
_LINK_BYTES: Final = 80  # of an entry, with the database's overhead


class NoBatch(ValueError):
    """These bytes are no batch; the sentence says why."""


class ChainLink(NamedTuple):
    """An entry as the hub knows it, a row of `ENTRIES`: number, commitment (None: this entry and all since the previous
    link are lost) and digest."""

    n: int
    commitment: bytes | None
    digest: bytes


class PublicEvent(NamedTuple):
    """An event of the public feed, a row of `EVENTS`: its number, its kind, and its JSON with places for seats."""

    number: int
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Links after entry `after`, whose digest is `digest`; events; the `total` of the table's entries; the names of
    seats; and the session that this one `continues`, None for a game in one part."""

    after: int
    digest: bytes
    links: tuple[ChainLink, ...]
    events: tuple[PublicEvent, ...]
    total: int
    names: Mapping[str, str]
    title: str  # of the game, if an event has it
    continues: bytes | None = None

    @property
    def end(self) -> tuple[int, bytes]:
        """Number and digest of the last entry, or of the entry before the batch if it has none."""
        if not self.links:
            return self.after, self.digest
        return self.links[-1].n, self.links[-1].digest


def read_batch(content: bytes) -> Batch:
    """Return the batch in `content`; raise `NoBatch`."""
    if len(content) > LARGEST_BATCH:
        raise NoBatch(
            f"A batch has at most {LARGEST_BATCH} bytes, and this one {len(content)}: send fewer entries."
        )
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise NoBatch(f"A batch is JSON, and this is none ({problem}).") from problem
    if not isinstance(fields, dict):
        raise NoBatch("A batch is an object of JSON.")
    after, digest = _number(fields, "after"), _digest(fields.get("digest"))
    # checked here, because there is no entry 0 to compare with
    if (after == 0) != (digest == FIRST_DIGEST):
        raise NoBatch("Behind entry 0 the digest is 32 zeros, and behind no other.")
    entries = fields.get("entries")
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        raise NoBatch(f"A batch has a list of at most {MOST_ENTRIES} entries.")
    links, events = tuple(_links(entries, after, digest)), _events(fields)
    continues = None
    if fields.get("continues") is not None:
        continues = _digest(fields["continues"])
    total, names = _number(fields, "total"), _names(fields)
    return Batch(after, digest, links, events, total, names, _title(fields), continues)


def _title(fields: Mapping[str, Any]) -> str:
    for event in fields.get("events", ()):
        title = event.get("title", "")
        if can_be_shown(title):
            return str(title[:LONGEST_NAME])
    return ""


def _links(entries: list[Any], n: int, digest: bytes) -> Iterator[ChainLink]:
    for entry in entries:
        if isinstance(entry, dict):
            lost = _number(entry, "to")
            if lost <= n:
                raise NoBatch(f"Entries up to {lost} are said to be lost behind entry {n}.")
            n, digest = lost, _digest(entry.get("digest"))
            yield ChainLink(n, None, digest)
        else:
            commitment = _digest(entry)
            n, digest = n + 1, link(digest, commitment)
            yield ChainLink(n, commitment, digest)


def unpacked(content: bytes, most: int) -> bytes | None:
    """Return gzip data unpacked, or None if that exceeds `most` bytes, of which no more is unpacked. Raise `NoBatch` if
    it is not gzip, or incomplete."""
    reading = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        unpacked_content = reading.decompress(content, most + 1)
    # one byte more than allowed tells too long from just fitting
    except zlib.error:
        raise NoBatch("A batch that is said to be packed with gzip is packed with gzip.") from None
    if len(unpacked_content) > most:
        return None
    if not reading.eof or reading.unused_data:
        raise NoBatch("A packed batch is whole, and nothing stands behind it.")
    return unpacked_content


def _events(fields: Mapping[str, Any]) -> tuple[PublicEvent, ...]:
    events = fields.get("events", [])
    if not isinstance(events, list) or len(events) > 8 * MOST_ENTRIES:
        raise NoBatch(f"A batch has a list of at most {8 * MOST_ENTRIES} events.")
    public, before = [], 0
    for at, event in enumerate(events, start=1):
        body = json.dumps(event, separators=(",", ":"))
        if len(body) > LARGEST_EVENT:
            raise NoBatch(
                f"An event has at most {LARGEST_EVENT} bytes, and event {at} of this batch {len(body)}."
            )
        try:
            # From JSON and not from the object: this parser refuses half a surrogate pair, which no page could send.
            shape = KeptEvent.model_validate_json(body)
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise NoBatch(
                f"Event {at} of this batch is none of the feed: {where}: {first['msg']}."
            ) from problem
        if shape.number <= before:
            raise NoBatch(f"Event {shape.number} stands behind event {before}.")
        before = shape.number
        public.append(PublicEvent(shape.number, shape.kind, body))
    return tuple(public)


def _names(fields: Mapping[str, Any]) -> dict[str, str]:
    names = fields.get("names", {})
    if not isinstance(names, dict) or len(names) > MOST_NAMES:
        raise NoBatch(f"Names are an object of at most {MOST_NAMES} seats.")
    for seat, name in names.items():
        fits = isinstance(name, str) and 0 < len(name) <= LONGEST_NAME
        if not _SEAT.fullmatch(seat) or not fits:
            raise NoBatch(f"A name has 1 to {LONGEST_NAME} characters, for a seat s1 to s99.")
        if not can_be_shown(name):
            raise NoBatch("A name can be shown.")
    return names


def _number(fields: Mapping[str, Any], name: str) -> int:
    number = fields.get(name)
    # `type`, not `isinstance`: true is an int in Python
    if type(number) is not int or not 0 <= number <= LARGEST_NUMBER:
        raise NoBatch(f"{name} is a whole number from 0 to {LARGEST_NUMBER}.")
    return number


def _digest(text: object) -> bytes:
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise NoBatch("A digest has 64 digits of hexadecimal, in small letters.")
    return bytes.fromhex(text)


class BatchRefused(Exception):
    """The hub takes no such batch; the sentence says why, and what to do."""


class Ahead(BatchRefused):
    """The batch begins after the end of what the hub has."""


class Forked(BatchRefused):
    """The batch differs from what the hub has."""


def head_of(connection: Connection, session: bytes, table: int) -> HubHead:
    """Return the hub's progress with a record; raise `BatchRefused` if it is another table's."""
    row = _record(connection, session)
    if row is None:
        return NOTHING
    _require_own(connection, row, table)
    return HubHead(row.n, row.digest, row.event)


def take(
    connection: Connection,
    session: bytes,
    table: int,
    batch: Batch,
    now: float,
    laptop: str = BY_FILE,
) -> HubHead:
    """Append what is new in `batch` to the hub's record, in the open transaction, and return the new head; raise
    `BatchRefused`. `now` is Unix time; `laptop` sent it, or it came as a file. `Forked` rolls this transaction back, so
    `forks.note_fork` stores the fork in one of its own."""
    record = _locked(connection, session, table)
    _require_own(connection, record, table)
    if record.instead_of:
        _require_chosen(connection, record, laptop)
    if batch.continues is not None and record.continues is None:
        _continue(connection, record, batch.continues)
    if batch.after > record.n:
        raise Ahead(
            f"The hub has {record.n} entries of this session: send from entry {record.n + 1} on."
        )
    # before anything is stored: a fork must leave no trace in this record
    _compare(connection, record, batch)
    links = [entry for entry in batch.links if entry.n > record.n]
    events = [event for event in batch.events if event.number > record.event]
    size = _LINK_BYTES * len(links) + sum(len(event.body) for event in events)
    _reserve(connection, table, size, now)
    _store(connection, record.id, links, events)
    _store_names(connection, record.id, batch.names)
    last = links[-1] if links else record
    last_event = events[-1].number if events else record.event
    head = HubHead(last.n, last.digest, last_event)
    # a table cannot have less than it sent
    total = max(batch.total, head.n)
    since = 0.0
    if total > head.n:
        since = record.behind_since or now
    values = {
        "n": head.n,
        "digest": head.digest,
        "event": head.event,
        "total": total,
        "behind_since": since,
    }
    if batch.title and not record.title:
        values["title"] = batch.title
    connection.execute(update(RECORDS).where(RECORDS.c.id == record.id).values(values))
    return head


def _record(connection: Connection, session: bytes, *, lock: bool = False) -> Row[Any] | None:
    query = select(RECORDS).where(RECORDS.c.session == session)
    if lock:
        query = query.with_for_update()
    return connection.execute(query).first()


def _locked(connection: Connection, session: bytes, table: int) -> Row[Any]:
    """Return the record's row, creating it if it is new, locked until the transaction ends."""
    row = _record(connection, session, lock=True)
    if row is None:
        # Two requests may begin one record at once: the second finds the row of the first.
        connection.execute(_begun(connection, session, table))
        row = _record(connection, session, lock=True)
    assert row is not None, "it was inserted just now"
    return row


def _begun(connection: Connection, session: bytes, table: int) -> sqlite.Insert | postgresql.Insert:
    """Return the statement that creates a record's row, in the current gathering or that of the end it replaces."""
    aside = RECORDS.alias("aside")
    source = GATHERINGS.outerjoin(aside, aside.c.aside_from == session)
    columns: dict[str, ColumnElement[Any]] = {
        "session": literal(session),
        "table_id": literal(table),
        "n": literal(0),
        "digest": literal(FIRST_DIGEST),
        "event": literal(0),
        "total": literal(0),
        "title": literal(""),
        "behind_since": literal(0.0),
        "gathering": func.coalesce(func.max(aside.c.gathering), func.max(GATHERINGS.c.id)),
        "instead_of": func.coalesce(func.max(aside.c.id), 0),
    }
    # Without a condition, SQLite would parse ON CONFLICT as part of the join.
    rows = select(*columns.values()).select_from(source).where(true())
    return (
        _upsert(connection, RECORDS)
        .from_select([*columns], rows)
        .on_conflict_do_nothing(index_elements=[RECORDS.c.session])
    )


def _upsert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insertion that can have ON CONFLICT, of which each database has its own form."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def _require_chosen(connection: Connection, record: Row[Any], laptop: str) -> None:
    """Raise `BatchRefused` for a laptop that does not have the end the organiser chose, until that end is stored: from
    then on the chain tells the two apart."""
    chosen = select(FORKS.c.n, FORKS.c.laptop).join(RECORDS, RECORDS.c.aside == FORKS.c.id)
    fork = connection.execute(chosen.where(RECORDS.c.id == record.instead_of)).first()
    if fork is not None and record.n < fork.n and laptop != fork.laptop:
        raise BatchRefused(
            "The organiser decided that another end of this game counts: nothing of this one is taken."
        )


def _continue(connection: Connection, record: Row[Any], before: bytes) -> None:
    """Store that the record continues another one, and move it to that one's gathering; raise `BatchRefused` for the
    game of another table."""
    part = _record(connection, before)
    values: dict[str, Any] = {"continues": before}
    if part is not None and part.id != record.id:
        if part.table_id != record.table_id:
            number = connection.execute(
                select(TABLES.c.number).where(TABLES.c.id == part.table_id)
            ).scalar_one()
            raise BatchRefused(
                f"The game that this one goes on from is table {number}'s: join as table {number}."
            )
        values["gathering"] = part.gathering
    connection.execute(update(RECORDS).where(RECORDS.c.id == record.id).values(values))


def _require_own(connection: Connection, record: Row[Any], table: int) -> None:
    if record.table_id != table:
        number = connection.execute(
            select(TABLES.c.number).where(TABLES.c.id == record.table_id)
        ).scalar_one()
        advice = f"join as table {number}, or take it in with --table {number}."
        raise BatchRefused(f"At the hub this session is table {number}'s: {advice}")


def _compare(connection: Connection, record: Row[Any], batch: Batch) -> None:
    """Raise `Forked` if batch and hub differ on an entry that both have. Each digest covers all entries before it, so
    the first and last of them are enough."""
    known: dict[int, bytes] = {batch.after: batch.digest}
    known |= {entry.n: entry.digest for entry in batch.links if entry.n <= record.n}
    numbers = {min(known), max(known)} - {0}
    if numbers == {record.n}:
        stored = {record.n: record.digest}
    else:
        query = select(ENTRIES.c.n, ENTRIES.c.digest).where(
            ENTRIES.c.record == record.id, ENTRIES.c.n.in_(numbers)
        )
        stored = {row.n: row.digest for row in connection.execute(query)}
    for n in sorted(numbers):
        if stored.get(n) != known[n]:
            raise Forked(
                f"Entry {n} is another one here: the table's file is an older copy that went on, or was put right. "
                "Nothing was replaced; ask the organiser which of the two counts."
            )


def _reserve(connection: Connection, table: int, size: int, now: float) -> None:
    # a condition in the statement, because two requests of a table may run at once
    there = TABLES.c
    room = (there.id == table) & (there.bytes <= MOST_BYTES - size)
    counted = connection.execute(
        update(TABLES).where(room).values(bytes=there.bytes + size, heard=now)
    )
    if not counted.rowcount:
        raise BatchRefused(
            f"This table has sent {MOST_BYTES >> 20} MB, as much as a table may: ask the organiser."
        )


def _store(
    connection: Connection, record: int, links: Sequence[ChainLink], events: Sequence[PublicEvent]
) -> None:
    if (
        links
        and connection.dialect.name == "postgresql"
        and all(entry.commitment for entry in links)
    ):
        # one statement for a batch: the server cuts two byte strings, as commitments and digests have a fixed size
        sql = "INSERT INTO entries (record, n, commitment, digest) SELECT :record, :first + at, "
        sql += "substr(:commitments, 32 * at + 1, 32), substr(:digests, 32 * at + 1, 32) "
        sql += "FROM generate_series(0, :last) at"
        joined = {"commitments": b"".join(entry.commitment or b"" for entry in links)}
        joined |= {"digests": b"".join(entry.digest for entry in links)}
        bounds = {"record": record, "first": links[0].n, "last": len(links) - 1}
        connection.execute(text(sql), {**bounds, **joined})
    elif links:
        _insert(connection, ENTRIES, record, ChainLink._fields, links)
    if events:
        _insert(connection, EVENTS, record, PublicEvent._fields, events)


def _insert(
    connection: Connection,
    table: Table,
    record: int,
    names: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
) -> None:
    """Insert rows of one record. PostgreSQL gets the columns as arrays: one statement for a batch saves a round trip
    for each row."""
    if connection.dialect.name == "postgresql":
        arrays = ", ".join(
            f"CAST(:{name} AS {table.c[name].type.compile(connection.dialect)}[])" for name in names
        )
        sql = f"INSERT INTO {table.name} (record, {', '.join(names)}) SELECT :record, * FROM unnest({arrays})"
        columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
        connection.execute(text(sql), {"record": record, **columns})
    else:
        connection.execute(
            insert(table),
            [{"record": record, **dict(zip(names, row, strict=True))} for row in rows],
        )


def _store_names(connection: Connection, record: int, names: Mapping[str, str]) -> None:
    # an empty name was taken out at the hub's request, and stays so
    for seat, sent in names.items():
        name = _as_known(connection, sent)
        row = _upsert(connection, NAMES).values(record=record, seat=seat, name=name)
        connection.execute(
            row.on_conflict_do_update(
                index_elements=[NAMES.c.record, NAMES.c.seat],
                set_={"name": row.excluded.name},
                where=NAMES.c.name != "",
            )
        )


def _as_known(connection: Connection, name: str) -> str:
    """Return the name in the Unicode form that the hub has it in, if only the form differs: otherwise the standings
    would list the person twice. An existing form stays, until the organiser merges the two."""
    if name.isascii():
        return name
    stored = connection.execute(select(NAMES.c.name).distinct().order_by(NAMES.c.name)).scalars()
    stored_names: list[str] = [other for other in stored if person_key(other) == person_key(name)]
    if not stored_names or name.casefold() in map(str.casefold, stored_names):
        return name
    return stored_names[0]
