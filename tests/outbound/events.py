"""Events to be delivered."""

from __future__ import annotations

from companion.feed.events import Event, PauseEvent, TableNow, number_of


def event_of(entry: int, text: str = "pause") -> Event:
    """The event of one entry."""
    table = TableNow(where="", players=(), turn=(), paused=True, ended=False)
    wall = "2026-03-01T20:00:00+00:00"
    number = number_of(entry, "pause")
    return PauseEvent(
        session="0" * 16, number=number, entry=entry, wall=wall, text=text, table=table, paused=True
    )
