"""Evidence read with other settings from an entry on: live, after a crash, and for undecided
gestures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.journal.entries import Control, Draft, Layer
from companion.journal.fold import one_step, void_draft
from companion.journal.journal import Journal
from companion.rules.gestures import GestureSettings
from companion.session.table import Table
from tests.session.counting_game import Clock, marks, notice_of, small_table
from tests.session.parts import (
    BOOT,
    MS,
    RESUMED,
    Board,
    facts,
    hello,
    of_kind,
    reasons,
    settle,
    texts,
)

LONG = GestureSettings(hold_us=1_000 * MS)


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def table(journal: Journal, board: Board) -> Table:
    """Ada and Bo have each hidden a word; holding their zones shows it."""
    made = small_table(journal, Clock())
    made.board.on_identified(hello(), BOOT)
    made.board.store([board.armed(0)])
    for seat in ("ada", "bo"):
        made.enter("hide", {"seat": seat, "word": "w"})
    return made


def kinds(journal: Journal) -> list[tuple[str, str]]:
    return [(fact.kind, fact.body["seat"]) for fact in facts(journal)[2:]]


def test_a_rereading_that_takes_a_revelation_back_asks_first(
    table: Table, journal: Journal, board: Board
) -> None:
    table.board.store([board.press("zone-1", 100 * MS), board.release("zone-1", 900 * MS)])
    settle(table)
    assert kinds(journal) == [("show", "ada")]
    table.accept(table.inspection.reread(LONG))
    assert table.view().question is not None
    assert of_kind(journal, Control.SETTINGS) == []


def test_an_accepted_rereading_is_one_step_with_its_settings_its_reason_and_who(
    table: Table, journal: Journal, board: Board
) -> None:
    table.board.store([board.press("zone-1", 100 * MS), board.release("zone-1", 600 * MS)])
    settle(table)
    assert kinds(journal) == [("count", "ada")]
    rereading = table.inspection.reread(GestureSettings(hold_us=400 * MS))
    table.board.on_note("the record grows meanwhile")
    table.accept(rereading, why="quick fingers", who="bo")
    assert table.view().game["shown"] == ("ada",)
    assert table.view().game["counts"] == ()
    assert notice_of(table) == "The sensors were re-read."
    (entry,) = of_kind(journal, Control.SETTINGS)
    assert entry.body == {
        "hold_us": 400 * MS,
        "window_us": 30 * MS,
        "min_peak": None,
        "why": "quick fingers",
        "who": "bo",
    }
    assert any(
        text.startswith("from now on, set by Bo: hold 400 ms, trigger and hit within 30 ms")
        for text in texts(table.view())
    )
    assert table.inspection.marshal().settings == GestureSettings(hold_us=400 * MS)
    table.do("table.undo")
    assert table.view().question is not None  # one step: what was found goes with what comes back


def test_a_reading_that_is_in_force_already_is_no_change(table: Table, journal: Journal) -> None:
    count = len(journal.entries)
    table.accept(table.inspection.reread(GestureSettings()))
    assert notice_of(table) == "? The sensors are read this way already: nothing would change."
    assert len(journal.entries) == count


def accept_long(table: Table) -> None:
    table.accept(table.inspection.reread(LONG))
    assert table.inspection.marshal().settings == LONG


def test_what_is_pressed_from_now_on_is_read_with_the_new_settings(
    table: Table, journal: Journal, board: Board
) -> None:
    accept_long(table)
    table.board.store([board.press("zone-1", 2_000 * MS), board.release("zone-1", 2_800 * MS)])
    settle(table)
    assert kinds(journal) == [("count", "ada")]


@pytest.mark.parametrize("crash", [False, True], ids=["live", "after a crash"])
def test_a_finger_that_is_down_keeps_the_settings_it_came_down_with(
    table: Table, journal: Journal, board: Board, crash: bool
) -> None:
    table.board.store([board.press("zone-1", 1_000 * MS)])
    settle(table, 1_300 * MS)
    accept_long(table)
    table.board.store([board.press("zone-2", 1_400 * MS)])
    if crash:
        journal.append(RESUMED)
        table = small_table(journal, Clock())
        table.board.on_identified(hello(), BOOT)
    table.board.store([board.release("zone-1", 1_800 * MS), board.release("zone-2", 2_200 * MS)])
    settle(table)
    assert kinds(journal) == [("show", "ada"), ("count", "bo")]
    assert reasons(journal) == []


def test_the_last_settings_count_after_a_restart(
    table: Table, journal: Journal, board: Board
) -> None:
    accept_long(table)
    table.accept(table.inspection.reread(replace(LONG, hold_us=1_500 * MS)))
    journal.append(RESUMED)
    again = small_table(journal, Clock())
    assert again.inspection.marshal().settings.hold_us == 1_500 * MS
    again.board.on_identified(hello(), BOOT)
    again.board.store([board.press("zone-1", 2_000 * MS), board.release("zone-1", 3_200 * MS)])
    settle(again)
    assert kinds(journal) == [("count", "ada")]


def test_a_fact_found_right_behind_a_lost_one_does_not_stand_in_its_place(
    table: Table, journal: Journal, board: Board
) -> None:
    table.enter("mark", {"i": 1})
    lost = journal.entries[-1]
    table.board.store([board.press("zone-3", 2_000 * MS)])
    press = len(journal.entries)
    draft = Draft(
        Layer.FACT, "mark", {"i": 2}, "board", (press,), after=lost.n, key=f"mark:{press}"
    )
    journal.append(*one_step(void_draft(lost.n, "read again"), draft))
    again = small_table(journal, Clock())
    assert marks(again) == (2,)
    assert "found in the evidence: 2 is written down" in texts(again.view())
    again.take_back(lost.n)
    assert marks(again) == (1, 2)
