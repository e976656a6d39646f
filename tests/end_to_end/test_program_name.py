"""A program started as `table-companion` prints commands with that name: `companion` may be another program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.commands.after_game import AfterGame
from companion.commands.first_page import report_of
from companion.dashboard.registry import REPORT
from companion.errors import CommandError
from companion.exits import Exit
from companion.program import VARIABLE, started_as
from companion.system import children
from companion.system.children import companion_command, companion_environment
from tests.commands.test_incomplete import without_its_log
from tests.commands.test_words import NAMED
from tests.end_to_end.parts import TIMEOUT_S

OTHER = "table-companion"
SCRIPT = "import sys\n\nfrom companion.cli import main\n\nsys.exit(main())\n"
"""What pip writes for each command, but for its first line."""
Started = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Started:
    """Run the program under its other name, without a terminal; it has no sessions yet."""
    script = tmp_path / OTHER
    script.write_text(SCRIPT, encoding="utf-8")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.delenv(VARIABLE, raising=False)

    def run(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, str(script), *words],
            input=typed,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert not NAMED.search(done.stdout + done.stderr), done
        return done

    return run


@pytest.mark.parametrize(
    ("words", "code", "printed"),
    [
        (["sessions"], Exit.DONE, "start one with `table-companion play`."),
        ([], Exit.DONE, "\n  table-companion play panic-fire --seats red,blue,green\n"),
        (["ply"], Exit.USAGE, "More: table-companion help\n"),
        (["play", "--seats", "a,b"], Exit.USAGE, "Name the game: table-companion play GAME."),
        (["resume", "friday"], Exit.NO_INPUT, "`table-companion sessions` lists them all."),
        (["teach"], Exit.DONE, "\n  table-companion teach panic-fire "),
        (["hands"], Exit.UNAVAILABLE, "start one: table-companion play "),
        (["config", "show"], Exit.DONE, "`table-companion config init` writes one"),
    ],
)
def test_what_is_printed_can_be_typed(
    words: list[str], code: Exit, printed: str, started: Started
) -> None:
    done = started(*words)
    assert done.returncode == code, done
    assert printed in done.stdout + done.stderr


def test_what_continues_an_unfinished_game_can_be_typed(started: Started) -> None:
    started("play", "drills", "--seats", "Ann", "--plain", "--port", "none", typed="0\n")
    assert "Continue it:  table-companion resume\n" in started().stdout


def test_what_continues_a_lesson_can_be_typed(started: Started) -> None:
    done = started("teach", "panic-fire", "--plain", "--port", "none")
    assert done.stdout.endswith("Continue:  table-companion teach panic-fire\n")


def test_how_the_doctor_mends_something_can_be_typed(started: Started, tmp_path: Path) -> None:
    damaged = tmp_path / "data" / "sessions" / "friday.sqlite"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"SQLite format 3\0")
    done = started("doctor", "--port", str(tmp_path / "no-port"))
    assert "table-companion journal check friday" in done.stdout


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/ada/.local/bin/companion", "companion"),
        ("/home/ada/.local/bin/table-companion", "table-companion"),
        ("table-companion.exe", "table-companion"),
        ("/srv/companion/__main__.py", "companion"),
        ("/usr/bin/pytest", "companion"),
        ("-c", "companion"),
        ("", "companion"),
    ],
)
def test_the_name_is_that_of_the_command_and_the_first_for_any_other(path: str, name: str) -> None:
    assert started_as(path) == name


def test_a_name_that_is_passed_on_counts_if_it_is_one_of_ours() -> None:
    assert started_as("/srv/companion/__main__.py", OTHER) == OTHER
    assert started_as("/usr/bin/table-companion", "companion") == "companion"
    assert started_as("/usr/bin/table-companion", "rm -r") == OTHER


@pytest.fixture
def passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process was started under the other name."""
    monkeypatch.setattr(children, "PROGRAM", OTHER)


@pytest.mark.usefixtures("passed_on")
def test_another_process_of_the_program_has_its_name() -> None:
    command = companion_command("ply")
    done = subprocess.run(
        command,
        env=companion_environment(),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.stderr.endswith("More: table-companion help\n")


@pytest.mark.usefixtures("passed_on")
def test_why_a_report_is_missing_has_the_name_on_the_screen_and_on_a_page(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    without_its_log(path)
    repairs = "Save what can be read: table-companion journal repair "
    assert repairs in AfterGame(path, tmp_path).offers()[REPORT.id]()
    with pytest.raises(CommandError, match=repairs):
        report_of(path)
