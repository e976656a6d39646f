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
    hello, stats, mapped = session.hello, session.stats, session.clock.device_at(now_ns)
    silent_s = session.silent_ns(now_ns) // 1_000_000_000
    return LinkStatus(
        state,
        _sentence(state, session, port, problem, silent_s),
        port,
        board=f"{hello.board} ({hello.firmware})" if hello is not None else "",
        uid=hello.uid if hello is not None else None,
        boot_id=session.boot_id or None,
        armed=session.armed,
        uncertainty_us=None if mapped is None else mapped[1],
        rtt_us=session.clock.rtt_us,
        resends=stats.resends if stats is not None else 0,
        board_bad_frames=stats.bad_frames if stats is not None else None,
        ring_high_water=stats.ring_high_water if stats is not None else None,
        ring_size=hello.ring_size if hello is not None else None,
        longest_turn_us=stats.longest_turn_us if stats is not None else None,
        hit_input=HitInput.of(stats),
        waiting=storing.waiting,
        silent_s=silent_s if state is LinkState.SILENT else 0,
        settings_in_force=session.settings.in_force,
        last_cue=session.last_cue,
        counters=replace(session.counters),
    )


def _sentence(
    state: LinkState, session: Session, port: str, problem: str | None, silent_s: int
) -> str:
    name = (
        f"Board {session.hello.uid:016x} at {port}"
        if session.hello is not None
        else f"The device at {port}"
    )
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
        return (
            replace(before, state=LinkState.LOST, sentence=failed.sentence)
            if before.others
            else before
        )
    return replace(before, state=failed.state, sentence=failed.sentence, port=port)
