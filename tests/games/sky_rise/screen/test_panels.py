"""Sky Rise's screen as panels: players as cards, the level, what it adds, earlier levels, the log; and in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from companion.dashboard.app import Dashboard
from companion.games.sky_rise.screen.game_screen import SkyRiseScreen
from companion.games.sky_rise.screen.side import added_rows
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.games.sky_rise.screen.parts import do, floor, goals, level, pyramids, shown, tower

NAMES = ("Ada", "Bo", "Clementine", "Dora", "Maximilian")
CODES = re.compile(r"LMS|\bpts\b|\bStart [A-Z]\b|noted [A-Z]\b|[A-Z]'s \d|\b\d{3}\b")
COLORS = ("red", "yellow", "green", "blue", "purple")
PANELS = ((110, 32), (160, 50), (200, 60))


@pytest.fixture
def opened() -> Iterator[Callable[[int], Table]]:
    """Open tables with that many seats."""
    with ExitStack() as stack:

        def table(seats: int) -> Table:
            opened = begin("sky-rise", NAMES[:seats], {"opaque_sizes": "by_trio"})
            stack.callback(opened.close)
            return opened

        yield table


def on_the_third_level(table: Table) -> None:
    level(table)
    level(table)
    floor(table)
    pyramids(table, "red", "red", "yellow", "yellow", "green", "green")


def on_the_roof(table: Table) -> None:
    for _ in range(3):
        level(table)
    floor(table)


def inside(text: str, title: str) -> list[str]:
    """Return the rows inside the panel with that title; fail if it has no lower edge."""
    rows = text.split("\n")
    first = next(row for row, line in enumerate(rows) if f"─ {title} ─" in line)
    left = rows[first].index(f"─ {title} ─") - 1
    below = [line[left:] for line in rows[first + 1 :]]
    last = next(place for place, line in enumerate(below) if line[:1] in "╰┗")
    return [line.split("│")[1].strip() for line in below[:last]]


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("played", [floor, on_the_third_level, on_the_roof, tower])
async def test_the_smallest_screen_has_words_where_there_is_room_for_them(
    opened: Callable[[int], Table], seats: int, played: Callable[[Table], None]
) -> None:
    table = opened(seats)
    played(table)
    if played is floor:
        do(table, "goal_noted", seat="bo", nest="red", tree="blue")
    text = re.sub(r"\d\d:\d\d:\d\d", "", await shown(table, (80, 24)))
    assert not CODES.search(text)
    for head in ("points here", "large", "med", "small", "cards", "Start token: "):
        assert head in text
    assert ("goals noted by Bo" in text) == (played is floor)


@pytest.mark.parametrize("size", PANELS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("played", [floor, on_the_third_level, on_the_roof])
async def test_with_room_for_panels_the_log_has_six_lines_and_each_player_a_card(
    opened: Callable[[int], Table], seats: int, size: tuple[int, int],
    played: Callable[[Table], None],
) -> None:  # fmt: skip
    table = opened(seats)
    played(table)
    text = await shown(table, size)
    assert len(inside(text, "What happened, newest first")) >= 6
    for seat in table.view().setup.seats:
        assert f"─ {seat.glyph} {seat.name} ─" in text or f"━ {seat.glyph} {seat.name} ━" in text
    assert text.count(" turn ━┛") == 1
    assert "cards in hand" in text
    assert inside(text, table.view().game.levels[-1].title)
    assert inside(text, "Points, and pyramids left")
    earlier = [level.title for level in table.view().game.levels[:-1]]
    if earlier:
        titles = inside(text, "Earlier levels")[0]
        assert all(title in titles for title in earlier)


@pytest.mark.parametrize("size", [(80, 24), *PANELS])
async def test_the_sign_of_a_group_is_explained_where_there_are_groups(
    opened: Callable[[int], Table], size: tuple[int, int]
) -> None:
    table = opened(5)
    on_the_third_level(table)
    assert "═ joins a group" in await shown(table, size)
    at_the_roof = opened(5)
    on_the_roof(at_the_roof)
    assert "joins a group" not in await shown(at_the_roof, size)


async def test_a_panel_says_what_the_level_adds_to_each_color_and_which_corners_bring_it(
    opened: Callable[[int], Table],
) -> None:
    table = opened(2)
    floor(table)
    assert "Nothing yet." in " ".join(inside(await shown(table, (200, 60)), "This level adds"))
    pyramids(table, "red", "red", "blue", "blue", "opaque")
    rows = [
        " ".join(row.split()) for row in inside(await shown(table, (200, 60)), "This level adds")
    ]
    assert rows[:2] == ["R red a1 b1 opaque a2 +6", "B blue c1 d1 +4"]


@pytest.mark.parametrize("size", PANELS[1:])
async def test_points_of_groups_and_of_columns_are_told_apart(
    opened: Callable[[int], Table], size: tuple[int, int]
) -> None:
    table = opened(2)
    on_the_roof(table)
    text = await shown(table, size)
    assert "6 a column" in text
    assert "2 a pyramid" not in text
    lower = opened(2)
    on_the_third_level(lower)
    text = await shown(lower, size)
    assert "2 a pyramid" in text
    assert "points each" not in text


async def test_what_the_roof_can_still_bring_are_columns(opened: Callable[[int], Table]) -> None:
    table = opened(2)
    on_the_roof(table)
    rows = [" ".join(row.split()) for row in inside(await shown(table, (200, 60)), "Columns")]
    assert rows[0] == "R red a1 b1 c1 18"


def test_the_roof_says_what_a_column_is_while_there_is_none(opened: Callable[[int], Table]) -> None:
    table = opened(2)
    on_the_roof(table)
    game = table.view().game
    bare = replace(game, colors=tuple(replace(color, columns=()) for color in game.colors))
    rows = added_rows(bare, 17)
    assert "on three levels is a column." in " ".join(row.plain.strip() for row in rows)
    assert max(row.cell_length for row in rows) <= 17


@pytest.mark.parametrize(("columns", "rows"), [(60, 12), (90, 20), (110, 40)])
def test_the_end_has_the_whole_tower_in_any_room(
    opened: Callable[[int], Table], columns: int, rows: int
) -> None:
    table = opened(5)
    tower(table)
    goals(table, *zip(COLORS, (*COLORS[1:], COLORS[0]), strict=True))
    do(table, "reveal")
    built = SkyRiseScreen().built(table.view(), columns, rows)
    assert built is not None
    lines = built.plain.split("\n")
    assert max(map(len, lines)) <= columns
    assert lines[-1].rstrip().endswith("# opaque")
    assert all(f"level {number}" in built.plain for number in (1, 2, 3))


@pytest.mark.parametrize("size", [(110, 32), (160, 50), (200, 60)])
async def test_the_page_of_the_tower_has_all_of_it_at_once_where_it_fits(
    opened: Callable[[int], Table], size: tuple[int, int]
) -> None:
    table = opened(2)
    on_the_third_level(table)
    text = await shown(table, size, "t")
    for seen in ("level 1", "level 3 (small)", "from the side", "row 1", "row 3", "# opaque"):
        assert seen in text


async def test_the_cursors_row_is_seen_from_the_side_where_there_is_room(
    opened: Callable[[int], Table],
) -> None:
    table = opened(4)
    on_the_third_level(table)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        assert inside(screen_text(app), "From the side")[0] == "row 1"
        await pilot.press("down")
        await pilot.pause()
        assert inside(screen_text(app), "From the side")[0] == "row 2"


async def test_in_ascii_letters_say_what_suits_and_colors_say(
    opened: Callable[[int], Table],
) -> None:
    table = opened(4)
    floor(table)
    pyramids(table, "red", "yellow")
    app = Dashboard(table, clock=ManualClock(), ascii=True)
    async with app.run_test(size=(110, 32)) as pilot:
        await pilot.pause()
        text = screen_text(app)
    assert text.isascii()
    assert "a  H R  red" in text
    assert "s  S Y  yellow" in text
    assert "g  Q P  purple" in text


@pytest.mark.parametrize("size", [(80, 24), (110, 32)])
async def test_a_color_has_its_points_of_earlier_levels_and_what_this_one_adds(
    opened: Callable[[int], Table], size: tuple[int, int]
) -> None:
    table = opened(2)
    on_the_third_level(table)
    text = await shown(table, size)
    assert re.search(r"earlier now.*large med small", text)
    assert re.search(r"red +-│ +12 +\+4│ +0 +0 +1", text)


@pytest.mark.parametrize("size", [(80, 24), (110, 32)])
async def test_a_color_of_which_no_pyramid_is_left_has_no_key(
    opened: Callable[[int], Table], size: tuple[int, int]
) -> None:
    table = opened(2)
    floor(table)
    assert re.search(r"a  ♥ R  red .* 3 +3 +3", await shown(table, size))
    pyramids(table, "red", "red", "red")
    text = await shown(table, size)
    assert re.search(r"   ♥ R  red +-│.* 0 +3 +3", text)
    assert not re.search("a  ♥ R", text)
    assert re.search(r"s  ♠ Y  yellow .* 3 +3 +3", text)


@pytest.mark.parametrize(
    ("played", "keys"),
    [(lambda _: None, "asdf"), (floor, "asdfo"), (tower, "")],
    ids=["a card", "a pyramid", "nothing"],
)
async def test_keys_are_beside_what_can_be_entered_now(
    opened: Callable[[int], Table], played: Callable[[Table], None], keys: str
) -> None:
    table = opened(2)
    played(table)
    text = await shown(table, (80, 24))
    assert re.findall(r" ([a-z]) +(?:\S +)?[RYGB#]  (?:red|yellow|green|blue|opaque) ", text) == [
        *keys
    ]


@pytest.mark.parametrize("size", [(80, 24), (110, 32)])
async def test_on_the_roof_a_color_has_its_total_and_the_sizes_their_keys(
    opened: Callable[[int], Table], size: tuple[int, int]
) -> None:
    table = opened(2)
    on_the_roof(table)
    text = await shown(table, size)
    assert re.search(r"here│in all│ *q large +w med +e small", text)
    assert "earlier" not in text


async def test_goals_have_no_columns_of_points_before_they_are_turned_up(
    opened: Callable[[int], Table],
) -> None:
    table = opened(2)
    tower(table)
    before = await shown(table, (80, 24), "v", "end")
    assert not re.search("placed +Nest", before)
    goals(table, ("red", "blue"), ("yellow", "green"))
    do(table, "reveal")
    assert re.search("placed +Nest +Tree +opaque +total", await shown(table, (80, 24), "escape"))
