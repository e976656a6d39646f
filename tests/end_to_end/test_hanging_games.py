"""A game by others that never comes back, in a real terminal: it is named, and keys still work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.exits import Exit
from companion.journal.entries import Layer
from companion.journal.sessions import sessions_dir
from companion.journal.store import read_entries
from tests.end_to_end.test_terminal import Terminal

pytestmark = [pytest.mark.waits, pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")]

Open = Callable[..., Terminal]
PLAY = ("play", "whirl", "--seats", "Anna,Bo", "--port", "none")
RULES = ("act", "apply", "sentence", "reveals", "awaiting", "view", "over", "standings", "follows", "due")
"""What the table asks the rules about the fourth turn, or about the state after the third."""
SCREEN = ("draw", "turn")
HANGS = "Whirl (example), from the package table_whirl, hangs in loops.py, line"
ASKS = "Press Esc to stop the game's code, or Ctrl+Q to quit."


@pytest.fixture
def opened(looping_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """Opens a terminal in which Whirl is installed, and loops in `place`."""
    terminals: list[Terminal] = []

    def open_at(place: str, *arguments: str, how: str = "python") -> Terminal:
        environment = {
            "COMPANION_DATA": os.environ["COMPANION_DATA"],
            "PYTHONPATH": str(looping_site),
            "WHIRL_LOOPS_IN": place,
            "WHIRL_LOOPS": how,
        }
        terminals.append(Terminal(tmp_path_factory.mktemp("t"), 80, 24, *arguments, **environment))
        return terminals[-1]

    yield open_at
    for terminal in terminals:
        terminal.close()


def turns() -> int:
    (path,) = sessions_dir().glob("*.sqlite")
    return sum(entry.layer is Layer.FACT for entry in read_entries(path))


def turned(terminal: Terminal, times: int) -> None:
    """Turn the top, one turn after the other."""
    for turn in range(times):
        terminal.wait_for("turned" if turn else "turn the top", "saved")
        terminal.type("1")


def played_until_it_hangs(terminal: Terminal) -> None:
    terminal.wait_for("Anna, turn the top")
    for _ in range(4):
        terminal.type("1")
    terminal.wait_for(ASKS, HANGS)


@pytest.mark.parametrize("place", RULES)
def test_a_game_that_hangs_on_a_key_is_named_and_stopped_and_nothing_is_recorded(opened: Open, place: str) -> None:
    terminal = opened(place, *PLAY)
    played_until_it_hangs(terminal)
    before = turns()
    terminal.type("Escape")
    terminal.wait_for("stopped")
    assert turns() == before
    terminal.press_until("C-q", "exit code")
    assert terminal.exit_code() == Exit.DONE
    assert turns() == before


@pytest.mark.parametrize("place", [*RULES, *SCREEN])
@pytest.mark.parametrize("how", ["python", "swallowing", "sleeping"])
def test_a_game_that_hangs_can_be_left(opened: Open, place: str, how: str) -> None:
    terminal = opened(place, *PLAY, how=how)
    played_until_it_hangs(terminal)
    before = turns()
    terminal.type("C-q")
    screen = terminal.wait_for("exit code")
    assert "The session is kept" in screen
    assert turns() == before
