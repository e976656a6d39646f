"""The fact or the reason that a gesture is recorded as, with all fields of the entry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.journal.entries import Control
from companion.journal.journal import Journal
from companion.rules.facts import Fact
from companion.rules.game import Game, Step
from companion.session.table import Table
from tests.session.counting_game import COUNTING, Clock, State, apply, small_setup, small_table
from tests.session.parts import BOOT, MS, Board, facts, hello, of_kind, settle, tap


def asked(numbers: list[int], *steps: Step) -> Game[State]:
    """A counting game that notes the entry number at which it was asked for a fact."""

    def noted(state: State, fact: Fact, entry: int) -> State:
        numbers.append(entry)
        return apply(state, fact, entry)

    return replace(COUNTING, apply=noted, steps=steps)


def armed(table: Table) -> Board:
    board = Board()
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0)])
    return board


@pytest.mark.parametrize("steps", [(), COUNTING.steps], ids=["no step", "a step"])
def test_a_fact_is_asked_for_and_recorded_under_the_number_that_comes_next(
    journal: Journal, steps: tuple[Step, ...]
) -> None:
    numbers: list[int] = []
    board = armed(table := Table(asked(numbers, *steps), journal, small_setup(), host_us=Clock()))
    table.board.store(tap(board, "zone-1", 5 * MS))
    settle(table)
    (fact,) = facts(journal)
    assert numbers == [fact.n]


def test_a_fact_is_proposed_under_the_number_that_it_would_have_now(journal: Journal) -> None:
    numbers: list[int] = []
    board = armed(
        table := Table(asked(numbers, *COUNTING.steps), journal, small_setup(), host_us=Clock())
    )
    table.set_level("counts", "proposed")
    table.board.store(tap(board, "zone-1", 5 * MS))
    settle(table)
    assert numbers == [len(journal.entries) + 1]


def test_a_proposal_is_told_by_the_state_of_the_game(journal: Journal) -> None:
    board = armed(table := small_table(journal, Clock()))
    table.enter("hide", {"seat": "ada", "word": "sun"})
    table.set_level("shows", "proposed")
    table.board.store([board.press("zone-1", 5 * MS)])
    settle(table)
    proposal = table.view().proposal
    assert proposal is not None
    assert proposal.text == "ada shows sun"


def test_what_does_not_count_is_the_companions_word_once_for_all_that_it_rests_on(
    journal: Journal,
) -> None:
    board = armed(table := small_table(journal, Clock()))
    table.board.store([board.press("trigger", 5 * MS), board.hit(9 * MS)])
    settle(table)
    (ignored,) = of_kind(journal, Control.IGNORED)
    pull, hit = of_kind(journal, "event")
    assert (ignored.actor, ignored.causes) == ("companion", (pull.n, hit.n))
    assert ignored.key == f"ignored:{pull.n},{hit.n}"


def test_what_a_finger_meant_when_it_came_down_is_recorded_once_however_much_happens_meanwhile(
    journal: Journal,
) -> None:
    board = armed(table := small_table(journal, Clock()))
    table.enter("hide", {"seat": "ada", "word": "sun"})
    table.board.store([board.press("zone-1", 5 * MS)])
    settle(table, 10 * MS)
    for number in (1, 2):
        table.enter("mark", {"i": number})
    (meaning,) = of_kind(journal, Control.READ_AS)
    (press,) = of_kind(journal, "event")
    assert (meaning.body, meaning.key) == (
        {"entry": press.n, "can_hold": True},
        f"read-as:{press.n}",
    )
