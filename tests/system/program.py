"""A running program whose lines are read one by one, and its environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
WINDOWS = Path(__file__).with_name("windows")
LIMIT_S = 60


def as_windows(data: Path, **more: str) -> dict[str, str]:
    """Return the environment of a program that takes this system for Windows."""
    paths = os.pathsep.join(map(str, (WINDOWS, ROOT)))
    return {**os.environ, "PYTHONPATH": paths, "COMPANION_DATA": str(data), **more}


def python(*words: str) -> list[str]:
    """Return the command of a program of this checkout."""
    return [sys.executable, *words]


class Program:
    """A program that reads its keys from a pipe; leaving the block ends them, and waits for its end."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self.said: list[str] = []
        self._process = subprocess.Popen(
            command,
            env=environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def line_with(self, text: str) -> str:
        """Read lines until one has `text`, and return it."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line)
            if text in line:
                return line
        raise AssertionError(f"it ended without {text!r}: {''.join(self.said)}")

    def type(self, line: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def end(self) -> None:
        """Ask the program to end, as the system does."""
        self._process.terminate()

    def leave(self) -> int:
        """End its keys, and return its exit code."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
        if self._process.stdout is not None and not self._process.stdout.closed:
            self.said += self._process.stdout
            self._process.stdout.close()
        return self._process.wait(LIMIT_S)


def ran(
    command: list[str], environment: Mapping[str, str], typed: str = "", encoding: str = "utf-8"
) -> str:
    """Run a program to its end and return what it said; it must succeed."""
    done = subprocess.run(
        command,
        env=environment,
        cwd=ROOT,
        input=typed,
        capture_output=True,
        text=True,
        encoding=encoding,
        timeout=LIMIT_S,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout
