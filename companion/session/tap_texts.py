"""What people read about a tap: on which device it was, and when."""

from __future__ import annotations

from datetime import datetime, timedelta

from companion.journal.entries import Entry
from companion.journal.wall_clock import local_time, of_local


def tapped_text(tap: Entry) -> str:
    """Return on which device a recorded tap was, and the time in which it was: between the moment
    when its page last heard the table and the one when it arrived."""
    arrived = datetime.fromisoformat(tap.wall)
    heard = arrived - timedelta(microseconds=tap.body["within_us"])
    return f"Tapped on {tap.body['device']} between {_text(heard)} and {_text(arrived)}"


def _text(instant: datetime) -> str:
    """Return a time of day with tenths of a second."""
    here = local_time(instant)
    return f"{of_local(here, seconds=True)}.{here.microsecond // 100_000}"
