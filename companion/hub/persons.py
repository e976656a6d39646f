"""What the hub has of one person, told to them, and taken out; and the whole event as one file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Connection, Table, select, update

from companion.hub.overview import GONE
from companion.hub.schema import ENTRIES, EVENTS, FORKS, NAMES, RECORDS, RELEASED, ROUNDS, RULINGS, TABLES

EXPORTED: Final = (TABLES, RECORDS, NAMES, ENTRIES, EVENTS, FORKS, RULINGS, RELEASED, ROUNDS)
_SECRET: Final = frozenset({"code", "code_until", "token", "laptop"})  # of a table: by these it is joined


def known_of(connection: Connection, name: str) -> dict[str, Any]:
    """Return all that the hub has about the person of that name, however it is written: where they sat, with the events
    that name their seat, and the rounds they were seated in; empty lists where there is nothing."""
    seats = _seats_of(connection, name)
    played = []
    for record, seat in seats:
        query = select(EVENTS.c.number, EVENTS.c.body).where(EVENTS.c.record == record).order_by(EVENTS.c.number)
        told = [json.loads(row.body) for row in connection.execute(query) if f'"{seat}"' in row.body]
        played.append({"record": record, "seat": seat, "events": told})
    rounds = [number for number, body in _rounds(connection) if _is_in(body, name)]
    return {"name": name, "played": played, "rounds": rounds}


def forget(connection: Connection, name: str) -> int:
    """Take the name of a person out of all that the hub has, and return in how many places it stood. The chains hold as
    they did: no name is in them. What somebody typed as a reason is not searched."""
    places = 0
    for record, seat in _seats_of(connection, name):
        here = (NAMES.c.record == record) & (NAMES.c.seat == seat)
        connection.execute(update(NAMES).where(here).values(name=""))
        places += 1
    for number, body in _rounds(connection):
        if _is_in(body, name):
            said = json.dumps({key: _without(value, name) for key, value in body.items()})
            connection.execute(update(ROUNDS).where(ROUNDS.c.number == number).values(body=said))
            places += 1
    return places


def exported(connection: Connection) -> Iterator[str]:
    """Yield the whole event as lines of JSON, one for each row: what tables sent, what judges ruled, how rounds were
    seated. Who may sign in, and by what tables are joined, is left out."""
    for table in EXPORTED:
        for row in connection.execute(select(table).order_by(*table.primary_key.columns)):
            yield json.dumps({"table": table.name, "row": _plain(row._mapping, table)}, separators=(",", ":"))


def _plain(row: Mapping[Any, Any], table: Table) -> dict[str, Any]:
    names = [column.name for column in table.columns if table is not TABLES or column.name not in _SECRET]
    return {name: value.hex() if isinstance(value := row[name], bytes) else value for name in names}


def _seats_of(connection: Connection, name: str) -> list[tuple[int, str]]:
    rows = connection.execute(select(NAMES).order_by(NAMES.c.record, NAMES.c.seat))
    return [(row.record, row.seat) for row in rows if row.name.casefold() == name.casefold()]


def _rounds(connection: Connection) -> list[tuple[int, dict[str, Any]]]:
    rows = connection.execute(select(ROUNDS.c.number, ROUNDS.c.body).order_by(ROUNDS.c.number))
    return [(row.number, json.loads(row.body)) for row in rows]


def _is_in(said: Any, name: str) -> bool:
    if isinstance(said, dict):
        return any(_is_in(each, name) for each in said.values())
    if isinstance(said, list):
        return any(_is_in(each, name) for each in said)
    return isinstance(said, str) and said.casefold() == name.casefold()


def _without(said: Any, name: str) -> Any:
    if isinstance(said, list):
        return [_without(each, name) for each in said]
    return GONE if isinstance(said, str) and said.casefold() == name.casefold() else said
