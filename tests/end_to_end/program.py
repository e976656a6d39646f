"""The program as a person starts it without a terminal, and its output."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.commands.ran import Ran
from tests.end_to_end.parts import TIMEOUT_S


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program as a person would, without a terminal."""
    command = [sys.executable, "-m", "companion", *arguments]
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=60, check=False
    )


def run_here(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Return what `run` returns, without a new process: for a command that another test runs as a program."""
    ran = Ran(*arguments, typed=typed)
    return subprocess.CompletedProcess(arguments, ran.code, ran.out, ran.err)


def sentence(result: subprocess.CompletedProcess[str]) -> str:
    """Return the only sentence on the error stream."""
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    return result.stderr


class Companion:
    """A running program, and its lines."""

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
        """Wait until `text` is in `count` lines."""
        with self._more:
            came = self._more.wait_for(
                lambda: sum(text in line for line in self.lines) >= count, TIMEOUT_S
            )
        assert came, f"waited for {count} x {text!r}; it said: {''.join(self.lines)}"

    def kill(self) -> None:
        """Kill it, as a crash of the machine would."""
        self.process.kill()
        self._finish()

    def leave(self) -> int:
        """End its input, as Ctrl-D does, and return its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self._finish()

    def _finish(self) -> int:
        code = self.process.wait(TIMEOUT_S)
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        return code


@contextmanager
def companion(*arguments: str) -> Iterator[Companion]:
    """Start the program; it does not outlive the block."""
    program = Companion(*arguments)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.kill()
