"""Sessions to serve, and the program that serves them."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.games.panic_fire.rules.game import GAME
from companion.journal.journal import Journal
from companion.rules.facts import Setup
from companion.rules.header import header
from companion.session.table import Table
from tests.games.panic_fire.playing import setup

WALL = "2026-03-01T20:00:00+00:00"
TIMEOUT_S = 20.0


@contextmanager
def played(folder: Path, setting: Setup | None = None, game: Any = None) -> Iterator[Table]:
    """Yield a session in play, written by this process as by another."""
    begun = setup("red blue") if setting is None else setting
    journal = Journal.create(folder / "evening.sqlite", header(begun, "evening"), wall=lambda: WALL)
    table = Table(game or GAME, journal, begun, host_us=lambda: 0)
    try:
        saved(table)
        yield table
    finally:
        table.close()


def press(table: Table, *actions: str) -> None:
    """Press keys of Panic Fire, and wait until they are saved."""
    for action in actions:
        table.do(f"panic-fire.{action}")
    saved(table)


def saved(table: Table) -> None:
    """Wait until everything is on the disk, which is all that another process can see."""
    table._journal.wait(len(table._journal.entries), 5)


def called(setting: Setup, *names: str) -> Setup:
    """Return the same seats with other names."""
    seats = [replace(seat, name=name) for seat, name in zip(setting.seats, names, strict=True)]
    return replace(setting, seats=tuple(seats))


class Served:
    """A program that serves a session, and its output."""

    def __init__(self, *arguments: str, inside: Sequence[str] = ()) -> None:
        """`inside` is a command that runs another one, in a network of its own."""
        self.process = subprocess.Popen(
            [*inside, sys.executable, "-m", "companion", "serve", *arguments],
            stdin=subprocess.DEVNULL,
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
                self.lines.append(line.rstrip("\n"))
                self._more.notify_all()

    def line(self, part: str) -> str:
        """Return the first line with `part` in it, once it is printed."""
        with self._more:
            assert self._more.wait_for(lambda: self._line(part), TIMEOUT_S), self.lines
            return self._line(part)

    def _line(self, part: str) -> str:
        return next((line for line in self.lines if part in line), "")

    def address(self, below: str = "") -> str:
        """Return the address printed first, or first after the line `below`."""
        with self._more:
            assert self._more.wait_for(lambda: self._found(below), TIMEOUT_S), self.lines
            return self._found(below)

    def _found(self, below: str) -> str:
        start = (
            self.lines.index(below) if below in self.lines else 0 if not below else len(self.lines)
        )
        return next(
            (
                line
                for line in self.lines[start:]
                if re.fullmatch(r"http://[\d.]+:\d+/[\w-]+/", line)
            ),
            "",
        )

    def interrupt(self) -> int:
        """Press Ctrl-C and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self._finish()

    def _finish(self) -> int:
        code = self.process.wait(TIMEOUT_S)
        self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


@contextmanager
def served(*arguments: str, inside: Sequence[str] = ()) -> Iterator[Served]:
    """Start the program; it does not outlive the block."""
    program = Served(*arguments, inside=inside)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.process.kill()
        program._finish()
