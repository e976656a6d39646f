"""Questions about the rules on the help page: typed, answered, left; and the same in plain lines."""

from __future__ import annotations

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.typed_pages import TypedPages
from companion.rules.registry import open_game
from companion.session.views import LineKind, LogLine
from tests.dashboard.fakes import FakeTable, ManualClock
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import panic_fire_table

SIZES = [(80, 24), (160, 50)]
SHOT = LogLine(9, "20:15:00", LineKind.FACT, "Red is out of the round (PF-12)", 9)


def page_of(*log: LogLine) -> tuple[FakeTable, Dashboard]:
    table = panic_fire_table(3, log=log) if log else panic_fire_table(3)
    return table, Dashboard(table, clock=ManualClock())


@pytest.mark.parametrize("size", SIZES)
async def test_a_question_on_the_help_page_is_answered_while_it_is_typed(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    table, app = page_of()
    async with app.run_test(size=size) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        assert "/ ask about the rules" in screen_text(app)
        await pilot.press("slash", *"sheild hand")
        await pilot.pause()
        shown = screen_text(app)
        assert "About the rules: sheild hand" in shown
        assert "may spend one from the hand instead" in " ".join(shown.split())
        assert "House rule" in shown
        assert table.done == [], "no letter was a key of the game"
        await pilot.press("enter")
        await pilot.pause()
        assert "/ ask again" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "Works now" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "Works now" not in screen_text(app)


async def test_at_an_answer_the_letters_of_a_next_question_change_nothing_and_say_how_to_ask() -> (
    None
):
    table, app = page_of()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark", "slash", *"who wins", "enter", *"u1")
        await pilot.pause()
        assert "! The table's keys do nothing here: / asks, Esc goes back." in screen_text(app)
        assert table.done == []
        await pilot.press("escape", "1")
        await pilot.pause()
        assert "Works now" in screen_text(app)
        assert "! The table's keys do nothing here: / asks, Esc goes back." in screen_text(app)
    assert table.done == [], "nor among the keys, which only says what they do"


async def test_on_the_page_of_reasons_letters_change_nothing_and_the_slash_asks() -> None:
    table, app = page_of(SHOT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert "/ ask about the rules" in screen_text(app)
        await pilot.press(*"u1x", "enter")
        await pilot.pause()
        assert "do nothing here" in screen_text(app)
        await pilot.press("slash")
        await pilot.pause()
        await pilot.press(*"sheild hand", "enter")
        await pilot.pause()
        assert "About the rules: sheild hand" in screen_text(app)
    assert table.done == []


async def test_from_the_reasons_of_an_answer_the_slash_asks_again_on_its_page() -> None:
    _, app = page_of(SHOT)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("question_mark", "slash", *"what does a shield do", "enter", "enter")
        await pilot.pause()
        assert "Why" in screen_text(app).split("\n")[1]
        await pilot.press("slash")
        await pilot.pause()
        shown = screen_text(app)
        assert "About the rules: what does a shield do" in shown
        assert "Enter ends typing" in shown
        await pilot.press("enter", "escape", "escape")
        await pilot.pause()
        assert "About the rules" not in screen_text(app)
        assert len(app.screen_stack) == 1, "the page was open once"


async def test_a_question_of_the_table_is_answered_on_the_page_of_reasons_too() -> None:
    table = panic_fire_table(3, overrides={"y": "table.agree"})
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+r", "y")
        await pilot.pause()
    assert table.done == ["table.agree"]


async def test_enter_opens_the_reasons_of_the_newest_ruling_about_the_question() -> None:
    _, app = page_of(SHOT)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("question_mark", "slash", *"what does a shield do", "enter")
        await pilot.pause()
        shown = screen_text(app)
        assert "Log, line 9" in shown
        assert "Red is out of the round." in shown
        assert "Enter why" in shown
        await pilot.press("enter")
        await pilot.pause()
        assert "Why" in screen_text(app).split("\n")[1]


async def test_the_key_of_the_log_goes_to_the_line_that_an_answer_names() -> None:
    later = [LogLine(n, "20:15:01", LineKind.FACT, f"red draws {n}", n) for n in range(10, 60)]
    _, app = page_of(SHOT, *later)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark", "slash", *"what does a shield do", "enter")
        await pilot.pause()
        assert "l its line in the log" in screen_text(app)
        await pilot.press("l")
        await pilot.pause()
        shown = screen_text(app)
        assert "> 20:15:00  · Red is out of the round" in shown
        assert "Enter why" in shown
        await pilot.press("escape", "l")
        await pilot.pause()
        assert "Red is out of the round" not in screen_text(app), "the log opens at its newest line"


async def test_a_question_that_no_rule_answers_is_told_so() -> None:
    _, app = page_of()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark", "slash", *"can we play in teams", "enter")
        await pilot.pause()
        assert "The rules do not say. Panic Fire is for 2 to 5 players." in screen_text(app)


def typed(line: str, *log: LogLine) -> list[str]:
    """Return what plain lines print for a line."""
    table, said = (panic_fire_table(3, log=log) if log else panic_fire_table(3)), list[str]()
    assert TypedPages(table, open_game("panic-fire"), said.append).do(line)
    return said


def test_words_after_the_key_of_help_are_a_question_in_plain_lines() -> None:
    said = typed("? sheild hand", SHOT)
    assert said[0].startswith("A Shield in play is spent on the shot")
    assert any(line.startswith("House rule: ") for line in said)
    assert "Log, line 9: Red is out of the round." in said
    assert said[-1] == "  ^r 9 says why."


def test_help_in_plain_lines_says_that_it_answers_questions() -> None:
    assert any("? who may shoot: What the rules say" in line for line in typed("?"))
