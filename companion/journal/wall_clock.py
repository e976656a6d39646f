"""The time of day of a computer, as entries have it (ISO 8601) and as people read it.

The order of sessions does not depend on it: a computer may have no clock, a wrong one, or one that
was set during a game.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

SET_FROM = datetime(2024, 1, 1, tzinfo=UTC)
"""No session is older than this. A clock that was never set starts at 1970, 1980 or 2000, depending
on the computer."""
UNKNOWN = "date unknown"
SECOND = " (2nd)"
"""Follows a time of day in the hour that occurs twice, at the end of summer time, if it is the
second."""


def instant_of(wall: str) -> datetime:
    """Return the time in `wall`, or the earliest possible one for an empty text."""
    return datetime.fromisoformat(wall) if wall else datetime.min.replace(tzinfo=UTC)


def is_set(at: datetime) -> bool:
    """Return whether the clock that gave this time seems to have been set."""
    return at >= SET_FROM


def local_time(at: datetime, zone: tzinfo | None = None) -> datetime:
    """Return an instant in `zone`, or in that of this machine; `fold` is 1 in the second of two
    equal hours."""
    if zone is not None:
        return at.astimezone(zone)
    # Without an argument `astimezone` returns a fixed offset and always `fold` 0.
    return at.astimezone().replace(fold=datetime.fromtimestamp(at.timestamp()).fold)


def time_text(at: datetime, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """Return the time of day of an instant as `02:30`, or `02:30 (2nd)` in the second of two equal
    hours."""
    return of_local(local_time(at, zone), seconds=seconds)


def of_local(here: datetime, *, seconds: bool = False) -> str:
    """Return the time of day of a `local_time`, as `time_text` does."""
    # A slice is faster than `strftime`; the report of an evening has thousands of times.
    time = here.isoformat(" ", "seconds")[11 : 19 if seconds else 16]
    return time + SECOND * here.fold


def begun_text(at: datetime, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """Return when a session was begun, a phrase that follows its name."""
    if not is_set(at):
        return "begun on an unknown date"
    return f"begun {date_text(at, zone, seconds=seconds)}"


def date_text(at: datetime, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """Return an instant as `2025-10-26 02:30`, its time as in `time_text`; `date unknown` if the
    clock was not set."""
    if not is_set(at):
        return UNKNOWN
    return f"{local_time(at, zone):%Y-%m-%d} {time_text(at, zone, seconds=seconds)}"
