"""Games in several parts: if a laptop was lost with its file, another session continues from what the hub showed. Each
game counts once, by its newest part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from companion.hub.kept_events import KeptEvent
from companion.hub.schema import RECORDS
from companion.rules.columns import listed, plural
from companion.session.clocks import time_of_day


@dataclass(frozen=True, slots=True)
class GameParts:
    """`without`: the records that do not count, because a newer part of their game or another end does. `before`: the
    parts before each record that has some, the oldest first, by id."""

    without: frozenset[int]
    before: Mapping[int, tuple[int, ...]]
    rows: Mapping[int, Row[Any]]

    @property
    def all_before(self) -> frozenset[int]:
        """All records that are a part before another one."""
        return frozenset(record for parts in self.before.values() for record in parts)

    def sentences(self, record: int, ends: Mapping[int, KeptEvent]) -> tuple[str, ...]:
        """Return sentences about the parts of a record's game, and what was lost between them; none for a game in one
        part. `ends` has the newest events of the parts before."""
        parts = self.before.get(record, ())
        return tuple(
            _lost(at, self.rows[part], ends.get(part)) for at, part in enumerate(parts, start=1)
        )


def parts_in(connection: Connection) -> GameParts:
    """Return the parts of all games that have several, and all records that do not count."""
    aside = frozenset(
        connection.execute(select(RECORDS.c.id).where(RECORDS.c.aside != 0)).scalars()
    )
    of_parts: Select[Any] = select(RECORDS)
    later = connection.execute(
        of_parts.where(RECORDS.c.continues.is_not(None), RECORDS.c.aside == 0)
    ).all()
    if not later:
        return GameParts(aside, {}, {})
    named = {row.continues for row in later}
    earlier = connection.execute(of_parts.where(RECORDS.c.session.in_(named))).all()
    rows = {row.id: row for row in (*earlier, *later)}
    of_session = {(row.session, row.table_id): row for row in rows.values() if not row.aside}
    before = {}
    for row in later:
        earlier_parts = _before(row, of_session)
        if earlier_parts:
            before[row.id] = earlier_parts
    newest = dict[int, int]()  # first part of a game -> the record that counts
    of_games = set[int]()
    for record, earlier_parts in before.items():
        first = earlier_parts[0]
        # ids rise, so the highest of a game's parts is its newest
        newest[first] = max(record, newest.get(first, 0))
        of_games.update((record, *earlier_parts))
    return GameParts(aside | (of_games - set(newest.values())), before, rows)


def _before(row: Row[Any], of_session: Mapping[tuple[bytes, int], Row[Any]]) -> tuple[int, ...]:
    """Return the parts before a record, the oldest first; only its own table's, because no other can take its game
    over."""
    parts = list[int]()
    part = of_session.get((row.continues, row.table_id))
    while part is not None and part.id not in (row.id, *parts):
        # checked for a loop, which sessions that name each other would make
        parts.insert(0, part.id)
        part = of_session.get((part.continues, part.table_id))
    return tuple(parts)


def _lost(at: int, part: Row[Any], end: KeptEvent | None) -> str:
    time = "" if end is None else _at(end.wall)
    lost = ["what its record alone held: notes, corrections, the course of the last round"]
    if (missing := part.total - part.n) > 0:
        lost.append(f"{plural(missing, 'entry', 'entries')} that never came here")
    return f"Part {at} ended with entry {part.n}{time}; part {at + 1} goes on from there. Lost: {listed(lost)}."


def _at(wall: str) -> str:
    """Return the time of day of an event as the table sent it, or "" if it is not a time."""
    try:
        return f" at {time_of_day(datetime.fromisoformat(wall).timestamp())}"
    except (ValueError, OverflowError):
        return ""
