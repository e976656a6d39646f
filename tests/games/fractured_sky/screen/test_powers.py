"""Powers are typed in a grid of regions and players, and recorded once all of a player's are in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.rules.facts import Refused
from companion.rules.typed_facts import from_words
from companion.session.table import Table
from tests.dashboard.screen import screen_text, until
from tests.games.fractured_sky.screen.test_screen import (
    SIZES,
    ahead,
    game,
    opened,
    press,
    round_one,
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(opened(tmp_path, map="example", difficulty="medium")) as solo:
        yield solo


def powers_of(table: Table, player: str) -> tuple[int, ...] | None:
    return next(shown.powers for shown in game(table).players if shown.id == player)


@pytest.mark.parametrize("size", SIZES)
async def test_powers_are_typed_in_a_grid_of_regions_and_players_and_recorded_once_all_are_in(
    table: Table, size: tuple[int, int]
) -> None:
    round_one(table)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "p")
        await until(pilot, app, "Type Ada's power in Amber Atoll", "> Amber Atoll", "Missing: Ada.")
        await press(pilot, *"10", "enter")
        await until(pilot, app, "Type Ada's power in Copper Crag", "10*")
        assert powers_of(table, "ada") is None, "two are missing"
        await press(pilot, "0", "enter")
        await until(pilot, app, "Type Ada's power in Foggy Flats")
        await press(pilot, "0", "enter")
        await until(pilot, app, "Ada 10 = chip 10")
    assert powers_of(table, "ada") == (10, 0, 0)


async def test_the_grid_says_what_follows_from_the_powers_typed_so_far(table: Table) -> None:
    round_one(table)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p", "6", "enter", "9")
        await until(pilot, app, "15 in all, 5 over 10: each chip counts 5 less.", "[9_]")
        await press(pilot, "enter")
        await until(pilot, app, "5 over 10: each chip counts 5 less.", "Missing: Ada.")
        await press(pilot, "up", "up", "9", "enter")
        await until(pilot, app, "There are not 2 chips with 9.")


async def test_the_cursor_passes_regions_without_an_airship_of_the_player(table: Table) -> None:
    round_one(table)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p", "down")
        await until(pilot, app, "Type Ada's power in Copper Crag")
        await press(pilot, "down")
        await until(pilot, app, "Type Ada's power in Foggy Flats", "> Foggy Flats")
        await press(pilot, "right")
        await until(pilot, app, "Type AI black's power in Ember Estuary", "[5]")


async def test_esc_discards_a_number_then_those_of_the_column_then_closes_the_grid(
    table: Table,
) -> None:
    round_one(table)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p", "6", "enter", "3")
        await until(pilot, app, "6*", "[3_]")
        await press(pilot, "escape")
        await until(pilot, app, "6*", "[-]")
        await press(pilot, "escape")
        await until(pilot, app, "Type Ada's power in Copper Crag")
        assert "6*" not in screen_text(app)
        await press(pilot, "escape")
        await until(pilot, app, "Enter the powers under Ada's Airships")
    assert powers_of(table, "ada") is None


async def test_powers_that_were_recorded_are_corrected_in_the_same_grid(table: Table) -> None:
    round_one(table)
    table.enter("powers", {"player": "ada", "chips": [6, 3, 2]})
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "p")
        await until(pilot, app, "Type Ada's power in Amber Atoll", "[6]")
        await press(pilot, "4", "enter")
        await until(pilot, app, "Ada 4 = chip 4")
    assert powers_of(table, "ada") == (4, 3, 2)


async def test_digits_are_read_as_powers_in_every_form_and_shown_before_they_are_entered(
    table: Table,
) -> None:
    round_one(table)
    table.enter("powers", {"player": "ada", "chips": [6, 3, 2]})
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "c", "f3", "5")
        await until(pilot, app, "Wrong powers")
        await press(pilot, "tab", *["backspace"] * 5, *"345")
        await until(pilot, app, "powers: 3, 4, 5")
        await press(pilot, "enter")
        # they fit, and everybody had seen the others
        await until(pilot, app, "Undo it anyway?")


def test_a_typed_line_takes_three_digits_for_three_powers(table: Table) -> None:
    setup = table.view().setup
    typed = {
        word: from_words(table.game, setup, f"powers ada {word}")[1]["chips"]
        for word in ("345", "10,0,0", "12")
    }
    assert typed == {"345": [3, 4, 5], "10,0,0": [10, 0, 0], "12": [12]}
    with pytest.raises(
        Refused, match="3 digits, or whole numbers from 0 to 30, with commas between"
    ):
        from_words(table.game, setup, "powers ada 3456")


@pytest.mark.parametrize("size", SIZES)
async def test_the_grid_of_powers_covers_neither_map_nor_overview(
    table: Table, size: tuple[int, int]
) -> None:
    round_one(table)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "8 Hollow Heath")
        before = [row[:40].rstrip() for row in screen_text(app).split("\n")]
        await press(pilot, "p")
        await until(pilot, app, "Type Ada's power in Amber Atoll")
        after = [row[:40].rstrip() for row in screen_text(app).split("\n")]
    if size[0] < 110:
        before, after = before[:11], after[:11]
    prompt = "Enter the powers under"  # quiet while the grid asks
    assert [row for row in after if prompt not in row] == [
        row for row in before if prompt not in row
    ]


def round_with_cards_on_the_table(table: Table) -> None:
    """Play a round up to its powers, in which the table turns up the AIs' cards: Airships alone."""
    ahead(table, "1", "1")
    for region in ("2", "3", "6"):
        ahead(table, region)
        if game(table).phase == "slot":
            ahead(table, "2")
        for ai in ("@black", "@orange"):
            table.enter("ai_turn", {"ai": ai, "card": "airship", "stars": ["SE", "W"]})
            table.enter("ai_done", {})
    ahead(table, "5")


async def test_the_grid_says_which_token_of_an_ai_counts_high(tmp_path: Path) -> None:
    with closing(opened(tmp_path, map="example", ai_cards="physical")) as solo:
        round_with_cards_on_the_table(solo)
        app = Dashboard(solo)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "Enter the powers under Ada's Airships")
            await press(pilot, "p", "6", "enter", "2", "enter", "1", "enter")
            await until(
                pilot,
                app,
                "Type AI black's power in Amber Atoll",
                "High: the highest high value in Amber Atoll, Ember Estuary; all",
                "others low. Missing: AI black and AI orange.",
            )
            await press(pilot, "escape")
            await until(pilot, app, "Enter the powers under AI black's Airships")
