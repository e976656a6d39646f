"""Consent: what showed something is taken back only after the table agreed, and the answer is
recorded."""

from __future__ import annotations

import pytest

from companion.journal.entries import Control
from companion.journal.journal import Journal
from companion.session.table import Table
from tests.session.counting_game import Clock, last_fact, marks, notice_of, small_table
from tests.session.parts import RESUMED, facts, of_kind, texts

AGREE, DISAGREE, UNDO, REDO = "table.agree", "table.disagree", "table.undo", "table.redo"
TEXT = "the word of ada, to everybody"


@pytest.fixture
def table(journal: Journal, clock: Clock) -> Table:
    """Ada has hidden a word and shown it."""
    made = small_table(journal, clock)
    made.enter("hide", {"seat": "ada", "word": "rosebud"})
    made.enter("show", {"seat": "ada"})
    return made


def shown(table: Table) -> tuple[str, ...]:
    seats: tuple[str, ...] = table.view().game["shown"]
    return seats


def answer(table: Table, clock: Clock, action: str) -> None:
    clock.pass_ms(1_000)
    table.do(action)


def test_an_undo_of_a_revelation_is_a_question_with_what_was_shown(
    table: Table, journal: Journal
) -> None:
    count = len(journal.entries)
    table.do(UNDO)
    view = table.view()
    assert view.question is not None
    assert view.question == (
        f"Players have seen this already: ada shows rosebud ({TEXT}). Does everybody agree to undo it?"
    )
    assert view.overrides == {"enter": AGREE, "escape": DISAGREE}
    assert (shown(table), len(journal.entries)) == (("ada",), count)


def test_once_agreed_the_answer_and_the_void_are_appended_together(
    table: Table, journal: Journal, clock: Clock
) -> None:
    show = last_fact(journal)
    table.do(UNDO)
    answer(table, clock, AGREE)
    consent, void = journal.entries[-2:]
    assert (consent.kind, consent.body, consent.causes) == (
        Control.CONSENT,
        {"entry": show, "agreed": True, "text": TEXT},
        (show,),
    )
    assert void.body["entry"] == show
    assert (shown(table), notice_of(table), table.view().question) == (
        (),
        "Undone: ada shows rosebud.",
        None,
    )
    assert f"the table agreed to undo what was shown: {TEXT}" in texts(table.view())


def test_without_everybodys_yes_nothing_is_taken_back_and_that_is_recorded_too(
    table: Table, journal: Journal, clock: Clock
) -> None:
    show = last_fact(journal)
    table.do(UNDO)
    answer(table, clock, DISAGREE)
    assert journal.entries[-1].body == {"entry": show, "agreed": False, "text": TEXT}
    assert of_kind(journal, Control.VOID) == []
    assert (shown(table), table.view().question) == (("ada",), None)
    assert notice_of(table) == "Not everybody agreed: nothing was undone."
    assert texts(table.view())[-1] == f"the table did not agree, so nothing was undone: {TEXT}"


def test_who_plays_alone_is_not_asked_for_everybody(
    table: Table, journal: Journal, clock: Clock
) -> None:
    show = last_fact(journal)
    for seat in ("bo", "cy"):
        table.enter("seat_leaves", {"seat": seat})
    table.take_back(show)
    question = table.view().question
    assert question is not None
    assert question.endswith("Undo it anyway?")
    answer(table, clock, DISAGREE)
    assert notice_of(table) == "Nothing was undone."


@pytest.mark.parametrize("verb", ["take back", "amend"])
def test_every_way_to_take_it_back_asks(
    table: Table, journal: Journal, clock: Clock, verb: str
) -> None:
    table.enter("hide", {"seat": "bo", "word": "sled"})
    show = facts(journal)[1].n
    if verb == "take back":
        table.take_back(show, why="too early", who="bo")
    else:
        table.enter("hide", {"seat": "cy", "word": "snow"})
        table.amend(show, {"seat": "ada", "at": None})
        assert table.view().question is None  # nothing would change
        table.insert("hide", {"seat": "cy", "word": "x"}, after=0)
        table.amend(show, {"seat": "cy"})
    assert table.view().question is not None
    assert shown(table) == ("ada",)
    answer(table, clock, AGREE)
    assert shown(table) == (() if verb == "take back" else ("cy",))
    assert len(of_kind(journal, Control.CONSENT)) == 1


