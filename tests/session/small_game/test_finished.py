"""A finished game changes only after a yes to a question that says what changes; the answer is
recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.journal.entries import Control, Draft, Layer
from companion.journal.journal import Journal
from companion.session.table import Table
from tests.session.counting_game import (
    COUNTING,
    Clock,
    last_fact,
    marks,
    notice_of,
    small_setup,
    write,
)
from tests.session.parts import BOOT, MS, Board, hello, of_kind, reasons, settle, tap, texts

AGREE, DISAGREE, UNDO, REDO = "table.agree", "table.disagree", "table.undo", "table.redo"
LAST = 9
"""Writing this number down ends the game."""
ENDS = replace(COUNTING, over=lambda state: LAST in state.marks)
ASKS = "Change the finished game? "
GOES_ON, SAME = " Then the game continues.", " Then the result stays the same."


def table_on(journal: Journal, clock: Clock) -> Table:
    return Table(ENDS, journal, small_setup(), host_us=clock)


@pytest.fixture
def table(journal: Journal, clock: Clock) -> Table:
    """A finished game in which 1 and 9 are written down."""
    made = table_on(journal, clock)
    write(made, 1, LAST)
    assert made.view().ended
    return made


def answer(table: Table, clock: Clock, action: str) -> None:
    clock.pass_ms(1_000)
    table.do(action)


WAYS: dict[str, tuple[Callable[[Table, Journal], None], str]] = {
    "undo": (lambda table, _: table.do(UNDO), f"Undone: 9 is written down.{GOES_ON}"),
    "a key": (
        lambda table, _: table.do("counting.count.1"),
        "New: ada counts. Then the result changes: Ada wins with 1 point.",
    ),
    "enter": (lambda table, _: table.enter("mark", {"i": 4}), f"New: 4 is written down.{SAME}"),
    "wipe": (
        lambda table, _: table.do("counting.wipe"),
        f"Deleted: 9 is written down.{GOES_ON}",
    ),
    "take back": (
        lambda table, journal: table.take_back(last_fact(journal)),
        f"Deleted: 9 is written down.{GOES_ON}",
    ),
    "amend": (
        lambda table, journal: table.amend(last_fact(journal), {"i": 5}),
        f"Changed: 5 is written down.{GOES_ON}",
    ),
    "insert": (
        lambda table, _: table.insert("mark", {"i": 2}, after=1),
        f"Added: 2 is written down.{SAME}",
    ),
    "a score": (
        lambda table, _: table.enter(
            "score_set", {"seat": "bo", "score": 5, "reason": "miscounted"}
        ),
        "New: Bo's score is set to 5 by hand: miscounted. Then the result changes: Bo wins with 5 points.",
    ),
    "people": (lambda table, _: table.enter("seat_leaves", {"seat": "cy"}), "New: Cy leaves"),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_change_a_finished_game_asks_what_it_changes(
    table: Table, journal: Journal, clock: Clock, way: str
) -> None:
    do, question = WAYS[way]
    entries, state = len(journal.entries), table.view().game
    do(table, journal)
    view = table.view()
    assert view.question is not None
    assert view.question.startswith(f"{ASKS}{question}")
    assert view.overrides == {"enter": AGREE, "escape": DISAGREE}
    assert (view.game, len(journal.entries)) == (state, entries), (
        "nothing is done before the answer"
    )
    answer(table, clock, DISAGREE)
    assert (table.view().game, table.view().question) == (state, None)
    assert notice_of(table) == "Nothing was changed: the result stays."


def test_the_yes_is_recorded_beside_what_it_allowed(
    table: Table, journal: Journal, clock: Clock
) -> None:
    end = last_fact(journal)
    table.do(UNDO)
    answer(table, clock, AGREE)
    void, consent = journal.entries[-2:]
    assert void.body["entry"] == end
    assert (consent.kind, consent.causes) == (Control.CONSENT, (void.n,))
    assert consent.body == {
        "entry": void.n,
        "agreed": True,
        "text": "undone: 9 is written down",
        "finished": True,
    }
    assert not table.view().ended
    assert (
        texts(table.view())[-1]
        == "the table agreed to change the finished game: undone: 9 is written down"
    )
    assert notice_of(table) == "Undone: 9 is written down."


def test_the_no_is_recorded_too(table: Table, journal: Journal, clock: Clock) -> None:
    table.enter("mark", {"i": 4})
    answer(table, clock, DISAGREE)
    consent = journal.entries[-1]
    assert (consent.kind, consent.body["agreed"], consent.body["finished"]) == (
        Control.CONSENT,
        False,
        True,
    )
    line = "the table did not agree to change the finished game: new: 4 is written down"
    assert texts(table.view())[-1] == line


def test_a_game_that_goes_on_is_changed_without_a_question(table: Table, clock: Clock) -> None:
    table.do(UNDO)
    answer(table, clock, AGREE)
    write(table, 3)
    table.do(UNDO)
    table.do(REDO)
    assert table.view().question is None
    assert marks(table) == (1, 3)
    write(table, LAST)  # the end itself is no change of a finished game
    assert (table.view().question, table.view().ended) == (None, True)


def test_a_redo_in_a_finished_game_asks(journal: Journal, clock: Clock) -> None:
    table = table_on(journal, clock)
    write(table, LAST)
    table.enter("mark", {"i": 4})
    answer(table, clock, AGREE)
    table.do(UNDO)
    answer(table, clock, AGREE)
    assert marks(table) == (LAST,)
    table.do(REDO)
    assert table.view().question == f"{ASKS}Restored: 4 is written down.{SAME}"
    answer(table, clock, DISAGREE)
    assert marks(table) == (LAST,)


def test_a_game_that_was_ended_early_is_finished(journal: Journal, clock: Clock) -> None:
    table = table_on(journal, clock)
    table.enter("abandon", {"reason": "the bus"})
    table.do(UNDO)
    assert (
        table.view().question == f"{ASKS}Undone: the table ends the game early: the bus.{GOES_ON}"
    )
    answer(table, clock, AGREE)
    assert not table.view().ended


def test_a_revelation_in_a_finished_game_is_asked_about_in_the_same_question(
    journal: Journal, clock: Clock
) -> None:
    table = table_on(journal, clock)
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    table.enter("show", {"seat": "ada"})
    show = last_fact(journal)
    write(table, LAST)
    table.take_back(show)
    assert table.view().question == (
        f"{ASKS}Deleted: ada shows rosebud.{SAME}"
        " Players have seen this already: ada shows rosebud (the word of ada, to everybody)."
    )
    answer(table, clock, AGREE)
    assert [
        consent.body.get("finished", False) for consent in of_kind(journal, Control.CONSENT)
    ] == [False, True]
    assert table.view().game["shown"] == ()


def test_a_question_from_before_the_end_is_asked_again_after_it(
    journal: Journal, clock: Clock
) -> None:
    table = table_on(journal, clock)
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    table.enter("show", {"seat": "ada"})
    table.do(UNDO)
    write(table, LAST)
    answer(table, clock, AGREE)
    assert table.view().game["shown"] == ("ada",)
    assert (table.view().question or "").startswith(ASKS)


class Hands:
    """Taps zones of a board at moments of its clock."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.board = Board()
        table.board.on_identified(hello(), BOOT)
        table.board.store([self.board.armed(0)])

    def tap(self, channel: str, us: int) -> None:
        self.table.board.store(tap(self.board, channel, us))
        settle(self.table, us + 400 * MS)


