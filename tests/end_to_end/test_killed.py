"""`kill -9` of the companion in the middle of a round, restart, resume: no press is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import PATIENCE_S, facts, is_same_time, needs_vm, presses, record

pytestmark = [pytest.mark.vm, needs_vm, pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")]


class Companion:
    """The program as a person starts it, with its lines."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *arguments, "--plain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._more:
                self.lines.append(line)
                self._more.notify_all()

    def wait_for(self, text: str, count: int = 1) -> None:
        """Wait until `text` stands in `count` lines."""
        with self._more:
            came = self._more.wait_for(lambda: sum(text in line for line in self.lines) >= count, PATIENCE_S)
        assert came, f"waited for {count} x {text!r}; it said: {''.join(self.lines)}"

    def kill(self) -> None:
        """End it as a crash of the machine would."""
        self.process.send_signal(signal.SIGKILL)
        self._finish()

    def leave(self) -> int:
        """End its input, as Ctrl-D does, and return its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self._finish()

    def _finish(self) -> int:
        code = self.process.wait(PATIENCE_S)
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        return code


@contextmanager
def companion(*arguments: str) -> Iterator[Companion]:
    program = Companion(*arguments)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.kill()


def test_a_killed_companion_loses_no_press_and_goes_on_in_the_same_round(tmp_path: Path, own_data_folder: Path) -> None:
    true_us: list[int] = []
    with VirtualBoard.spawn("micropython", seed=5, path=tmp_path / "port") as board:
        with companion("play", "panic-fire", "--seats", "red,blue", "--port", board.url) as first:
            first.wait_for("the board is armed")
            board.press("zone-1", hold_ms=700)
            first.wait_for("fire! round 1")
            true_us += [board.press("zone-2", hold_ms=30, at_ms=120 * number) for number in range(1, 4)]
            first.wait_for("blue draws", 1)
            first.kill()
        true_us += [board.press("zone-2", hold_ms=30, at_ms=500 + 120 * number) for number in range(4)]
        with companion("resume", "--port", board.url) as second:
            second.wait_for("blue draws", 7)
            true_us.append(board.press("zone-2", hold_ms=30, at_ms=100))
            second.wait_for("blue draws", 8)
            assert second.leave() == 0
    (session,) = (own_data_folder / "sessions").glob("*.sqlite")
    entries = record(session)
    recorded = presses(entries, "zone-2")
    assert len(recorded) == len(true_us) == 8
    assert all(map(is_same_time, sorted(recorded), sorted(true_us)))
    assert len(facts(entries, "draw")) == 8
    assert len(facts(entries, "fire")) == 1
