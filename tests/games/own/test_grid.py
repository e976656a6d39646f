"""Numbers are typed into a grid of rounds and players, a digit a key, while the game goes on behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.keymap import actions_of
from companion.dashboard.screens.scores import ScoresForm
from companion.display.grids import Entering, NumberGrid
from companion.games.own.panels import PANELS
from companion.rules import registry
from companion.session.opening import begin, resume
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import until
from tests.games.own.files import TEXTS

FOUR = ("Anna", "Bo", "Clementine", "Dora")
SIZES = [(80, 24), (110, 32), (160, 50)]
PLAIN = """
format = 1
id = "plain"
title = "Plain"
does = "Counts points, an example."
seats = [2, 4]
score = "points"
over = "max(points) >= 1000"

[counters.points]
title = "points"

[examples.one]
seats = ["A", "B"]
plays = ["A points 17"]
scores = [17, 0]
"""

PARTY = (
    PLAIN.replace('id = "plain"', 'id = "party"')
    .replace(
        'title = "points"', 'title = "points"\nlasts = "round"\n\n[rounds.one]\ntitle = "round"'
    )
    .replace('score = "points"', 'score = "total(points)"')
    .replace('over = "max(points) >= 1000"', 'over = "round > 5"')
    .replace('plays = ["A points 17"]', 'plays = ["A points 17", "round ends"]')
    .replace(
        "[examples",
        '[inputs.done]\ntitle = "done"\ndoes = "round ends"\nfor = "table"\nkey = "d"\n\n[examples',
    )
)


def opened(text: str, path: Path, *names: str) -> Table:
    return begin(registry.learn(text).id, names, {}, path)


def grids(table: Table) -> tuple[NumberGrid, ...]:
    assert PANELS.grids is not None
    return PANELS.grids(table.view().game)


def values(grid: NumberGrid) -> list[list[int | None]]:
    return [[cell.value for cell in row.cells] for row in grid.rows]


def enter(table: Table, grid: NumberGrid, row: int, column: int, number: int) -> None:
    """Record a number as the screen does."""
    entry = grid.rows[row].cells[column].entry
    assert entry is not None
    body = entry.body_of(number)
    if entry.how is Entering.NOW:
        table.enter(entry.kind, body)
    else:
        kind = entry.kind if entry.how is Entering.INSERT else ""
        table.correct([{"entry": entry.entry, "body": body, "kind": kind}])


@pytest.fixture
def hearts(tmp_path: Path) -> Iterator[Table]:
    with closing(opened(TEXTS["hearts"], tmp_path / "h.sqlite", *FOUR)) as table:
        yield table


@asynccontextmanager
async def shown(
    table: Table, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Dashboard, Pilot[None]]]:
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        yield app, pilot
    assert app.crash is None


# -- keys


@pytest.mark.parametrize("size", SIZES)
async def test_a_round_of_four_two_digit_scores_takes_thirteen_keys(
    hearts: Table, size: tuple[int, int]
) -> None:
    keys = ["enter"]
    for number in ("10", "13", "00", "03"):
        keys += [*number, "enter"]
    assert len(keys) == 13
    async with shown(hearts, size) as (app, pilot):
        await pilot.press(*keys)
        screen = await until(pilot, app, "All numbers are in. Press Enter to end hand 1.")
        assert "26" in screen
        await pilot.press("enter")
        await until(pilot, app, "Type Anna's number", "> hand 2")
    assert values(grids(hearts)[0]) == [[10, 13, 0, 3], [None] * 4]


async def test_seventeen_points_for_anna_take_four_keys(tmp_path: Path) -> None:
    with closing(opened(PLAIN, tmp_path / "p.sqlite", "Anna", "Bo")) as table:
        async with shown(table) as (app, pilot):
            await pilot.press("enter", "1", "7", "enter")
            await until(pilot, app, "Type Bo's number", "is added")
            await pilot.press("escape")
        assert dict(table.view().standings) == {"anna": 17, "bo": 0}


async def test_escape_discards_the_number_and_only_then_closes_the_grid(hearts: Table) -> None:
    async with shown(hearts) as (app, pilot):
        await pilot.press("enter", "1", "3", "escape")
        await until(pilot, app, "Type Anna's number", "[-]")
        assert isinstance(app.screen, ScoresForm)
        await pilot.press("escape")
        await until(pilot, app, "Play and count")
    assert values(grids(hearts)[0]) == [[None] * 4]


async def test_what_others_do_counts_while_a_number_is_typed(hearts: Table) -> None:
    async with shown(hearts) as (app, pilot):
        await pilot.press("enter", "2")
        hearts.do("own.heart.3")
        await until(pilot, app, "[2_]", "Missing: Anna, Bo and Dora.")
        await pilot.press("0", "enter")
        await until(pilot, app, "Type Bo's number")
    assert values(grids(hearts)[0]) == [[20, None, 1, None]]


async def test_a_round_that_ends_meanwhile_keeps_the_cursor_and_the_number(tmp_path: Path) -> None:
    with closing(opened(TEXTS["wizard"], tmp_path / "w.sqlite", "Ann", "Ben", "Cleo")) as table:
        for seat, bid in (("ann", 1), ("ben", 0), ("cleo", 0)):
            table.enter("set", {"counter": "bid", "value": bid, "seat": seat})
        async with shown(table) as (app, pilot):
            await pilot.press("enter", "1")
            await until(pilot, app, "tricks", "[1_]")
            table.do("own.trick.2")
            await until(pilot, app, "> round 1", "[1_]", "round 2")


async def test_a_refused_number_stays_and_the_next_digit_begins_a_new_one(hearts: Table) -> None:
    async with shown(hearts) as (app, pilot):
        await pilot.press("enter", "2", "7", "enter")
        await until(pilot, app, "Points taken would be 27. Choose 26 or less.", "[27_]")
        await pilot.press("9", "enter")
        await until(pilot, app, "Type Bo's number")
    assert values(grids(hearts)[0])[0][0] == 9


async def test_the_grid_says_what_is_off_once_all_numbers_are_in(hearts: Table) -> None:
    for seat in ("anna", "bo", "clementine", "dora"):
        hearts.enter("add", {"counter": "taken", "by": 6, "seat": seat})
    async with shown(hearts) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, app, "hand 1: 24 in all. Each hand has 26 points in all.")
        await pilot.press("enter")
        await pilot.pause()
        assert len(grids(hearts)[0].rows) == 1


async def test_another_sign_says_that_it_does_nothing_here_and_a_question_mark_helps(
    hearts: Table,
) -> None:
    async with shown(hearts) as (app, pilot):
        await pilot.press("enter", "x")
        await until(pilot, app, "'x' does nothing here. Type a number, then Enter.")
        await pilot.press("question_mark")
        await until(pilot, app, "Arrows choose another cell")
        await pilot.press("4", "backspace", "5", "enter")
        await until(pilot, app, "Type Bo's number")
    assert values(grids(hearts)[0])[0][0] == 5


def test_enter_opens_it_unless_the_game_has_enter_for_itself() -> None:
    assert keys_of(TEXTS["hearts"]) == ("enter", "number_sign")
    text = TEXTS["hearts"].replace('key = "space"', 'key = "enter"').replace('"hearts"', '"hh"')
    assert keys_of(text) == ("number_sign",)


def keys_of(text: str) -> tuple[str, ...]:
    actions = actions_of(registry.learn(text).id)
    return next(action.keys for action in actions if action.id == "dashboard.scores")


# -- what is recorded


def test_a_number_that_was_typed_is_typed_over_and_not_added_to(hearts: Table) -> None:
    enter(hearts, grids(hearts)[0], 0, 1, 12)
    enter(hearts, grids(hearts)[0], 0, 1, 7)
    assert values(grids(hearts)[0])[0][1] == 7
    texts = [line.text for line in hearts.view().log]
    assert any("its place" in text for text in texts), texts


async def test_a_round_that_is_over_is_corrected_in_one_step(hearts: Table) -> None:
    for column, number in enumerate((13, 13, 0, 0)):
        enter(hearts, grids(hearts)[0], 0, column, number)
    hearts.enter("round_ends", {})
    enter(hearts, grids(hearts)[0], 1, 0, 5)
    async with shown(hearts) as (app, pilot):
        await pilot.press("enter", "up", "home", "left", "left", "left", "3", "enter")
        await until(pilot, app, "Type more numbers, or press Enter to correct hand 1.", "3*")
        assert values(grids(hearts)[0])[0] == [13, 13, 0, 0]
        await pilot.press("right", "1", "0", "enter", "enter")
        await until(pilot, app, "sum 8 13 10 0")
        assert values(grids(hearts)[0]) == [[3, 13, 10, 0], [5, None, None, None]]
        await pilot.press("escape", "u")
        await pilot.pause()
    assert values(grids(hearts)[0]) == [[13, 13, 0, 0], [5, None, None, None]]


async def test_a_correction_that_breaks_its_round_is_refused_and_esc_discards_it(
    hearts: Table,
) -> None:
    for column, number in enumerate((13, 13, 0, 0)):
        enter(hearts, grids(hearts)[0], 0, column, number)
    hearts.enter("round_ends", {})
    async with shown(hearts) as (app, pilot):
        await pilot.press("enter", "up", "9", "enter", "enter")
        await until(pilot, app, "Each hand has 26 points in all.", "9*")
        await pilot.press("escape")
        await until(pilot, app, "Enter next", "sum 13 13 0 0")
    assert values(grids(hearts)[0])[0] == [13, 13, 0, 0]


def test_numbers_counted_tap_by_tap_are_corrected_by_what_they_lack(hearts: Table) -> None:
    for _ in range(3):
        hearts.do("own.heart.1")
    enter(hearts, grids(hearts)[0], 0, 0, 9)
    assert values(grids(hearts)[0])[0][0] == 9
    hearts.do("table.undo")
    assert values(grids(hearts)[0])[0][0] == 3


def test_a_turn_that_is_taken_back_forgets_what_was_typed_in_it(tmp_path: Path) -> None:
    with closing(opened(TEXTS["darts-501"], tmp_path / "d.sqlite", "Ann", "Ben")) as table:
        assert grids(table)[0].first_empty() == (1, 0)
        enter(table, grids(table)[0], 1, 0, 60)
        table.enter("bust", {})
        assert values(grids(table)[0])[0] == [0, 0]
        assert grids(table)[0].first_empty() == (1, 1)


def test_a_box_used_once_takes_the_player_whose_turn_it_is(tmp_path: Path) -> None:
    with closing(opened(TEXTS["yahtzee"], tmp_path / "y.sqlite", "Ann", "Ben")) as table:
        enter(table, grids(table)[0], 0, 0, 3)
        assert grids(table)[0].first_empty() == (0, 1)
        enter(table, grids(table)[0], 0, 1, 2)
        enter(table, grids(table)[0], 0, 0, 4)
        assert values(grids(table)[0])[0] == [4, 2]


def test_no_secret_counter_is_in_a_grid(tmp_path: Path) -> None:
    with closing(opened(TEXTS["bidding"], tmp_path / "b.sqlite", "Ann", "Ben")) as table:
        before = (
            [grid.title for grid in grids(table)],
            [row.check for grid in grids(table) for row in grid.rows],
        )
        table.enter("note", {"seat": "ann", "counter": "bid", "value": 3})
        after = (
            [grid.title for grid in grids(table)],
            [row.check for grid in grids(table) for row in grid.rows],
        )
    assert before == after == (["tricks taken"], [""])


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_typed_where_the_grid_shows_it_and_a_resumed_session_shows_the_same(
    seed: int, tmp_path: Path
) -> None:
    chance, path = Random(seed), tmp_path / "r.sqlite"
    text = TEXTS[chance.choice(["hearts", "wizard", "yahtzee"])]
    names = FOUR if "hearts" in text else FOUR[:3]
    table = opened(text, path, *names)
    for _ in range(60):
        grid = chance.choice(grids(table))
        row, column = chance.randrange(len(grid.rows)), chance.randrange(len(names))
        cell = grid.rows[row].cells[column]
        if cell.entry is None:
            continue
        number, title = chance.randrange(14), grid.rows[row].title
        before = table.view().notice
        enter(table, grid, row, column, number)
        notice = table.view().notice
        is_new = notice is not None and (before is None or notice.number != before.number)
        if is_new and notice is not None and notice.refused:
            continue
        found = [one for one in grids(table) if one.title == grid.title]
        rows = [one for one in found[0].rows if one.title == title] if found else []
        if rows and rows[0].cells[column].value is not None:
            assert rows[0].cells[column].value == number
        end = grids(table)[0].end
        if end is not None and chance.random() < 0.3:
            table.enter(end.kind, end.body)
    shown_now = [values(grid) for grid in grids(table)]
    table.close()
    with closing(resume(path)) as again:
        assert [values(grid) for grid in grids(again)] == shown_now


def test_somebody_who_joined_late_has_nothing_to_type_in_the_rounds_before(tmp_path: Path) -> None:
    with closing(opened(PARTY, tmp_path / "j.sqlite", "Ann", "Ben")) as table:
        enter(table, grids(table)[0], 0, 0, 4)
        table.enter("round_ends", {})
        table.enter("seat_joins", {"name": "Zoe"})
        enter(table, grids(table)[0], 1, 2, 5)
        table.enter("round_ends", {})
        assert values(grids(table)[0]) == [[4, 0, None], [0, 0, 5], [None] * 3]
        assert grids(table)[0].rows[0].missing == ()
