"""Taking back any fact, whatever came later, and bringing it back."""

from __future__ import annotations

import pytest

from companion.journal.entries import Control, Entry
from companion.journal.journal import Journal
from companion.session.corrections import STAYS
from companion.session.log import TABLES_WORD
from companion.session.table import Table
from companion.session.views import LineKind, Notice
from tests.session.parts import Board, facts, fire, of_kind, resumed, settle, tap

KEYS = ("shot", "name.1", "name.2", "shot", "name.2", "name.3")


@pytest.fixture
def first_target(table: Table, journal: Journal) -> Entry:
    """Return the first seat that was shot at, in a round that has ended since."""
    fire(table)
    for key in KEYS:
        table.do(f"panic-fire.{key}")
    assert table.view().game.phase == "over"
    return facts(journal)[2]


def notice_of(table: Table) -> Notice:
    notice = table.view().notice
    assert notice is not None
    return notice


def kind_of(table: Table, n: int) -> LineKind:
    return next(line.kind for line in table.view().log if line.n == n)


def test_an_early_attribution_taken_back_folds_the_score_again_and_brings_the_round_back(
    table: Table, journal: Journal, first_target: Entry
) -> None:
    later = facts(journal)[3:]
    table.take_back(first_target.n)
    game = table.view().game
    assert game.phase == "shot"
    # the second shot keeps its names
    assert [(seat.status, seat.bullets) for seat in game.seats] == [
        ("in", 0),
        ("out", 0),
        ("in", 0),
    ]
    assert facts(journal)[3:] == later
    assert of_kind(journal, Control.VOID)[0].body == {
        "entry": first_target.n,
        "reason": TABLES_WORD,
    }
    assert kind_of(table, first_target.n) is LineKind.VOIDED


def test_a_later_entry_that_makes_no_sense_any_more_is_broken_with_its_clause(
    table: Table, first_target: Entry
) -> None:
    table.take_back(first_target.n - 1)
    broken = [line for line in table.view().log if line.kind is LineKind.BROKEN]
    assert [line.text.split(" - ")[1].split(":")[0] for line in broken] == ["PF-10", "PF-10"]
    assert notice_of(table).text == (
        "Deleted: the gun fired; 2 later entries make no sense now: see the log."
    )


def test_what_was_taken_back_is_brought_back_with_all_that_came_later(
    table: Table, first_target: Entry
) -> None:
    before = table.view().game
    for _ in range(2):
        table.take_back(first_target.n)
        assert table.view().game != before
        table.take_back(first_target.n)
        assert table.view().game == before
        restored = "Restored: red was shot at."
        assert notice_of(table) == Notice(
            notice_of(table).number, restored, refused=False, logged=len(restored) - 1
        )
    assert all(line.kind is not LineKind.BROKEN for line in table.view().log)


def test_undo_takes_back_the_correction_and_redo_makes_it_again(
    table: Table, first_target: Entry
) -> None:
    before = table.view().game
    table.take_back(first_target.n)
    after = table.view().game
    assert table.view().undo == "the deletion of: red was shot at"
    table.do("table.undo")
    assert table.view().game == before
    table.do("table.redo")
    assert table.view().game == after


def test_what_undo_took_can_be_brought_back_and_that_is_a_step_of_its_own(
    table: Table, journal: Journal
) -> None:
    fire(table)
    table.do("panic-fire.draw.1")
    n = facts(journal)[-1].n
    table.do("table.undo")
    table.take_back(n)
    assert kind_of(table, n) is LineKind.FACT
    table.do("table.undo")
    assert kind_of(table, n) is LineKind.VOIDED


def test_a_resumed_session_can_bring_back_what_was_taken_back_before(
    table: Table, journal: Journal, first_target: Entry
) -> None:
    before = table.view().game
    table.take_back(first_target.n)
    again = resumed(journal)
    again.take_back(first_target.n)
    assert again.view().game == before


def test_what_the_board_said_stays_but_the_fact_made_of_it_goes(
    table: Table, board: Board, journal: Journal
) -> None:
    fire(table)
    table.board.store(tap(board, "zone-1", 5_000_000))
    settle(table)
    (draw,) = of_kind(journal, "draw")
    count = len(journal.entries)
    for n in draw.causes:
        table.take_back(n)
        assert (notice_of(table).text, notice_of(table).refused) == (STAYS, True)
    assert len(journal.entries) == count
    table.take_back(draw.n)
    assert kind_of(table, draw.n) is LineKind.VOIDED
    settle(table, 20_000_000)
    assert len(of_kind(journal, "draw")) == 1


@pytest.mark.parametrize("n", [-1, 0, 1, 10_000])
def test_a_number_that_is_no_fact_is_refused_with_a_notice(
    table: Table, journal: Journal, n: int
) -> None:
    fire(table)
    count = len(journal.entries)
    table.take_back(n)
    assert (notice_of(table).text, notice_of(table).refused) == (STAYS, True)
    assert len(journal.entries) == count


def test_after_the_close_nothing_can_be_taken_back(
    table: Table, journal: Journal, first_target: Entry
) -> None:
    table.close()
    count = len(journal.entries)
    table.take_back(first_target.n)
    assert "closed" in notice_of(table).text
    assert len(journal.entries) == count


@pytest.mark.parametrize("undone", [True, False])
def test_the_log_has_what_the_answer_says_was_undone(*, undone: bool, table: Table) -> None:
    fire(table)
    table.do("panic-fire.draw.1")
    table.do("table.undo")
    if not undone:
        table.do("table.redo")
    notice = notice_of(table)
    logged = notice.text[: notice.logged]
    assert logged == ("Undone: red draws" if undone else "Restored: red draws")
    assert any(line.text.casefold().endswith("red draws") for line in table.view().log)
    table.do("panic-fire.fire")
    assert notice_of(table).logged == 0
