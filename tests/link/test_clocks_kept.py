"""The record of the clocks: sync points, epochs, and a computer that slept."""

from __future__ import annotations

from companion.link.clock import SLEPT_NS, SuspendWatch, system_watch
from companion.link.dispatcher import SLEPT, EventDispatcher, LinkMemory, TapeEvent
from companion.link.evidence import Evidence
from companion.link.session import Session
from companion.link.sync import EVERY_NS, MOVED_NS, SyncPoint, SyncWatch
from firmware_protocol.messages import ARMED, Ping, Pong, State, Who, encode
from tests.link.dialogue import identified, outgoing
from tests.link.threaded.listening import Notebook
from tests.link.world import MS, S

US = 1_000


def armed_session(boot_id: int = 7) -> Session:
    session = identified()
    session.arm()
    session.receive(encode(State(ARMED, 0, 5), boot_id, 1), 0)
    return session


def round_trips(
    session: Session, from_ns: int, until_ns: int, offset_us: int = 0, next_seq: int = 2
) -> None:
    """Answer every PING after a millisecond, by a board whose clock is `offset_us` ahead."""
    for now_ns in range(from_ns, until_ns, MS):
        for message in outgoing(session, now_ns):
            if isinstance(message, Ping):
                board_us = now_ns // US + offset_us + 500
                session.receive(
                    encode(Pong(message.id, board_us, board_us, board_us, next_seq), 7), now_ns + MS
                )
            elif isinstance(message, Who):
                continue
        for evidence in session.poll(now_ns):
            if isinstance(evidence, Evidence):
                session.acknowledge(evidence.boot_id, evidence.seq)


def synced(offset_us: int = 0) -> Session:
    session = armed_session()
    session.acknowledge(7, 1)
    round_trips(session, 0, S, offset_us)
    assert session.synced
    return session


def test_a_point_holds_the_truth_and_another_comes_when_a_minute_has_passed() -> None:
    session, watch = synced(offset_us=12_000), SyncWatch()
    point = watch.look(session, S)
    assert point is not None
    assert point.low_ns <= 12_000 * US <= point.high_ns
    assert point.high_ns - point.low_ns < 2 * MS
    assert (point.epoch, point.boot_id, point.host_ns) == (1, 7, S)
    assert abs(point.device_us - (S // US + 12_000)) < 1_000
    assert watch.look(session, S + MS) is None
    later = watch.look(session, S + EVERY_NS)
    assert later is not None
    assert later.epoch == 1


def test_no_point_is_kept_before_the_session_is_armed_and_the_clocks_are_matched() -> None:
    assert SyncWatch().look(armed_session(), 0) is None
    idle = identified()
    round_trips(idle, 0, S, next_seq=1)
    assert SyncWatch().look(idle, S) is None


def test_an_interval_that_moved_by_more_than_its_width_is_kept_at_once() -> None:
    session, watch = synced(), SyncWatch()
    first = watch.look(session, S)
    assert first is not None
    session.clock.forget()
    shift_us = 2 * MOVED_NS // US
    round_trips(session, 2 * S, 3 * S, offset_us=shift_us)
    moved = watch.look(session, 3 * S)
    assert moved is not None
    assert moved.epoch == 2
    assert moved.low_ns <= shift_us * US <= moved.high_ns


def test_a_clock_that_starts_over_again_and_again_does_not_fill_the_record() -> None:
    session, watch = synced(), SyncWatch()
    points = []
    for begun_ns in range(S, 5 * S, 100 * MS):
        session.clock.forget()
        round_trips(session, begun_ns, begun_ns + 100 * MS, offset_us=begun_ns // MS)
        points.append(watch.look(session, begun_ns + 100 * MS))
    recorded = [point for point in points if point is not None]
    assert len(recorded) == 4
    assert len({point.epoch for point in recorded}) == 4


def test_a_new_connection_to_the_same_boot_goes_on_with_its_epoch() -> None:
    watch = SyncWatch()
    first, second = synced(), synced()
    assert [
        point.epoch for point in (watch.look(first, S), watch.look(second, S + EVERY_NS)) if point
    ] == [1, 1]


def test_a_computer_that_slept_starts_its_clock_over_and_says_only_who_until_it_is_answered() -> (
    None
):
    session, notebook = synced(), Notebook()
    dispatcher = EventDispatcher(session, LinkMemory(notebook, clock_ns=lambda: S))
    dispatcher.perform(TapeEvent.SLEPT, S)
    assert session.clock.device_at(5) is None
    assert notebook.notes == [SLEPT]
    assert [type(message) for message in outgoing(session, S)] == [Who]


def test_sleep_is_told_from_reading_two_clocks_one_after_the_other() -> None:
    awake, always = [0], [1000]
    watch = SuspendWatch(lambda: awake[0], lambda: always[0])
    awake[0], always[0] = 5 * S, 5 * S + 2000
    assert not watch.look()
    always[0] += SLEPT_NS + 1
    assert watch.look()
    assert not watch.look()


def test_this_system_is_awake() -> None:
    assert not system_watch().look()


def test_a_link_passes_its_sync_points_on() -> None:
    session, notebook = synced(), Notebook()
    dispatcher = EventDispatcher(session, LinkMemory(notebook, clock_ns=lambda: S))
    dispatcher.perform(TapeEvent.READ, S)
    assert [type(point) for point in notebook.points] == [SyncPoint]
