"""Proposals, questions, pauses, people who come and go: the screen shows what the keys mean."""

from __future__ import annotations

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.widgets.lines import question_rows
from companion.games.panic_fire.rules.keys import actions
from companion.rules.actions import Action
from companion.rules.facts import Seat, Setup
from companion.session.key_meanings import OWN
from companion.session.views import Proposal
from tests.dashboard.correcting import marshal_table, record
from tests.dashboard.fakes import REDO, UNDO, FakeTable, ManualClock, table_view
from tests.dashboard.screen import screen_text, until
from tests.games.panic_fire.screen.views import game_view, panic_fire_table, playing, seat_views

SIZES = [(80, 24), (160, 50)]
PAGES = ("l", "v", "b", "c", "question_mark")
PROPOSED = Proposal("Ada draws, her 3rd", 6.4, 2)
ACCEPT, DISMISS, AGREE, DISAGREE = "table.accept", "table.dismiss", "table.agree", "table.disagree"
TO_PROPOSAL = {"enter": ACCEPT, "escape": DISMISS}
TO_QUESTION = {"enter": AGREE, "escape": DISAGREE}
ANSWERS = (
    Action(ACCEPT, (), "accept", "Record the proposal.", "record"),
    Action(DISMISS, (), "drop", "Do not record what is proposed.", "record"),
)


@pytest.mark.parametrize("size", SIZES)
async def test_a_proposal_is_on_every_page_with_its_keys_and_its_seconds(
    size: tuple[int, int],
) -> None:
    table = marshal_table(record(3), proposal=PROPOSED, overrides=TO_PROPOSAL)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await until(
            pilot, app, "? accept? Ada draws, her 3rd - Enter yes, Esc no, 7 s, 2 more wait"
        )
        for key in PAGES:
            await pilot.press(key)
            await pilot.pause()
            assert (
                "? accept? Ada draws, her 3rd - Enter yes, Esc no, 7 s, 2 more wait"
                in screen_text(app)
            )
            assert "At the table: Round 2 is open" in screen_text(app)


async def test_the_seconds_of_a_proposal_run_down_on_the_screen() -> None:
    table = panic_fire_table(proposal=PROPOSED, overrides=TO_PROPOSAL)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "no, 7 s,")
        ticks = table.ticks
        for left_s in (5.0, 3.0):
            table.current = playing(
                proposal=Proposal("Ada draws", left_s, 1), overrides=TO_PROPOSAL
            )
            await until(
                pilot, app, f"? accept? Ada draws - Enter yes, Esc no, {left_s:.0f} s, 1 more waits"
            )
        assert table.ticks >= ticks + 2


@pytest.mark.parametrize("opened", ["", "l", "c"])
async def test_while_a_proposal_waits_enter_and_escape_answer_it_and_nothing_else(
    opened: str,
) -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*filter(None, [opened]), "enter")
        table.publish(proposal=PROPOSED, overrides=TO_PROPOSAL)
        await until(pilot, app, "accept?")
        pages = len(app.screen_stack)
        await pilot.press("enter", "escape", "1")
        assert len(app.screen_stack) == pages
        table.publish(proposal=None, overrides={})
        await pilot.pause()
        await pilot.press("enter", "escape")
        assert len(app.screen_stack) == 1
    at_table = () if opened else ("panic-fire.draw.1", "panic-fire.fire")
    assert table.done == [*at_table[1:], ACCEPT, DISMISS, *at_table]


async def test_the_footer_says_what_the_keys_mean_meanwhile() -> None:
    table = panic_fire_table(works=lambda _: True)
    table.actions = (*table.actions, *ANSWERS)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Enter fire!" in screen_text(app)
        table.publish(proposal=PROPOSED, overrides=TO_PROPOSAL)
        await until(pilot, app, "Enter accept  Esc drop  0 fire!")
        assert "Enter fire!" not in screen_text(app)
        table.publish(proposal=None, overrides={})
        await until(pilot, app, "Enter fire!")


async def test_a_question_is_asked_before_a_proposal_and_answered_with_the_same_keys() -> None:
    question = "everybody saw the cards of zone 2: take it back all the same?"
    table = panic_fire_table(question=question, proposal=PROPOSED, overrides=TO_QUESTION)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, app, f"? {question} - Enter yes, Esc no")
        assert "? accept? Ada draws, her 3rd - after the question, 7 s, 2 more wait" in screen_text(
            app
        )
        await pilot.press("enter")
    assert table.done == [AGREE]


async def test_behind_a_form_a_proposal_says_that_the_form_has_the_keys() -> None:
    table = marshal_table(record(3), proposal=PROPOSED, overrides=TO_PROPOSAL)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Board reports")
        await pilot.press("x")
        table.publish()
        await until(pilot, app, "? accept? Ada draws, her 3rd - close this first, 7 s, 2 more wait")
        await pilot.press("enter")
        await until(pilot, app, "Enter yes, Esc no")
    assert table.done == []
    assert table.put == [("take_back", 11, "", "")]


def test_without_anything_to_answer_there_is_no_row() -> None:
    assert question_rows(table_view()) == []


@pytest.mark.parametrize("size", SIZES)
async def test_a_pause_is_told_on_every_page_in_words(size: tuple[int, int]) -> None:
    app = Dashboard(marshal_table(record(3), paused=True), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "PAUSED   keyboard only   saved")
        for key in PAGES:
            await pilot.press(key)
            await pilot.pause()
            assert "PAUSED   keyboard only   saved" in screen_text(app)


async def test_who_joins_gets_keys_and_a_place_on_every_page() -> None:
    table = panic_fire_table(3)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("4")
        assert table.done == []
        seats = (*table.current.setup.seats, Seat("yellow", "Yellow", "#F0E442", "■", "Y"))
        joined = Setup("panic-fire", 3, seats)
        table.actions = (*actions(joined), UNDO, REDO)
        table.publish(setup=joined, game=game_view(4, seats=seat_views(4)))
        await until(pilot, app, "4 draw")
        await pilot.press("4", "question_mark")
        await until(pilot, app, "Yellow draws a card.")
    assert table.done == ["panic-fire.draw.4"]
    assert app.crash is None


async def test_a_table_where_nothing_can_be_done_is_still_shown() -> None:
    app = Dashboard(FakeTable(playing(), ()), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "Purple draws")
    assert app.crash is None


def test_the_line_of_keys_answers_a_question_with_the_words_of_the_question() -> None:
    labels = {action.id: action.label for action in OWN}
    assert (labels[AGREE], labels[DISAGREE]) == ("yes", "no")
