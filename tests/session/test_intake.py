"""Evidence to entries, and entries to gestures, across boots and runs of the companion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.link.events import Configured
from companion.link.evidence import Evidence, LastEvidence
from companion.link.settings import DEFAULTS, config_of, fields_of
from companion.link.sync import SyncPoint
from companion.rules.gestures import Gesture, GestureKind, GestureSettings
from companion.session.intake import (
    BEFORE_ARMING,
    POWER_LOST,
    Intake,
    Marks,
    boot_draft,
    clash_draft,
    config_draft,
    evidence_draft,
    hello_draft,
    note_draft,
    sync_draft,
)
from companion.session.recognizer import Edge, Recognizer, Unread
from firmware_protocol.messages import MUTED, ROLE_TRIGGER, UNMUTED, Channel, Hello, Overrun, State
from tests.journal.support import sealed
from tests.session.parts import BOOT, MS, UID, Board, hello

NAMES = {channel.id: channel.name for channel in hello().channels}


def record(*items: Evidence | Draft) -> list[Entry]:
    return sealed(
        [evidence_draft(item, NAMES) if isinstance(item, Evidence) else item for item in items]
    )


def read(
    entries: Sequence[Entry],
    *,
    past: Sequence[Entry] = (),
    settled: dict[int, int] | None = None,
    holds: bool = False,
) -> list[Gesture | Unread]:
    intake = Intake(GestureSettings())
    intake.remember(past)
    results: list[Gesture | Unread] = list(intake.take(entries))
    for boot_id, us in (settled or {BOOT: 100_000 * MS}).items():
        results += intake.advance(boot_id, us, lambda _: holds)
    return results


def meant(results: Sequence[Gesture | Unread]) -> list[tuple[str, tuple[int, ...]]]:
    return [
        (item.kind.value if isinstance(item, Gesture) else item.reason, item.evidence)
        for item in results
    ]


def test_an_event_is_an_entry_with_its_channel_its_flags_and_its_stamp() -> None:
    draft = evidence_draft(Board().hit(1234, peak=700, weak=True), NAMES)
    assert (draft.layer, draft.kind, draft.t_us, draft.key) == (
        Layer.EVIDENCE,
        "event",
        1234,
        "b0a4d/0051/1",
    )
    assert (draft.body["channel"], draft.body["peak"], draft.body["flags"]) == ("hit", 700, 5)


def test_a_channel_the_board_never_named_is_kept_under_its_number() -> None:
    assert evidence_draft(Board().press("zone-1", 5), {}).body["channel"] == "channel-2"


def test_a_gap_keeps_its_range_and_is_stamped_with_its_end() -> None:
    body = {"boot": BOOT, "seq": 8, "first_seq": 1, "count": 7, "first_us": 490}
    assert evidence_draft(Board().gap(7, 500), NAMES) == Draft(
        Layer.EVIDENCE, "gap", body, "board", t_us=500, key="b0a4d/0051/8"
    )


@pytest.mark.parametrize(
    ("source", "name"), [(0, "edges"), (1, "samples"), (9, "source 9"), (0x60, "source 96")]
)
def test_an_overrun_keeps_what_was_lost_where_and_is_stamped_with_its_end(
    source: int, name: str
) -> None:
    draft = evidence_draft(Evidence(UID, BOOT, 4, Overrun(source, 70, 100, 900), 0), NAMES)
    body = {"boot": BOOT, "seq": 4, "source": name, "count": 70, "first_us": 100}
    assert draft == Draft(Layer.EVIDENCE, "overrun", body, "board", t_us=900, key="b0a4d/0051/4")


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        (MUTED + 4, {"source": "muted", "channel": "zone-3"}),
        (UNMUTED + 0, {"source": "heard again", "channel": "trigger"}),
        (MUTED + 31, {"source": "muted", "channel": "channel-31"}),
    ],
)
def test_a_muted_input_is_an_overrun_that_names_its_channel(
    source: int, fields: dict[str, str]
) -> None:
    draft = evidence_draft(Evidence(UID, BOOT, 4, Overrun(source, 90, 100, 900), 0), NAMES)
    body = {"boot": BOOT, "seq": 4, "count": 90, "first_us": 100, **fields}
    assert draft == Draft(Layer.EVIDENCE, "overrun", body, "board", t_us=900, key="b0a4d/0051/4")


@pytest.mark.parametrize(
    ("number", "reset"),
    [(0, "power on"), (1, "watchdog"), (2, "an exception"), (3, "request"), (4, "reason 4")],
)
def test_a_hello_is_recorded_with_all_that_the_board_says_of_itself(
    number: int, reset: str
) -> None:
    message = Hello(
        1,
        2,
        UID,
        number,
        0,
        0,
        512,
        1,
        7,
        20,
        "1.4",
        "bench",
        (Channel(4, ROLE_TRIGGER, 0, 0),),
        (2,),
    )
    body = {
        "uid": "00000000000b0a4d",
        "boot": BOOT,
        "board": "bench",
        "firmware": "1.4",
        "protocol": "1.2",
        "reset": reset,
        "stamp_error_us": 20,
        "errors_us": {"trigger": 2},
        "next_seq": 7,
        "channels": {"4": "trigger"},
    }
    assert hello_draft(message, BOOT) == Draft(
        Layer.EVIDENCE, "hello", body, "board", key="b0a4d/0051/hello"
    )


def test_what_the_link_tells_of_a_board_is_recorded_whole() -> None:
    lost = {"previous": BOOT, "boot": BOOT + 1}
    assert boot_draft(BOOT, BOOT + 1) == Draft(
        Layer.EVIDENCE, "boot", lost, "board", key="boot/0051/0052"
    )
    assert note_draft("noise") == Draft(Layer.EVIDENCE, "note", {"text": "noise"}, "board")
    clocks = {"boot": BOOT, "epoch": 2, "host_ns": 3, "low_ns": 5, "high_ns": 6, "rtt_us": 7}
    assert sync_draft(SyncPoint(BOOT, 2, 3, 4, 5, 6, 7)) == Draft(
        Layer.EVIDENCE, "sync", clocks, "companion", t_us=4
    )
    known = {"boot": BOOT, "crc": 8, **fields_of(DEFAULTS), "of_session": True, "told": False}
    assert config_draft(Configured(BOOT, 8, DEFAULTS, of_session=True, told=False)) == Draft(
        Layer.EVIDENCE, "config", known, "board"
    )
    unknown = {"boot": BOOT, "crc": 8, "of_session": False, "told": True}
    assert config_draft(Configured(BOOT, 8, None, of_session=False, told=True)).body == unknown


def test_gestures_begin_with_the_arming() -> None:
    board = Board()
    entries = record(
        hello_draft(hello(), BOOT),
        board.press("zone-1", 10 * MS),
        board.armed(20 * MS),
        board.press("zone-2", 30 * MS),
    )
    assert meant(read(entries)) == [(f"{BEFORE_ARMING}", (3,)), ("tap", (5,))]


def test_the_arming_of_an_earlier_session_that_is_still_in_the_boards_ring_begins_nothing() -> None:
    board = Board()
    old = [board.armed(1 * MS), board.press("zone-1", 10 * MS)]
    new = [board.armed(20 * MS), board.press("zone-2", 30 * MS)]
    entries = record(hello_draft(hello(next_seq=3), BOOT), *old, *new)
    assert meant(read(entries)) == [(BEFORE_ARMING, (4,)), ("tap", (6,))]


def test_an_arming_counts_where_the_hello_of_its_boot_is_lost_or_does_not_tell_where_it_began() -> (
    None
):
    greeting = hello_draft(hello(), BOOT)
    untold = replace(
        greeting,
        body={field: value for field, value in greeting.body.items() if field != "next_seq"},
    )
    for greetings in ([], [untold]):
        board = Board()
        entries = record(*greetings, board.armed(0), board.press("zone-1", 10 * MS))
        assert meant(read(entries)) == [("tap", (entries[-1].n,))]


def test_a_board_that_tells_its_state_without_being_armed_begins_nothing() -> None:
    board = Board()
    entries = record(
        hello_draft(hello(), BOOT), board.press("zone-1", 10 * MS), board._numbered(State(0, 0, 0))
    )
    assert read(entries) == []


def test_a_press_at_the_very_start_of_the_boards_clock_is_early_only_where_the_arming_came_later() -> (
    None
):
    board, other = Board(), Board(BOOT + 1)
    entries = record(
        hello_draft(hello(), BOOT),
        board.press("zone-1", 0),
        board.armed(1),
        boot_draft(BOOT, BOOT + 1),
        hello_draft(hello(), BOOT + 1),
        other.press("zone-2", 0),
    )
    early, tap = read(entries, settled={BOOT + 1: 100 * MS})
    assert early == Unread((3,), BEFORE_ARMING)
    assert tap == Gesture(GestureKind.TAP, "zone-2", 0, "board-0052", 100, (7,))


def test_a_hello_with_a_later_next_number_is_no_contradiction() -> None:
    *_, standing = record(hello_draft(hello(next_seq=1), BOOT))
    assert clash_draft(hello_draft(hello(next_seq=9), BOOT), standing) is None
    assert clash_draft(hello_draft(hello(stamp_error_us=5), BOOT), standing) is not None


def test_a_release_from_before_the_arming_is_nothing_to_be_told() -> None:
    board = Board()
    entries = record(
        hello_draft(hello(), BOOT), board.release("zone-1", 10 * MS), board.armed(20 * MS)
    )
    assert read(entries) == []


def test_the_session_is_armed_once_so_a_new_boot_counts_from_its_start() -> None:
    board, other = Board(), Board(BOOT + 1)
    entries = record(
        hello_draft(hello(), BOOT),
        board.armed(20 * MS),
        boot_draft(BOOT, BOOT + 1),
        hello_draft(hello(), BOOT + 1),
        other.press("zone-1", 5 * MS),
        other.armed(20 * MS),
    )
    assert meant(read(entries, settled={BOOT + 1: 100 * MS})) == [("tap", (6,))]


def test_each_boot_has_the_stamp_error_and_the_clock_it_came_with() -> None:
    board, other = Board(), Board(BOOT + 1)
    entries = record(
        hello_draft(hello(stamp_error_us=25), BOOT),
        board.armed(0),
        board.press("zone-1", 10 * MS),
        boot_draft(BOOT, BOOT + 1),
        hello_draft(hello(stamp_error_us=90), BOOT + 1),
        other.press("zone-1", 10 * MS),
    )
    lost, tap = read(entries, settled={BOOT + 1: 100 * MS})
    assert (lost.evidence, isinstance(lost, Unread)) == ((4,), True)
    assert isinstance(tap, Gesture)
    assert (tap.pm_us, tap.clock) == (90, "board-0052")


def test_events_of_a_boot_that_is_over_are_unread_with_the_reason() -> None:
    board = Board()
    entries = record(
        hello_draft(hello(), BOOT),
        board.armed(0),
        boot_draft(BOOT, BOOT + 1),
        hello_draft(hello(), BOOT + 1),
        board.press("zone-1", 10 * MS),
        board.release("zone-1", 90 * MS),
    )
    assert meant(read(entries)) == [(POWER_LOST, (6,))]


def test_what_a_fact_or_a_reason_rests_on_is_not_read_again() -> None:
    board = Board()
    entries = record(
        hello_draft(hello(), BOOT),
        board.armed(0),
        board.press("zone-1", 10 * MS),
        board.press("zone-2", 20 * MS),
        board.press("zone-3", 30 * MS),
        Draft(Layer.FACT, "draw", {}, causes=(4,)),
        Draft(Layer.CONTROL, Control.IGNORED, {"reason": ""}, causes=(5,)),
    )
    evidence = [entry for entry in entries if entry.layer is Layer.EVIDENCE]
    assert meant(read(evidence, past=entries)) == [("tap", (6,))]


def test_a_record_may_end_with_a_fact_right_behind_its_press() -> None:
    board = Board()
    press = board.press("zone-1", 10 * MS)
    entries = record(
        hello_draft(hello(), BOOT),
        board.armed(0),
        press,
        Draft(Layer.FACT, "draw", {}, causes=(4,)),
    )
    for pieces in ([entries], [entries[:2], [], entries[2:]]):
        intake = Intake()
        for piece in pieces:
            intake.remember(piece)
        assert list(intake.take(entries[:4])) == []
        assert list(intake.advance(BOOT, 100 * MS, lambda _: False)) == []


def test_a_press_read_by_an_earlier_run_keeps_its_meaning() -> None:
    board = Board()
    entries = record(hello_draft(hello(), BOOT), board.armed(0), board.press("zone-1", 10 * MS))
    evidence = list(entries)
    first = Intake()
    assert list(first.take(evidence)) == []
    assert list(first.advance(BOOT, 10 * MS, lambda _: True)) == []
    (meaning,) = first.meanings(())
    assert (meaning.kind, meaning.body, meaning.causes) == (
        Control.READ_AS,
        {"entry": 4, "can_hold": True},
        (),
    )
    past = record(
        hello_draft(hello(), BOOT), Board().armed(0), board.press("zone-1", 10 * MS), meaning
    )
    assert [kind for kind, _ in meant(read(evidence, past=past))] == [GestureKind.HOLD]
    assert [kind for kind, _ in meant(read(evidence))] == [GestureKind.TAP]


def test_the_same_message_is_no_clash_and_another_one_has_a_key_of_its_own() -> None:
    board = Board()
    first = board.press("zone-1", 10)
    standing = record(first)[-1]
    assert clash_draft(evidence_draft(first, NAMES), standing) is None
    board.seq = 0
    other = clash_draft(evidence_draft(board.press("zone-1", 11), NAMES), standing)
    board.seq = 0
    third = clash_draft(evidence_draft(board.press("zone-2", 10), NAMES), standing)
    assert other is not None
    assert third is not None
    body = {**evidence_draft(first, NAMES).body, "kind": "event", "clash_with": 2}
    assert (other.kind, other.t_us, other.body) == ("clash", 11, body)
    assert re.fullmatch("b0a4d/0051/1/clash/[0-9a-f]{16}", other.key or "")
    assert len({other.key, third.key, standing.key}) == 3


def last_mark(entries: Sequence[Entry]) -> LastEvidence | None:
    return Marks(entries).last


def test_a_resumed_link_goes_on_behind_the_highest_number_of_the_last_boot() -> None:
    board, other = Board(), Board(BOOT + 1)
    first, second = board.press("zone-1", 10), board.press("zone-1", 20)
    entries = record(hello_draft(hello(), BOOT), first, second)
    assert last_mark([]) is None
    assert last_mark(entries[:2]) is None
    assert last_mark(entries) == LastEvidence(UID, BOOT, 2)
    clash = clash_draft(
        evidence_draft(Evidence(UID, BOOT, 1, second.message, 0), NAMES), entries[2]
    )
    assert clash is not None
    assert last_mark(
        record(hello_draft(hello(), BOOT), first, second, clash, note_draft("x"))
    ) == LastEvidence(UID, BOOT, 2)
    late = record(
        hello_draft(hello(), BOOT),
        first,
        boot_draft(BOOT, BOOT + 1),
        hello_draft(hello(), BOOT + 1),
        other.armed(1),
        second,
    )
    assert last_mark(late) == LastEvidence(UID, BOOT + 1, 1, earlier=(BOOT,))


def test_a_boot_that_said_nothing_but_its_hello_is_an_earlier_one_all_the_same() -> None:
    entries = record(
        hello_draft(hello(), BOOT), hello_draft(hello(), BOOT + 1), Board(BOOT + 1).armed(1)
    )
    assert last_mark(entries) == LastEvidence(UID, BOOT + 1, 1, earlier=(BOOT,))


def test_a_message_without_a_key_tells_no_board() -> None:
    entry = record(Board().press("zone-1", 10))[-1]._replace(key=None)
    assert last_mark([entry]) == LastEvidence(0, BOOT, 1)


def test_a_board_is_known_again_where_its_hello_is_lost() -> None:
    board, other = Board(), Board(BOOT + 1)
    entries = record(
        hello_draft(hello(), BOOT), board.press("zone-1", 10), other.press("zone-1", 20)
    )
    gap = entries[1]._replace(
        layer=Layer.CONTROL, kind=Control.LOST, body={"from": 2, "to": 2, "why": ""}, key=None
    )
    assert last_mark([entries[0], gap, *entries[2:]]) == LastEvidence(
        UID, BOOT + 1, 1, earlier=(BOOT,)
    )


def test_a_stamp_carries_the_error_of_its_own_channel() -> None:
    errors_us = {"trigger": 2, "hit": 20}
    greeting = hello_draft(
        Hello(
            1,
            1,
            1,
            0,
            0,
            0,
            512,
            1,
            1,
            20,
            "",
            "",
            (Channel(0, 1, 0, 0), Channel(1, 2, 0, 1)),
            (2, 20),
        ),
        BOOT,
    )
    assert greeting.body["errors_us"] == errors_us
    recognizer = Recognizer("board", 20, errors_us=errors_us)
    recognizer.feed(Edge(1, "trigger", True, 1_000))
    recognizer.feed(Edge(2, "hit", True, 900_000, peak=900))
    errors = {
        item.channel: item.pm_us
        for item in recognizer.advance(2_000_000, lambda _: False)
        if isinstance(item, Gesture)
    }
    assert errors == {"trigger": 2, "hit": 20}


@pytest.mark.parametrize(
    ("errors_us", "expected"),
    [
        ({"errors_us": {"trigger": 2}}, {"trigger": 2, "zone-1": 25}),
        ({}, {"trigger": 25, "zone-1": 25}),
    ],
    ids=["told by channel", "told for all"],
)
def test_a_stamp_has_the_error_that_the_hello_gives_its_channel_and_the_boards_own_without(
    errors_us: dict[str, dict[str, int]], expected: dict[str, int]
) -> None:
    board = Board()
    greeting = hello_draft(hello(stamp_error_us=25), BOOT)
    body = {field: value for field, value in greeting.body.items() if field != "errors_us"}
    entries = record(
        replace(greeting, body={**body, **errors_us}),
        board.armed(0),
        board.press("trigger", 10 * MS),
        board.press("zone-1", 200 * MS),
    )
    assert {
        item.channel: item.pm_us for item in read(entries) if isinstance(item, Gesture)
    } == expected


def test_a_hit_that_the_board_masked_as_an_echo_is_no_knock() -> None:
    board = Board()
    entries = record(
        hello_draft(hello(), BOOT),
        board.armed(0),
        board.hit(10 * MS),
        board.hit(50 * MS, masked=True),
    )
    assert meant(read(entries)) == [("knock", (4,))]


def test_a_weak_hit_is_told_by_the_threshold_that_its_own_board_had_then() -> None:
    board, other = Board(), Board(BOOT + 1)

    def config(boot_id: int, threshold: int) -> Draft:
        settings = config_of({"hit_threshold": threshold})
        return config_draft(Configured(boot_id, threshold, settings, of_session=False, told=False))

    def weak(board: Board, ms: int) -> Evidence:
        return board.hit(ms * MS, peak=100, weak=True)

    entries = record(
        *(
            hello_draft(hello(), BOOT),
            board.armed(0),
            weak(board, 0),
            config(BOOT, 300),
            weak(board, 100),
        ),
        *(
            config(BOOT + 1, 500),
            weak(board, 200),
            weak(other, 0),
            config(BOOT, 700),
            weak(board, 300),
        ),
    )
    results = read(entries, settled={BOOT: 1_000 * MS, BOOT + 1: 1_000 * MS})
    reasons = [
        item.reason.removeprefix("peak 100 below ") for item in results if isinstance(item, Gesture)
    ]
    silent = "threshold, no trigger pull"
    assert reasons == [
        silent,
        *(f"threshold {number}, no trigger pull" for number in (300, 300, 700, 500)),
    ]
