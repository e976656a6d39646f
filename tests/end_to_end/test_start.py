"""The program started alone in a real terminal: from an empty home to a scored round, and a lesson."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.sessions import list_sessions
from companion.session.opening import begin
from tests.end_to_end.test_terminal import Terminal

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty home folder with a short path, because a socket's name has at most some hundred bytes."""
    return tmp_path_factory.mktemp("h")


@pytest.fixture
def terminal(home: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    arguments, environment = getattr(request, "param", ([], {}))
    kept = {
        name: str(home / name.lower())
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")
        if os.name == "posix"
    }
    opened = Terminal(
        home, 80, 24, *arguments, HOME=str(home), COMPANION_DATA="", **kept, **environment
    )
    yield opened
    opened.close()


def sessions(home: Path) -> list[Path]:
    return sorted(home.rglob("*.sqlite"))


def test_from_an_empty_home_to_a_scored_round(terminal: Terminal, home: Path) -> None:
    terminal.wait_for("> 1 new game", "here for the first time?")
    assert sessions(home) == []
    terminal.type("Enter")
    terminal.wait_for("Which game?", "> 1 Panic Fire      2 to 5 players")
    terminal.type("Enter")
    terminal.wait_for("enter the players, clockwise", "> 1 red", "Names are remembered")
    terminal.type("Anna")
    terminal.wait_for("> 1 Anna")
    terminal.type("Tab")
    terminal.wait_for("> 2\n")  # nobody sits there now
    terminal.type("Ben")
    terminal.wait_for("● Anna   ▲ Ben")
    terminal.type("Enter")
    terminal.wait_for(
        "> 1 start", "people        Anna, Ben", "house rules   as usual", "board         none"
    )
    terminal.type("Enter")
    terminal.wait_for("before round 1 of 6", "Anna", "keyboard only", "fire!")
    terminal.type("Enter")
    terminal.wait_for("since fire!")
    terminal.type("1", "Space")
    terminal.wait_for("Who was hit? Press q Anna, w Ben.")
    terminal.type("w", "q")
    terminal.wait_for("Anna shot Ben: Ben is out", "Anna takes a Bullet card")
    terminal.type("C-q")
    terminal.wait_for("Anna: 1 Bullet card", "Continue it:  companion resume")
    assert terminal.exit_code() == 0
    assert [list_sessions(path.parent)[0].seats for path in sessions(home)] == [("Anna", "Ben")]
    assert sorted(path.suffix for path in home.rglob("*.toml")) == []


@pytest.mark.parametrize(
    "terminal", [(["play"], {}), (["play", "--port", "none"], {})], indirect=True
)
def test_play_without_a_game_opens_the_start_screens(terminal: Terminal) -> None:
    terminal.wait_for("> 1 new game", "here for the first time?")
    terminal.type("Escape")
    assert terminal.exit_code() == 0


@pytest.mark.parametrize("terminal", [(["tour", "--port", "none"], {})], indirect=True)
def test_the_tour_leaves_no_session_behind(terminal: Terminal, home: Path) -> None:
    terminal.wait_for("The program, step 1 of 13", "Press Enter.")
    terminal.type("Enter")
    terminal.wait_for("The program, step 2 of 13", "since fire!", "Press ?.")
    terminal.type("?")
    terminal.wait_for("The program, step 3 of 13")
    terminal.type("C-q")
    assert terminal.exit_code() == 0
    assert [path.parent.name for path in sessions(home)] == ["lessons"]


@pytest.mark.parametrize("terminal", [([], {"COMPANION_THEME": "blue"})], indirect=True)
def test_a_setting_that_makes_no_sense_is_one_sentence(terminal: Terminal) -> None:
    terminal.wait_for('COMPANION_THEME=blue makes no sense: expected "dark" or "light".')
    assert terminal.exit_code() == 65


def test_a_session_that_is_open_elsewhere_is_looked_on_at(
    home: Path, monkeypatch: pytest.MonkeyPatch, own_data_folder: Path
) -> None:
    table = begin("panic-fire", ("Anna", "Ben"), {})
    opened = Terminal(home, 80, 24, COMPANION_DATA=str(own_data_folder))
    try:
        opened.wait_for("> 1 watch Panic Fire   Anna, Ben", "It is open in another window")
        opened.type("Enter")
        opened.wait_for("watching", "before round 1 of 6")
        opened.type("C-q")
        assert opened.exit_code() == 0
    finally:
        opened.close()
        table.close()
