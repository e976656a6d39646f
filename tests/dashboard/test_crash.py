"""A failure of the dashboard ends with one sentence and exit code 70, without a traceback."""

from __future__ import annotations

import asyncio
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from textual.css.query import NoMatches
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.big import BigPage
from companion.errors import ErrorKind
from companion.rules.gestures import GestureSettings
from companion.session.marshal_view import MarshalView
from companion.session.rereading import Rereading
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import form_text, screen_text
from tests.games.panic_fire.screen.views import panic_fire_table

FAILING = """
import sys
from pathlib import Path
from companion.dashboard.app import run_dashboard
from companion.exits import code_of
from tests.games.panic_fire.screen.views import panic_fire_table
table = panic_fire_table(game=None)
sys.exit(code_of(run_dashboard(table, crash_file=Path(sys.argv[1]))))
"""


async def test_a_view_that_cannot_be_shown_ends_with_code_70(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = panic_fire_table()
    crash_file = tmp_path / "state" / "crash.txt"
    app = Dashboard(table, clock=ManualClock(), crash_file=crash_file)
    async with app.run_test() as pilot:
        table.publish(game=None)
        await pilot.pause()
    assert app.ended_by is ErrorKind.SOFTWARE
    printed = " ".join("".join(capsys.readouterr()).split())
    assert printed.startswith("The dashboard stopped by a fault of its own (AttributeError: ")
    assert (
        "the session is kept (saved), start the companion again to resume; the details are in"
        in printed
    )
    assert "Traceback" not in printed
    assert "Traceback" in crash_file.read_text()


async def test_a_crash_file_that_cannot_be_written_is_said_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = panic_fire_table()
    (tmp_path / "file").write_text("in the way")
    app = Dashboard(table, clock=ManualClock(), crash_file=tmp_path / "file" / "crash.txt")
    async with app.run_test() as pilot:
        table.publish(game=None)
        await pilot.pause()
    assert app.ended_by is ErrorKind.SOFTWARE
    assert "the details could not be written" in " ".join("".join(capsys.readouterr()).split())


def test_on_a_real_terminal_a_crash_leaves_one_sentence_and_code_70(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", FAILING, str(tmp_path / "crash.txt")],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"TERM": "xterm-256color"},
    )
    os.close(follower)
    output = b""
    try:
        while chunk := _read(leader):
            output += chunk
        assert process.wait(30) == 70
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    assert b"The dashboard stopped by a fault of its own" in output
    assert b"Traceback" not in output
    assert "Traceback" in (tmp_path / "crash.txt").read_text()


def _read(leader: int) -> bytes:
    """Return the next output of the terminal, b"" once its last program has ended (EIO on Linux)."""
    try:
        return os.read(leader, 65536)
    except OSError:
        return b""


class BrokenError(ValueError):
    """A fault of the program."""


@pytest.mark.parametrize(
    "keys", [("c",), ("f4",), ("f5",)], ids=["marshal screen", "read again", "levels"]
)
async def test_a_fault_behind_the_marshal_screen_is_one_sentence_and_the_game_goes_on(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    table = panic_fire_table()

    def broken() -> MarshalView:
        raise BrokenError("a row too many")

    table.marshal = broken  # type: ignore[method-assign]
    crash_file = tmp_path / "crash.txt"
    app = Dashboard(table, clock=ManualClock(), crash_file=crash_file)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
        await _until_said(pilot, app, "(BrokenError: a row too many)")
        text = " ".join(screen_text(app).split())
        assert "This cannot be shown because of a fault of the program" in text
        assert "the game continues; the details are in" in text
        await pilot.press("escape", "u")
    assert (app.return_code or 0, table.done) == (0, ["table.undo"])
    assert "Traceback" in crash_file.read_text()


async def test_a_fault_of_a_rereading_leaves_its_form_in_use() -> None:
    table = panic_fire_table()
    read = table.readings

    def broken(settings: GestureSettings) -> Rereading:
        raise BrokenError("a row too many")

    table.readings = broken
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await _until_said(pilot, app, "The difference cannot be shown.")
        await _until_said(pilot, app, "(BrokenError: a row too many)")
        table.readings = read
        await pilot.press("backspace")
        await _until_said(pilot, app, "Scores:")
    assert not app.return_code


async def _until_said(pilot: Pilot[None], app: Dashboard, text: str) -> None:
    async with asyncio.timeout(10):
        while all(
            text not in " ".join(shown.split()) for shown in (screen_text(app), form_text(app))
        ):
            await pilot.pause()


async def test_what_is_still_to_be_shown_as_the_app_ends_is_no_fault(tmp_path: Path) -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock(), crash_file=tmp_path / "crash.txt")
    async with app.run_test() as pilot:
        await pilot.pause()
    app._handle_exception(NoMatches("no part of that name"))
    assert app.ended_by is None
    app._handle_exception(ValueError("a fault all the same"))
    assert app.ended_by is ErrorKind.SOFTWARE


async def test_a_page_that_has_lost_its_parts_is_left_alone() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test() as pilot:
        await pilot.press("f8")
        await pilot.pause()
        page = app.screen
        assert isinstance(page, BigPage)
        await page.remove_children()
        page.show(table.view())
        page.on_resize()
        page.show_now()
        await pilot.press("escape")
        await pilot.pause()
    assert app.ended_by is None
