"""The map editor: a map entered with a few keys stands in the owner's file, and nothing entered is ever lost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from companion.box.owner_box import box_with, own_path, write_rows
from companion.cli import main
from companion.config.schema import Preferences
from companion.dashboard.themes import LIGHT
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit
from companion.games.fractured_sky.rules.board import board_of
from companion.games.fractured_sky.screen.editor import MapEditor
from companion.games.fractured_sky.screen.sketch import DRAFTS, RowId, rows_of, sketch_of
from companion.rules.components import Box, BoxError, ComponentRow, example, packaged
from tests.dashboard.screen import screen_text
from tests.thorough import examples

GAME = "fractured-sky"
CLIFFS, DESERT, TROPICS, TENTH = (
    "Careening Cliffs",
    "Dreadful Desert",
    "Torrential Tropics",
    "Tenth region",
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def save(rows: Sequence[ComponentRow], gone: Sequence[RowId]) -> Path:
    return write_rows(GAME, rows, gone, "# mine\n")


def editor(side: str = "eight", **settings: Any) -> MapEditor:
    try:
        box = box_with(GAME, own_path(GAME))
    except FileNotFoundError:
        box = packaged(GAME)
    return MapEditor(
        box,
        side,
        own_path(GAME).with_name(f"map-{side}.json"),
        save,
        "my copy, 2026",
        wanted=Preferences(**settings),
    )


def own() -> Box:
    return box_with(GAME, own_path(GAME))


async def press(pilot: Pilot[str], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (160, 50)][: examples(1, 2)])
async def test_a_map_is_entered_drawn_and_written_with_status_and_source(
    size: tuple[int, int],
) -> None:
    app = editor()
    async with app.run_test(size=size) as pilot:
        await press(pilot, "right", "2", "w", "i", *["right"] * 8, "8", "n", *"Windy Wold", "enter")
        await press(
            pilot, "down", "down", "left", "left", "p", "2", "8", "plus", "plus", "plus", "minus"
        )
        text = screen_text(app)
        await press(pilot, "s")
    written = ["2 Creepy Cove", "Wood, Iron", "8 Windy Wold", "platform 1", "2 places"]
    if size == (80, 24):
        written = ["2 Creepy Cove WI", "8 Windy Wold ??", "[1] 2 places"]
    assert [words for words in written if words not in text] == []
    assert "─" in text
    assert "platform 1: places for buildings 2; bridged to Creepy Cove, Windy Wold" in text
    assert "2 of 8 placed, 1 platform" in text
    board = board_of(own(), "eight")
    assert board.by_id["creepy-cove"].resources == ("Wood", "Iron")
    assert board.by_id["tenth-region"].name == "Windy Wold"
    assert board.by_id["tenth-region"].point == (Fraction(9), Fraction(0))
    (platform,) = board.platforms
    assert (platform.regions, platform.places) == (("creepy-cove", "tenth-region"), 2)
    assert platform.point == (Fraction(7), Fraction(2))
    row = own().row("place_eight", TENTH)
    assert row is not None
    assert (row.status, row.source, row.own) == ("confirmed", "my copy, 2026", True)
    assert "5 rows written, 0 taken out" in (app.return_value or "")


async def test_a_region_is_carried_elsewhere_by_keys_or_by_the_mouse() -> None:
    app = editor()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "enter", "down", "right", "enter")
        assert app.sketch.cells[CLIFFS] == (1, 1)
        await press(pilot, "enter")
        assert ">1 Careening Cliffs<" in screen_text(app)
        await pilot.click("#picture", offset=(20, 6))
        await pilot.pause()
        assert app.sketch.cells[CLIFFS] == (5, 6)
        await press(pilot, "enter", "up", "escape")
        assert app.sketch.cells[CLIFFS] == (5, 6)
        await press(pilot, "u", "u")
        assert app.sketch.cells[CLIFFS] == (0, 0)


async def test_two_things_never_stand_in_one_place() -> None:
    app = editor()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "2", "p")
        assert "! Something stands there already. Choose a free place." in screen_text(app)
        assert set(app.sketch.cells) == {CLIFFS}
        assert not app.sketch.piers


async def test_what_is_placed_is_gone_to_carried_and_taken_off_the_map_again() -> None:
    app = editor()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "right", "p", "1", "enter", "left", "enter")
        assert "! Something stands there already. Choose a free place." in screen_text(app)
        await press(pilot, "down", "enter")
        assert (app.sketch.piers["1"].cell, app.sketch.piers["1"].regions) == ((0, 1), (CLIFFS,))
        await press(pilot, "x")
        assert not app.sketch.piers
        await press(pilot, "right", "right", "1", "x")  # the region's own number goes there
        assert not app.sketch.cells
        await press(pilot, "s")
        assert "! Your file says all of this already." in screen_text(app)
        await press(pilot, "p", "s")
        assert "! Platform 1 has no bridge yet." in screen_text(app)


async def test_what_was_entered_is_there_again_after_esc() -> None:
    first = editor()
    async with first.run_test(size=(80, 24)) as pilot:
        await press(pilot, "down", "4", "g", "escape")
    assert "kept as a draft" in (first.return_value or "")
    assert not own_path(GAME).exists()
    second = editor()
    async with second.run_test(size=(80, 24)) as pilot:
        assert "The draft of before is here." in screen_text(second)
        assert second.sketch.resources["Molten Moor"] == ("Gold",)
        await press(pilot, "s")
        assert "! " not in screen_text(second).splitlines()[0]
        assert (
            "! Saved but for this: Molten Moor has one resource, Gold, and needs two."
            in screen_text(second)
        )
        await press(pilot, "down", "w", "escape")
    assert own().row("place_eight", "Molten Moor") is not None
    third = editor()
    async with third.run_test(size=(80, 24)) as pilot:
        assert third.sketch.resources["Molten Moor"] == ("Gold", "Wood")
        await press(pilot, "X")
        assert "Molten Moor" in third.sketch.resources
        await press(pilot, "X")
        assert "Molten Moor" not in third.sketch.resources
        await press(pilot, "u")
        assert third.sketch.resources["Molten Moor"] == ("Gold", "Wood")


async def test_a_draft_that_can_be_neither_kept_nor_dropped_is_said_and_ends_nothing() -> None:
    app = editor()
    async with app.run_test(size=(80, 24)) as pilot:
        app._draft.mkdir(parents=True)  # no file is written or removed there
        await press(pilot, "X", "X")
        assert "! The draft cannot be kept" in screen_text(app)
        assert app.is_running


async def test_leaving_without_a_change_leaves_nothing_behind(data: Path) -> None:
    app = editor("ten")
    async with app.run_test(size=(80, 24)) as pilot:
        assert "10 regions (4-5 players): 0 of 10 placed" in screen_text(app)
        await press(pilot, "escape")
    assert app.return_value == "Nothing was changed."
    assert not list(data.rglob("*.*"))


async def test_a_map_against_what_is_published_is_not_written_and_says_why() -> None:
    app = editor()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3", "down", "down", "right", "7", "s")
        text = " ".join(screen_text(app).split())
        assert (
            "! [[place_eight]] Dreadful Desert: FS-U3: it is not further SE than Torrential Tropics"
            in text
        )
        await press(pilot, "escape")
    assert not own_path(GAME).exists()
    assert "kept as a draft" in (app.return_value or "")


def test_what_else_stands_in_the_owners_file_stays_as_it_is() -> None:
    path = own_path(GAME)
    path.parent.mkdir(parents=True)
    mine = (
        '# my notes\n\n[[cost]]\nname = "Market"\ngold = 1\niron = 1\nwood = 1\n'
        'status = "confirmed"\nsource = "box"\n'
    )
    old = '[[place_eight]]\nname = "Creepy Cove"\n# measured\nx = 1\ny = 1\nstatus = "confirmed"\nsource = "box"\n'
    path.write_text(f"{mine}\n{old}\n# the end\n", encoding="utf-8")
    write_rows(
        GAME,
        [ComponentRow("place_eight", "Creepy Cove", {"x": 3, "y": 4}, "confirmed", "my copy")],
        [],
        "",
    )
    text = path.read_text(encoding="utf-8")
    assert text.startswith(mine)
    assert "# the end" in text
    row = own().row("place_eight", "Creepy Cove")
    assert row is not None
    assert dict(row.fields) == {"x": 3, "y": 4}
    write_rows(GAME, [], [("place_eight", "Creepy Cove")], "")
    assert own().row("cost", "Market") is not None
    row = own().row("place_eight", "Creepy Cove")
    assert row is not None
    assert not row.fields


def test_a_file_that_a_program_cannot_change_is_left_alone() -> None:
    path = own_path(GAME)
    path.parent.mkdir(parents=True)
    rows = [
        f'{{ name = "{name}", x = 1, y = 1, status = "confirmed", source = "box" }}'
        for name in (CLIFFS, TROPICS)
    ]
    strange = f"place_eight = [{', '.join(rows)}]\n"
    path.write_text(strange, encoding="utf-8")
    with pytest.raises(BoxError):
        write_rows(
            GAME,
            [ComponentRow("place_eight", CLIFFS, {"x": 3, "y": 4}, "confirmed", "my copy")],
            [],
            "",
        )
    assert path.read_text(encoding="utf-8") == strange


@pytest.mark.parametrize("side", ["eight", "ten"])
def test_the_example_map_says_nothing_new_of_itself_and_its_sketch_survives_a_draft(
    side: str,
) -> None:
    box = example(GAME)
    sketch = sketch_of(box, side)
    assert rows_of(sketch, box, "again") == ([], [])
    assert DRAFTS.validate_json(DRAFTS.dump_json(sketch)) == sketch


async def test_the_map_looks_as_the_settings_say() -> None:
    app = editor(theme="light", ascii=True, animation=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", *["right"] * 8, "2", "down", "p", "1", "2")
        text = screen_text(app)
        assert (app.theme, app.animation_level) == (LIGHT, "full")
    assert "[1] ? places" in text
    assert text.isascii()


def test_the_settings_are_asked_for_by_the_screen_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(_: object) -> Preferences:
        raise CommandError("line 2: theme is wrong", ErrorKind.DATA)

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("companion.commands.components.in_force", wrong)
    for command, code, sentence in (
        ("list", Exit.DONE, ""),
        ("map", Exit.DATA, "line 2: theme is wrong\n"),
    ):
        assert main(["components", command, GAME]) == code
        assert capsys.readouterr().err == sentence


def test_without_a_terminal_or_a_map_the_command_says_what_to_do_instead(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for game, sentence in (
        (GAME, "this is none; companion components edit fractured-sky"),
        ("panic-fire", "has a map"),
    ):
        assert main(["components", "map", game]) == Exit.USAGE
        assert sentence in capsys.readouterr().err


def test_a_platform_taken_off_the_map_leaves_the_file() -> None:
    sketch = sketch_of(example(GAME), "eight")
    rows, _ = rows_of(sketch, packaged(GAME), "invented")
    known = [row for row in rows if row.table == "platform_eight"]
    box = Box(
        (
            *packaged(GAME).rows,
            *(ComponentRow(r.table, r.name, r.fields, r.status, r.source, own=True) for r in known),
        )
    )
    _, gone = rows_of(sketch.without("3"), box, "again")
    assert gone == [("platform_eight", "3")]


async def test_what_nobody_is_sure_of_is_written_as_provisional_and_confirmed_later() -> None:
    first = editor()
    async with first.run_test(size=(80, 24)) as pilot:
        await press(
            pilot,
            "1",
            "question_mark",
            *["down"] * 2,
            "p",
            "1",
            "question_mark",
            *["down"] * 2,
            "2",
        )
        text = screen_text(first)
        await press(pilot, "s")
    assert "1 Careening Cliffs GI ?" in text
    assert "[1] ? places ?" in text
    status_of = {(row.table, row.name): row.status for row in own().rows if row.own}
    assert status_of["place_eight", CLIFFS] == status_of["platform_eight", "1"] == "provisional"
    assert status_of["place_eight", "Creepy Cove"] == "confirmed"
    assert ("region", CLIFFS) not in status_of  # its resources are known, and were not touched
    again = editor()
    async with again.run_test(size=(80, 24)) as pilot:
        assert "not sure: provisional" in screen_text(again)
        await press(pilot, "question_mark", "s")
    assert "rows written" in (again.return_value or "")
    row = own().row("place_eight", CLIFFS)
    assert row is not None
    assert row.status == "confirmed"
    assert {row.name for row in own().rows if row.own and row.status == "provisional"} == {"1"}


async def test_a_fault_of_the_editor_is_no_traceback_and_the_draft_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = editor()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "1")
        monkeypatch.setattr(app, "_draw", lambda: 1 // 0)
        await pilot.press("right")
    assert isinstance(app.failure, ZeroDivisionError)
    assert app.ended_by is ErrorKind.SOFTWARE
    assert app._draft.exists()


async def test_a_key_that_does_nothing_says_so_and_all_regions_that_are_not_placed_are_named() -> (
    None
):
    app = editor("ten")
    async with app.run_test(size=(80, 24)) as pilot:
        assert all(
            name in " ".join(screen_text(app).split())
            for name in (CLIFFS, DESERT, TROPICS, "0 Unnamed region")
        )
        for key, sentence in (
            ("enter", "There is nothing here to move."),
            ("u", "There is nothing to undo."),
            ("g", "That key does nothing here."),
        ):
            await press(pilot, key)
            assert f"! {sentence}" in screen_text(app)
        await press(pilot, "1", "enter", "g")
        assert "! You are moving something." in screen_text(app)


async def test_names_are_whole_where_two_regions_lie_close_to_each_other() -> None:
    app = editor()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "down", "down", "1", "right", "right", "2", *["right"] * 20, "3")
        text = screen_text(app)
    for name in ("1 Careening Cliffs", "2 Creepy Cove", "3 Dreadful Desert"):
        assert name in text
    assert "1.." in text


@pytest.mark.parametrize("size", [(110, 32), (160, 50)])
async def test_a_map_fills_a_large_window_with_whole_names_and_no_signs(
    size: tuple[int, int],
) -> None:
    box = example(GAME)
    app = MapEditor(
        box, "eight", own_path(GAME).with_name("m.json"), save, "invented", wanted=Preferences()
    )
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        rows = screen_text(app).split("\n")
        shown, text = app.sketch, "\n".join(rows)
        grid = app.grid
    for region in shown.regions:
        assert f"{shown.key(region)} {shown.label(region)}" in text
    for name in shown.piers:
        assert f"platform {name}" in text
        assert f"[{name}]" not in text
    assert ".. " not in text
    assert (grid.width + 2) * grid.columns >= size[0] * 4 // 5
    assert grid.height * grid.rows >= size[1] // 2
    assert [row for row in rows if "────" in row], "bridges are lines"


async def test_in_a_large_window_a_click_goes_to_the_cell_under_it() -> None:
    app = editor()
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "1", "enter")
        grid = app.grid
        await pilot.click("#picture", offset=(5 * grid.columns + 2, 3 * grid.rows + 1))
        await pilot.pause()
    assert (grid.columns, grid.rows) > (4, 1)
    assert app.sketch.cells[CLIFFS] == (5, 3)


async def test_the_lines_below_the_map_name_the_keys_of_what_is_under_the_cursor() -> None:
    app = editor()
    keys = {
        "nothing": "1-8 put that region here",
        "region": "g Gold i Iron w Wood n name",
        "platform": "1-8 bridge + - places",
        "carried": "Enter put it down",
    }
    shown = {}
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for what, pressed in {
            "nothing": (), "region": ("1",), "carried": ("enter",),
            "platform": ("enter", "right", "p"),
        }.items():  # fmt: skip
            await press(pilot, *pressed)
            text = " ".join(screen_text(app).split())
            shown[what] = {name for name, words in keys.items() if words in text}
    assert shown == {what: {what} for what in keys}


async def test_a_region_without_a_published_name_is_called_so_on_both_sides_of_the_board() -> None:
    for side in ("eight", "ten"):
        app = editor(side)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            text = " ".join(screen_text(app).split())
        assert "Unnamed region" in text
        assert TENTH not in text
