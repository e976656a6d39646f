"""The end of a round on the screen: it is shown before anything is swept, and one key or the next fact clears it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.session.opening import resume
from companion.session.table import Table
from tests.dashboard.recorded import recorded
from tests.dashboard.screen import screen_text, until
from tests.games.fractured_sky.screen.test_screen import ahead, game, opened, press

SIZES = [(80, 24), (160, 50)]
RESOLVED = (
    "Round 1 of 5, example map",
    "Round 1, region by region",
    "Amber Atoll: 1 1 ▲ Bo 6 = chip 10 - 4 1 Starfall",
)
CLEAR = (
    "After round 1: clear the table",
    "Take back Airships, Power chips, Skimmers and scouting markers",
)


def placed(table: Table) -> None:
    """Three people place all of a round, Bo a Skimmer and Ada a Market too, and the Hidden card is turned up."""
    ahead(table, "1", "1")
    table.enter("build", {"seat": "ada", "building": "market", "platform": "1"})
    table.enter("skimmer", {"seat": "bo", "region": "brass-basin"})
    ahead(table, "1", "1", "1", "2", "2", "2", "3", "3", "3", "2", "4", "1", "8")


def resolved(table: Table) -> None:
    """Everything is told that the end of the round rests on."""
    placed(table)
    for player, chips in {"ada": [3, 4, 5], "bo": [10, 0, 4], "cleo": [3, 2, 5]}.items():
        table.enter("powers", {"player": player, "chips": chips})
    table.enter("objective", {"players": ["bo"]})
    assert game(table).phase == "resolve"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(opened(tmp_path, "Ada Bo Cleo", map="example")) as three:
        yield three


@pytest.mark.parametrize("size", SIZES)
async def test_the_resolution_is_shown_before_anything_is_swept(
    table: Table, size: tuple[int, int]
) -> None:
    placed(table)
    for player, chips in {"ada": [3, 4, 5], "bo": [10, 0, 4], "cleo": [3, 2, 5]}.items():
        table.enter("powers", {"player": player, "chips": chips})
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(
            pilot, app, "> Who meets the Objective? Press 1 Ada, 2 Bo, 3 Cleo, or 0 nobody."
        )
        assert "region by region" not in screen_text(app)
        await press(pilot, "2")
        await until(pilot, app, *RESOLVED, "> Take what you won, then press e.")
        assert game(table).table.ships, "the pieces lie where they lay"
        await press(pilot, "escape")
        await until(pilot, app, "4 Dusty Downs", "Take what you won, then press e.")
        assert "▲0" in screen_text(app), "the map shows them too"


@pytest.mark.parametrize("size", SIZES)
async def test_after_the_end_of_a_round_one_key_clears_the_table_and_records_nothing(
    table: Table, size: tuple[int, int]
) -> None:
    resolved(table)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "e")
        await until(pilot, app, *CLEAR, RESOLVED[0], "Esc to the table")
        await press(pilot, "pagedown")
        await until(pilot, app, RESOLVED[2])
        ended = table.view().log
        await press(pilot, "escape")
        await until(pilot, app, "4 Dusty Downs", "> Which region has the Public Starfall?")
        assert "clear the table" not in screen_text(app)
        assert table.view().log == ended
        await pilot.pause()
        assert "clear the table" not in screen_text(app), "it does not come back by itself"
        await press(pilot, "r")
        await until(pilot, app, *CLEAR)


async def test_the_next_fact_clears_the_table_too(table: Table) -> None:
    resolved(table)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "e")
        await until(pilot, app, *CLEAR)
        await press(pilot, "2")  # the Public Starfall
        await until(
            pilot, app, "round 2: the Public Starfall falls on Brass Basin", "4 Dusty Downs"
        )
        assert "clear the table" not in screen_text(app)


async def test_an_undo_shows_the_resolution_again_and_a_corrected_power_what_it_comes_to(
    table: Table,
) -> None:
    resolved(table)
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "e", "escape", "u")
        await until(pilot, app, *RESOLVED, "Take what you won, then press e.")
        await press(pilot, "escape")
        table.enter("powers", {"player": "bo", "chips": [0, 10, 0]})
        await until(pilot, app, "Brass Basin 1 ▲ Bo 11 = chip 10 + 1 Skimmer Iron + Wood")
        await press(pilot, "e")
        table.enter("score_set", {"seat": "ada", "score": 4, "reason": "recounted"})
        await until(pilot, app, "> Which region", "4 Dusty Downs")
        await press(pilot, "u")
        await until(pilot, app, *CLEAR, "Brass Basin 1 ▲ Bo 11 = chip 10 + 1 Skimmer Iron + Wood")


async def test_a_session_that_is_resumed_right_after_the_end_of_a_round_shows_it(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, "Ada Bo Cleo", map="example")) as before:
        resolved(before)
        before.do("fractured-sky.end")
    with closing(resume(tmp_path / "sky.sqlite")) as after:
        app = Dashboard(after)
        async with app.run_test(size=(160, 50)) as pilot:
            await until(pilot, app, *CLEAR, *RESOLVED)
            await press(pilot, "escape", "2")
    with closing(resume(tmp_path / "sky.sqlite")) as later:
        app = Dashboard(later)
        async with app.run_test(size=(160, 50)) as pilot:
            await until(pilot, app, "> Bo, place an Airship")
            assert "clear the table" not in screen_text(app)


async def test_who_reads_something_else_sees_the_resolution_when_that_is_closed(
    table: Table,
) -> None:
    placed(table)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l")
        for player, chips in {"ada": [3, 4, 5], "bo": [10, 0, 4], "cleo": [3, 2, 5]}.items():
            table.enter("powers", {"player": player, "chips": chips})
        table.enter("objective", {"players": ["bo"]})
        await until(pilot, app, "Bo meets the Objective")
        assert "region by region" not in screen_text(app)
        await press(pilot, "escape")
        await until(pilot, app, *RESOLVED)


@pytest.mark.parametrize("size", [(110, 32), (160, 50)])
async def test_the_page_of_a_finished_game_has_the_map_with_whole_names_and_owners(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with recorded("fractured-sky", "four-seats", None, tmp_path) as ended:
        app = Dashboard(ended)
        async with app.run_test(size=size) as pilot:
            await until(pilot, app, "Ada wins with 10 Starfalls")
            await press(pilot, "end")
            await until(pilot, app, "─ The map ─")
            text = screen_text(app)
        names = [region.name for region in game(ended).table.board.regions]
    assert [name for name in names if name not in text] == []
    assert "Airships ● ◆ ■" in text or "Airship●◆■" in text
