"""The events that a hub keeps, one after the other: games, rounds and awards belong to the one that was on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Row, func, insert, select, update

from companion.hub.schema import GATHERINGS, RECORDS, ROUNDS

LONGEST_TITLE: Final = 60


class NoGathering(ValueError):  # noqa: N818  an answer to whoever asked for it
    """No event can be begun so; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """An event: its number from 1 on, what it is called, and whether everybody sees its awards."""

    id: int
    title: str
    awards_shown: bool


def gatherings_in(connection: Connection, title: str) -> tuple[Gathering, ...]:
    """Return all events in their order; `title` is what one is called that has no name of its own."""
    rows = connection.execute(select(GATHERINGS).order_by(GATHERINGS.c.id))
    return tuple(_gathering(row, title) for row in rows)


def gathering_on(connection: Connection, title: str = "") -> Gathering:
    """Return the event that is on: the newest; `title` as for `gatherings_in`."""
    return _gathering(connection.execute(select(GATHERINGS).order_by(GATHERINGS.c.id.desc()).limit(1)).one(), title)


def _gathering(row: Row[tuple[object, ...]], title: str) -> Gathering:
    return Gathering(row.id, row.title or title, bool(row.awards_shown))


def begin_gathering(connection: Connection, title: str, now: float) -> None:
    """Begin the next event, or name the one that is on where nothing has happened in it; raise `NoGathering`."""
    title = " ".join(title.split())
    if not 0 < len(title) <= LONGEST_TITLE or not title.isprintable():
        raise NoGathering(f"Give the event a name of up to {LONGEST_TITLE} characters.")
    on = gathering_on(connection).id
    used = sum(
        connection.execute(select(func.count()).select_from(table).where(table.c.gathering == on)).scalar_one()
        for table in (RECORDS, ROUNDS)
    )
    if used:
        connection.execute(insert(GATHERINGS).values(title=title, begun=now, awards_shown=0.0))
    else:
        connection.execute(update(GATHERINGS).where(GATHERINGS.c.id == on).values(title=title, begun=now))


def show_awards(connection: Connection, now: float) -> None:
    """Show the awards of the event that is on to everybody from now on."""
    on = (GATHERINGS.c.id == gathering_on(connection).id) & (GATHERINGS.c.awards_shown == 0.0)
    connection.execute(update(GATHERINGS).where(on).values(awards_shown=now))
