from __future__ import annotations

from companion.link.evidence import Evidence
from companion.link.order import WINDOW, FrameOrder, Inbox
from companion.link.words import missing
from firmware_protocol.messages import Event, Gap, State


def arrival(seq: int, t_us: int | None = None) -> Evidence:
    return Evidence(5, 7, seq, Event(1, 1, seq * 100 if t_us is None else t_us), seq)


def taken(inbox: Inbox, *seqs: int) -> list[int]:
    for seq in seqs:
        inbox.take(arrival(seq))
    return [ready.seq for ready in inbox.ready()]


def test_what_comes_before_its_turn_waits_for_the_hole_to_close() -> None:
    inbox = Inbox(1, 7, 1)

    assert taken(inbox, 2, 3) == []
    assert inbox.waiting
    assert taken(inbox, 1) == [1, 2, 3]
    assert not inbox.waiting
    assert inbox.highest == 3


def test_the_same_number_with_the_same_content_is_a_duplicate_and_with_another_a_clash() -> None:
    inbox = Inbox(1, 7, 1)
    taken(inbox, 1, 3)

    assert inbox.take(arrival(1)) is FrameOrder.DUPLICATE
    assert inbox.take(arrival(3)) is FrameOrder.DUPLICATE
    assert inbox.take(arrival(1, t_us=5)) is FrameOrder.CLASH
    assert inbox.take(arrival(3, t_us=5)) is FrameOrder.CLASH
    assert inbox.take(Evidence(5, 7, 1, State(0, 0, 100), 0)) is FrameOrder.CLASH


def test_a_number_from_before_the_start_is_a_duplicate() -> None:
    assert Inbox(1, 7, 10).take(arrival(4)) is FrameOrder.DUPLICATE
    assert Inbox(1, 7, 10).take(arrival(9)) is FrameOrder.DUPLICATE


def test_a_number_far_ahead_is_not_held() -> None:
    inbox = Inbox(1, 7, 1)

    assert inbox.take(arrival(WINDOW + 1)) is FrameOrder.TOO_FAR
    assert not inbox.waiting
    assert inbox.take(arrival(WINDOW)) is FrameOrder.NEW


def test_as_many_frames_are_remembered_as_the_window_is_long() -> None:
    inbox = Inbox(1, 7, 1)
    taken(inbox, *range(1, WINDOW))
    taken(inbox, WINDOW, WINDOW + 1)

    assert inbox.known(1) is None
    assert inbox.known(2) == arrival(2).message


def test_nothing_is_missing_when_the_board_holds_the_next_number() -> None:
    inbox = Inbox(1, 7, 1)
    inbox.floor(1, 1)
    assert inbox.take_missing() == []


def test_evidence_names_the_board_and_the_boot_of_its_frame() -> None:
    evidence = Evidence(5, 7, 9, Gap(4, 5, 400, 1_000), 9)

    assert (evidence.uid, evidence.boot_id, evidence.seq) == (5, 7, 9)


def test_a_gap_stands_for_the_numbers_it_covers() -> None:
    inbox = Inbox(1, 7, 1)
    inbox.take(Evidence(5, 7, 9, Gap(4, 5, 400, 800), 9))

    assert taken(inbox, 1) == [1]
    assert taken(inbox, 2, 3) == [2, 3, 9]
    assert inbox.delivered == 9


def test_a_gap_whose_numbers_do_not_fit_covers_nothing() -> None:
    inbox = Inbox(1, 7, 1)
    inbox.take(Evidence(5, 7, 9, Gap(1, 5, 400, 800), 9))

    assert inbox.ready() == []
    assert inbox.waiting


def test_only_what_was_handed_on_can_become_durable_and_only_once() -> None:
    inbox = Inbox(1, 7, 1)
    taken(inbox, 1, 2)

    assert not inbox.acknowledge(3)
    assert inbox.acknowledge(2)
    assert not inbox.acknowledge(2)
    assert not inbox.acknowledge(1)
    assert inbox.durable == 2


def test_memory_is_bounded_over_a_long_session() -> None:
    inbox = Inbox(1, 7, 1)
    for seq in range(1, 3 * WINDOW):
        taken(inbox, seq)

    assert inbox.known(2 * WINDOW - 2) is None
    assert inbox.known(2 * WINDOW) is not None


def test_numbers_that_the_board_no_longer_holds_are_missing_not_waited_for() -> None:
    inbox = Inbox(1, 7, 1)
    taken(inbox, 1)
    inbox.floor(5, 7)
    assert inbox.take_missing() == []

    assert taken(inbox, 5) == [5]
    assert inbox.take_missing() == [missing(2, 4)]
    assert inbox.take_missing() == []


def test_numbers_below_an_empty_ring_are_missing_at_once() -> None:
    inbox = Inbox(1, 7, 1)
    taken(inbox, 1)
    inbox.acknowledge(1)
    inbox.floor(5, 5)

    assert inbox.take_missing() == [missing(2, 4)]
    assert inbox.durable == 4
    assert taken(inbox, 5) == [5]


def test_acknowledging_the_last_before_a_missing_range_takes_the_range_along() -> None:
    inbox = Inbox(1, 7, 1)
    taken(inbox, 1)
    inbox.floor(5, 5)
    assert inbox.durable == 0

    assert inbox.acknowledge(1)
    assert inbox.durable == 4


def test_a_gap_at_the_bottom_of_the_ring_is_no_missing_range() -> None:
    inbox = Inbox(1, 7, 1)
    taken(inbox, 1)
    inbox.floor(5, 6)
    inbox.take(Evidence(5, 7, 5, Gap(2, 3, 100, 200), 5))

    assert [ready.seq for ready in inbox.ready()] == [5]
    assert inbox.take_missing() == []


def test_of_a_board_that_begins_again_and_again_only_the_last_boots_frames_are_kept() -> None:
    inbox = Inbox(5, 1, 1)
    for boot_id in range(2, 32):
        taken(inbox, 1, 2)
        inbox = inbox.followed_by(boot_id, 1)
    assert list(inbox.earlier) == list(range(1, 31))
    assert [boot_id for boot_id, frames in inbox.earlier.items() if frames] == list(range(23, 31))
