"""How soon a session that is resumed is on the screen, beside a bare Textual app; run as `python -m
tests.benchmarks.first_paint`.

Both are whole programs on a terminal of their own, from the start of the interpreter to the bytes that a person reads.
They take turns, so that whatever else the machine does is in both.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.dashboard import LONG, SIZE, record
from tests.benchmarks.figures import Figure, heading, show

RUNS = 9
LONGER = 100_000
DEADLINE_S = 60.0
QUIT = b"\x11"  # ctrl+q, which ends both
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("one label")
Bare().run()
"""
ONE_LABEL = b"one label"
FIRST, TABLE = b"Reading the record", b"saved, "
"""What stands on the page until the record is read, and on the table's."""


def painted(command: Sequence[str], *texts: bytes) -> list[float]:
    """Return how many milliseconds after its start the program has written each of `texts`."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, start_new_session=True)
    os.close(follower)
    try:
        return _until(leader, begun, texts)
    finally:
        _end(process, leader)


def _until(leader: int, begun: float, texts: Sequence[bytes]) -> list[float]:
    written, found = b"", list[float]()
    while len(found) < len(texts):
        if not select.select([leader], [], [], DEADLINE_S)[0]:
            raise TimeoutError(f"waited for {texts[len(found)]!r}; it wrote {written[-500:]!r}")
        written += os.read(leader, 65536)
        now = (time.perf_counter() - begun) * 1000
        while len(found) < len(texts) and texts[len(found)] in written:
            found.append(now)
    return found


def _end(process: subprocess.Popen[bytes], leader: int) -> None:
    """Quit, and read on until the program has closed its terminal: one that nobody reads does not end."""
    deadline = time.monotonic() + DEADLINE_S
    os.write(leader, QUIT)
    try:
        while time.monotonic() < deadline and (not select.select([leader], [], [], 1.0)[0] or os.read(leader, 65536)):
            pass
    except OSError:  # so says Linux that nobody has the terminal open any more
        pass
    if process.poll() is None and time.monotonic() >= deadline:
        process.kill()
    process.wait()
    os.close(leader)


def take_turns(path: Path, runs: int) -> tuple[Figure, Figure, Figure]:
    """Return the bare app, the first page and the whole table of the session at `path`."""
    ours = [sys.executable, "-m", "companion", "resume", str(path), "--port", "none"]
    bare, first, table = list[float](), list[float](), list[float]()
    for _ in range(runs):
        bare += painted([sys.executable, "-c", BARE], ONE_LABEL)
        soon, late = painted(ours, FIRST, TABLE)
        first.append(soon)
        table.append(late)
    return Figure("bare Textual app", bare), Figure("first paint", first), Figure("whole table", table)


def table_of_figures() -> None:
    """Print the figures for a long session and for one ten times as long."""
    heading()
    for entries, runs in ((LONG, RUNS), (LONGER, 3)):
        with TemporaryDirectory() as folder:
            os.environ["COMPANION_DATA"] = folder
            path = record(Path(folder), entries)
            bare, first, table = take_turns(path, runs)
        show(
            bare,
            Figure(f"{first.what}, resuming {entries:,} entries", first.ms),
            Figure(f"{table.what}, resuming {entries:,} entries", table.ms),
        )


if __name__ == "__main__":
    table_of_figures()
