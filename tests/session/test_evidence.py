"""From the link's messages to the record, and from the record to gestures, across boots and runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.journal.entries import Control, Layer
from companion.journal.journal import Journal
from companion.session.intake import BEFORE_ARMING, POWER_LOST
from companion.session.table import Table
from companion.session.views import LineKind
from tests.session.parts import (
    BOOT,
    MS,
    Board,
    facts,
    fire,
    hello,
    of_kind,
    reasons,
    resumed,
    settle,
    tap,
    texts,
)

# -- evidence and facts


def test_a_press_is_evidence_at_once_and_a_fact_that_names_it_once_it_is_settled(
    table: Table, board: Board, journal: Journal
) -> None:
    fire(table)
    press = board.press("zone-2", 5 * MS)
    table.board.store([press])
    assert [entry.kind for entry in facts(journal)] == ["fire"]
    settle(table)
    draw = facts(journal)[-1]
    assert (draw.kind, draw.body["seat"], draw.t_us, draw.actor) == (
        "draw",
        "blue",
        5 * MS,
        "board",
    )
    assert [journal.entries[n - 1].key for n in draw.causes] == [f"b0a4d/0051/{press.seq}"]


def test_what_store_returned_for_is_on_the_disk(table: Table, board: Board, path: Path) -> None:
    from companion.journal.store import read_entries

    table.board.store(tap(board, "zone-1", 5 * MS))
    assert [entry.kind for entry in read_entries(path)][-2:] == ["event", "event"]


def test_evidence_that_comes_twice_stands_once(
    table: Table, board: Board, journal: Journal
) -> None:
    fire(table)
    evidence = tap(board, "zone-1", 5 * MS)
    table.board.store(evidence)
    table.board.store(evidence)
    settle(table)
    table.board.store(evidence)
    settle(table, 20_000 * MS)
    assert len(of_kind(journal, "event")) == 2
    assert len(of_kind(journal, "draw")) == 1


@pytest.mark.parametrize("together", [True, False], ids=["in one batch", "later"])
def test_another_event_under_a_number_that_is_taken_is_kept_beside_it_and_never_read(
    table: Table, board: Board, journal: Journal, together: bool
) -> None:
    fire(table)
    first = board.press("zone-1", 5 * MS)
    board.seq -= 1
    other = board.press("zone-2", 6 * MS)
    for batch in [[first, other]] if together else [[first], [other], [other]]:
        table.board.store(batch)
    settle(table)
    (clash,) = of_kind(journal, "clash")
    assert clash.layer is Layer.EVIDENCE
    assert (clash.body["channel"], clash.body["seq"], clash.t_us) == ("zone-2", first.seq, 6 * MS)
    assert journal.entries[clash.body["clash_with"] - 1].body["channel"] == "zone-1"
    assert [entry.body["seat"] for entry in of_kind(journal, "draw")] == ["red"]
    assert any("contradicts" in text for text in texts(table.view()))


def test_a_board_that_describes_itself_otherwise_in_one_boot_is_shown_and_play_goes_on(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.on_identified(hello(stamp_error_us=900), board.boot_id)
    assert len(of_kind(journal, "hello")) == 1
    assert "contradicts" in texts(table.view())[-1]


def test_a_gesture_without_a_meaning_is_kept_with_the_reason_and_the_clause(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store(tap(board, "zone-1", 5 * MS))
    settle(table)
    assert facts(journal) == []
    assert reasons(journal) == ["no round has begun (PF-5)"]
    line = table.view().log[-1]
    assert (line.kind, line.text) == (LineKind.IGNORED, "not counted: no round has begun (PF-5)")


def test_a_spike_is_kept_with_the_channel_and_the_reason(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store(
        [board.press("zone-1", 5 * MS), board.release("zone-1", 5 * MS + 200, glitch=True)]
    )
    settle(table)
    assert reasons(journal) == [
        "zone-1: glitch: the contact was closed for less than the glitch time"
    ]


def test_what_was_pressed_before_the_session_armed_the_board_is_never_read_and_says_so(
    table: Table, journal: Journal
) -> None:
    board = Board()
    fire(table)
    table.board.on_identified(hello(), BOOT)
    table.board.store([*tap(board, "zone-1", 100 * MS), board.press("zone-2", 300 * MS)])
    table.board.store([board.armed(500 * MS), *tap(board, "zone-3", 600 * MS)])
    settle(table)
    assert [entry.body["seat"] for entry in of_kind(journal, "draw")] == ["green"]
    (unread,) = of_kind(journal, Control.IGNORED)
    assert [journal.entries[n - 1].t_us for n in unread.causes] == [100 * MS, 300 * MS]
    assert unread.body["reason"] == f"zone-1, zone-2: {BEFORE_ARMING}"
    again = resumed(journal)
    settle(again)
    assert len(of_kind(journal, Control.IGNORED)) == 1


def test_an_arming_that_comes_late_counts_from_its_stamp_not_from_its_arrival(
    table: Table, journal: Journal
) -> None:
    board = Board()
    fire(table)
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.press("zone-1", 600 * MS)])
    settle(table, 700 * MS)
    assert of_kind(journal, "draw") == []
    table.board.store([board.armed(500 * MS)])
    settle(table, 800 * MS)
    assert [entry.body["seat"] for entry in of_kind(journal, "draw")] == ["red"]


# -- two boots


def test_a_new_boot_is_an_unknown_interval_and_what_was_open_in_the_old_one_is_unread(
    table: Table, board: Board, journal: Journal
) -> None:
    fire(table)
    table.board.store([board.press("trigger", 5 * MS)])
    settle(table, 6 * MS)
    table.board.on_identified(hello(), BOOT + 1)
    assert reasons(journal) == [f"trigger: {POWER_LOST}"]
    assert any("unknown" in text for text in texts(table.view()))
    table.board.store([Board(BOOT + 1).press("zone-1", 1 * MS)])
    settle(table, boot_id=BOOT + 1)
    assert [entry.body["at"]["clock"] for entry in of_kind(journal, "draw")] == ["board-0052"]


def test_evidence_of_an_old_boot_that_the_disk_took_late_is_unread_not_forgotten(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.on_identified(hello(), BOOT + 1)
    table.board.store(tap(board, "zone-1", 5 * MS))
    assert reasons(journal) == [f"zone-1: {POWER_LOST}"]


def test_a_board_that_lost_power_before_it_was_ever_armed_leaves_nothing_unsaid(
    table: Table, journal: Journal
) -> None:
    table.board.on_identified(hello(), BOOT)
    table.board.store(tap(Board(), "zone-1", 5 * MS))
    table.board.on_identified(hello(), BOOT + 1)
    table.board.store([Board(BOOT + 1).armed(1)])
    settle(table)
    settle(table, boot_id=BOOT + 1)
    assert reasons(journal) == [f"zone-1: {BEFORE_ARMING}"]


def test_a_session_resumed_on_another_boot_shows_the_unknown_interval_once(
    table: Table, board: Board, journal: Journal
) -> None:
    again = resumed(journal)
    again.board.on_identified(hello(), BOOT + 1)
    again.board.on_identified(hello(), BOOT + 1)
    resumed(journal).board.on_identified(hello(), BOOT + 1)
    assert [entry.body for entry in of_kind(journal, "boot")] == [
        {"previous": BOOT, "boot": BOOT + 1}
    ]


# -- a restart while a finger is down


def test_a_finger_down_at_a_restart_still_means_what_it_meant_when_it_came_down(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store([board.press("zone-1", 0), board.press("zone-2", 100 * MS)])
    settle(table, 650 * MS)
    assert [entry.kind for entry in facts(journal)] == ["fire"]
    again = resumed(journal)
    settle(again)
    assert [entry.kind for entry in facts(journal)] == ["fire"]
    assert reasons(journal) == ["no shot needs a name (PF-10)"]


def test_a_restart_reads_nothing_twice_and_finishes_what_was_not_read(
    table: Table, board: Board, journal: Journal
) -> None:
    fire(table)
    table.board.store([*tap(board, "zone-1", 5 * MS), board.press("trigger", 300 * MS)])
    settle(table, 310 * MS)
    again = resumed(journal)
    again.board.on_identified(hello(), BOOT)
    again.board.store([board.hit(304 * MS)])
    settle(again)
    assert [entry.kind for entry in facts(journal)] == ["fire", "draw", "shot"]
    settle(resumed(journal))
    assert len(facts(journal)) == 3


def test_a_fact_that_was_taken_back_is_not_read_again_after_a_restart(
    table: Table, board: Board, journal: Journal
) -> None:
    fire(table)
    table.board.store(tap(board, "zone-1", 5 * MS))
    settle(table)
    table.do("table.undo")
    settle(resumed(journal))
    assert len(of_kind(journal, "draw")) == 1
