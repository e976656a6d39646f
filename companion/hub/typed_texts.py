"""All texts that somebody typed and the hub stores, to search them for a name, and what each column may have of a
name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, select, update

from companion.hub import Declined
from companion.hub.overview import named, names_of, table_numbers
from companion.hub.results import RulingKind
from companion.hub.schema import (
    ACCOUNTS,
    ENTRIES,
    EVENTS,
    FORKS,
    GATHERINGS,
    NAMES,
    RECORDS,
    ROUNDS,
    RULINGS,
    SIGNED_IN,
    TABLES,
)
from companion.rules.registry import GAMES


class Holds(StrEnum):
    """The forms in which a column may have a person's name."""

    NOTHING = "nothing: numbers, times, digests or words of the program"
    NAME = "a name by itself"
    WHO = "the name of who decided something"
    NAMES = "names in JSON"
    TYPED = "what somebody typed"
    SENTENCES = "sentences in JSON, in which a typed reason may stand"


COLUMNS: Final[Mapping[Table, Mapping[str, Holds]]] = {
    ACCOUNTS: {"name": Holds.NAME, "role": Holds.NOTHING},
    SIGNED_IN: {},
    TABLES: {"laptop": Holds.NOTHING},  # a digest
    GATHERINGS: {"title": Holds.TYPED},
    RECORDS: {"title": Holds.TYPED},  # of a game, which somebody may have written themselves
    ENTRIES: {},
    EVENTS: {"kind": Holds.NOTHING, "body": Holds.SENTENCES},
    NAMES: {"seat": Holds.NOTHING, "name": Holds.NAME},
    FORKS: {"laptop": Holds.NOTHING, "counts": Holds.NOTHING, "who": Holds.WHO},
    RULINGS: {"kind": Holds.NOTHING, "places": Holds.NOTHING, "why": Holds.TYPED, "who": Holds.WHO},
    ROUNDS: {"body": Holds.NAMES},
}
"""Content of each text column. Any other column has a number, a time, or bytes: a digest or random ones."""
_CODES: Final = frozenset(
    {"id", "kind", "what", "wall", "fact", "player", "players", "turn", "winners", "clock"}
)
"""Fields of an event whose text is the program's or a seat's place. All others, also those of a later version, are
searched for names."""


@dataclass(frozen=True, slots=True)
class TypedText:
    """A typed text: `key` identifies its place, `where` describes that to people. `record` is the game it is about, or
    0; `names` are those of its seats, if the text has marks for them."""

    key: str
    where: str
    text: str
    record: int = 0
    is_reason: bool = False  # somebody's own words about a result, whole
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The text as people read it."""
        return named(self.text, self.names)


def typed_texts(connection: Connection) -> Iterator[TypedText]:
    """Yield every typed text."""
    for row in connection.execute(select(GATHERINGS).order_by(GATHERINGS.c.id)).all():
        yield TypedText(f"event {row.id}", f"title of event {row.id}", row.title)
    tables = table_numbers(connection)
    packaged = {game.title for game in GAMES.values()}
    games: dict[int, str] = {}
    for row in connection.execute(select(RECORDS).order_by(RECORDS.c.id)).all():
        games[row.id] = f"table {tables.get(row.table_id, 0)}, game {row.id}"
        if row.title in packaged:  # not typed by anybody
            continue
        yield TypedText(f"game {row.id}", f"title of the game, {games[row.id]}", row.title, row.id)
    for row in connection.execute(select(RULINGS).order_by(RULINGS.c.id)).all():
        author = "what a player says" if row.kind == RulingKind.DOUBTED else "a judge's reason"
        where = f"{author}, {games[row.record]}"
        yield TypedText(f"ruling {row.id}", where, row.why, row.record, is_reason=True)
    yield from _sentences(connection, games)


def _sentences(connection: Connection, games: Mapping[int, str]) -> Iterator[TypedText]:
    names = names_of(connection)
    query = select(EVENTS.c.record, EVENTS.c.number, EVENTS.c.body).order_by(
        EVENTS.c.record, EVENTS.c.number
    )
    for row in connection.execute(query.execution_options(yield_per=1000)):
        for at, text in enumerate(_texts_of(_parsed(row.body))):
            where = f"the story of the game, {games.get(row.record, '')}"
            key, of_seats = f"told {row.record} {row.number} {at}", names.get(row.record, {})
            yield TypedText(key, where, text, row.record, names=of_seats)


def _parsed(body: str) -> Any:
    try:
        return json.loads(body)
    except ValueError:  # an earlier version may have stored what is no JSON
        return body


def _texts_of(value: Any, field: str = "") -> Iterator[str]:
    """Yield the texts of an event that people read, always in the same order: `put_text` counts on it."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _texts_of(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_of(item, field)
    elif isinstance(value, str) and field not in _CODES:
        yield value


def put_text(connection: Connection, key: str, text: str) -> None:
    """Replace the text with that key; raise `Declined` if there is none."""
    kind, *numbers = key.split(" ")
    try:
        ids = [int(number) for number in numbers]
    except ValueError:
        ids = []
    match kind, ids:
        case "event", [number]:
            _put(connection, GATHERINGS, GATHERINGS.c.id == number, title=text)
        case "game", [number]:
            _put(connection, RECORDS, RECORDS.c.id == number, title=text)
        case "ruling", [number]:
            _put(connection, RULINGS, RULINGS.c.id == number, why=text)
        case "told", [record, number, at]:
            _put_sentence(connection, record, number, at, text)
        case _:
            raise Declined("There is no such text.")


def _put(connection: Connection, table: Table, here: ColumnElement[bool], **values: str) -> None:
    if not connection.execute(update(table).where(here).values(**values)).rowcount:
        raise Declined("There is no such text.")


def _put_sentence(connection: Connection, record: int, number: int, place: int, text: str) -> None:
    here = (EVENTS.c.record == record) & (EVENTS.c.number == number)
    body = connection.execute(select(EVENTS.c.body).where(here)).scalar()
    if body is None:
        raise Declined("There is no such text.")
    count = 0

    def replaced(value: Any, field: str = "") -> Any:
        nonlocal count
        if isinstance(value, dict):
            return {name: replaced(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [replaced(item, field) for item in value]
        if not isinstance(value, str) or field in _CODES:
            return value
        count += 1
        if count - 1 != place:
            return value
        return text

    written = json.dumps(replaced(_parsed(body)), separators=(",", ":"))
    _put(connection, EVENTS, here, body=written)
