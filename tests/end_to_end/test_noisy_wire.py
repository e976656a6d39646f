"""A noisy wire at a table in play: the firmware in the MicroPython VM, its pty, and the program as people start it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.demo.replay import replay
from companion.exits import Exit
from companion.journal.entries import Control, Entry, Layer
from companion.journal.folder import sessions_dir
from companion.journal.store import read_entries
from companion.session.opening import resume
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.physics import Edge
from tests.end_to_end.parts import is_same_time, needs_vm, presses
from tests.end_to_end.program import companion
from tests.end_to_end.test_terminal import Terminal

pytestmark = [pytest.mark.waits, pytest.mark.vm, needs_vm]
needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

NOISY, OTHER = "zone-3", "zone-1"
HALF_US = 100  # 5,000 times a second
TAPS_US = tuple(range(20_000, 270_000, 80_000))


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    with VirtualBoard.spawn("micropython", seed=3, path=tmp_path / "port") as spawned:
        yield spawned


def noise(channel: str, edges: int = 2_900) -> list[Edge]:
    """Return the edges of a wire that picks up noise and ends open."""
    return [(HALF_US * number, channel, 1 - number % 2) for number in range(edges // 2 * 2)]


def taps(channel: str) -> list[Edge]:
    """Return short presses, as fast as fingers can."""
    pairs = [((at_us, channel, 1), (at_us + 12_000, channel, 0)) for at_us in TAPS_US]
    return [edge for pair in pairs for edge in pair]


def play(board: VirtualBoard, *scripts: list[Edge]) -> int:
    """Play all edges; return the board's time from which their instants count."""
    return board.hand_over(sorted(edge for script in scripts for edge in script)).base_us


def recorded() -> tuple[Entry, ...]:
    (path,) = sessions_dir().glob("*.sqlite")
    return tuple(read_entries(path))


def standing(entries: tuple[Entry, ...]) -> list[tuple[str, tuple[int, ...]]]:
    """Return the facts that count, and the evidence of each."""
    voids = {entry.body["entry"] for entry in entries if entry.kind == Control.VOID}
    facts = [entry for entry in entries if entry.layer is Layer.FACT and entry.n not in voids]
    return [(fact.kind, fact.causes) for fact in facts]


def read_again() -> None:
    """Reread the evidence, and resume: neither changes what counts."""
    before = standing(recorded())
    (path,) = sessions_dir().glob("*.sqlite")
    table = resume(path)
    try:
        assert table.inspection.reread(table.inspection.marshal().settings).drafts == ()
    finally:
        table.close()
    assert standing(recorded()) == before


def check_record(tapped_us: int) -> None:
    """Assert that every tap of the neighbor is recorded with its time and counted, and at most the first edge of the
    noise."""
    entries = recorded()
    found = presses(entries, OTHER)
    assert len(found) == len(TAPS_US)
    for at_us, found_us in zip(TAPS_US, found, strict=True):
        assert is_same_time(found_us, tapped_us + at_us)
    (muted,) = [entry for entry in entries if entry.body.get("source") == "muted"]
    assert (muted.kind, muted.body["channel"]) == ("overrun", NOISY)
    draws = [entry for entry in entries if entry.kind == "draw"]
    assert sum(draw.body["seat"] == "red" for draw in draws) == len(TAPS_US)
    assert sum(draw.body["seat"] == "green" for draw in draws) <= 1


def test_the_lines_name_a_noisy_wire_and_every_tap_beside_it_counts(
    board: VirtualBoard, tmp_path: Path
) -> None:
    seats = ("--seats", "red,blue,green", "--port", str(tmp_path / "port"))
    capture = tmp_path / "noise.capture"
    with companion("play", "panic-fire", *seats, "--capture", str(capture)) as program:
        program.wait_for("the board is armed")
        board.press("zone-2", hold_ms=700)
        program.wait_for("fire!")
        play(board, noise(NOISY))
        program.wait_for("= zone 3 is muted: ")
        tapped_us = play(board, noise(NOISY), taps(OTHER))
        program.wait_for("red draws", len(TAPS_US))
        program.wait_for("= zone 3 is heard again after ")
        assert program.leave() == Exit.DONE
    assert any("Check its wire" in line for line in program.lines)
    assert not any("source" in line for line in program.lines)
    check_record(tapped_us)
    read_again()
    replayed = replay(capture)
    assert replayed.result == replayed.expected


@needs_tmux
@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_the_dashboard_names_it_until_it_is_heard_again_and_undo_takes_back_a_real_press(
    board: VirtualBoard,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    size: tuple[int, int],
) -> None:
    seats = ("--seats", "red,blue,green", "--port", str(tmp_path / "port"))
    data = os.environ["COMPANION_DATA"]
    terminal = Terminal(
        tmp_path_factory.mktemp("t"), *size, "play", "panic-fire", *seats, COMPANION_DATA=data
    )
    try:
        terminal.wait_for("live", "the board is armed")
        board.press("zone-2", hold_ms=700)
        terminal.wait_for("since fire!")
        play(board, noise(NOISY))
        terminal.wait_for("live, zone 3 muted", "! Zone 3 is muted: ", "Check its wire.")
        tapped_us = play(board, noise(NOISY), taps(OTHER))
        terminal.wait_for("Zone 3 is heard again.", "zone 3 is heard again after")
        check_record(tapped_us)
        assert "zone 3 muted" not in terminal.screen()
        before = len(standing(recorded()))
        terminal.type("u")
        terminal.wait_for("redo: ")
        assert len(standing(recorded())) == before - 1
        terminal.type("y")
        terminal.wait_for("undo: ")
        terminal.press_until("C-q", "exit code")
        assert terminal.exit_code() == Exit.DONE
    finally:
        terminal.close()
    read_again()
