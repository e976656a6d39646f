"""The running log beside a game: what happened in words, once, the newest line first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.log import condensed
from companion.games.panic_fire.screen.game_screen import PanicFireScreen
from companion.session.views import LineKind, LogLine
from tests.dashboard.fakes import ManualClock, line
from tests.dashboard.recorded import recorded
from tests.dashboard.screen import screen_text, shown

STEPS, ROUNDS = PanicFireScreen.steps, PanicFireScreen.counts_from
FIRED, HIT = "the gun fired", "Red was shot at"


def told(*facts: tuple[str, str]) -> list[LogLine]:
    """Return lines of facts, given as kind and text."""
    return [replace(line(n, text), fact=kind) for n, (kind, text) in enumerate(facts, start=1)]


def texts(lines: Sequence[LogLine]) -> list[str]:
    return [each.text for each in condensed(lines, STEPS, ROUNDS)]


def test_a_shot_that_is_named_is_one_line() -> None:
    lines = told(("shot", FIRED), ("target", HIT), ("shooter", "Blue shot Red: Red is out"))
    assert texts(lines[:1]) == [FIRED]
    assert texts(lines[:2]) == [HIT]
    assert texts(lines) == ["Blue shot Red: Red is out"]


def test_draws_between_the_steps_of_a_shot_stay() -> None:
    lines = told(
        ("shot", FIRED),
        ("draw", "Red draws"),
        ("target", HIT),
        ("draw", "Blue draws"),
        ("shooter", "Blue shot Red: Red is out"),
    )
    assert texts(lines) == ["Red draws", "Blue draws", "Blue shot Red: Red is out"]


def test_a_second_shot_stays_until_it_is_named_itself() -> None:
    lines = told(
        ("shot", FIRED),
        ("shot", "the gun fired again"),
        ("target", HIT),
        ("shooter", "Blue shot Red: Red is out"),
    )
    assert texts(lines) == ["the gun fired again", "Blue shot Red: Red is out"]


def test_a_shot_that_nobody_named_stays_when_the_next_round_has_its_own() -> None:
    lines = told(
        ("shot", FIRED),
        ("fire", "fire! round 2 starts"),
        ("shot", "the gun fired again"),
        ("target", HIT),
    )
    assert texts(lines) == [FIRED, "fire! round 2 starts", HIT]


def test_a_step_that_was_taken_back_brings_back_what_it_stood_for() -> None:
    lines = told(("shot", FIRED), ("target", HIT))
    undone = [lines[0], replace(lines[1], kind=LineKind.VOIDED, fact="")]
    assert texts(undone) == [FIRED, HIT]


def test_what_was_undone_is_the_line_that_says_so_alone() -> None:
    draw = replace(line(1, "Red draws"), kind=LineKind.VOIDED)
    undo = replace(line(2, "undone: Red draws"), kind=LineKind.RECORD)
    assert texts([draw, undo]) == ["undone: Red draws"]
    other = replace(line(2, "deleted by Ann: Blue draws - a sleeve"), kind=LineKind.RECORD)
    assert texts([draw, other]) == ["Red draws", other.text]


def test_equal_lines_in_a_row_are_one_with_their_number() -> None:
    lines = told(*[("draw", "Red draws")] * 3, ("draw", "Blue draws"), ("draw", "Red draws"))
    shown = condensed(lines, STEPS, ROUNDS)
    assert [each.text for each in shown] == ["Red draws (3 times)", "Blue draws", "Red draws"]
    assert shown[0].time == lines[2].time, "the newest of them"


def test_a_deed_without_its_reason_does_not_follow_the_line_that_has_it() -> None:
    card, deed = (
        "AI black: Airship to Gusty Gorge (it shows most)",
        "AI black: Airship to Gusty Gorge, done",
    )
    assert texts(told(("ai_turn", card), ("ai_done", deed))) == [card]


@pytest.mark.parametrize("size", [(110, 32), (160, 50)])
async def test_what_the_panel_leaves_out_is_on_the_page_of_the_log(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("panic-fire", "six-rounds", 25, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            panel = screen_text(app)
            assert "Red shot Green: Green is out" in panel
            assert "Green was shot at" not in panel
            assert "the gun fired" not in panel
            await pilot.press("l")
            await pilot.pause()
            page = screen_text(app)
    assert "Green was shot at" in page
    assert "the gun fired" in page


@pytest.mark.parametrize("size", [(80, 24), (110, 32), (160, 50)])
async def test_the_newest_line_comes_first_on_every_screen(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("panic-fire", "six-rounds", 25, tmp_path) as table:
        panel = await shown(table, size)
    match = panel.index("· the shooter held the match")
    assert match < panel.index("· Red shot Green: Green is out") < panel.index("· Green draws")


async def test_a_launch_and_its_answer_are_one_line(tmp_path: Path) -> None:
    with recorded("skyfire", "misfires-by-hand", 30, tmp_path) as table:
        asked = await shown(table, (160, 50))
        table.do("skyfire.satisfied")
        answered = await shown(table, (160, 50))
    assert "· Bo launches zone 1, its 1 card turned up" in asked
    assert "· Bo launches zone 1, its 1 card turned up" not in answered
    assert "zone 1 meets the target: 1 point for Bo" in answered
    assert "Bo declares a misfire" not in asked
    assert "Bo's misfire is right: 4 points for Bo" in asked
