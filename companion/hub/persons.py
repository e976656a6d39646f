"""What the hub has of one person, told to them, and taken out; and all events as one file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, select, update

from companion.hub import Declined
from companion.hub.overview import GONE
from companion.hub.results import RulingKind
from companion.hub.schema import ENTRIES, EVENTS, FORKS, GATHERINGS, NAMES, RECORDS, ROUNDS, RULINGS, TABLES
from companion.rules.names import person_key

EXPORTED: Final = (GATHERINGS, TABLES, RECORDS, NAMES, ENTRIES, EVENTS, FORKS, RULINGS, ROUNDS)
_SECRET: Final = frozenset({"code", "code_until", "token", "laptop"})  # of a table: by these it is joined


def known_of(connection: Connection, name: str) -> dict[str, Any]:
    """Return all that the hub has about the person of that name, however it is written: where they sat, with the
    events that name their seat and what they said against a result, and the rounds they were seated in, each as the
    event's number and its own; empty lists where there is nothing."""
    seats = _seats_of(connection, name)
    played = []
    for record, seat in seats:
        query = select(EVENTS.c.number, EVENTS.c.body).where(EVENTS.c.record == record).order_by(EVENTS.c.number)
        told = [json.loads(row.body) for row in connection.execute(query) if f'"{seat}"' in row.body]
        doubts = list(connection.execute(select(RULINGS.c.why).where(_doubted(record, seat))).scalars())
        played.append({"record": record, "seat": seat, "events": told, "doubts": doubts})
    rounds = [where for where, body in _rounds(connection) if _without(body, name) != body]
    return {"name": name, "played": played, "rounds": rounds}


def forget(connection: Connection, name: str) -> int:
    """Take the name of a person out of all that the hub has, and return in how many places it stood. The chains hold as
    they did: no name is in them. What the person said against a result goes too; what others typed as a reason is not
    searched."""
    places = 0
    for record, seat in _seats_of(connection, name):
        here = (NAMES.c.record == record) & (NAMES.c.seat == seat)
        connection.execute(update(NAMES).where(here).values(name=""))
        connection.execute(update(RULINGS).where(_doubted(record, seat)).values(why=""))
        places += 1
    return places + _rewrite_rounds(connection, name, GONE)


def merge(connection: Connection, name: str) -> int:
    """Have one person be called `name` in all games and rounds where another spelling of it stands, and return in how
    many places that was; raise `Declined` where two of that name played in one game or sit in one round."""
    seats = _seats_of(connection, name)
    twice = [record for record, count in Counter(record for record, _ in seats).items() if count > 1]
    twice += [number for (_, number), body in _rounds(connection) if _times(body, name) > 1]
    if twice:
        raise Declined(f"Two called {name} are in one game or round, so they are not one person.")
    places = 0
    for record, seat in seats:
        other = (NAMES.c.record == record) & (NAMES.c.seat == seat) & (NAMES.c.name != name)
        places += connection.execute(update(NAMES).where(other).values(name=name)).rowcount
    return places + _rewrite_rounds(connection, name, name)


def _rewrite_rounds(connection: Connection, name: str, instead: str) -> int:
    """Write something else where the person of that name was seated; return in how many rounds."""
    changed = 0
    for (gathering, number), body in _rounds(connection):
        if (said := _without(body, name, instead)) != body:
            here = (ROUNDS.c.gathering == gathering) & (ROUNDS.c.number == number)
            connection.execute(update(ROUNDS).where(here).values(body=json.dumps(said)))
            changed += 1
    return changed


def _times(said: Any, name: str) -> int:
    """How often the person of that name stands in a round."""
    if isinstance(said, dict):
        return sum(_times(each, name) for each in said.values())
    if isinstance(said, list):
        return sum(_times(each, name) for each in said)
    return int(isinstance(said, str) and person_key(said) == person_key(name))


def exported(connection: Connection) -> Iterator[str]:
    """Yield all events as lines of JSON, one for each row: what tables sent, what judges ruled, how rounds were
    seated. Who may sign in, and by what tables are joined, is left out."""
    for table in EXPORTED:
        names = [column.name for column in table.columns if table is not TABLES or column.name not in _SECRET]
        for row in connection.execute(select(table).order_by(*table.primary_key.columns)).mappings():
            said = {name: value.hex() if isinstance(value := row[name], bytes) else value for name in names}
            yield json.dumps({"table": table.name, "row": said}, separators=(",", ":"))


def _seats_of(connection: Connection, name: str) -> list[tuple[int, str]]:
    rows = connection.execute(select(NAMES).order_by(NAMES.c.record, NAMES.c.seat))
    return [(row.record, row.seat) for row in rows if row.name and person_key(row.name) == person_key(name)]


def _doubted(record: int, seat: str) -> ColumnElement[bool]:
    return (RULINGS.c.record == record) & (RULINGS.c.who == seat) & (RULINGS.c.kind == RulingKind.DOUBTED.value)


def _rounds(connection: Connection) -> list[tuple[tuple[int, int], dict[str, Any]]]:
    rows = connection.execute(select(ROUNDS).order_by(ROUNDS.c.gathering, ROUNDS.c.number))
    return [((row.gathering, row.number), json.loads(row.body)) for row in rows]


def _without(said: Any, name: str, instead: str = GONE) -> Any:
    if isinstance(said, dict):
        return {key: _without(each, name, instead) for key, each in said.items()}
    if isinstance(said, list):
        return [_without(each, name, instead) for each in said]
    return instead if isinstance(said, str) and person_key(said) == person_key(name) else said
