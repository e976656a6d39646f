"""Twelve players sit down, play and are shown: on the start screen, at the table, on phones, and in the report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import cli
from companion.config.schema import Preferences
from companion.dashboard.app import Dashboard
from companion.dashboard.start.app import StartApp
from companion.dashboard.start.choices import NewGame, Search
from companion.link.finder import BoardSearch
from companion.rules import registry
from companion.rules.seats import GLYPHS
from companion.session.opening import begin
from companion.session.table import Table
from companion.web.codes import Codes
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, until
from tests.games.own.files import TEXTS
from tests.web.game_pages import page_of

TWELVE = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hanna", "Ida", "Jo", "Kim", "Lee")
SIZES = [(80, 24), (160, 50)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(
        begin(registry.learn(TEXTS["yahtzee"]).id, TWELVE, {}, tmp_path / "one.sqlite")
    ) as begun:
        yield begun


@pytest.mark.parametrize("size", SIZES)
async def test_twelve_names_are_typed_on_the_start_screen_and_seen_there(
    size: tuple[int, int],
) -> None:
    game = NewGame(registry.learn(TEXTS["yahtzee"]).id, [])
    app = StartApp((), Preferences(), Search(lambda _: BoardSearch(None, "")), game=game)
    async with app.run_test(size=size) as pilot:
        await pilot.press("escape")
        for name in TWELVE:
            await pilot.press(*name.lower(), "tab")
        await pilot.pause()
        text = screen_text(app)
        for place, name in enumerate(TWELVE, start=1):
            assert any(
                line.strip(" │").split("│")[0].strip(" >").split() == [str(place), name.lower()]
                for line in text.splitlines()
            ), name
        assert "§ lee" in text
        assert "Enter continue" in text
        await pilot.press("enter", "enter")
        await pilot.pause()
    assert isinstance(app.return_value, NewGame)
    assert app.return_value.seats == [name.lower() for name in TWELVE]


@pytest.mark.parametrize("size", SIZES)
async def test_each_of_twelve_players_is_on_the_table_and_its_pages(
    table: Table, size: tuple[int, int]
) -> None:
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        text = await until(pilot, app, "Ann, play and count (=: count anything else).")
        for glyph, name in zip(GLYPHS, TWELVE, strict=True):
            assert f"{glyph} {name}" in text
        await pilot.press("f8")
        big = await until(pilot, app, "points")
        assert all(f"{glyph} {name}" in big for glyph, name in zip(GLYPHS, TWELVE, strict=True))
        await pilot.press("f8", "v")
        counted = await until(pilot, app, "small straight")
        assert counted.count("chance") == 1


async def test_a_counter_is_set_by_its_form_for_whoever_has_the_turn(table: Table) -> None:
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "Ann, play")
        await pilot.press("equals_sign")
        await until(pilot, app, "Set a counter to a number", "< Ann >")
        await pilot.press("f", "tab", "1", "3", "enter")
        await until(
            pilot, app, "! A box above has only dice of its number. Look whose number is wrong."
        )
        await pilot.press("backspace", "2", "enter")
        await until(pilot, app, "Ben, play")
        assert table.view().game.players[0].counters[3] == ("fours", 12)
        table.do("table.undo")
        await until(pilot, app, "Ann, play")
        assert "fours" in table.view().game.players[0].free


async def test_a_box_that_is_used_is_not_offered_again(table: Table) -> None:
    for name in TWELVE:
        table.enter("set", {"seat": name.lower(), "counter": "chance", "value": 20})
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "Ann, play")
        await pilot.press("equals_sign")
        assert (
            "chance"
            not in (await until(pilot, app, "one of 12"))
            .partition("one of")[2]
            .partition("Enter save")[0]
        )


def test_the_phones_show_everybody_with_their_marks_and_each_player_has_a_page(
    table: Table,
) -> None:
    game, setup = table.game, table.view().setup
    state = game.start(setup)
    page = page_of(game, state)["seats"]
    assert all(f"<b>{seat.name}</b>" in page and seat.glyph in page for seat in setup.seats)
    codes = Codes()
    codes.seat(setup.seats)
    assert len({codes.of(seat.id) for seat in setup.seats}) == len(TWELVE)


def test_the_report_and_the_sheet_name_everybody(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.do("own.house")
    table.close()
    out = tmp_path / "report.html"
    assert cli.main(["export", str(tmp_path / "one.sqlite"), "-o", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert all(f"{glyph} {name}" in page for glyph, name in zip(GLYPHS, TWELVE, strict=True))
    assert cli.main(["sheet", str(tmp_path / "one.sqlite")]) == 0
    text = capsys.readouterr().out
    assert all(f"{name}" in text for name in TWELVE)
