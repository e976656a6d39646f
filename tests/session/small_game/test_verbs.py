"""Enter, amend, insert and take back on a real journal: each is one step, with a person and a
reason."""

from __future__ import annotations

import pytest

from companion.journal.entries import KEYBOARD, Control, Entry
from companion.journal.journal import Journal
from companion.session.corrections import STAYS
from companion.session.log import TABLES_WORD
from companion.session.table import Table
from companion.session.views import LineKind
from tests.session.counting_game import Clock, last_fact, marks, notice_of, small_table, write
from tests.session.parts import BOOT, MS, RESUMED, Board, facts, hello, of_kind, settle, tap, texts


def line_of(table: Table, n: int) -> tuple[LineKind, str]:
    return next((line.kind, line.text) for line in table.view().log if line.n == n)


def remarks(journal: Journal) -> list[Entry]:
    return of_kind(journal, Control.REMARK)


# -- enter


def test_what_is_entered_is_stamped_like_a_key_and_one_step(
    table: Table, journal: Journal, clock: Clock
) -> None:
    write(table, 4)
    (fact,) = facts(journal)
    assert (fact.kind, fact.actor, fact.t_us) == ("mark", KEYBOARD, clock.now)
    assert fact.body["at"]["us"] == clock.now
    assert remarks(journal) == []
    table.do("table.undo")
    assert marks(table) == ()


def test_what_is_entered_with_a_time_keeps_it(table: Table, journal: Journal) -> None:
    table.enter("mark", {"i": 4, "at": {"us": 77, "clock": "board-0051"}})
    assert (facts(journal)[0].t_us, facts(journal)[0].body["at"]["clock"]) == (77, "board-0051")


def test_why_and_by_whom_stand_beside_what_was_entered(table: Table, journal: Journal) -> None:
    table.enter(
        "score_set",
        {"seat": "bo", "score": 5, "reason": "a card was lost"},
        why="all saw it",
        who="ada",
    )
    (remark,) = remarks(journal)
    assert remark.body == {"entries": [last_fact(journal)], "why": "all saw it", "who": "ada"}
    line = "Bo's score is set to 5 by hand: a card was lost - Ada - all saw it"
    assert line_of(table, last_fact(journal)) == (LineKind.FACT, line)
    assert len([text for text in texts(table.view()) if "all saw it" in text]) == 1


@pytest.mark.parametrize(
    ("kind", "body", "sentence"),
    [
        ("drop", {"i": 9}, "? There is no 9. Choose a number that is written down."),
        ("jump", {}, "? There is no fact 'jump'. It takes one of mark, drop"),
        ("mark", {"i": "x"}, '? I: "x" does not fit. It takes a whole number'),
    ],
)
def test_what_the_rules_refuse_is_a_notice_without_its_clause_and_is_not_recorded(
    table: Table, journal: Journal, kind: str, body: dict[str, object], sentence: str
) -> None:
    table.enter(kind, body)
    assert notice_of(table).startswith(sentence)
    assert facts(journal) == []


# -- amend


def test_an_amendment_takes_the_place_and_the_time_of_what_it_amends(
    table: Table, journal: Journal, clock: Clock
) -> None:
    write(table, 1)
    before = facts(journal)[0]
    clock.pass_ms(5_000)
    write(table, 2)
    table.amend(before.n, {"i": 7}, why="misheard", who="bo")
    assert marks(table) == (7, 2)
    after = facts(journal)[-1]
    assert (after.actor, after.after, after.t_us, after.body["at"]) == (
        KEYBOARD,
        before.n,
        before.t_us,
        before.body["at"],
    )
    assert of_kind(journal, Control.VOID)[0].body == {
        "entry": before.n,
        "reason": "misheard",
        "who": "bo",
    }
    assert notice_of(table) == "Changed: 7 is written down."


def test_an_amendment_is_one_step_back_and_one_forth(table: Table, journal: Journal) -> None:
    write(table, 1, 2)
    table.amend(facts(journal)[0].n, {"i": 7})
    assert table.view().undo == "the change of: 7 is written down"
    table.do("table.undo")
    assert marks(table) == (1, 2)
    table.do("table.redo")
    assert marks(table) == (7, 2)


def test_the_log_tells_of_an_amendment_by_whom_and_why(table: Table, journal: Journal) -> None:
    write(table, 1)
    table.amend(facts(journal)[0].n, {"i": 7}, why="misheard", who="bo")
    assert texts(table.view())[-2:] == [
        "deleted by Bo: 1 is written down - misheard",
        "moved to its place by Bo: 7 is written down - misheard",
    ]


