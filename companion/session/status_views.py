"""The state of the link and the disk, as a screen shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.journal.journal import SaveStatus
from companion.link.status import LinkState, LinkStatus, Minute
from companion.rules.columns import plural
from companion.rules.spans import span
from companion.session.views import NO_BOARD as NOT_CONNECTED, LinkView, SavedView

NO_BOARD = LinkView(
    NOT_CONNECTED,
    "No board with buttons or a gun is connected: everything works from the keyboard.",
    healthy=True,
)
HEALTHY = (LinkState.LIVE, LinkState.NONE)


def link_view(status: LinkStatus) -> LinkView:
    """Return the view of the link's state."""
    return LinkView(
        _state_text(status),
        status.sentence,
        healthy=_is_healthy(status),
        armed=status.armed,
        details=_details(status),
        hit_input="" if status.hit_input is None else status.hit_input.sentence,
    )


def is_awaited(status: LinkStatus) -> bool:
    """Return whether the session has had no board so far, and one that is plugged in will be found.

    Nobody may ever plug one in: that is no trouble.
    """
    return status.state is LinkState.SEARCHING and status.uid is None


def _is_healthy(status: LinkStatus) -> bool:
    if is_awaited(status):
        return True
    return status.state in HEALTHY and status.settings_in_force is not False


def without_timings(status: LinkStatus) -> LinkStatus:
    """Return the state without the values that the board keeps updating."""
    return replace(status, uncertainty_us=None, rtt_us=None, last_minute=None)


def _state_text(status: LinkStatus) -> str:
    match status.state:
        case LinkState.REFUSED | LinkState.LOST if status.others:
            return "another board"
        case LinkState.LIVE if status.settings_in_force is False:
            return "live, other settings"
        case LinkState.LOST:
            return "lost - retrying"
        case LinkState.SILENT:
            return f"silent {status.silent_s} s"
        case LinkState.STALLED:
            return "presses held back"
        case LinkState.NO_PERMISSION:
            return "no permission"
    return str(status.state)


def _details(status: LinkStatus) -> tuple[tuple[str, str], ...]:
    """Return the rows of the link panel, label and value, in a fixed order."""
    if status.uid is None:
        return ()
    minute, counts = status.last_minute, status.counters
    settings = {None: "not reported yet", True: "the session's", False: "NOT the session's"}
    sure_to = f"+- {_us(status.uncertainty_us)}"
    round_trip = _us(status.rtt_us)
    if minute is not None:
        sure_to += _at_most(minute.uncertainty_us)
        round_trip += _at_most(minute.rtt_us)
    return (
        ("board", status.board),
        ("its number", f"{status.uid:016x}"),
        ("port", status.port),
        ("boot", _boot_text(status)),
        ("the board's settings", settings[status.settings_in_force]),
        ("round trip", round_trip),
        ("times accurate to", sure_to),
        ("the last minute", _last_minute(minute)),
        ("bad frames", f"{counts.bad_frames}, {plural(counts.skipped_bytes, 'byte')} skipped"),
        ("bad frames, at the board", _or_unknown(status.board_bad_frames)),
        ("other frames", f"{counts.foreign_frames} foreign, {counts.stale_frames} stale"),
        ("sent again by the board", f"{status.resends}, {counts.duplicates} repeated"),
        ("gaps", f"{counts.gaps}, {plural(counts.gap_events, 'event')} lost"),
        ("clashes, clock faults", f"{counts.clashes}, {counts.clock_faults}"),
        ("waiting for the disk", str(status.waiting)),
        ("the board's ring", _ring_text(status)),
        ("log lines", f"{counts.logs} kept, {counts.unkept_logs} too many"),
        ("last cue given", _cue_text(status)),
        ("slowest loop", _longest_turn(status)),
    )


def _boot_text(status: LinkStatus) -> str:
    if status.boot_id is None:
        return "unknown"
    return f"{status.boot_id:04x}, armed" if status.armed else f"{status.boot_id:04x}"


def _ring_text(status: LinkStatus) -> str:
    used = "not reported yet"
    if status.ring_high_water is not None:
        used = f"at most {status.ring_high_water}"
    return f"{used} of {_or_unknown(status.ring_size)}"


def _cue_text(status: LinkStatus) -> str:
    if status.last_cue is None:
        return "none"
    number, t_us = status.last_cue
    return f"number {number}, at {t_us / 1e6:.6f} s of the board"


def _longest_turn(status: LinkStatus) -> str:
    if status.longest_turn_us is None:
        return "not reported yet"
    return f"{status.longest_turn_us} us"


def _last_minute(minute: Minute | None) -> str:
    if minute is None:
        return "not reported yet"
    return f"{minute.bad_frames} bad, {minute.duplicates} repeated, {minute.gap_events} lost, away {minute.away_s} s"


def _at_most(us: int | None) -> str:
    return "" if us is None else f", at most {_us(us)} lately"


def _us(us: int | None) -> str:
    return "unknown" if us is None else span(us)


def _or_unknown(number: int | None) -> str:
    return "not reported yet" if number is None else str(number)


def saved_view(status: SaveStatus, number: Callable[[int], int]) -> SavedView:
    """Return the view of how much of the record is on the disk; `number` returns the number shown
    for an entry."""
    saved = number(status.durable_n)
    if status.problem is not None:
        waiting = number(status.total_n) - saved
        return SavedView(
            f"NOT SAVED, {waiting} waiting", ok=False, problem=status.problem, entries=saved
        )
    return SavedView("saved", ok=True, entries=saved)
