"""The sessions of this user, as start screens and pages before a game offer them."""

from __future__ import annotations

from collections.abc import Iterable

from companion.commands.sessions import is_written, title_of
from companion.dashboard.start.choices import Past
from companion.journal.order import played_last
from companion.journal.sessions import SessionInfo
from companion.journal.wall_clock import begun_text, instant_of
from companion.rules.columns import clean


def past(infos: Iterable[SessionInfo]) -> tuple[Past, ...]:
    """Return the readable sessions, the last played first, those in which nothing was played at the end."""
    all_infos = tuple(infos)
    readable = [info for info in all_infos if info.problem is None]
    readable.sort(key=lambda info: (info.played, *info.when_played), reverse=True)
    last = played_last([info for info in readable if info.played and not info.ended], all_infos)
    unsure = last.infos if last.doubt else ()
    return tuple(_past(info, may_be_last=info in unsure) for info in readable)


def _past(info: SessionInfo, *, may_be_last: bool) -> Past:
    seats, title = tuple(map(clean, info.seats)), title_of(info)
    begun, lacking = begun_text(instant_of(info.started_wall)), bool(info.lacking)
    return Past(
        info.path,
        info.game,
        title,
        seats,
        begun,
        info.entries,
        info.ended,
        elsewhere=not info.ended and is_written(info.path),
        played=info.played,
        lacking=lacking,
        may_be_last=may_be_last,
    )
