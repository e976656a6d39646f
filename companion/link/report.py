"""The link's state as a `LinkStatus`, with its sentence."""

from __future__ import annotations

from dataclasses import replace

from companion.link.connection import Connection
from companion.link.hit_input import HitInput
from companion.link.port_errors import OpenFailed
from companion.link.session import Session
from companion.link.status import LinkState, LinkStatus, OtherBoard


def connected_status(connection: Connection, port: str, now_ns: int) -> LinkStatus:
    """Return the status while a port is open."""
    session, storing = connection.session, connection.memory.storing
    problem = storing.problem
    state = session.phase(now_ns)
    if problem is not None and state in (LinkState.LIVE, LinkState.SYNCING):
        state = LinkState.UNSAVED
    silent_s = session.silent_ns(now_ns) // 1_000_000_000
    status = LinkStatus(
        state,
        _sentence(state, session, port, problem, silent_s),
        port,
        boot_id=session.boot_id or None,
        armed=session.armed,
        rtt_us=session.clock.rtt_us,
        hit_input=HitInput.of(session.stats),
        waiting=storing.waiting,
        settings_in_force=session.settings.in_force,
        last_cue=session.last_cue,
        counters=replace(session.counters),
    )
    if state is LinkState.SILENT:
        status = replace(status, silent_s=silent_s)
    mapped = session.clock.device_at(now_ns)
    if mapped is not None:
        status = replace(status, uncertainty_us=mapped[1])
    return _with_counts_of_board(status, session)


def _with_counts_of_board(status: LinkStatus, session: Session) -> LinkStatus:
    """Add what the board says of itself: the fields of its HELLO and of its STATS."""
    hello, stats = session.hello, session.stats
    if hello is not None:
        status = replace(
            status,
            board=f"{hello.board} ({hello.firmware})",
            uid=hello.uid,
            ring_size=hello.ring_size,
        )
    if stats is not None:
        status = replace(
            status,
            resends=stats.resends,
            board_bad_frames=stats.bad_frames,
            ring_high_water=stats.ring_high_water,
            longest_turn_us=stats.longest_turn_us,
        )
    return status


def _sentence(
    state: LinkState, session: Session, port: str, problem: str | None, silent_s: int
) -> str:
    name = f"The device at {port}"
    if session.hello is not None:
        name = f"Board {session.hello.uid:016x} at {port}"
    if state is LinkState.LIVE and session.settings.in_force is False:
        return f"{name} is live, but its settings are not the session's: it is told, and the log says what it takes."
    return {
        LinkState.IDENTIFYING: f"Waiting for {port} to say what it is.",
        LinkState.SYNCING: f"{name} is sending what it kept.",
        LinkState.LIVE: f"{name} is live.",
        LinkState.UNSAVED: f"{name} keeps the events, for they cannot be saved: {problem}",
        LinkState.SILENT: f"{name} has been silent for {silent_s} s: check its cable; it keeps what happens.",
        LinkState.STALLED: f"Presses are held back: {name} left out number {session.hole.seq}. It is asked again.",
        LinkState.REFUSED: f"{port}: {session.refusal}",
    }[state]


def other_board(session: Session, port: str) -> tuple[OtherBoard, ...]:
    """Return the board that was refused because it is not the session's; empty if none was."""
    if session.other is None or session.inbox is None:
        return ()
    return (OtherBoard(session.other, port, session.inbox.uid),)


def lost_status(before: LinkStatus, session: Session, reason: str, port: str) -> LinkStatus:
    """Return the status after a connection ended."""
    if session.refusal is not None:
        return replace(
            before, state=LinkState.REFUSED, sentence=f"{port}: {session.refusal}", port=port
        )
    sentence = f"{port} is lost: {reason}. Plug it in again; a board with power keeps what happens."
    return replace(
        before,
        state=LinkState.LOST,
        sentence=sentence,
        port=port,
        armed=False,
        uncertainty_us=None,
        rtt_us=None,
        settings_in_force=None,
        silent_s=0,
    )


def not_opened_status(
    before: LinkStatus, failed: OpenFailed, port: str, *, was_live: bool
) -> LinkStatus:
    """Return the status after a port did not open.

    A board that was live and is absent stays `lost`, whatever was there in between.
    """
    if was_live and failed.state is LinkState.ABSENT:
        if not before.others:
            return before
        # What it says of another board at another port no longer holds.
        return replace(before, state=LinkState.LOST, sentence=failed.sentence)
    return replace(before, state=failed.state, sentence=failed.sentence, port=port)