def test_an_amendment_keeps_what_its_fact_rests_on_and_is_not_read_again(
    table: Table, journal: Journal, clock: Clock
) -> None:
    board = Board()
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0), *tap(board, "zone-1", 5 * MS)])
    settle(table)
    before = facts(journal)[0]
    table.amend(before.n, {"seat": "cy"})
    after = facts(journal)[-1]
    assert (after.causes, after.t_us, after.body["at"]) == (
        before.causes,
        5 * MS,
        before.body["at"],
    )
    journal.append(RESUMED)
    again = small_table(journal, clock)
    settle(again, 20_000 * MS)
    assert again.view().game["counts"] == ("cy",)


def test_an_amendment_the_rules_refuse_there_appends_nothing(
    table: Table, journal: Journal
) -> None:
    write(table, 1)
    table.enter("drop", {"i": 1})
    write(table, 5)
    count = len(journal.entries)
    table.amend(facts(journal)[1].n, {"i": 5})  # 5 is written down only later
    assert notice_of(table) == "? There is no 5. Choose a number that is written down."
    assert len(journal.entries) == count


def test_what_an_amendment_breaks_is_kept_and_marked_and_counted_in_the_notice(
    table: Table, journal: Journal
) -> None:
    write(table, 1)
    table.enter("drop", {"i": 1})
    drop = last_fact(journal)
    table.amend(facts(journal)[0].n, {"i": 2})
    assert notice_of(table).endswith("; 1 later entry makes no sense now: see the log.")
    kind, text = line_of(table, drop)
    assert kind is LineKind.BROKEN
    assert "CG-1" in text
    table.do("table.undo")
    assert line_of(table, drop)[0] is LineKind.FACT


def test_a_broken_entry_can_be_amended_so_that_it_makes_sense(
    table: Table, journal: Journal
) -> None:
    write(table, 1)
    table.enter("drop", {"i": 1})
    drop = last_fact(journal)
    table.amend(facts(journal)[0].n, {"i": 2})
    table.amend(drop, {"i": 2})
    assert marks(table) == ()
    assert LineKind.BROKEN not in {line.kind for line in table.view().log}


def test_what_was_taken_back_has_to_be_brought_back_before_it_is_amended(
    table: Table, journal: Journal
) -> None:
    write(table, 1)
    table.do("table.undo")
    table.amend(facts(journal)[0].n, {"i": 2})
    assert notice_of(table).startswith("? It is deleted: restore it first")


@pytest.mark.parametrize("n", [-1, 0, 1, 99])
def test_only_a_ruling_can_be_amended(table: Table, journal: Journal, n: int) -> None:
    table.amend(n, {"i": 2})
    assert notice_of(table).startswith("? Only a ruling can be changed")
    assert len(journal.entries) == 1


def test_an_amendment_that_changes_nothing_is_none(table: Table, journal: Journal) -> None:
    write(table, 1)
    count = len(journal.entries)
    table.amend(facts(journal)[0].n, {"i": 1, "at": {"us": 5, "clock": "other"}})
    assert notice_of(table) == "? Nothing would change: 1 is written down."
    assert len(journal.entries) == count


# -- insert


def test_a_missed_fact_goes_right_behind_the_entry_that_is_named(
    table: Table, journal: Journal
) -> None:
    write(table, 1, 2)
    table.insert("mark", {"i": 9}, after=facts(journal)[0].n, why="nobody typed it", who="cy")
    assert marks(table) == (1, 9, 2)
    assert notice_of(table) == "Added: 9 is written down."
    assert (
        line_of(table, last_fact(journal))[1] == "added by Cy: 9 is written down - nobody typed it"
    )
    table.do("table.undo")
    assert marks(table) == (1, 2)


def test_behind_entry_0_is_before_everything(table: Table, journal: Journal) -> None:
    write(table, 1)
    table.insert("mark", {"i": 9}, after=0)
    table.insert("mark", {"i": 8}, after=0)
    assert marks(table) == (8, 9, 1)


def test_behind_evidence_is_where_the_evidence_came(table: Table, journal: Journal) -> None:
    write(table, 1)
    table.board.on_note("a note")
    write(table, 2)
    table.insert("mark", {"i": 9}, after=of_kind(journal, "note")[0].n)
    assert marks(table) == (1, 9, 2)


