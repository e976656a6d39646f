"""A table of plain lines: keys, facts in words, and answers to what is proposed and asked."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.commands.typed import lines, obey
from companion.journal.journal import Journal
from companion.session.plain import LinePrinter
from companion.session.table import Table
from tests.session.counting_game import Clock, marks, small_header, small_table
from tests.session.parts import BOOT, MS, WALL, Board, hello, settle, tap


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> Iterator[Table]:
    with Journal.create(
        tmp_path / "counting.sqlite", small_header(), wall=lambda: WALL, retry_s=0.001
    ) as journal:
        yield small_table(journal, clock)


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


def said(table: Table, out: io.StringIO, *typed: str) -> list[str]:
    """Return what is printed when these lines are typed."""
    with LinePrinter(table, out) as printer:
        printer.print_new()
        begun = len(out.getvalue())
        for line in typed:
            obey(line, table, printer)
            printer.print_new()
    return [text.strip() for text in out.getvalue()[begun:].splitlines()]


def propose(table: Table, zone: int = 1, at: int = 500 * MS) -> None:
    board = Board()
    table.set_level("counts", "proposed")
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0), *tap(board, f"zone-{zone}", at)])
    settle(table)


def test_a_key_is_done(table: Table, out: io.StringIO) -> None:
    said(table, out, "1", "Enter")
    assert marks(table) == (1,)


def test_a_fact_in_words_is_entered(table: Table, out: io.StringIO) -> None:
    said(table, out, "mark 4", 'score_set bo 5 "lost a card"', "seat-joins Di")
    assert marks(table) == (4,)
    assert "lost a card" in out.getvalue()
    assert [seat.id for seat in table.view().setup.seats] == ["ada", "bo", "cy", "di"]
    said(table, out, "4")
    assert table.view().game["counts"] == ("di",)


def test_words_that_fit_no_form_are_answered_and_enter_nothing(
    table: Table, out: io.StringIO
) -> None:
    (answer,) = said(table, out, "mark many")
    assert answer == "? I: 'many' does not fit. It takes a whole number."
    assert table.view().log[-1].n == 1


def test_words_the_rules_refuse_are_answered_without_the_clause(
    table: Table, out: io.StringIO
) -> None:
    (answer,) = said(table, out, "drop 3")
    assert answer == "? There is no 3. Choose a number that is written down."


def test_what_is_neither_a_key_nor_a_fact_says_where_to_look(
    table: Table, out: io.StringIO
) -> None:
    (answer,) = said(table, out, "jump up")
    assert answer == "? Nothing is called 'jump up' here. Type ? for what there is; Ctrl-D quits."


def test_the_list_has_the_keys_and_the_facts_in_words_but_no_action_without_a_key(
    table: Table, out: io.StringIO
) -> None:
    listed = said(table, out, "?")
    assert "z  Stop the game's clock, or start it again." in listed
    assert "score_set SEAT SCORE REASON" in listed
    assert not any(text.startswith("Record what is proposed") for text in listed)


def test_a_proposal_is_printed_once_with_its_keys_and_enter_records_it(
    table: Table, out: io.StringIO, clock: Clock
) -> None:
    propose(table)
    out.truncate(0)
    with LinePrinter(table, out) as printer:
        printer.print_new()
        clock.pass_ms(1_000)
        printer.print_new()
        asked = [text for text in out.getvalue().splitlines() if "ada counts" in text]
        hint = "type enter to record it, esc to discard it; discarded in 10 s"
        assert [text.strip() for text in asked] == [f"? ada counts - {hint}"]
        obey("Enter", table, printer)
    assert table.view().game["counts"] == ("ada",)
    assert marks(table) == ()


def test_two_proposals_that_read_the_same_are_both_printed(
    table: Table, out: io.StringIO, clock: Clock
) -> None:
    propose(table)
    board = Board()
    board.seq = 3
    table.board.store(tap(board, "zone-1", 20_000 * MS))
    settle(table, 30_000 * MS)
    clock.pass_ms(1_000)
    printed = said(table, out, "escape")
    assert "? ada counts - type enter to record it, esc to discard it; discarded in 10 s" in printed
    assert any(text.endswith("not counted: proposed, dropped: ada counts") for text in printed)


def test_a_question_is_printed_and_answered(table: Table, out: io.StringIO, clock: Clock) -> None:
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    table.enter("show", {"seat": "ada"})
    clock.pass_ms(1_000)
    (question,) = said(table, out, "u")
    assert question.startswith("? Players have seen this already: ada shows rosebud")
    assert question.endswith("- type enter to agree, esc not to")
    clock.pass_ms(1_000)
    said(table, out, "Esc")
    assert table.view().question is None
    assert table.view().game["shown"] == ("ada",)


def test_time_passes_while_nobody_types(
    table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.commands.typed.TICK_S", 0.001)
    propose(table)
    clock.pass_ms(10_000)
    typed: SimpleQueue[str | None] = SimpleQueue()
    table.subscribe(lambda: typed.put(None))
    assert list(lines(typed, table)) == []
    assert table.view().proposal is None


def test_a_long_name_of_a_key_may_be_typed_in_small_letters(
    table: Table, out: io.StringIO, clock: Clock
) -> None:
    propose(table)
    clock.pass_ms(1_000)
    assert any("dropped: ada counts" in text for text in said(table, out, "esc"))
