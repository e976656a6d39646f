"""`kill -9` of the host at random points while the board sends: every press is in the journal exactly once, or counted
by a GAP. In full: `python -m tests.end_to_end.kill_many --times 1000`; the suite does a few."""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.rules.facts import Setup
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.session.clocks import wall
from companion.session.opening import resume
from companion.session.table import Table
from tests.demo.presses import Account, Record, RecordedBoard

PACE_US = 20_000
BURST = 25
# From just after the port is looked for to well into the stream of events.
KILL_S = (0.0, 0.5)
SETTLE_S = 30.0
# Of one session and one board; then others, for a host begins by reading all that was recorded.
SESSION = 100
# The imports of a companion take longer than its life here, so each host is forked from a process that has them.
NURSERY = """
import os, signal, sys
from pathlib import Path
import companion.games.panic_fire.rules.game, serial, serial.tools.list_ports
from companion.session.opening import resume
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        table = resume(Path(sys.argv[1]))
        table.board.connect(sys.argv[2])
        os.write(1, b"%d\\n" % os.getpid())
        while True:
            signal.pause()
    os.waitpid(pid, 0)
    os.write(1, b"dead\\n")
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The fate of the presses after some kills, how many of the hosts had stored something, and the time."""

    account: Account
    kills: int
    storing: int
    seconds: float

    def sentence(self) -> str:
        """Return the outcome in one line."""
        return (
            f"{self.kills} hosts killed ({self.storing} after they had stored something) in {self.seconds:.0f} s. "
            f"{self.account.sentence()}"
        )


def session(folder: Path) -> Path:
    """Make a session on the disk that nobody has open."""
    path = folder / "session.sqlite"
    game = open_game("panic-fire")
    setup = Setup("panic-fire", game.rules_version, seats_from_names(("red", "blue")), {})
    Journal.create(path, header(setup, "kills"), wall=wall).close()
    return path


class Presser:
    """Keeps the board busy with bursts of presses on two zones."""

    def __init__(self, board: RecordedBoard) -> None:
        self._board = board
        self._until_s = 0.0

    def keep_busy(self) -> None:
        """Play the next burst when the last one is over."""
        if time.monotonic() >= self._until_s:
            presses = [(number * PACE_US, f"zone-{number % 2 + 1}") for number in range(BURST)]
            self._board.play(
                [
                    edge
                    for at, zone in presses
                    for edge in ((at, zone, 1), (at + PACE_US // 2, zone, 0))
                ]
            )
            self._until_s = time.monotonic() + BURST * PACE_US / 1e6


@dataclass(slots=True)
class Nursery:
    """Starts hosts of the session at `path`, one at a time."""

    process: subprocess.Popen[bytes]

    def kill_one(self, wait_s: float, presser: Presser) -> None:
        """Start a host, and kill it after some seconds."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"another\n")
        self.process.stdin.flush()
        pid = int(self._line())
        until_s = time.monotonic() + wait_s
        while (left_s := until_s - time.monotonic()) > 0:
            presser.keep_busy()
            time.sleep(min(left_s, 0.02))
        os.kill(pid, signal.SIGKILL)
        assert self._line() == b"dead\n"

    def _line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@contextmanager
def nursery(path: Path, url: str) -> Iterator[Nursery]:
    """Yield hosts, and end them after the block."""
    command = [sys.executable, "-c", NURSERY, str(path), url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Nursery(process)


def settled(path: Path, board: RecordedBoard) -> Account:
    """Record what the board still has; return what became of each press."""
    table: Table = resume(path)
    try:
        table.board.connect(board.url)
        until_s = time.monotonic() + SETTLE_S
        while True:
            account = Record(read_entries(path)).account(board.made)
            if account.good or time.monotonic() > until_s:
                return account
            time.sleep(0.2)
    finally:
        table.close()


def recorded(path: Path) -> int:
    """Return the number of pieces of evidence on the disk."""
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM entries WHERE json_extract(record, '$.kind') = 'event'"
        ).fetchone()
    return int(count)


def run(times: int, seed: int, runtime: str = "auto") -> Outcome:
    """Kill some hosts of one session and one board."""
    random, begun_s, storing, before = Random(seed), time.monotonic(), 0, 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-kills-")))
        path = session(folder)
        board = stack.enter_context(RecordedBoard.spawn(runtime, seed=seed, path=folder / "port"))
        presser = Presser(board)
        with nursery(path, board.url) as hosts:
            for _ in range(times):
                hosts.kill_one(random.uniform(*KILL_S), presser)
                stored = recorded(path)
                storing, before = storing + (stored > before), stored
        return Outcome(settled(path, board), times, storing, time.monotonic() - begun_s)


def main() -> int:
    """Run with the command line's arguments; return 1 if a press is lost or recorded twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runtime", default="auto", choices=("auto", "micropython", "cpython"))
    args = parser.parse_args()
    good = True
    for done in range(0, args.times, SESSION):
        outcome = run(min(SESSION, args.times - done), args.seed + done, args.runtime)
        print(outcome.sentence(), flush=True)
        good = good and outcome.account.good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
