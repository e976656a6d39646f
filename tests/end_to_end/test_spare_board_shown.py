"""A board dies in the middle of a round and another one takes its place: what people read of it, and do."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.session.key_meanings import GUARD_US
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import facts, needs_vm, record
from tests.end_to_end.program import companion
from tests.end_to_end.test_spare_board import NEW, OLD, board, kill
from tests.end_to_end.test_terminal import Terminal

pytestmark = [pytest.mark.vm, pytest.mark.waits, needs_vm]

QUESTION = "Continue with this board? Presses still on the old one are lost."


@pytest.fixture
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a short path, because a socket's name has at most some hundred bytes."""
    return tmp_path_factory.mktemp("p") / "port"


@pytest.fixture
def boards(port: Path) -> Iterator[ExitStack]:
    """Yield a folder, and end all boards started in it."""
    with ExitStack() as stack:
        yield stack


def spare_for(dying: VirtualBoard, port: Path, boards: ExitStack) -> VirtualBoard:
    kill(dying)
    return boards.enter_context(board(port, NEW))


def test_plain_lines_ask_once_and_play_continues(
    port: Path, boards: ExitStack, own_data_folder: Path
) -> None:
    old = boards.enter_context(board(port, OLD))
    with companion(
        "play", "panic-fire", "--seats", "red,blue,green", "--port", str(port)
    ) as program:
        program.wait_for("the board is armed")
        old.press("zone-3", hold_ms=700)
        program.wait_for("fire! round 1")
        new = spare_for(old, port, boards)
        program.wait_for(QUESTION)
        program.wait_for("type enter to agree, esc not to")
        # a key that was pressed as the question came answers nothing
        threading.Event().wait(GUARD_US / 1e6)
        assert program.process.stdin is not None
        program.process.stdin.write("enter\n")
        program.process.stdin.flush()
        program.wait_for("takes the place of board")
        program.wait_for("the board is armed", 2)
        new.press("zone-1", hold_ms=30)
        program.wait_for("red draws")
        assert program.leave() == 0
        assert sum(QUESTION in line for line in program.lines) == 1
    (session,) = (own_data_folder / "sessions").glob("*.sqlite")
    assert len(facts(record(session), "draw")) == 1


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize(("width", "height"), [(80, 24), (160, 50)])
def test_the_dashboard_asks_and_play_continues(
    width: int, height: int, port: Path, boards: ExitStack
) -> None:
    old = boards.enter_context(board(port, OLD))
    command = ("play", "panic-fire", "--seats", "red,blue,green", "--port", str(port))
    environment = {"COMPANION_DATA": os.environ["COMPANION_DATA"]}
    with closing(Terminal(port.parent, width, height, *command, **environment)) as terminal:
        terminal.wait_for("the board is armed")
        old.press("zone-3", hold_ms=700)
        terminal.wait_for("since fire!")
        new = spare_for(old, port, boards)
        terminal.wait_for("Continue with this board?", "Enter yes, Esc no", "another board")
        terminal.press_until("Enter", "takes the place of board")
        terminal.wait_for("the board is armed", " live ")
        new.press("zone-1", hold_ms=30)
        screen = terminal.wait_for("red draws")
        assert "Continue with this board?" not in screen