def ended_at(table: Table, us: int) -> None:
    table.enter("mark", {"i": LAST, "at": {"us": us, "clock": f"board-{BOOT:04x}", "pm": 0}})


WINS = "the result changes: Ada wins with 1 point"


def test_a_tap_after_the_end_is_asked_about_once_with_what_it_changes(
    journal: Journal, clock: Clock
) -> None:
    table = table_on(journal, clock)
    hands = Hands(table)
    ended_at(table, 500 * MS)
    hands.tap("zone-1", 1_000 * MS)
    proposal = table.view().proposal
    assert proposal is not None
    assert (proposal.text, table.view().game["counts"]) == (
        f"ada counts; the game is over, then {WINS}",
        (),
    )
    answer(table, clock, "table.accept")
    assert (table.view().question, table.view().proposal, table.view().game["counts"]) == (
        None,
        None,
        ("ada",),
    )
    (consent,) = of_kind(journal, Control.CONSENT)
    assert (consent.body["agreed"], consent.body["finished"], consent.body["text"]) == (
        True,
        True,
        "new: ada counts",
    )


def test_a_tap_after_the_end_that_is_dropped_stays_evidence(journal: Journal, clock: Clock) -> None:
    table = table_on(journal, clock)
    hands = Hands(table)
    ended_at(table, 500 * MS)
    hands.tap("zone-1", 1_000 * MS)
    answer(table, clock, "table.dismiss")
    assert (reasons(journal), table.view().game["counts"]) == (
        ["proposed, dropped: ada counts"],
        (),
    )


