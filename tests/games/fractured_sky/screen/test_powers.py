"""Powers as they are typed: digits, as many as Airships, shown in words before they are entered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.games.fractured_sky.screen.forms import powers_typed
from companion.rules.facts import Refused
from companion.rules.typed_facts import from_words
from companion.session.table import Table
from tests.dashboard.screen import until
from tests.games.fractured_sky.screen.test_screen import SIZES, game, opened, press, round_one


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(opened(tmp_path, map="example", difficulty="medium")) as solo:
        yield solo


@pytest.mark.parametrize("size", SIZES)
async def test_powers_are_digits_as_many_as_airships_and_anything_else_needs_commas(
    table: Table, size: tuple[int, int]
) -> None:
    round_one(table)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "p", *"10 0")
        await until(
            pilot,
            app,
            "a digit for each Airship: 541; larger numbers with commas: 10, 0, 0",
        )
        await until(pilot, app, "Ada, regions 1 3 6")  # which could be taken for powers
        await press(pilot, "enter")
        await until(pilot, app, "! These are not 3 powers. Type 3 digits, or numbers with commas.")
        await press(pilot, *["backspace"] * 4, *"10,0,0")
        await until(pilot, app, "Ada: 10 in Amber Atoll, 0 in Copper Crag, 0 in Foggy Flats")
        await press(pilot, "enter")
        await until(pilot, app, "Ada 10 = chip 10")
        assert next(player.powers for player in game(table).players if player.id == "ada") == (
            10,
            0,
            0,
        )


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


@pytest.mark.parametrize(
    ("word", "ships", "powers"),
    [
        ("345", 3, (3, 4, 5)),
        ("001", 3, (0, 0, 1)),
        ("10,0,0", 3, (10, 0, 0)),
        ("10, 0, 0", 3, (10, 0, 0)),
        ("10", 2, (1, 0)),
        ("10", 1, (10,)),
        ("7", 1, (7,)),
        ("34", 3, None),
        ("3456", 3, None),
        ("3 4 5", 3, None),
        ("10 0 0", 3, None),
        ("3,,5", 3, None),
        ("3,4,five", 3, None),
        ("-34", 3, None),
        ("\u0663\u0664\u0665", 3, None),
        ("", 3, None),
    ],
)
def test_what_is_typed_for_powers(word: str, ships: int, powers: tuple[int, ...] | None) -> None:
    assert powers_typed(word, ships) == powers


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
