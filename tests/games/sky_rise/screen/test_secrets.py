"""A seat's goals: entered behind its curtain, on no other page until all are turned up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.at_table import KEYS_IGNORED_S
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import until
from tests.games.sky_rise.screen.parts import do, goals, level, shown, tower


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(
        begin("sky-rise", ("Ada", "Ben", "Cleo"), {"opaque_sizes": "by_trio"}, tmp_path / "one")
    ) as opened:
        yield opened


async def test_a_seat_notes_its_goals_behind_the_curtain_and_sees_what_they_score_now(
    table: Table,
) -> None:
    level(table)
    colors = {color.name: color for color in table.view().game.colors}
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "2", "enter")
        await until(
            pilot, app, "only Ben looks", "not noted yet", "as Nest", "> Nest", "a first letter"
        )
        await pilot.press("y", "tab")
        await until(pilot, app, "< yellow >", "> Tree")
        await pilot.press("b", "enter")
        text = await until(pilot, app, "your Tree")
        assert re.search(rf"yellow +{colors['yellow'].total} +0 +your Nest", text)
        assert re.search(r"blue .* 0 +your Tree", text)
        await pilot.press("shift+tab", "y", "tab", "g", "enter")
        text = await until(pilot, app, "your Nest", "< choose >")
        await pilot.press("escape")
        text = await until(pilot, app, "Ben noted other goals", "goals noted by Ben")
        assert "your Nest" not in text
    own = table.seat_view("ben").own
    assert (own.nest, own.tree) == ("yellow", "green")
    assert table.seat_view("ada").own is None


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_key_for_goals_is_in_the_footer_until_they_are_turned_up(
    table: Table, size: tuple[int, int]
) -> None:
    assert "j your notes" in await shown(table, size)
    tower(table)
    goals(table, ("red", "yellow"), ("green", "blue"), ("yellow", "red"))
    do(table, "reveal")
    assert "j your notes" not in await shown(table, size)


async def test_one_goal_alone_is_not_noted(table: Table) -> None:
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "1", "enter", "r", "enter")
        await until(pilot, app, "not noted yet", "> Tree", "Tree is missing. Enter it first.")
        await pilot.press("y")
        await until(pilot, app, "< red >", "< yellow >")
    assert table.seat_view("ada").own is None


async def test_the_goals_of_another_seat_are_not_behind_the_curtain(table: Table) -> None:
    goals(table, ("red", "yellow"), ("green", "blue"), ("yellow", "red"))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "1", "enter")
        text = await until(pilot, app, "your Nest", "your Tree")
    assert re.search(r"red .*your Nest", text)
    assert re.search(r"yellow .*your Tree", text)
    assert text.count("your ") == 2


async def test_all_goals_are_turned_up_together(table: Table) -> None:
    tower(table)
    goals(table, ("red", "yellow"), ("green", "blue"), ("yellow", "red"))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        text = await until(pilot, app, "Press G to turn up all goals together.")
        assert "Nest green" not in text
        await pilot.press("G")
        await until(pilot, app, "the game is over", "Esc table")
        await pilot.press("escape")
        text = await until(pilot, app, "the game is over", "Nest red, Tree yellow")
    assert all(f"{seat.nest} {seat.score.nest}" in text for seat in table.view().game.seats)


async def test_the_companion_deals_goals_that_each_seat_sees_behind_its_curtain(
    table: Table,
) -> None:
    clock = ManualClock()
    app = Dashboard(table, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "(?: more)")
        await pilot.press("D")
        text = await until(pilot, app, "everybody has a Nest and a Tree", "all goals noted")
        assert "your Nest" not in text
        for key, seat in (("1", "ada"), ("3", "cleo")):
            own = table.seat_view(seat).own
            await pilot.press("j", key, "enter")
            text = await until(pilot, app, "your Nest", "your Tree")
            assert re.search(rf"{own.nest} .*your Nest", text)
            assert re.search(rf"{own.tree} .*your Tree", text)
            assert "> Nest" not in text
            await pilot.press("escape")
            await until(pilot, app, "all goals noted")
            clock.now += KEYS_IGNORED_S
        await pilot.press("u")
        await until(
            pilot,
            app,
            "Players have seen this already",
            "Does everybody agree to undo it?",
        )
        question = table.view().question
        assert question is not None
        assert "in your private notes (each Nest and Tree, to the seat that has it)." in question
    dealt = {
        (own.nest, own.tree)
        for own in (table.seat_view(seat).own for seat in ("ada", "ben", "cleo"))
    }
    assert len({nest for nest, _ in dealt}) == len({tree for _, tree in dealt}) == 3
