"""Steps done automatically, proposed first, or by hand only; a pending proposal is not in the
record."""

from __future__ import annotations

import pytest

from companion.journal.entries import Control, Layer
from companion.journal.journal import Journal
from companion.session.interpreter import PROPOSAL_US, UNANSWERED
from companion.session.table import Table
from tests.session.counting_game import Clock, notice_of, small_table
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
    tap,
    texts,
)

ACCEPT, DISMISS = "table.accept", "table.dismiss"


@pytest.fixture
def table(journal: Journal, clock: Clock) -> Table:
    return armed(small_table(journal, clock))


def armed(table: Table) -> Table:
    table.board.on_identified(hello(), BOOT)
    table.board.store([Board().armed(0)])
    return table


class Hands:
    """Makes taps one after the other, each of them settled."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.board = Board()
        self.board.seq = 1  # the arming
        self.us = 0

    def tap(self, zone: int) -> None:
        self.us += 500 * MS
        self.table.board.store(tap(self.board, f"zone-{zone}", self.us))
        settle(self.table, self.us + 400 * MS)


@pytest.fixture
def hands(table: Table) -> Hands:
    return Hands(table)


def counts(table: Table) -> tuple[str, ...]:
    counted: tuple[str, ...] = table.view().game["counts"]
    return counted


def test_a_step_by_hand_keeps_the_evidence_and_says_why_it_does_not_count(
    table: Table, hands: Hands, journal: Journal
) -> None:
    table.set_level("counts", "manual")
    hands.tap(1)
    assert facts(journal) == []
    assert reasons(journal) == ["counts: entered by hand here"]
    assert len(of_kind(journal, "event")) == 2


def test_other_steps_go_on_by_themselves(table: Table, hands: Hands) -> None:
    table.set_level("shows", "manual")
    hands.tap(1)
    assert counts(table) == ("ada",)


def test_a_level_that_is_none_and_a_step_that_is_none_are_refused(
    table: Table, journal: Journal
) -> None:
    table.set_level("jumps", "manual")
    assert notice_of(table) == "? There is no step 'jumps' that could be 'manual'."
    table.set_level("counts", "sometimes")
    assert notice_of(table) == "? There is no step 'counts' that could be 'sometimes'."
    assert of_kind(journal, Control.LEVELS) == []


def test_a_level_is_told_in_the_log_and_comes_back_on_resume(
    table: Table, hands: Hands, journal: Journal, clock: Clock
) -> None:
    table.set_level("counts", "manual")
    assert texts(table.view())[-1] == "from now on, counts: entered by hand only"
    journal.append(RESUMED)
    hands.table = small_table(journal, clock)
    hands.tap(1)
    assert facts(journal) == []


def test_a_proposal_is_shown_with_its_time_and_is_not_in_the_record(
    table: Table, hands: Hands, journal: Journal, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    before = len(journal.entries)
    hands.tap(1)
    hands.tap(2)
    assert {entry.layer for entry in journal.entries[before:]} == {Layer.EVIDENCE}
    view = table.view()
    assert view.proposal is not None
    assert (view.proposal.text, view.proposal.left_s, view.proposal.waiting) == (
        "ada counts",
        10.0,
        1,
    )
    assert view.overrides == {"enter": ACCEPT, "escape": DISMISS}
    clock.pass_ms(4_000)
    view = table.view()
    assert view.proposal is not None
    assert view.proposal.left_s == 6.0


def test_an_accepted_proposal_is_the_fact_that_the_board_would_have_made(
    table: Table, hands: Hands, journal: Journal, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    hands.tap(1)
    clock.pass_ms(2_000)
    table.do(ACCEPT)
    (fact,) = facts(journal)
    events = of_kind(journal, "event")
    assert (fact.actor, fact.causes, fact.t_us) == ("board", (events[0].n,), 500 * MS)
    assert fact.key == f"count:{events[0].n}"
    assert (table.view().proposal, table.view().overrides) == (None, {})


def test_proposals_are_answered_in_their_order(table: Table, hands: Hands, clock: Clock) -> None:
    table.set_level("counts", "proposed")
    for zone in (1, 2, 3):
        hands.tap(zone)
    for action in (ACCEPT, DISMISS, ACCEPT):
        clock.pass_ms(1_000)
        table.do(action)
    assert counts(table) == ("ada", "cy")


def test_a_proposal_that_is_dropped_says_so(
    table: Table, hands: Hands, journal: Journal, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    hands.tap(1)
    clock.pass_ms(1_000)
    table.do(DISMISS)
    assert reasons(journal) == ["proposed, dropped: ada counts"]
    assert texts(table.view())[-1] == "not counted: proposed, dropped: ada counts"


def test_time_drops_a_proposal_visibly_and_gives_the_next_one_all_of_its_time(
    table: Table, hands: Hands, journal: Journal, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    hands.tap(1)
    hands.tap(2)
    clock.now += PROPOSAL_US - 1
    table.tick()
    assert reasons(journal) == []
    clock.now += 1
    table.tick()
    assert reasons(journal) == [f"proposed, {UNANSWERED}: ada counts"]
    view = table.view()
    assert view.proposal is not None
    assert (view.proposal.text, view.proposal.left_s, view.proposal.waiting) == (
        "bo counts",
        10.0,
        0,
    )


def test_a_tick_publishes_only_when_a_screen_shows_something_else(
    table: Table, hands: Hands, clock: Clock
) -> None:
    published: list[int] = []
    table.subscribe(lambda: published.append(1))
    table.tick()
    assert published == []
    table.set_level("counts", "proposed")
    hands.tap(1)
    table.tick()
    published.clear()
    clock.pass_ms(250)
    table.tick()
    seen = len(published)
    for _ in range(3):
        clock.pass_ms(250)
        table.tick()
    assert (seen, len(published)) == (0, 1)


def test_the_rules_are_asked_again_when_a_proposal_is_accepted(
    table: Table, hands: Hands, journal: Journal, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    hands.tap(1)
    table.do("table.pause")
    clock.pass_ms(1_000)
    table.do(ACCEPT)
    assert notice_of(table) == "? The clock stands still. Press z to continue first."
    assert reasons(journal) == [
        "proposed, accepted too late: ada counts - the clock stands still (PAUSE)"
    ]
    assert counts(table) == ()


def test_what_the_rules_refuse_is_never_proposed(
    table: Table, hands: Hands, journal: Journal
) -> None:
    table.set_level("counts", "proposed")
    table.do("table.pause")
    hands.tap(1)
    assert table.view().proposal is None
    assert reasons(journal) == ["the clock stands still (PAUSE)"]


def test_an_answer_to_a_proposal_that_is_gone_does_nothing(table: Table, journal: Journal) -> None:
    for action in (ACCEPT, DISMISS):
        table.do(action)
        assert notice_of(table) == "? Nothing is proposed any more."
    assert facts(journal) == []


def test_after_a_crash_what_nobody_answered_is_proposed_again_and_what_was_answered_is_not(
    table: Table, hands: Hands, journal: Journal, clock: Clock
) -> None:
    table.set_level("counts", "proposed")
    for zone in (1, 2, 3):
        hands.tap(zone)
    for action in (ACCEPT, DISMISS):
        clock.pass_ms(1_000)
        table.do(action)
    journal.append(RESUMED)
    again = small_table(journal, clock)
    assert again.view().proposal is None
    settle(again, hands.us + 400 * MS)
    view = again.view()
    assert view.proposal is not None
    assert (view.proposal.text, view.proposal.waiting) == ("cy counts", 0)
    clock.pass_ms(1_000)
    again.do(ACCEPT)
    assert counts(again) == ("ada", "cy")
    assert len(of_kind(journal, "count")) == 2


def test_what_is_proposed_holds_up_nothing_else(table: Table, hands: Hands, clock: Clock) -> None:
    table.set_level("counts", "proposed")
    hands.tap(1)
    clock.pass_ms(1_000)
    table.do("counting.count.2")
    table.set_level("counts", "automatic")
    hands.tap(3)
    clock.pass_ms(1_000)
    table.do(ACCEPT)
    assert counts(table) == ("bo", "cy", "ada")
