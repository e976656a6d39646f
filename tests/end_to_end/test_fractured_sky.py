"""Fractured Sky as a person plays it: a solo round by keyboard in a terminal, the map editor there, the demo."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box.owner_box import box_with, own_path
from tests.end_to_end.parts import needs_vm
from tests.end_to_end.program import companion
from tests.end_to_end.test_terminal import Terminal

PLAY = ["play", "fractured-sky", "--seats", "Ada", "--port", "none", "--option", "map=example"]

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def terminal(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Terminal]:
    folder: Path = tmp_path_factory.mktemp("s")
    width, height, arguments = request.param
    opened = Terminal(
        folder, width, height, *arguments, COMPANION_DATA=os.environ["COMPANION_DATA"]
    )
    yield opened
    opened.close()


def awaited(terminal: Terminal) -> str:
    """Return the awaiting sentence as one line."""
    screen = terminal.wait_for("\n Tray ")
    found = re.search(r"^ *> ([A-Z][^>]*?)\s+Tray ", screen, re.MULTILINE)
    assert found is not None, screen
    return " ".join(found[1].split())


def moved_on(terminal: Terminal, before: str) -> str:
    """Wait until the awaiting sentence changes; return it."""
    for _ in range(400):
        now = awaited(terminal)
        if now != before:
            return now
    raise AssertionError(f"the screen still says {before}")


def play_a_round(terminal: Terminal, powers: str) -> None:
    """Answer every question by keyboard until the next round, whose beginning is read on the page that opens."""
    regions = iter("3618245" * 3)
    while True:
        now = awaited(terminal)
        if "Enter the powers" in now:
            terminal.type("p")
            terminal.wait_for("Type Ada's power in")
            for power in powers:
                terminal.type(power, "Enter")
            terminal.wait_for("End of round 1", "Take what you won, then press e.")
            terminal.type("e")
            terminal.wait_for("After round 1: clear the table")
            terminal.type("Escape")
            terminal.wait_for("is over: ")
            return
        if "take a turn slot" in now or "Where does" in now:
            terminal.type(now.partition("Press ")[2][0])
        elif "place an Airship" in now or "which region?" in now or "Which region" in now:
            terminal.type(next(regions))
        else:
            terminal.type("n")
        moved_on(terminal, now)


@needs_tmux
@pytest.mark.parametrize("terminal", [(80, 24, PLAY)], indirect=True)
def test_a_solo_round_is_played_with_the_keyboard_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("Fractured Sky, example map", "before round 1", "Who takes turn slot 1?")
    terminal.type("1")
    terminal.wait_for("round 1 of 5", "Which region has the Public Starfall?")
    terminal.type("6")
    terminal.wait_for("6>Foggy Flats    1 Public", "Press n to shuffle the AIs' cards.")
    terminal.type("n")
    terminal.wait_for("AI black's cards are shuffled")
    terminal.type("n")
    terminal.wait_for("Ada, place an Airship in a region: 1 to 8. Or build (f m i) or scout (s).")
    terminal.type("f")
    terminal.wait_for(
        "on which platform? (example map)",
        "4 3 free   to Copper Crag, Dusty Downs, Foggy Flats, Gusty Gorge",
    )
    terminal.type("4")
    terminal.wait_for("Ada builds a Fortress on platform 4")
    play_a_round(terminal, "532")
    terminal.wait_for("round 2 of 5")
    terminal.type("r")
    terminal.wait_for("End of round 1", "After round 1: clear the table")
    terminal.type("C-q")
    assert terminal.exit_code() == 0


@needs_tmux
@pytest.mark.parametrize(
    "terminal", [(80, 24, ["components", "map", "fractured-sky"])], indirect=True
)
def test_a_map_is_entered_in_a_terminal_and_stands_in_the_owners_file(terminal: Terminal) -> None:
    terminal.wait_for("8 regions (1-3 players): 0 of 8 placed")
    terminal.type("Right", "1", "Down", "Right", "2", "i", "w")
    terminal.wait_for("2 Creepy Cove: Iron and Wood", "2 of 8 placed")
    terminal.type("s")
    # behind a path, so that a line may end anywhere
    text = "".join(terminal.wait_for("exit code 0").split())
    assert "hasthemap:3rowswritten" in text
    assert terminal.exit_code() == 0
    row = box_with("fractured-sky", own_path("fractured-sky")).row("place_eight", "Creepy Cove")
    assert row is not None
    assert dict(row.fields) == {"x": 2, "y": 1}


@pytest.mark.vm
@needs_vm
def test_the_demo_plays_on_the_virtual_board_and_every_round_has_its_result() -> None:
    with companion("demo", "--game", "fractured-sky", "--speed", "100") as program:
        program.wait_for(
            "Ada takes turn slot 1; then AI black, AI orange; AI orange gets 1 Gold for slot 3"
        )
        program.wait_for("AI orange's cards are shuffled; unused tokens")
        program.wait_for("Ada places an Airship in")
        program.wait_for("; it takes turn slot", 2)
        program.wait_for("round 1 is over: ")
        program.wait_for("round 2: the Public Starfall falls on")
