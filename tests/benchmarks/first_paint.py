"""How soon the menu, a new game and a session that is resumed are on the screen, beside a bare Textual app; run as
`python -m tests.benchmarks.first_paint`. Toolong and Harlequin, two Textual programs, stand beside them where they are
installed; `PEERS` names the folders of their programs where these are not on the path.

All are whole programs on a terminal of their own, from the start of the interpreter to the bytes that a person reads.
They take turns, so that whatever else the machine does is in all; their bytecode is kept, as an installed program's is.
On Linux the times are CPU times, in which no other program and no disk has a part.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.session.kept_fold import fold_path
from tests.benchmarks.dashboard import LONG, SIZE, record
from tests.benchmarks.figures import Figure, heading, show

RUNS = 9
LONGER = 100_000
DEADLINE_S = 60.0
TIMEOUT_S = 5.0
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
WITH_LIBRARIES = f"""
import argparse, hashlib, json, sqlite3, tomllib
from pydantic import BaseModel
class Fact(BaseModel, frozen=True):
    seat: int
Fact(seat=1)
{BARE}"""
"""The bare app, and what a table takes of other libraries."""
WITH_MODULES = f"""
import companion.cli, companion.commands.playing, companion.dashboard.at_table
from companion.rules.registry import open_game
import companion.games.panic_fire.panels, companion.games.panic_fire.screen.game_screen
open_game("panic-fire")
{BARE}"""
"""The bare app, and every module that a new table has, none of which does anything."""
FIRST, TABLE = b"Reading the record", b"saved"
"""What stands on the page until the record is read, and on the table's."""
NEW_GAME = ("play", "panic-fire", "--seats", "Anna,Bo,Cleo", "--port")
LINE = "a line of a log"


def painted(command: Sequence[str], *texts: bytes) -> list[float]:
    """Return the milliseconds until the program has written each of `texts`."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, start_new_session=True
    )
    os.close(follower)
    try:
        return _until(leader, lambda: _taken_ms(process.pid, begun), texts)
    finally:
        _end(process, leader)


def _taken_ms(pid: int, begun: float) -> float:
    """Return the CPU time of a process, or the time since its start if the system does not report it."""
    if not sys.platform.startswith("linux"):
        return (time.perf_counter() - begun) * 1000
    # the clock of a process, see clock_getcpuclockid(3)
    return time.clock_gettime(~pid << 3 | 2) * 1000


def _until(leader: int, taken_ms: Callable[[], float], texts: Sequence[bytes]) -> list[float]:
    written, found = b"", list[float]()
    while len(found) < len(texts):
        if not select.select([leader], [], [], DEADLINE_S)[0]:
            raise TimeoutError(f"waited for {texts[len(found)]!r}; it wrote {written[-500:]!r}")
        written += os.read(leader, 65536)
        now = taken_ms()
        while len(found) < len(texts) and texts[len(found)] in written:
            found.append(now)
    return found


def _end(process: subprocess.Popen[bytes], leader: int) -> None:
    """Quit, and read until the program has closed its terminal: it does not end while nobody reads. A program that does
    not know the key is killed."""
    deadline = time.monotonic() + TIMEOUT_S
    try:
        os.write(leader, QUIT)
        while time.monotonic() < deadline and (
            not select.select([leader], [], [], 0.2)[0] or os.read(leader, 65536)
        ):
            pass
    except OSError:  # so says Linux that nobody has the terminal open any more
        pass
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    os.close(leader)


Program = tuple[Sequence[str], Sequence[bytes]]
"""A command, and the texts that are waited for."""


def take_turns(programs: Mapping[str, Program], runs: int) -> dict[str, list[Figure]]:
    """Return by name the times of each text of each program."""
    times: dict[str, list[list[float]]] = {
        name: [[] for _ in texts] for name, (_, texts) in programs.items()
    }
    for _ in range(runs):
        for name, (command, texts) in programs.items():
            for each, ms in zip(times[name], painted(command, *texts), strict=True):
                each.append(ms)
    return {name: [Figure(name, ms) for ms in each] for name, each in times.items()}


def ours(*arguments: str) -> Sequence[str]:
    """Return the companion's command line."""
    return [sys.executable, "-m", "companion", *arguments]


def peers(folder: Path) -> dict[str, Program]:
    """Return the other Textual programs that are installed."""
    path = os.pathsep.join(filter(None, (os.environ.get("PEERS"), os.environ.get("PATH"))))
    log = folder / "peer.log"
    log.write_text(f"{LINE}\n" * 100)
    known = {
        "toolong": ("tl", [str(log)], LINE.encode()),
        "harlequin": ("harlequin", [":memory:"], b"Query Editor"),
    }
    return {
        name: ([found, *arguments], [text])
        for name, (program, arguments, text) in known.items()
        if (found := shutil.which(program, path=path)) is not None
    }


def table_of_figures() -> None:
    """Print the figures of the start, then for a long session and for one ten times as long."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    heading()
    bare: Program = ([sys.executable, "-c", BARE], [ONE_LABEL])
    with TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        programs: dict[str, Program] = {
            "bare Textual app": bare,
            "bare app, pydantic and sqlite3 used": (
                [sys.executable, "-c", WITH_LIBRARIES],
                [ONE_LABEL],
            ),
            "bare app, a table's modules imported": (
                [sys.executable, "-c", WITH_MODULES],
                [ONE_LABEL],
            ),
            "menu": (ours(), [b"new game"]),
            "new game, keyboard": (ours(*NEW_GAME, "none"), [TABLE]),
            "new game, virtual board": (ours(*NEW_GAME, "virtual"), [TABLE]),
            **peers(Path(folder)),
        }
        figures = take_turns(programs, RUNS)
    (reference,) = figures.pop("bare Textual app")
    for (figure,) in figures.values():
        show(reference, figure)
    for entries, runs in ((LONG, RUNS), (LONGER, 3)):
        with TemporaryDirectory() as folder:
            os.environ["COMPANION_DATA"] = folder
            session = record(Path(folder), entries)
            resumed = ours("resume", str(session), "--port", "none")
            whole = ["sh", "-c", f'rm -f "{fold_path(session)}"; exec "$@"', "sh", *resumed]
            # what the first keeps
            programs = {"whole": (whole, [TABLE]), "resumed": (resumed, [FIRST, TABLE])}
            figures = take_turns({"bare Textual app": bare, **programs}, runs)
        first, table = figures["resumed"]
        (crashed,) = figures["whole"]
        show(
            figures["bare Textual app"][0],
            Figure(f"first paint, resuming {entries:,} entries", first.ms),
            Figure(f"whole table, resuming {entries:,} entries", table.ms),
            Figure(f"the same, its fold not kept: {entries:,} entries", crashed.ms),
        )


if __name__ == "__main__":
    table_of_figures()
