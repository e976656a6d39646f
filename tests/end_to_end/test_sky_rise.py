"""Sky Rise played to its end: from the keyboard in a terminal, and by the players of its demo."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.parts import needs_vm
from tests.end_to_end.test_terminal import Terminal

pytestmark = pytest.mark.waits

SEATS = "Ada,Ben"
HOME = ("Left", "Left", "Left", "Up", "Up", "Up")
WAY_BACK = ("Down", "Left", "Left", "Left")


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    # short: a socket's name has at most some hundred bytes
    folder: Path = tmp_path_factory.mktemp("t")
    words = (
        "play",
        "sky-rise",
        "--seats",
        SEATS,
        "--port",
        "none",
        "--option",
        "opaque_sizes=by_trio",
    )
    opened = Terminal(folder, 80, 24, *words, COMPANION_DATA=os.environ["COMPANION_DATA"])
    yield opened
    opened.close()


def rows(*keys: str) -> list[str]:
    """Return the keys that fill a grid from its first place on, a word of letters for each row."""
    typed = list(HOME)
    for row in keys:
        typed += [key for letter in row for key in (letter, "Right")]
        typed += WAY_BACK
    return typed


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_whole_game_is_played_with_the_keyboard_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("Sky Rise   level 1 of 3, floor", "cell a1: free", "a  ♥ R  red")
    for number, size in enumerate(("large", "medium", "small"), start=1):
        terminal.wait_for(f"level {number} of 3, floor")
        terminal.type(*rows("asd", "fas"))
        terminal.wait_for(f"level {number} of 3, {size} pyramids", "points here│earlier now")
        terminal.type(*rows("aass", "ddff", "asdf"))
    terminal.wait_for("the roof", "columns so far", "R  a1 b1 a3: 18")
    terminal.type(*rows("asd", "fas"))
    terminal.wait_for("the roof, antennas", "q large  w med  e small")
    terminal.type(*HOME, "o")
    terminal.wait_for("opaque antenna: which size?")
    terminal.type("q")
    terminal.wait_for("places a large opaque antenna at a1: 1 point for hearts a1")
    terminal.type("Space")
    terminal.wait_for("Note goals with j: Ada, Ben.")
    for seat, name, nest, tree in (("1", "Ada", "r", "y"), ("2", "Ben", "g", "b")):
        terminal.peek()
        terminal.type(seat, "Enter")
        terminal.wait_for(f"only {name} looks", "not noted yet")
        terminal.type(nest, "Tab", tree, "Enter")
        terminal.wait_for("your Nest", "your Tree")
        terminal.type("Escape")
        terminal.wait_for(f"{name} noted goals", "Sky Rise   the tower is built")
    terminal.peek()
    terminal.type("Escape")
    terminal.wait_for("Sky Rise   the tower is built")
    terminal.type("G")
    screen = terminal.wait_for("Tower Showdown: on three press Enter", "S share it")
    terminal.type("S")
    terminal.wait_for("Ada and Ben share the victory", "They have the same score", "r rematch")
    terminal.type("Escape")
    terminal.wait_for("the game is over", "Ada and Ben share the victory", "SHARES")
    assert "Ada Nest red, Tree yellow; Ben Nest green, Tree blue" in " ".join(screen.split())
    terminal.type("v")
    terminal.wait_for("Statistics", "level 1 (large)", "level 2 (medium)", "roof (antennas)")
    terminal.type("C-q")
    assert terminal.exit_code() == 0


@pytest.mark.vm
@needs_vm
def test_the_demo_plays_to_the_end_of_a_tower_showdown() -> None:
    command = [
        sys.executable,
        "-m",
        "companion",
        "demo",
        "--game",
        "sky-rise",
        "--plain",
        "--speed",
        "1000",
    ]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert "the Tower Showdown starts" in result.stdout
    assert result.stdout.rstrip().endswith("wins the Tower Showdown")
    assert "stuck" not in result.stdout
