"""The tour: six steps, each asks for one action and shows its result."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.commands.touring import TourTable, take_tour
from companion.dashboard.start.tour import TourDashboard
from companion.errors import ErrorKind
from companion.games.panic_fire.screen.tour import STAGES
from companion.session.opening import begin
from companion.session.table import Table
from companion.session.views import LinkView
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.dashboard.screen import screen_text

LIVE = LinkView("live", "The board is live.", healthy=True)
PATIENCE_S = 15.0


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    keys = {"table.undo": ("f20",)}
    make = partial(Table, keys=keys)
    with closing(
        begin("panic-fire", ("red", "blue", "green"), {}, tmp_path / "t.sqlite", make=make)
    ) as opened:
        monkeypatch.setattr(opened.board, "view", LIVE)
        yield opened


async def until(pilot: Pilot[None], *texts: str) -> str:
    """Wait until all texts are on the screen, wherever lines break."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            words = " ".join(screen_text(pilot.app).split())
            if all(text in words for text in texts):
                return words
            await pilot.pause(0.02)


async def test_every_step_asks_for_one_thing_and_shows_what_came_of_it(table: Table) -> None:
    held: list[str] = []

    def hold() -> None:
        held.append("zone-1")
        table.do("panic-fire.fire")

    app = TourDashboard(TourTable(table, hold), STAGES, keys={"table.undo": ("f20",)})
    async with app.run_test(size=(80, 24)) as pilot:
        await until(
            pilot, "Tour, step 1 of 6: Each seat has a button", "press B, the capital letter."
        )
        await pilot.press("B")
        await until(pilot, "the clock runs", "Tour, step 2 of 6", "press 1, red draws")
        await pilot.press("1")
        await until(
            pilot, "Red's draw is counted. Cards left: 81", "Tour, step 3 of 6", "press Space"
        )
        await pilot.press("space")
        await until(pilot, "A shot is open", "Tour, step 4 of 6", "w for blue, then q for red")
        await pilot.press("w")
        await pilot.press("q")
        await until(pilot, "blue is out", "Tour, step 5 of 6", "F20 undoes the last thing")
        await pilot.press("f20")
        await until(
            pilot, "Undone. Redo would restore", "Tour, step 6 of 6", "c opens Fix mistakes"
        )
        await pilot.press("c")
        await until(pilot, "Left: board reports", "Tour, done", "^q quits")
        assert app.step == len(app.steps) == 6
        await pilot.press("escape")
        await until(pilot, "Tour, done", "Gun")
    assert held == ["zone-1"]
    assert not app.return_code


async def test_a_board_that_is_not_live_yet_is_waited_for(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        table.board, "view", LinkView("searching", "Looking for the board.", healthy=True)
    )
    app = TourDashboard(TourTable(table, lambda: None), STAGES)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, "One moment: the virtual board is starting.")
        monkeypatch.setattr(table.board, "view", LIVE)
        await until(pilot, "press B, the capital letter.")


async def test_a_board_that_does_not_answer_is_said(table: Table) -> None:
    def hold() -> None:
        raise VirtualBoardError("it has ended.")

    app = TourDashboard(TourTable(table, hold), STAGES)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, "press B, the capital letter.")
        await pilot.press("B")
        await until(pilot, "The virtual board does not answer: it has ended.")


def test_keys_that_somebody_took_away_are_found_in_the_palette(table: Table) -> None:
    app = TourDashboard(TourTable(table, lambda: None), STAGES, keys={"table.undo": ()})
    app.step = len(STAGES)
    assert "^p undoes the last thing" in app._words().plain


def test_a_tour_without_a_folder_for_its_files_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.TemporaryDirectory", _no_room)
    with pytest.raises(
        Exception, match=r"^The tour cannot begin: no folder for its files can be made"
    ) as refused:
        take_tour({})
    assert getattr(refused.value, "kind", None) is ErrorKind.CANNOT_CREATE


def _no_room(**_: object) -> None:
    raise OSError(28, "No space left on device")
