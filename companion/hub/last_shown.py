"""A table's games as the hub showed them last, for a laptop that continues one whose file is lost: players, scores,
the round and whose turn it was. Nothing in it is hidden, for the hub has nothing hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Connection, select

from companion.hub.kept_events import KeptEvent, readable
from companion.hub.overview import names_of, newest_events
from companion.hub.parts import parts_in
from companion.hub.schema import EVENTS, RECORDS

MOST: Final = 3  # games of one table
_UNDONE: Final = ("taken back", "overruled", "put right")


def last_shown(connection: Connection, table: int) -> list[dict[str, Any]]:
    """Return the newest games of a table, the newest first, in the form HUB.md describes."""
    without = parts_in(connection).without
    query = (
        select(RECORDS)
        .where(RECORDS.c.table_id == table, RECORDS.c.n > 0)
        .order_by(RECORDS.c.id.desc())
    )
    # more rows than needed, because some may be parts that do not count
    newest_rows = connection.execute(query.limit(MOST * 4))
    rows = [row for row in newest_rows if row.id not in without][:MOST]
    among = select(RECORDS.c.id).where(RECORDS.c.id.in_([row.id for row in rows]))
    newest, names = newest_events(connection, among), names_of(connection, among)
    games = []
    for row in rows:
        event = newest.get(row.id)
        if event is None:
            continue
        events = _events_of(connection, row.id)
        rounds_over, playing = rounds_of(events)
        games.append({
            "session": row.session.hex(), "n": row.n, "digest": row.digest.hex(), "event": row.event,
            "total": row.total, "game": _game_of(events), "title": row.title, "wall": event.wall,
            "names": names.get(row.id, {}), "rounds": rounds_over, "playing": playing,
            "table": event.table.model_dump(mode="json"),
        })  # fmt: skip
    return games


def _events_of(connection: Connection, record: int) -> list[KeptEvent]:
    """Return a record's events of the kinds `session`, `round` and `correction`."""
    kinds = ("session", "round", "correction")
    query = (
        select(EVENTS)
        .where(EVENTS.c.record == record, EVENTS.c.kind.in_(kinds))
        .order_by(EVENTS.c.number)
    )
    return [event for _, event in readable(connection.execute(query))]


def _game_of(events: Iterable[KeptEvent]) -> str:
    for event in events:
        if event.game:
            return event.game
    return ""


def rounds_of(events: Iterable[KeptEvent]) -> tuple[int, bool]:
    """Return how many rounds are over by these events, in order, and whether one is being played."""
    valid = dict[int, KeptEvent]()
    # kept apart, because an undo may be undone
    undone = dict[int, KeptEvent]()
    for event in events:
        if event.kind == "round":
            valid[event.number] = event
        for number in event.corrects:
            if event.what in _UNDONE and number in valid:
                undone[number] = valid.pop(number)
            elif event.what == "brought back" and number in undone:
                valid[number] = undone.pop(number)
    rounds = [valid[number] for number in sorted(valid)]
    over = sum(len(event.rounds) for event in rounds)
    return over, bool(rounds) and rounds[-1].what == "begins"
