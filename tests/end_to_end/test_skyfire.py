"""SkyFire from beginning to end: five rounds by keyboard in a real terminal."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator

import pytest

from tests.end_to_end.test_terminal import Terminal

PLAY = ["play", "skyfire", "--seats", "Ada,Bo,Cleo", "--port", "none"]


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    folder = tmp_path_factory.mktemp("t")
    opened = Terminal(folder, 80, 24, *PLAY, COMPANION_DATA=os.environ["COMPANION_DATA"])
    yield opened
    opened.close()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_whole_game_is_played_by_the_keyboard_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("before round 1 of 5", "Shuffle, deal 4 each.")
    _answered_by_a_key(terminal)
    _answered_by_the_cards(terminal)
    _misfired(terminal)
    _noted_behind_the_curtain(terminal)
    terminal.type("Enter", "1", "q")
    terminal.wait_for("the finale", "Cleo launched it.")
    terminal.type("s")
    terminal.wait_for("Cleo wins with", "finished", "r rematch", "^q quit")
    terminal.type("v")
    terminal.wait_for("Statistics", "r5  points  won", "Ada")
    terminal.type("Escape")
    terminal.wait_for("the game is over", "a cards  c fix mistakes  ? help")
    terminal.type("C-q")
    terminal.wait_for("winner: Cleo")
    assert terminal.exit_code() == 0


def _answered_by_a_key(terminal: Terminal) -> None:
    """Answer by keys: a launch that fails, a mistyped answer that is corrected, a launch that does not fail."""
    terminal.type("Enter", "1", "2", "1", "q")
    terminal.wait_for("Does zone 1 meet the target?", "Ada launched it.", "turned up")
    assert re.search("scores *\n *Zone 1  .* 2 *\n", terminal.screen())
    terminal.type("s", "u", "n")
    terminal.wait_for("eliminated", "failed ●A", "Bo, place a card in a zone: 1 2.")
    terminal.type("w", "s")
    terminal.wait_for("round 1 of 5 is over", "1 point ")


def _answered_by_the_cards(terminal: Terminal) -> None:
    """Enter the target and the cards turned up in the form; the companion decides."""
    terminal.type("Enter", "a")
    terminal.wait_for("Enter cards", "> target")
    terminal.type("gyr", "Enter")
    terminal.wait_for("Target   red-yellow-green")
    terminal.type("1", "1", "k")
    terminal.wait_for("Type the zone, then the card's back.")
    terminal.type("1bg", "Enter")
    terminal.wait_for("now 3 cards, back green blue")
    terminal.type("q", "a")
    terminal.wait_for("> zone 1, 3 cards")
    terminal.type("rb,yr,gb")
    terminal.wait_for("3 of 3: red of red-blue, yellow of red-yellow, green of green-blue")
    terminal.type("Enter")
    terminal.wait_for("round 2 of 5 is over", "4 points   +3")


def _misfired(terminal: Terminal) -> None:
    terminal.type("Enter", *"121212121212", "m")
    terminal.wait_for("Does any zone meet the target?", "6 points for Cleo if right, else 3 each")
    terminal.type("n")
    terminal.wait_for("round 3 of 5 is over", "+6")


def _noted_behind_the_curtain(terminal: Terminal) -> None:
    terminal.type("Enter", "j", "1", "Enter")
    terminal.wait_for("only Ada looks", "not noted yet")
    terminal.type("rb,ry,by,gb", "Enter")
    terminal.wait_for(
        "Your hand  red of red-blue, red of red-yellow, blue of yellow-blue", "unknown"
    )
    terminal.type("Escape")
    assert "yellow-blue" not in terminal.wait_for("SkyFire   round 4 of 5")
    terminal.peek()
    terminal.type("Escape")
    terminal.wait_for("SkyFire   round 4 of 5")
    terminal.type("2", "w", "s")
    terminal.wait_for("round 4 of 5 is over")
