"""The Tower Showdown on the screen: contenders with buttons and times, and a photo finish."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import until
from tests.games.sky_rise.screen.parts import do, goals, shown, tower


@pytest.fixture
def tied(tmp_path: Path) -> Iterator[Table]:
    """Open a table with its two seats tied."""
    options = {"opaque_sizes": "by_trio", "tie": "showdown"}
    at_once = partial(Table, guard_us=0)
    with closing(
        begin("sky-rise", ("Ada", "Ben"), options, tmp_path / "tie", make=at_once)
    ) as table:
        tower(table)
        goals(table, ("red", "red"), ("yellow", "yellow"))
        do(table, "reveal")
        for seat in table.view().setup.seats:
            do(table, "score_set", seat=seat.id, score=40, reason="for the test")
            if table.view().question is not None:  # one of the two has won, until they are tied
                table.do("table.agree")
        yield table


async def test_a_tower_showdown_has_a_button_for_each_contender_and_ends_with_the_first(
    tied: Table,
) -> None:
    app = Dashboard(tied, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "Tower Showdown: on three press Enter (S: share it).")
        await pilot.press("enter")
        await until(
            pilot, app, "building", "button 1, key 1", "button 2, key 2", "0:00 since the start"
        )
        await pilot.press("2")
        await until(pilot, app, "Ben won the Tower Showdown", "Esc table")
        await pilot.press("escape")
        await until(pilot, app, "Ben wins the Tower Showdown", "first", "WINS")


async def test_a_photo_finish_is_shown_with_its_error_and_decided_by_the_table(tied: Table) -> None:
    at = {"clock": "board-5f3a", "pm": 20}
    tied.enter("showdown", {"at": {**at, "us": 1_000_000}})
    tied.enter("showdown_stop", {"seat": "ada", "at": {**at, "us": 42_204_000}})
    tied.enter("showdown_stop", {"seat": "ben", "at": {**at, "us": 42_204_010}})
    tied.do("table.agree")
    app = Dashboard(tied, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        text = await until(pilot, app, "! photo finish: Ada and Ben are too close to tell")
        assert text.count("41.2040 s ±40 µs") >= 2
        await pilot.press("W")
        await until(pilot, app, "Ben won the Tower Showdown")


async def test_stops_of_two_clocks_are_a_photo_finish_whose_words_do_not_run_together(
    tied: Table,
) -> None:
    at = {"clock": "board-5f3a", "pm": 20}
    tied.enter("showdown", {"at": {**at, "us": 1_000_000}})
    tied.enter("showdown_stop", {"seat": "ada", "at": {**at, "us": 42_204_000}})
    tied.enter(
        "showdown_stop", {"seat": "ben", "at": {**at, "us": 9_000_000, "clock": "board-77aa"}}
    )
    tied.do("table.agree")
    rows = (await shown(tied, (80, 24))).split("\n")
    assert "   ▲ Ben            done, time unknown        photo finish" in rows
    assert " ! photo finish: Ada and Ben are too close to tell" in rows


async def test_the_footer_names_the_key_that_starts_the_clock_until_it_runs(tied: Table) -> None:
    assert "\n Enter on three!  S share it  t tower  c fix mistakes  ? help" in await shown(
        tied, (80, 24)
    )
    assert "\n S share it  t tower  c fix mistakes  ? help" in await shown(tied, (80, 24), "enter")


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_finished_tower_is_seen_by_levels_and_from_the_side(
    tied: Table, size: tuple[int, int]
) -> None:
    tied.do("table.agree")
    text = await shown(tied, size, "t")
    assert "level 1 (large)" in text
    assert "level 2 (medium)" in text
    text = await shown(tied, size, "t", "end")
    assert "row 3" in text
    assert "# opaque" in text
    assert "Tower Showdown" in await shown(tied, size, "t", "escape")
