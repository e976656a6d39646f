"""Only the dashboard imports textual."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from companion.commands.starting import LONG
from companion.journal.entries import Draft, Layer
from companion.journal.journal import Journal
from companion.session.clocks import wall

ROOT = Path(__file__).parents[2]
NAMES = ("session.table", "session.plain", "games.panic_fire.rules.game", "dashboard.source")
HEADLESS = ", ".join(f"companion.{name}" for name in NAMES)


def test_the_table_the_games_and_the_line_printer_load_no_textual() -> None:
    code = f"import sys, {HEADLESS}; print(sorted(name for name in sys.modules if name.split('.')[0] == 'textual'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=ROOT,
    )
    assert done.stdout.strip() == "[]"


def test_no_module_outside_the_dashboard_and_the_screens_of_games_names_textual() -> None:
    importing = re.compile(r"^\s*(from|import) textual\b", re.MULTILINE)
    importers = {
        re.sub(r"games/\w+/", "games/*/", path.relative_to(ROOT).as_posix()).rpartition("/")[0]
        for package in ("companion", "firmware_protocol")
        for path in (ROOT / package).rglob("*.py")
        if importing.search(path.read_text(encoding="utf-8"))
    }
    assert {folder for folder in importers if not folder.startswith("companion/dashboard")} == {
        "companion/games/*/screen"
    }


FIRST_PAGE = """
import asyncio, sys
import companion.cli, companion.terminal
from companion.dashboard import app, reading
def run(self):
    async def paint():
        async with self.run_test() as pilot:
            await pilot.pause()
    asyncio.run(paint())
app.Dashboard.run = run
reading.SessionReading.start = lambda self, done: None
companion.terminal.shows_screens = lambda: True
companion.cli.main(["resume", sys.argv[1], "--port", "none"])
print(sorted(sys.modules))
"""
NOT_YET = (
    "pydantic",
    "companion.session.table",
    "companion.rules.game",
    "companion.link",
    "companion.web",
    "serial",
)


def test_the_page_that_stands_until_a_record_is_read_needs_no_game_no_table_and_no_link(
    tmp_path: Path,
) -> None:
    path = tmp_path / "long.sqlite"
    begun = {"name": "s", "game": "panic-fire", "rules": 2, "seats": [], "options": {}}
    with Journal.create(path, begun, wall=wall) as journal:
        journal.append(*[Draft(Layer.CONTROL, "note", {"text": "."})] * LONG)
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAGE, str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=ROOT,
    )
    printed, modules = done.stdout.splitlines()
    assert "closed before its table was ready" in printed
    assert "'companion.dashboard.screens.reading'" in modules
    assert [name for name in NOT_YET if f"'{name}'" in modules or f"'{name}." in modules] == []
    assert re.findall(r"'companion\.games\.\w+\.\w+'", modules) == []


NEW_GAME = FIRST_PAGE.replace('["resume", sys.argv[1],', '["play", "skyfire", "--seats", "A,B,C",')
WITHOUT_A_PAGE_BEFORE = """
from companion.commands import play_options, playing
args = companion.cli.parser().parse_args("""
PLAYED = """"none"])
wanted = play_options.wanted_options(args)
playing.play(lambda: playing.begin_as_said(args, wanted), wanted)"""
AT_ONCE = NEW_GAME.replace("\ncompanion.cli.main(", WITHOUT_A_PAGE_BEFORE).replace(
    '"none"])', PLAYED
)
NOT_AT_A_NEW_TABLE = (
    "companion.board.virtual",
    "companion.commands.typed",
    "companion.dashboard.screens.big",
    "companion.dashboard.screens.correcting.page",
    "companion.dashboard.pages",
    "companion.games.panic_fire.rules",
    "companion.journal.salvage",
    "companion.link.events",
    "companion.link.supervisor",
    "companion.reports.record",
    "companion.display.charts",
    "companion.display.towers",
    "companion.web",
    "companion.session.rereading",
    "serial",
)


def test_the_page_that_stands_before_a_new_table_needs_no_game_no_table_and_no_link() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NEW_GAME], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    modules = done.stdout.splitlines()[-1]
    assert "'companion.dashboard.screens.reading'" in modules
    assert [name for name in NOT_YET if f"'{name}'" in modules or f"'{name}." in modules] == []


def test_a_new_table_without_a_board_imports_no_page_before_it_opens_and_no_link() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    modules = done.stdout.splitlines()[-1]
    assert "'companion.dashboard.at_table'" in modules
    assert [name for name in NOT_AT_A_NEW_TABLE if f"'{name}'" in modules] == []


def test_a_new_table_imports_nothing_of_pages_for_phones_before_they_open() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    modules = done.stdout.splitlines()[-1]
    assert re.findall(r"'(?:companion\.web|starlette|anyio|uvicorn|h11)[.']", modules) == []
