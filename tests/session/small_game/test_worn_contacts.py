"""A worn contact or a loose wire closes again sooner than a finger can: the first closing counts, a
run is proposed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.journal.journal import Journal
from companion.session.recognizer import SECOND_PRESS_US
from companion.session.table import Table
from tests.session.counting_game import Clock, notice_of, small_table
from tests.session.parts import BOOT, MS, RESUMED, Board, facts, hello, reasons, settle

ACCEPT, DISMISS, UNDO_RUN = "table.accept", "table.dismiss", "table.undo-run"
CLOSED_MS = 10


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def table(journal: Journal, clock: Clock, board: Board) -> Table:
    table = small_table(journal, clock)
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0)])
    return table


def close(
    table: Table,
    board: Board,
    start_ms: int,
    times: int,
    *,
    open_ms: int = 15,
    zone: str = "zone-1",
) -> int:
    """Close a contact several times in a row; return when it opened last, in ms."""
    at_ms = start_ms
    for _ in range(times):
        edges = [board.press(zone, at_ms * MS), board.release(zone, (at_ms + CLOSED_MS) * MS)]
        table.board.store(edges)
        at_ms += CLOSED_MS + open_ms
    return at_ms - open_ms


def test_three_closings_of_one_push_count_once_and_the_others_are_proposed(
    table: Table, board: Board, journal: Journal
) -> None:
    last_ms = close(table, board, 500, 3)
    settle(table, (last_ms + 1_000) * MS)
    assert [fact.t_us for fact in facts(journal)] == [500 * MS]
    proposal = table.view().proposal
    assert proposal is not None
    assert (proposal.text, proposal.waiting) == (
        "zone-1 flickers: check its wire and contact: ada counts",
        1,
    )


def test_the_first_press_of_a_run_counts_at_once(
    table: Table, board: Board, journal: Journal
) -> None:
    close(table, board, 500, 1)
    settle(table, 501 * MS)
    assert len(facts(journal)) == 1


def test_a_double_press_counts_twice_with_its_own_stamps(
    table: Table, board: Board, journal: Journal
) -> None:
    last_ms = close(table, board, 500, 2)
    settle(table, last_ms * MS + SECOND_PRESS_US - 1)
    assert len(facts(journal)) == 1
    settle(table, last_ms * MS + SECOND_PRESS_US)
    assert [fact.t_us for fact in facts(journal)] == [500 * MS, 525 * MS]
    assert table.view().proposal is None


def test_presses_that_come_50_ms_after_the_opening_are_no_run(
    table: Table, board: Board, journal: Journal
) -> None:
    last_ms = close(table, board, 500, 5, open_ms=SECOND_PRESS_US // MS)
    settle(table, (last_ms + 1_000) * MS)
    assert len(facts(journal)) == 5


def test_two_contacts_that_close_in_turn_are_no_run(
    table: Table, board: Board, journal: Journal
) -> None:
    for n in range(6):
        close(table, board, 500 + 30 * n, 1, zone=f"zone-{n % 3 + 1}")
    settle(table, 2_000 * MS)
    assert len(facts(journal)) == 6


def test_a_loose_wire_counts_once_and_one_key_drops_the_run(
    table: Table, board: Board, journal: Journal, clock: Clock
) -> None:
    last_ms = close(table, board, 500, 150, open_ms=10)
    settle(table, (last_ms + 1_000) * MS)
    assert len(facts(journal)) == 1
    clock.pass_ms(1_000)
    table.do(DISMISS)
    assert table.view().proposal is None
    run = "zone-1 flickers: check its wire and contact: ada counts, and 148 more of this run"
    assert reasons(journal) == [f"proposed, dropped: {run}"]


def test_a_closing_of_a_run_that_is_accepted_counts(
    table: Table, board: Board, journal: Journal, clock: Clock
) -> None:
    last_ms = close(table, board, 500, 3)
    settle(table, (last_ms + 1_000) * MS)
    clock.pass_ms(1_000)
    table.do(ACCEPT)
    assert [fact.t_us for fact in facts(journal)] == [500 * MS, 525 * MS]


@pytest.mark.parametrize("before", range(1, 6))
def test_a_session_that_crashes_in_the_middle_of_a_run_reads_the_rest_of_it_the_same(
    table: Table, board: Board, journal: Journal, clock: Clock, before: int
) -> None:
    last_ms = close(table, board, 500, before)
    settle(table, last_ms * MS)
    journal.append(RESUMED)
    again = small_table(journal, clock)
    again.board.on_identified(hello(), BOOT)
    last_ms = close(again, board, last_ms + 15, 6 - before)
    settle(again, (last_ms + 1_000) * MS)
    assert [fact.t_us for fact in facts(journal)] == [500 * MS]
    proposal = again.view().proposal
    assert proposal is not None
    assert proposal.waiting == 4


def test_a_third_closing_that_was_a_glitch_tells_a_resumed_session_what_the_second_was(
    table: Table, board: Board, journal: Journal, clock: Clock
) -> None:
    last_ms = close(table, board, 500, 2)
    glitch_us = (last_ms + 15) * MS
    table.board.store(
        [board.press("zone-1", glitch_us), board.release("zone-1", glitch_us + 200, glitch=True)]
    )
    settle(table, glitch_us + 1_000 * MS)
    assert table.view().proposal is not None
    assert len(reasons(journal)) == 1  # the glitch
    journal.append(RESUMED)
    again = small_table(journal, clock)
    again.board.on_identified(hello(), BOOT)
    settle(again, glitch_us + 2_000 * MS)
    assert [fact.t_us for fact in facts(journal)] == [500 * MS]
    assert again.view().proposal is not None
    assert len(reasons(journal)) == 1


def test_reading_again_changes_nothing_whether_the_run_was_dropped_or_accepted(
    table: Table, board: Board, journal: Journal, clock: Clock
) -> None:
    for start_ms, answer in ((500, DISMISS), (2_000, ACCEPT)):
        last_ms = close(table, board, start_ms, 3)
        settle(table, (last_ms + 500) * MS)
        clock.pass_ms(1_000)
        table.do(answer)
    clock.pass_ms(1_000)
    table.do(DISMISS)
    close(table, board, 4_000, 2)
    settle(table, 5_000 * MS)
    assert len(facts(journal)) == 5
    again = table.inspection.reread(table.inspection.marshal().settings)
    assert (again.changes, again.drafts) == ((), ())


def test_one_key_undoes_a_run_with_what_counted_of_it_and_nothing_else(
    table: Table, board: Board, journal: Journal, clock: Clock
) -> None:
    close(table, board, 500, 1, zone="zone-2")
    last_ms = close(table, board, 1_000, 6)
    settle(table, (last_ms + 1_000) * MS)
    assert table.view().overrides["u"] == UNDO_RUN
    for action in (ACCEPT, UNDO_RUN):
        clock.pass_ms(1_000)
        table.do(action)
    assert notice_of(table) == "Undone: everything zone-1 did in this run."
    assert table.view().game["counts"] == ("bo",)
    assert table.view().proposal is None


def test_where_no_contact_has_flickered_there_is_no_run_to_undo(table: Table, board: Board) -> None:
    close(table, board, 500, 2)
    settle(table, 2_000 * MS)
    table.do(UNDO_RUN)
    assert notice_of(table) == "? No contact has flickered, or everything it did is undone already."
    assert "u" not in table.view().overrides
    assert table.view().game["counts"] == ("ada", "ada")


@pytest.mark.parametrize("answer", [DISMISS, "nobody answers"])
def test_a_run_that_is_proposed_no_more_is_undone_in_one_go(
    table: Table, board: Board, journal: Journal, clock: Clock, answer: str
) -> None:
    last_ms = close(table, board, 1_000, 6)
    settle(table, (last_ms + 1_000) * MS)
    for _ in range(2):
        clock.pass_ms(1_000)
        table.do(ACCEPT)
    if answer == DISMISS:
        clock.pass_ms(1_000)
        table.do(DISMISS)
    while table.view().proposal is not None:
        clock.pass_ms(10_001)
        table.tick()
    close(table, board, 5_000, 1, zone="zone-2")
    settle(table, 6_000 * MS)
    assert table.view().game["counts"] == ("ada", "ada", "ada", "bo")
    clock.pass_ms(1_000)
    table.do(UNDO_RUN)
    assert notice_of(table) == "Undone: everything zone-1 did in this run."
    assert table.view().game["counts"] == ("bo",)
    clock.pass_ms(1_000)
    table.do(UNDO_RUN)
    assert notice_of(table) == "? No contact has flickered, or everything it did is undone already."


def test_a_resumed_session_still_knows_its_last_run(
    table: Table, board: Board, journal: Journal, clock: Clock
) -> None:
    last_ms = close(table, board, 1_000, 4)
    settle(table, (last_ms + 1_000) * MS)
    clock.pass_ms(1_000)
    table.do(DISMISS)
    journal.append(RESUMED)
    again = small_table(journal, clock)
    again.do(UNDO_RUN)
    assert again.view().game["counts"] == ()


def test_reading_again_with_a_longer_lock_time_makes_one_push_of_a_run(
    table: Table, board: Board, journal: Journal, clock: Clock
) -> None:
    last_ms = close(table, board, 500, 2)
    close(table, board, 2_000, 1)
    last_ms = close(table, board, 2_500, 3)
    settle(table, (last_ms + 1_000) * MS)
    for _ in range(2):
        clock.pass_ms(1_000)
        table.do(ACCEPT)
    assert len(table.view().game["counts"]) == 6
    wanted = replace(table.inspection.marshal().settings, lock_us=60 * MS)
    rereading = table.inspection.reread(wanted)
    assert [change.sign for change in rereading.changes] == ["lost"] * 3
    assert all(
        "the contact had opened less than 60 ms before" in change.text
        for change in rereading.changes
    )
    clock.pass_ms(1_000)
    table.accept(rereading)
    assert table.view().game["counts"] == ("ada",) * 3
    last_ms = close(table, board, 9_000, 5)
    settle(table, (last_ms + 1_000) * MS)
    assert table.view().proposal is None
    assert table.view().game["counts"] == ("ada",) * 4
    journal.append(RESUMED)
    assert small_table(journal, clock).inspection.marshal().settings == wanted
    without = replace(wanted, lock_us=None)
    table.accept(table.inspection.reread(without))
    assert table.inspection.marshal().settings == without
