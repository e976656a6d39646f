"""The time of day of a computer, as entries carry it (ISO 8601) and as people read it.

No order of sessions rests on it: a computer may have no clock, a wrong one, or one that was set in mid-game.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

SET_FROM = datetime(2024, 1, 1, tzinfo=UTC)
"""No session is older. A clock that was never set begins at 1970, 1980 or 2000, by the computer it is in."""
UNKNOWN = "date unknown"
SECOND = " (2nd)"
"""Follows a time of day in the hour that comes twice, at the end of summer time, where it is the second."""


def instant_of(wall: str) -> datetime:
    """Return when that was; the earliest instant there is for an empty text."""
    return datetime.fromisoformat(wall) if wall else datetime.min.replace(tzinfo=UTC)


def is_set(at: datetime) -> bool:
    """Return whether the clock that said so had been set, as far as can be told."""
    return at >= SET_FROM


def local_time(at: datetime, zone: tzinfo | None = None) -> datetime:
    """Return an instant in `zone`, or in that of this machine; `fold` is 1 in the second of two equal hours."""
    if zone is not None:
        return at.astimezone(zone)
    # What `astimezone` makes of this machine's zone knows one offset only, and so no hour that comes twice.
    return at.astimezone().replace(fold=datetime.fromtimestamp(at.timestamp()).fold)


def time_text(at: datetime, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """Return the time of day of an instant as `02:30`, and as `02:30 (2nd)` where that comes twice in a night and this
    is the second."""
    return of_local(local_time(at, zone), seconds=seconds)


def of_local(here: datetime, *, seconds: bool = False) -> str:
    """Return the time of day of a `local_time`, as `time_text` does."""
    # a report of an evening has thousands
    time = here.isoformat(" ", "seconds")[11 : 19 if seconds else 16]
    return time + SECOND * here.fold


def begun_text(at: datetime, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """Return when a session was begun, in words that follow its name."""
    return (
        f"begun {date_text(at, zone, seconds=seconds)}"
        if is_set(at)
        else "begun on an unknown date"
    )


def date_text(at: datetime, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """Return an instant as `2025-10-26 02:30`, its time as `time_text` has it; `date unknown` where the clock was not
    set."""
    if not is_set(at):
        return UNKNOWN
    return f"{local_time(at, zone):%Y-%m-%d} {time_text(at, zone, seconds=seconds)}"
