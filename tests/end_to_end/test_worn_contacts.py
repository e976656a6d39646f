"""A worn contact and a loose wire at the virtual board, played in a real terminal: one push counts once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.journal.store import read_entries
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.physics import Edge
from tests.end_to_end.parts import needs_vm
from tests.end_to_end.test_terminal import Terminal

pytestmark = [
    pytest.mark.waits,
    pytest.mark.vm,
    needs_vm,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

FLICKERS = "zone-1 flickers: check its wire and contact"
SIZES = [(80, 24), (160, 50)]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    with VirtualBoard.spawn("micropython", seed=3, path=tmp_path / "port") as spawned:
        yield spawned


@pytest.fixture
def terminal(
    board: VirtualBoard,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[Terminal]:
    """Yield a round of Panic Fire that has begun, before its first taps."""
    width, height = getattr(request, "param", SIZES[0])
    arguments = (
        "play",
        "panic-fire",
        "--seats",
        "red,blue,green",
        "--port",
        str(tmp_path / "port"),
    )
    opened = Terminal(
        tmp_path_factory.mktemp("t"),
        width,
        height,
        *arguments,
        COMPANION_DATA=os.environ["COMPANION_DATA"],
    )
    try:
        opened.wait_for("live", "the board is armed")
        board.press("zone-3", hold_ms=700)
        opened.wait_for("since fire!")
        yield opened
    finally:
        opened.close()


def closings(times: int, every_ms: int, closed_ms: int = 10, channel: str = "zone-1") -> list[Edge]:
    """Return a contact that closes several times."""
    starts = [number * every_ms * 1_000 for number in range(times)]
    edges = [((at, channel, 1), (at + closed_ms * 1_000, channel, 0)) for at in starts]
    return [edge for pair in edges for edge in pair]


def counted(kind: str = "draw") -> int:
    """Return the facts of that kind that count."""
    (path,) = sessions_dir().glob("*.sqlite")
    entries = read_entries(path)
    voids = {entry.body["entry"] for entry in entries if entry.kind == "void"}
    return sum(entry.kind == kind and entry.n not in voids for entry in entries)


def leave(terminal: Terminal) -> None:
    terminal.press_until("C-q", "exit code")
    assert terminal.exit_code() == Exit.DONE


@pytest.mark.parametrize("terminal", SIZES, indirect=True)
def test_one_push_that_bounces_25_ms_apart_counts_once_and_u_undoes_the_run(
    board: VirtualBoard, terminal: Terminal
) -> None:
    board.play(closings(5, every_ms=25))
    terminal.wait_for(f"? accept? {FLICKERS}", "3 more wait", "u undo this run")
    assert counted() == 1
    terminal.wait_for(", 9 s,")  # a key that changed its meaning just now does nothing
    terminal.type("u")
    terminal.wait_for("Undone: everything zone-1 did in this run.")
    assert counted() == 0
    leave(terminal)


def test_a_loose_wire_that_closes_150_times_in_3_s_counts_once_and_one_key_drops_the_rest(
    board: VirtualBoard, terminal: Terminal
) -> None:
    board.play(closings(150, every_ms=20))
    terminal.wait_for(f"? accept? {FLICKERS}", "148 more wait")
    terminal.press_until("Escape", "u undo: red draws")
    assert counted() == 1
    terminal.type("C-p")
    terminal.wait_for("Type a word of what you want to do")
    terminal.type("flickering")
    terminal.wait_for("undo this run: Undo everything a flickering contact did")
    terminal.type("Enter")
    terminal.wait_for("Undone: everything zone-1 did in this run.")
    assert counted() == 0
    leave(terminal)


def test_a_loose_trigger_lead_of_a_gun_with_a_sensor_is_one_pull_and_one_proposal(
    board: VirtualBoard, terminal: Terminal
) -> None:
    board.play(closings(30, every_ms=20, channel="trigger"))
    terminal.wait_for("trigger flickers: check its wire and contact", "27 more wait")
    leave(terminal)