def test_a_proposal_from_before_the_end_says_what_it_changes_once_the_game_is_over(
    journal: Journal, clock: Clock
) -> None:
    table = table_on(journal, clock)
    table.set_level("counts", "proposed")
    hands = Hands(table)
    hands.tap("zone-1", 100 * MS)
    assert [table.view().proposal.text] == ["ada counts"]  # type: ignore[union-attr]
    ended_at(table, 900 * MS)
    assert [table.view().proposal.text] == [f"ada counts; the game is over, then {WINS}"]  # type: ignore[union-attr]
    answer(table, clock, "table.accept")
    assert (table.view().question, table.view().game["counts"]) == (None, ("ada",))


def test_a_proposal_that_shows_something_after_the_end_is_asked_about_for_that(
    journal: Journal, clock: Clock
) -> None:
    table = table_on(journal, clock)
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    hands = Hands(table)
    ended_at(table, 50 * MS)
    hands.table.board.store(
        [hands.board.press("zone-1", 100 * MS), hands.board.release("zone-1", 900 * MS)]
    )
    settle(table, 1_200 * MS)
    proposal = table.view().proposal
    assert proposal is not None
    assert proposal.text.startswith("ada shows")
    answer(table, clock, "table.accept")
    assert (table.view().question, table.view().game["shown"]) == (None, ("ada",))


@pytest.mark.parametrize(("us", "counts"), [(400, True), (500, True), (501, False)])
def test_what_the_board_stamped_up_to_the_end_counts_and_is_told(
    journal: Journal, clock: Clock, us: int, counts: bool
) -> None:
    table = table_on(journal, clock)
    hands = Hands(table)
    ended_at(table, 500 * MS - 100)  # the board's stamps are 100 us off at most
    hands.tap("zone-1", us * MS)
    assert (table.view().game["counts"] == ("ada",)) is counts
    last = notice_of(table)
    expected = "The board reported something from before the end, late. The result changes: Ada wins with 1 point."
    assert last == (expected if counts else "")


def test_reading_the_evidence_again_changes_a_finished_game_and_tells_of_it(
    journal: Journal, clock: Clock
) -> None:
    table = table_on(journal, clock)
    # so that a hold of its zone means something
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    hands = Hands(table)
    hands.table.board.store(
        [hands.board.press("zone-1", 100 * MS), hands.board.release("zone-1", 500 * MS)]
    )
    settle(table, 800 * MS)
    ended_at(table, 900 * MS)
    assert table.view().game["counts"] == ("ada",)
    settings = replace(table.look(lambda record: record.settings), hold_us=300_000)
    table.accept(table.inspection.reread(settings))
    assert (table.view().question, table.view().game["counts"], table.view().game["shown"]) == (
        None,
        (),
        ("ada",),
    )
    assert notice_of(table) == (
        "The sensors were re-read; after the end, the result changes: Ada, Bo and Cy share the victory with 0"
        " points."
    )


def test_a_rereading_asks_only_about_what_it_showed(journal: Journal, clock: Clock) -> None:
    table = table_on(journal, clock)
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    hands = Hands(table)
    hands.table.board.store(
        [hands.board.press("zone-1", 100 * MS), hands.board.release("zone-1", 900 * MS)]
    )
    settle(table, 1_000 * MS)
    ended_at(table, 1_100 * MS)
    assert table.view().game["shown"] == ("ada",)
    settings = replace(table.look(lambda record: record.settings), hold_us=1_000_000)
    table.accept(table.inspection.reread(settings))
    question = table.view().question or ""
    assert question.startswith("Players have seen this already")
    answer(table, clock, AGREE)
    assert (table.view().question, table.view().game["shown"], table.view().game["counts"]) == (
        None,
        (),
        ("ada",),
    )


def test_nothing_but_facts_is_asked_about(table: Table) -> None:
    table.set_level("counts", "manual")
    table.set_board({"lock_us": 20_000})
    table.take_proposals(True)
    assert (table.view().question, table.view().ended) == (None, True)


def test_what_was_recorded_after_an_end_folds_as_it_did(journal: Journal, clock: Clock) -> None:
    journal.append(*(Draft(Layer.FACT, "mark", {"i": i}, actor="keyboard") for i in (LAST, 4)))
    assert marks(table_on(journal, clock)) == (LAST, 4)
