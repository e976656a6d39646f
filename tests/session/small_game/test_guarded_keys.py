"""A key whose meaning just changed without a key waits 300 ms, and says what it means now."""

from __future__ import annotations

import pytest

from companion.journal.journal import Journal
from companion.session.table import Table
from tests.session.counting_game import Clock, marks, notice_of, small_table
from tests.session.parts import BOOT, MS, Board, facts, hello, settle, tap

TOTAL, UNDO, ACCEPT, AGREE = "counting.total", "table.undo", "table.accept", "table.agree"
JUST_CHANGED = "? This key has just changed its meaning: nothing was done. Press again for: "


@pytest.fixture
def table(journal: Journal, clock: Clock) -> Table:
    made = small_table(journal, clock)
    made.board.on_identified(hello(), BOOT)
    made.board.store([Board().armed(0)])
    return made


class Hand:
    """Taps a zone at chosen moments."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.board = Board()
        self.board.seq = 1
        self.us = 0

    def tap(self) -> None:
        self.us += 500 * MS
        self.table.board.store(tap(self.board, "zone-1", self.us))
        settle(self.table, self.us + 400 * MS)


@pytest.fixture
def hand(table: Table) -> Hand:
    return Hand(table)


def test_a_key_that_the_board_changed_is_not_done_and_says_what_it_means_now(
    table: Table, hand: Hand, clock: Clock
) -> None:
    hand.tap()
    clock.pass_ms(299)
    table.do(TOTAL)
    assert notice_of(table) == f"{JUST_CHANGED}1 is written down."
    assert marks(table) == ()
    clock.pass_ms(1)
    table.do(TOTAL)
    assert marks(table) == (1,)


def test_a_key_that_means_the_same_is_done_at_once(table: Table, hand: Hand) -> None:
    hand.tap()
    table.do("counting.count.2")
    assert table.view().game["counts"] == ("ada", "bo")


def test_undo_waits_when_the_board_put_something_else_at_the_end(
    table: Table, hand: Hand, clock: Clock
) -> None:
    table.do("counting.count.2")
    hand.tap()
    table.do(UNDO)
    assert notice_of(table) == f"{JUST_CHANGED}undo: ada counts."
    assert table.view().game["counts"] == ("bo", "ada")
    clock.pass_ms(300)
    table.do(UNDO)
    assert table.view().game["counts"] == ("bo",)


def test_what_the_keyboard_did_itself_is_never_guarded(table: Table) -> None:
    table.do("counting.count.1")
    table.do(TOTAL)
    table.do(UNDO)
    table.do("table.redo")
    assert marks(table) == (1,)


def test_undo_takes_what_a_key_did_right_after_the_board(table: Table, hand: Hand) -> None:
    hand.tap()
    table.do("counting.count.2")
    table.do(UNDO)
    assert table.view().game["counts"] == ("ada",)


def test_enter_waits_when_a_proposal_has_just_taken_it(
    table: Table, hand: Hand, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    clock.pass_ms(1_000)
    hand.tap()
    clock.pass_ms(100)
    # the screen may still show the old meaning, or the new one already
    for action in TOTAL, ACCEPT:
        table.do(action)
        assert notice_of(table).startswith(JUST_CHANGED)
        assert notice_of(table).endswith(": ada counts.")
    clock.pass_ms(200)
    table.do(ACCEPT)
    assert table.view().game["counts"] == ("ada",)
    assert marks(table) == ()


def test_enter_waits_when_a_proposal_has_just_let_go_of_it(
    table: Table, hand: Hand, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    hand.tap()
    clock.pass_ms(10_000)
    table.tick()
    clock.pass_ms(50)
    table.do(TOTAL)
    assert notice_of(table) == f"{JUST_CHANGED}0 is written down."
    assert marks(table) == ()


def test_the_next_proposal_does_not_take_the_enter_that_answered_the_first_twice(
    table: Table, hand: Hand, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    hand.tap()
    hand.tap()
    clock.pass_ms(1_000)
    table.do(ACCEPT)
    table.do(ACCEPT)
    assert notice_of(table) == f"{JUST_CHANGED}accept: ada counts."
    assert table.view().game["counts"] == ("ada",)


def test_a_question_does_not_take_the_key_that_was_meant_for_something_else(
    table: Table, clock: Clock
) -> None:
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    table.enter("show", {"seat": "ada"})
    clock.pass_ms(1_000)
    table.do(UNDO)
    table.do(AGREE)
    assert notice_of(table).startswith(f"{JUST_CHANGED}yes: Players have seen this")
    assert table.view().question is not None
    clock.pass_ms(300)
    table.do(AGREE)
    assert table.view().game["shown"] == ()


def test_a_key_that_means_nothing_any_more_says_why_at_once(
    table: Table, hand: Hand, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    hand.tap()
    clock.pass_ms(10_000)
    table.tick()
    table.do(ACCEPT)
    assert notice_of(table) == "? Nothing is proposed any more."


def test_evidence_that_changes_nothing_guards_nothing(
    table: Table, journal: Journal, hand: Hand
) -> None:
    table.set_level("counts", "manual")
    table.do("counting.count.2")
    hand.tap()
    table.do(UNDO)
    assert [fact.kind for fact in facts(journal)] == ["count"]
    assert table.view().game["counts"] == ()