def test_behind_a_fact_that_was_amended_is_behind_what_stands_in_its_place(
    table: Table, journal: Journal
) -> None:
    write(table, 1, 2)
    first = facts(journal)[0].n
    table.amend(first, {"i": 5})
    table.amend(last_fact(journal), {"i": 6})
    table.insert("drop", {"i": 6}, after=first)
    assert marks(table) == (2,)
    assert notice_of(table) == "Added: 6 is taken away."


def test_an_insertion_the_rules_refuse_there_appends_nothing(
    table: Table, journal: Journal
) -> None:
    write(table, 1, 2)
    count = len(journal.entries)
    table.insert("drop", {"i": 2}, after=facts(journal)[0].n)
    assert notice_of(table) == "? There is no 2. Choose a number that is written down."
    assert len(journal.entries) == count


def test_what_an_insertion_breaks_is_counted_in_the_notice(table: Table, journal: Journal) -> None:
    write(table, 1)
    table.enter("drop", {"i": 1})
    table.insert("drop", {"i": 1}, after=facts(journal)[0].n)
    assert notice_of(table).endswith("1 later entry makes no sense now: see the log.")


@pytest.mark.parametrize("after", [-1, 2, 99])
def test_there_is_nothing_behind_an_entry_that_does_not_exist(
    table: Table, journal: Journal, after: int
) -> None:
    table.insert("mark", {"i": 9}, after=after)
    assert notice_of(table) == f"? There is no entry {after} to add it after; the last one is 1."
    assert facts(journal) == []


# -- take back


def test_who_took_back_and_why_is_recorded_and_told(table: Table, journal: Journal) -> None:
    write(table, 1)
    table.take_back(facts(journal)[0].n, why="it was a joke", who="ada")
    assert of_kind(journal, Control.VOID)[0].body == {
        "entry": 2,
        "reason": "it was a joke",
        "who": "ada",
    }
    assert texts(table.view())[-1] == "deleted by Ada: 1 is written down - it was a joke"
    table.take_back(facts(journal)[0].n, who="the neighbour")
    assert texts(table.view())[-1] == "restored by the neighbour: 1 is written down"


def test_nobody_named_and_no_reason_is_the_tables_word(table: Table, journal: Journal) -> None:
    write(table, 1)
    table.take_back(facts(journal)[0].n)
    assert of_kind(journal, Control.VOID)[0].body == {"entry": 2, "reason": TABLES_WORD}
    assert texts(table.view())[-1] == "deleted: 1 is written down"


def test_a_correction_taken_back_goes_with_its_whole_step_and_comes_back_with_it(
    table: Table, journal: Journal
) -> None:
    write(table, 1, 2)
    table.amend(facts(journal)[0].n, {"i": 7})
    void = of_kind(journal, Control.VOID)[0].n
    table.take_back(void)
    assert marks(table) == (1, 2)
    table.take_back(void)
    assert marks(table) == (7, 2)
    table.do("table.undo")
    table.do("table.undo")
    assert marks(table) == (7, 2)
    table.do("table.undo")
    assert marks(table) == (1, 2)


def test_a_fact_brought_back_takes_away_what_stands_in_its_place(
    table: Table, journal: Journal
) -> None:
    write(table, 1, 2)
    first = facts(journal)[0].n
    table.amend(first, {"i": 7})
    table.amend(last_fact(journal), {"i": 8})
    table.take_back(first)
    assert marks(table) == (1, 2)
    table.do("table.undo")
    assert marks(table) == (8, 2)


def test_the_answer_to_an_amendment_can_be_taken_back_alone(table: Table, journal: Journal) -> None:
    write(table, 1, 2)
    table.amend(facts(journal)[0].n, {"i": 7})
    table.take_back(last_fact(journal))
    assert marks(table) == (2,)


def test_what_an_undo_took_can_be_brought_back_by_taking_back_the_undo(
    table: Table, journal: Journal
) -> None:
    write(table, 1)
    table.do("table.undo")
    table.take_back(of_kind(journal, Control.VOID)[0].n)
    assert marks(table) == (1,)


def test_what_the_table_recorded_of_itself_cannot_be_taken_back(
    table: Table, journal: Journal
) -> None:
    table.set_level("counts", "manual")
    table.take_back(len(journal.entries))
    assert notice_of(table) == f"? {STAYS}"


def test_a_game_that_wants_entries_back_has_a_notice_and_a_step(
    table: Table, journal: Journal
) -> None:
    write(table, 1)
    table.do("counting.wipe")
    assert (marks(table), notice_of(table)) == ((), "Wiped.")
    table.do("table.undo")
    assert marks(table) == (1,)