def test_what_shows_nothing_is_taken_back_without_a_question(table: Table) -> None:
    table.enter("mark", {"i": 3})
    table.do(UNDO)
    assert table.view().question is None
    assert marks(table) == ()


def test_what_does_not_count_any_more_needs_no_consent(
    table: Table, journal: Journal, clock: Clock
) -> None:
    show = last_fact(journal)
    table.do(UNDO)
    answer(table, clock, AGREE)
    table.take_back(show)
    assert shown(table) == ("ada",)
    assert table.view().question is None


def test_a_redo_that_takes_a_revelation_away_again_asks_again(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.take_back(last_fact(journal))
    answer(table, clock, AGREE)
    table.do(UNDO)
    assert shown(table) == ("ada",)
    table.do(REDO)
    assert table.view().question is not None
    answer(table, clock, AGREE)
    assert shown(table) == ()
    assert [entry.body["agreed"] for entry in of_kind(journal, Control.CONSENT)] == [True, True]


def test_a_revelation_brought_back_by_an_undo_needs_no_consent(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.do(UNDO)
    answer(table, clock, AGREE)
    table.do(REDO)
    assert (shown(table), table.view().question) == (("ada",), None)


def test_consent_is_for_the_step_that_was_asked_about_whatever_came_meanwhile(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.do(UNDO)
    table.enter("mark", {"i": 3})
    answer(table, clock, AGREE)
    assert (shown(table), marks(table)) == ((), (3,))
    assert notice_of(table) == "Undone: ada shows rosebud."
    assert (
        texts(table.view())[-1] == "deleted: ada shows rosebud - undone once the table had agreed"
    )
    table.do(UNDO)
    assert shown(table) == ("ada",)


def test_one_question_at_a_time(table: Table, journal: Journal, clock: Clock) -> None:
    table.do(UNDO)
    clock.pass_ms(1_000)
    table.do(UNDO)
    assert notice_of(table) == "? Answer this first."
    answer(table, clock, DISAGREE)
    assert table.view().question is None


def test_the_key_of_redo_restores_nothing_while_a_question_is_asked_and_names_its_answers(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.enter("hide", {"seat": "bo", "word": "sled"})
    table.do(UNDO)
    assert table.view().works(REDO)
    table.do(UNDO)
    clock.pass_ms(1_000)
    count = len(journal.entries)
    assert table.view().question is not None
    assert not table.view().works(REDO)
    table.do(REDO)
    assert notice_of(table) == "? Answer the question first. Press Enter for yes, Esc for no."
    assert len(journal.entries) == count
    answer(table, clock, DISAGREE)
    assert table.view().works(REDO)


def test_an_answer_to_nothing_does_nothing(table: Table, journal: Journal) -> None:
    count = len(journal.entries)
    for action in (AGREE, DISAGREE):
        table.do(action)
        assert notice_of(table) == "? Nothing is asked any more."
    assert len(journal.entries) == count


def test_what_a_revelation_stands_on_is_taken_back_only_with_consent(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.enter("mark", {"i": 3})
    hide, show, mark = (fact.n for fact in facts(journal))
    table.take_back(mark)
    assert table.view().question is None
    table.take_back(hide)
    assert table.view().question is not None
    assert shown(table) == ("ada",)
    answer(table, clock, AGREE)
    assert shown(table) == ()
    assert notice_of(table).endswith("1 later entry makes no sense now: see the log.")
    assert of_kind(journal, Control.CONSENT)[0].body == {
        "entry": show,
        "agreed": True,
        "text": TEXT,
    }


def test_a_revelation_that_makes_no_sense_any_more_was_seen_all_the_same(
    table: Table, journal: Journal, clock: Clock
) -> None:
    hide, show = (fact.n for fact in facts(journal))
    table.take_back(hide)
    answer(table, clock, AGREE)
    table.take_back(show)
    assert table.view().question is not None


def test_a_resumed_session_asks_too_and_has_forgotten_the_question(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.do(UNDO)
    journal.append(RESUMED)
    again = small_table(journal, clock)
    assert again.view().question is None
    again.do(UNDO)
    assert again.view().question is not None
    assert shown(again) == ("ada",)
