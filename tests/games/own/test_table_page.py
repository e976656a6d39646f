"""The table's page of a game of one's own: keys beside their players, and what the last rounds added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, shown, until
from tests.games.own.files import learned, own

NAMES = ("North", "East", "South", "West")
SIZES = ((80, 24), (110, 32), (160, 50))
PANELS = SIZES[1:]


def opened(name: str, folder: Path, names: tuple[str, ...] = NAMES) -> Table:
    return begin(own(name).id, names, {}, folder / "evening.sqlite", without_board=True)


@pytest.fixture(autouse=True)
def own_games() -> Iterator[None]:
    with learned():
        yield


@pytest.fixture
def hearts(tmp_path: Path) -> Iterator[Table]:
    with closing(opened("hearts", tmp_path)) as table:
        yield table


def a_hand(table: Table, place: int) -> None:
    """Play a hand in which that player takes everything but one heart, which the next one takes."""
    table.do(f"own.queen.{place}")
    for _ in range(12):
        table.do(f"own.heart.{place}")
    table.do(f"own.heart.{place % 4 + 1}")
    table.do("own.hand-over")


@pytest.mark.parametrize("size", SIZES)
async def test_every_player_has_the_own_keys_beside_the_name_and_the_footer_has_none(
    hearts: Table, size: tuple[int, int]
) -> None:
    text = await shown(hearts, size)
    for heart, queen in zip("1234", "qwet", strict=True):
        assert f"{heart} heart  {queen} queen" in text
    assert "1 N heart" not in text


async def test_what_counts_in_this_hand_only_says_so_beside_the_score(hearts: Table) -> None:
    hearts.do("own.queen.1")
    assert "North  0  this hand: points taken 13" in await shown(hearts, (80, 24))


@pytest.mark.parametrize("size", PANELS)
async def test_the_overview_has_what_each_round_added_and_what_is_missing_to_the_end(
    hearts: Table, size: tuple[int, int]
) -> None:
    a_hand(hearts, 1)
    a_hand(hearts, 2)
    text = await shown(hearts, size)
    rows = [row.split("│")[1].split() for row in text.split("\n") if "│" in row]
    assert ["hand", "1", "+25", "+1", "+0", "+0"] in rows
    assert ["hand", "2", "+0", "+25", "+1", "+0"] in rows
    assert ["in", "all", "25", "26", "1", "0"] in rows
    assert "The game ends at 100" in text
    assert "26 of 100" in text
    assert "What is counted" not in text, "the cards have it"


@pytest.mark.parametrize("size", PANELS)
async def test_a_bar_grows_with_the_score(hearts: Table, size: tuple[int, int]) -> None:
    a_hand(hearts, 1)
    text = await shown(hearts, size)
    bars = {row.split()[2]: row.count("█") for row in text.split("\n") if " of 100" in row}
    assert bars["North"] > bars["East"] >= bars["South"] == 0


@pytest.mark.parametrize("size", PANELS)
async def test_a_score_that_counts_down_has_a_bar_of_what_is_done(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with closing(opened("darts-501", tmp_path, ("Ann", "Ben"))) as table:
        for _ in range(3):
            table.do("own.treble-twenty")
        text = await shown(table, size)
    ann, ben = (row for row in text.split("\n") if " left" in row and "left   " not in row)
    assert "321 left" in ann
    assert ann.count("█") > 0 == ben.count("█")


@pytest.mark.parametrize("size", PANELS)
async def test_an_overview_with_nothing_to_say_is_absent_until_it_has_something(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with closing(opened("wizard", tmp_path, NAMES)) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            side = app.screen.query_one("#side")
            assert side.display == bool(side.content_size.height)


LONG = tuple(f"{name} of the Long Street" for name in ("Ada", "Bo", "Cleo", "Dan", "Eve", "Fay"))


@pytest.mark.parametrize("size", SIZES)
async def test_six_players_with_long_names_have_their_keys_beside_them_too(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with closing(opened("wizard", tmp_path, LONG)) as table:
        text = await shown(table, size)
    rows = text.split("\n")
    for key, name in zip("qwetio", LONG, strict=True):
        first = next(at for at, row in enumerate(rows) if f"{name.split()[0]} of " in row)
        below = "\n".join(rows[first : first + 12])
        assert f"{key} bid +1" in below


@pytest.mark.parametrize("size", PANELS)
async def test_open_counters_are_bars_and_secret_ones_are_not(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with closing(opened("bidding", tmp_path, ("Ann", "Ben"))) as table:
        for _ in range(3):
            table.do("own.trick.1")
        table.do("own.trick.2")
        text = await shown(table, size)
    bars = {row.split()[2]: row.count("█") for row in text.split("\n") if re.search(r"█ +\d ", row)}
    assert bars["Ann"] > bars["Ben"] > 0
    assert "Tricks taken" in text
    assert "Tricks bid" not in text


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_counted_again_and_again_is_one_line_with_its_number(
    hearts: Table, size: tuple[int, int]
) -> None:
    for _ in range(3):
        hearts.do("own.heart.1")
    hearts.do("own.heart.2")
    hearts.do("own.heart.1")
    text = await shown(hearts, size)
    logged = [row.split("· ")[1].rstrip(" │") for row in text.split("\n") if "· " in row]
    assert logged == [
        "North: points taken +1, now 4",
        "East: points taken +1, now 1",
        "North: points taken +1, now 3 (3 times)",
    ]


async def test_a_table_of_more_counters_than_rows_says_where_the_others_are(
    tmp_path: Path,
) -> None:
    with closing(opened("yahtzee", tmp_path, ("Ann", "Ben"))) as table:
        low, high = await shown(table, (110, 32)), await shown(table, (160, 50))
    assert "chance" in high
    assert "more: v" not in high
    assert "chance" not in low
    assert re.search(r"\d rows more: v", low)


@pytest.mark.parametrize("size", SIZES)
async def test_a_game_with_secret_counters_says_how_they_are_noted(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with closing(opened("bidding", tmp_path, ("Ann", "Ben"))) as table:
        assert "Secret tricks bid: press j, one player" in await shown(table, size)
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.press("j")
            assert "Ann" in await until(pilot, app, "Ben"), "it asks whose turn it is to look"
            assert "Secret tricks bid" not in screen_text(app)
