"""The cursor on the map of Fractured Sky: where its arrows lead, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.display.charts import Spot, plan
from companion.games.fractured_sky.rules.picture import chart
from companion.games.fractured_sky.screen.cursor import WAYS, answer_with, beside
from companion.session.table import Table
from tests.dashboard.screen import screen_text, until
from tests.games.fractured_sky.playing import begun, three
from tests.games.fractured_sky.screen.test_screen import AS_PAIR, ahead, game, opened, press


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(opened(tmp_path, map="example", difficulty="medium")) as solo:
        yield solo


@pytest.mark.parametrize("seats", ["ada", "ada bo cleo dan"])
@pytest.mark.parametrize(("width", "height"), [(49, 11), (80, 20), (119, 24)])
def test_arrows_reach_every_region_from_every_other(seats: str, width: int, height: int) -> None:
    view = begun(seats).view()
    ids = view.table.board.ids
    spots = {
        name: spot for name, spot in plan(chart(view), width, height).spots.items() if name in ids
    }
    for start in ids:
        reached, fresh = {start}, [start]
        while fresh:
            here = fresh.pop()
            reachable = {beside(spots, here, way) for way in WAYS} - reached
            reached |= reachable
            fresh += reachable
        assert reached == set(ids)


def test_an_arrow_at_the_edge_stays_and_the_first_one_begins_in_the_west() -> None:
    spots = {"west": Spot(0, 0, 5), "east": Spot(20, 0, 5), "south": Spot(20, 6, 5)}
    assert beside(spots, "", "up") == "west"
    assert [beside(spots, "west", way) for way in WAYS] == ["west", "south", "west", "east"]
    assert [beside(spots, "south", way) for way in WAYS] == ["east", "south", "west", "south"]


def test_a_place_answers_only_where_places_are_asked_for() -> None:
    record = begun("ada")
    assert answer_with(record.view(), "foggy-flats") == 6
    record.showing(amber_atoll=0)
    record.do("turn", player="@black", reason="for the test")
    record.do("ai_turn", ai="@black", card="airship", stars=[])
    ask = record.move.ask
    ids = record.view().table.board.ids
    assert [answer_with(record.view(), region) for region in ask] == [
        ids.index(region) + 1 for region in ask
    ]
    record.do("ai_choose", target=ask[0])
    assert answer_with(record.view(), ask[0]) is None
    seats = three()
    seats.place("ada", "amber-atoll", "brass-basin", "copper-crag")
    assert seats.phase == "slot"
    assert answer_with(seats.view(), "brass-basin") is None


async def test_a_region_is_chosen_by_the_arrows_and_enter(table: Table) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter")
        await until(
            pilot, app, "! You have not chosen a region yet. Press an arrow key, then Enter."
        )
        await until(pilot, app, "1>Amber Atoll")
        await press(pilot, "right")
        await until(pilot, app, "2>Brass Basin")
        await press(pilot, *["down"] * 5, "up")
        await until(pilot, app, "6>Foggy Flats")
        assert "1>" not in screen_text(app)
        await press(pilot, "enter")
        await until(pilot, app, "Ada places an Airship in Foggy Flats")
        await press(pilot, "n", "enter")
        await until(pilot, app, "! That place answers nothing now. Place AI black's Airship in")
    assert [ship.region for ship in game(table).table.ships_of("ada")] == ["foggy-flats"]


async def test_enter_says_what_is_asked_for_where_that_is_no_region(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter")
        await until(pilot, app, "! No region is asked for. Who takes turn slot 1")


async def test_on_the_map_the_arrows_lead_where_they_point(table: Table) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(110, 32)) as pilot:
        await until(pilot, app, "1>Amber Atoll")
        await press(pilot, "right", "right")
        await until(pilot, app, "6>Foggy Flats")
        assert "1>" not in screen_text(app)
        await press(pilot, "enter")
        await until(pilot, app, "Ada places an Airship in Foggy")


async def test_a_click_on_a_row_of_the_overview_answers_as_its_key_does(table: Table) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#sky-overview", offset=(4, 6))
        await until(pilot, app, "Ada places an Airship in Foggy Flats")


async def test_a_refusal_that_was_overtaken_is_not_said_again_by_the_next_page(
    table: Table,
) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "9", "v")
        await until(pilot, app, "! There is no number 9 to choose. Press 1 to 8.")
        await press(pilot, "v", "3", "r")
        await until(pilot, app, "No round is over yet")
        assert "! " not in screen_text(app)
