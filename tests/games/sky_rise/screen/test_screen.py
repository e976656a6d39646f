"""Sky Rise on the screen: entering cards and pyramids on the grid, and everything known beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.dashboard import registry as own
from companion.dashboard.app import Dashboard
from companion.games.sky_rise.rules.view import PieceView
from companion.games.sky_rise.screen.game_screen import SkyRiseScreen
from companion.games.sky_rise.screen.grid import ACTIONS
from companion.rules.actions import by_key
from companion.rules.columns import plural
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_rows, screen_text, until
from tests.games.sky_rise.screen.parts import (
    do,
    floor,
    goals,
    level,
    pyramids,
    saved,
    shown,
    stack,
    tower,
)

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
SIZES = ((80, 24), (160, 50))
COLORS = ("red", "yellow", "green", "blue", "purple")


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Any]:
    """Open tables with that many seats and these options."""
    with ExitStack() as stack:

        def opened(seats: int, **options: str) -> Table:
            table = begin("sky-rise", NAMES[:seats], {"opaque_sizes": "by_trio", **options})
            stack.callback(table.close)
            return table

        yield opened


# -- the keys and the mouse


def test_the_grids_keys_are_no_other_key(tables: Any) -> None:
    registry = own.registry((*tables(5).actions, *ACTIONS))
    assert {"a", "s", "d", "f", "g", "o", "up", "down", "left", "right", "p"} <= set(
        by_key(registry)
    )


def test_help_lists_the_keys_of_the_grid_that_mean_something_among_those_that_work_now(
    tables: Any,
) -> None:
    table, moves = tables(2), "updownleftright"

    def now() -> str:
        return "".join(
            key
            for each in ACTIONS
            if SkyRiseScreen().means(each, table.view().game)
            for key in each.keys
        )

    assert now() == f"p{moves}asdf"
    for _ in range(3):
        level(table)
    floor(table)
    assert now() == f"pt{moves}asdfoqwe"
    do(table, "pass")
    do(table, "pass")
    assert now() == "pt"


async def test_a_key_of_the_grid_that_means_nothing_says_so(tables: Any) -> None:
    table = tables(2)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("g")
        await until(
            pilot, app, "Only 4 colors are in play. Press the key of one of them.", "cell a1: free"
        )
        await pilot.press("q")
        await until(pilot, app, "Only antennas differ in size. Choose sizes on the roof.")
    assert table.view().log[-1].text == "the session starts"


async def test_a_card_and_a_pyramid_are_entered_where_the_cursor_stands(tables: Any) -> None:
    table = tables(2)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "s")
        await until(pilot, app, "Ada lays a card of spades at b1", "│ [♠] │")
        for place, suit in (
            ("a1", "hearts"),
            ("a2", "diamonds"),
            ("b2", "clubs"),
            ("c2", "hearts"),
            ("c1", "spades"),
        ):
            do(table, "card", place=place, suit=suit)
        await pilot.press("right")
        await until(pilot, app, "level 1 of 3, large pyramids")
        await pilot.press("left", "a")
        text = await until(
            pilot, app, "Ada places a large red pyramid at b1: 1 point for hearts a1"
        )
        assert "corner b1: large red: 1 point for ♥ a1 (Ada)" in text
        await pilot.press("o")
        await until(pilot, app, "! A pyramid stands at b1 already")
        await pilot.press("left", "o")
        await until(pilot, app, "Ben places a large opaque pyramid at a1: 1 point for hearts a1")
    view = table.view().game
    assert [piece.color for corner in view.levels[0].corners for piece in corner.pieces] == [
        "opaque",
        "red",
    ]


async def test_the_cursor_stays_on_the_grid(tables: Any) -> None:
    app = Dashboard(tables(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("left", "up")
        await until(pilot, app, "cell a1: free")
        await pilot.press(*["right"] * 9, *["down"] * 9)
        await until(pilot, app, "cell c3: free")


async def test_a_name_stays_whole_beside_what_is_still_missing(tables: Any) -> None:
    app = Dashboard(tables(3))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "2", "3")
        text = await until(pilot, app, "> ● Ada", "▲ Ben", "■ Cleo")
        rows = [row for row in text.split("\n") if row.endswith("  1 to enter")]
        assert [row[3:10].split()[1] for row in rows] == ["Ada", "Ben", "Cleo"]


async def test_the_games_other_keys_go_on_working(tables: Any) -> None:
    table = tables(3)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "1")
        await until(pilot, app, "Ada is done: the card is not entered yet", "1 to enter")
        await pilot.press("a")
        await until(pilot, app, "Ada lays a card of hearts at b1")
        await pilot.press("u")
        await until(pilot, app, "Undone: Ada lays a card of hearts at b1")
        await pilot.press("y", "z")
        await until(pilot, app, "PAUSED")
        await pilot.press("right", "s")
        await until(pilot, app, "! The game is paused")
        await pilot.press("z", "space")
        await until(pilot, app, "! The floor is not laid yet. Lay a card on a free cell.")


async def test_the_keys_of_the_grid_do_nothing_on_another_page(tables: Any) -> None:
    table = tables(2)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("v", "down", "a")
        await until(pilot, app, "! The table's keys do nothing here: Esc goes back.")
    assert table.view().game.levels[0].cells[0].suit is None


async def test_a_key_that_somebody_chose_for_a_color_stands_beside_it(tables: Any) -> None:
    table = tables(2)
    app = Dashboard(table, keys={"sky-rise.grid.kind.0": ("k",)})
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "k  ♥ R  red")
        await pilot.press("a", "k")
        await until(pilot, app, "Ada lays a card of hearts at a1")


async def test_a_click_moves_the_cursor_and_a_click_on_a_choice_enters_it(tables: Any) -> None:
    table = tables(4)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#grid", offset=(18, 6))
        await until(pilot, app, "cell c3: free")
        await pilot.click("#choices", offset=(3, 2))
        await until(pilot, app, "Ada lays a card of spades at c3")
    for cell in table.view().game.levels[0].cells[:-1]:
        do(table, "card", place=cell.place, suit="royals")
    async with (app := Dashboard(table)).run_test(size=(80, 24)) as pilot:
        for place, offset in (("a1", (3, 1)), ("d4", (21, 7)), ("b3", (8, 5)), ("c1", (16, 1))):
            await pilot.click("#grid", offset=offset)
            await until(pilot, app, f"corner {place} touches")
        await pilot.click("#choices", offset=(10, 6))
        await until(pilot, app, "opaque pyramid at c1: 1 point")


async def test_an_antenna_is_placed_once_its_color_and_its_size_are_chosen_in_any_order(
    tables: Any,
) -> None:
    table = tables(2)
    for _ in range(3):
        level(table)
    floor(table)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "the roof, antennas", "q large  w med  e small")
        await pilot.press("o")
        await until(pilot, app, "opaque antenna: which size?")
        await pilot.press("right", "q")
        await until(pilot, app, "places a large opaque antenna at b1")
        await pilot.press("down")
        for column, size in ((38, "medium"), (46, "small")):
            await pilot.click("#choices", offset=(column, 0))
            await until(pilot, app, f"{size} antenna: which color?")
        await pilot.press("o")
        await until(pilot, app, "places a small opaque antenna at b2", "the tower is built")


# -- what stands on the screen


@pytest.mark.parametrize(
    ("seats", "size"), [(2, SIZES[-1]), (3, SIZES[0]), (4, SIZES[-1]), (5, SIZES[0])]
)
async def test_the_essentials_are_on_the_screen(
    tables: Any, seats: int, size: tuple[int, int]
) -> None:
    table = tables(seats)
    floor(table, "hearts", "spades")
    pyramids(table, "red", "red", "yellow", "opaque", "yellow", "yellow")
    text = await shown(table, size)
    names = (f"{seat.glyph} {seat.name}" for seat in table.view().setup.seats)
    for essential in (
        "Sky Rise   level 1 of 3, large pyramids",
        "keyboard only   saved",
        *(name for name in names),
        *COLORS[: 4 if seats < 4 else 5],
        "here│earlier now│",
        "draw pile",
        "Start",
        "♥",
        ", place a large pyramid: arrows",
        "? help",
        "^q quit",
    ):
        assert essential in text
    assert ("purple" in text) == (seats > 3)


async def test_before_it_is_placed_a_pyramid_shows_what_it_would_score(tables: Any) -> None:
    table = tables(2)
    floor(table, "hearts", "hearts", "spades", "clubs", "hearts", "diamonds")
    text = await shown(table, (80, 24), "right", "down")
    assert "corner b2 touches ♥ a1 b1 b2, ♣ a2" in text
    here = {
        row.split()[3]: row.split()[4].rstrip("│")
        for row in text.split("\n")
        for row in [row[26:56]]
        if "♥ R" in row or "♠ Y" in row
    }
    assert here == {"red": "3", "yellow": "0"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [2, 5])
async def test_the_pyramids_below_a_free_corner_are_named_in_its_line(
    tables: Any, seats: int, size: tuple[int, int]
) -> None:
    table = tables(seats)
    level(table)
    floor(table)
    text = await shown(table, size, "right", "down")
    large, *_ = at_b2(table)
    assert re.search(rf"below: (large )?{large.color}(?!\w)", text)
    stack(table)
    floor(table)
    text = await shown(table, size, "right", "down")
    _, medium, *_ = at_b2(table)
    colors = rf"(medium )?{medium.color}, (large )?{large.color}"
    letters = re.escape(f"{medium.letter} {large.letter}")
    assert re.search(rf"below: ({colors}|{letters})(?!\w)", text)


def at_b2(table: Table) -> list[PieceView]:
    """Return the pyramids at b2, the lowest first."""
    corners = (corner for level in table.view().game.levels for corner in level.corners)
    return [piece for corner in corners if corner.place == "b2" for piece in corner.pieces]


async def test_on_the_first_level_nothing_is_below(tables: Any) -> None:
    table = tables(2)
    floor(table)
    assert "below" not in await shown(table, (80, 24), "right", "down")


async def test_groups_are_drawn_on_the_grid_and_told_with_their_wild_pyramids(tables: Any) -> None:
    table = tables(2)
    floor(table)
    pyramids(table, "red", "red", "blue", "blue", "opaque", "yellow")
    text = await shown(table, (80, 24))
    assert "[R]═══ R ─── B ═══ B" in text
    assert " ║ " in text
    assert "R  a1 b1 opaque a2: 6" in text
    assert "B  c1 d1: 4" in text
    assert "+6" in next(row for row in text.split("\n") if "♥ R  red" in row)


async def test_a_whole_tower_stands_beside_the_log_where_there_is_room_and_on_the_statistics_page(
    tables: Any,
) -> None:
    table = tables(5)
    tower(table)
    titles = ("level 1 (large)", "level 2 (medium)", "level 3 (small)", "roof (antennas)")
    for size, wanted in (((120, 40), titles), ((200, 60), (*titles, "From the side", "row 1"))):
        text = await shown(table, size)
        assert all(title in text for title in wanted)
        assert "Columns" in text
    text = await shown(table, (200, 60), "t", "end")
    assert all(f"row {row}" in text for row in range(1, 5))
    page = await shown(table, (80, 24), "v")
    assert next(row for row in page.split("\n") if all(title in row for title in titles))


async def test_the_end_shows_goals_columns_unplaced_pyramids_and_the_winner(tables: Any) -> None:
    table = tables(2)
    tower(table)
    goals(table, ("red", "blue"), ("yellow", "green"))
    do(table, "reveal")
    view = table.view().game
    for size in SIZES:
        text = await shown(table, size, "escape")
        assert "the game is over" in text
        for seat in view.seats:
            row = next(
                row
                for row in text.split("\n")
                if f"{seat.glyph} {seat.name}" in row and seat.nest in row
            )
            assert f"{seat.nest} {seat.score.nest}" in row
            columns = plural(len(seat.columns), "column")
            assert f"{seat.tree} {6 * len(seat.columns)} ({columns})" in row
            assert f" {2 * seat.opaque} ({seat.opaque} left)" in row
            assert str(seat.score.total) in row
        assert "WINS" in text or "SHARES" in text


async def test_without_color_letters_and_signs_say_the_same(
    tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tables(4)
    floor(table)
    pyramids(table, "red", "red", "purple")
    saved(table, 1 + 9 + 3)
    colored = await shown(table, (80, 24))
    monkeypatch.setenv("NO_COLOR", "1")
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert screen_text(app) == colored
        colors = {
            color.triplet
            for row in screen_rows(app)
            for each in row
            for color in _colors(each.style)
            if color.triplet
        }
    assert all(len(set(color)) == 1 for color in colors)


def _colors(style: Any) -> Sequence[Any]:
    return [color for color in (style.color, style.bgcolor) if color is not None] if style else []


async def test_it_is_nobodys_turn_in_a_game_that_was_ended_early(tables: Any) -> None:
    table = tables(2)
    assert "> ● Ada" in await shown(table, (80, 24))
    table.enter("abandon", {})
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "Nobody has won.")
        await pilot.press("escape")
        assert "> ● Ada" not in await until(pilot, app, "● Ada", "draw pile")


async def test_pieces_are_entered_in_a_form(tables: Any) -> None:
    table = tables(2, opaque_sizes="entered_by_table")
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "tab", "a", "tab", "2", "tab", "1", "tab", "1", "enter")
        await until(
            pilot,
            app,
            "Ada has opaque pyramids: 2 large, 1 medium, 1 small",
            "Ada has:           2   1     1",
        )


async def test_five_players_with_long_names_leave_room_for_the_log(tables: Any) -> None:
    table = tables(5)
    for place, name in enumerate(NAMES):
        do(table, "seat_changes", seat=name.casefold(), name=f"Bartholomew the {place}")
    level(table)
    level(table)
    floor(table)
    pyramids(table, "red", "red", "yellow", "yellow", "green", "green", "blue", "blue")
    text = await shown(table, (80, 24))
    *above, undo, _ = text.rstrip().split("\n")
    logged = [row for row in above if re.match(r" \d\d:\d\d:\d\d ", row)]
    assert "pyramid at d2" in logged[0], "the newest first"
    assert undo.startswith(" u undo: ")


# -- whatever happens to the screen and the seats


@pytest.mark.parametrize("size", [(20, 5), (250, 80)])
async def test_no_size_of_a_terminal_brings_the_grid_down(
    tables: Any, size: tuple[int, int]
) -> None:
    table = tables(5)
    floor(table)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        for key in ("right", "a", "v", "escape", "j", "1", "enter", "escape"):
            await pilot.press(key)
            await pilot.pause()
            assert len(screen_text(app).split("\n")) == size[1]
    assert app.crash is None


async def test_somebody_who_joins_before_the_first_card_brings_a_color_and_a_row(
    tables: Any,
) -> None:
    table = tables(3)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "purple" not in screen_text(app)
        do(table, "seat_joins", name="Zoe")
        await until(pilot, app, "g  ♛ P  purple", "Zoe", " 4  · ───")
        await pilot.press("g")
        await until(pilot, app, "Ada lays a card of royals at a1")


async def test_at_80x24_nothing_is_cut_off_when_all_that_can_be_said_is_said(tables: Any) -> None:
    table = tables(5, opaque_sizes="entered_by_table")
    floor(table)
    pyramids(table, "red", "red", "yellow", "opaque", "yellow", "green")
    do(table, "turn_over", seat=table.view().game.turn)
    flat = " ".join((await shown(table, (80, 24), "space")).split())
    assert "'s turn is over)." in flat
    assert "! " in flat
    for essential in (
        "Emil",
        "purple",
        "arrows, then its color's key",
        "+4",
        "u undo",
        "? help",
        "corner a1: large red: 1 point for",
    ):
        assert essential in flat


async def test_the_footer_has_only_keys_that_mean_something_now(tables: Any) -> None:
    table = tables(2)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "\n c fix mistakes  ? help" in screen_text(app)
        for _ in range(3):
            level(table)
        floor(table)
        await pilot.pause()
        assert "\n Space pass  t tower  c fix mistakes  ? help" in screen_text(app)
        for _ in range(2):
            do(table, "pass")
        await pilot.pause()
        assert "\n t tower  c fix mistakes  ? help" in screen_text(app)
        for seat, nest, tree in (("ada", "red", "blue"), ("ben", "blue", "red")):
            do(table, "goal_noted", seat=seat, nest=nest, tree=tree)
        await pilot.pause()
        assert "\n G goals up  t tower  c fix mistakes  ? help" in screen_text(app)


async def test_a_level_without_groups_says_so_beside_the_points_of_a_pyramid(tables: Any) -> None:
    table = tables(3)
    floor(table, "hearts", "spades", "diamonds", "hearts", "clubs", "hearts")
    pyramids(table, "red")
    text = await shown(table, (80, 24))
    assert "groups of this level   none yet" in text
    assert "this level adds" not in text
