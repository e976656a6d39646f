"""A night: tables that are the program itself, each on a terminal with its own data, and the network cut for a minute.

    python -m tests.benchmarks.hub_night [TABLES]

With 16 tables, which is the default, it takes three minutes. Between tables and hub stands a door that can be shut:
what is under way then is neither answered nor ended, as when an access point loses its power.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import select as query

from companion.hub.database import Database
from companion.hub.joining import join, new_code
from companion.hub.schema import RECORDS
from companion.journal.store import read_entries
from companion.outbound.hub_ticket import Ticket, keep_ticket, laptop_mark
from tests.benchmarks.chip import row
from tests.benchmarks.hub import Hub, percentile
from tests.hub.parts import stored

BEFORE_S, CUT_S, AFTER_S = 30.0, 60.0, 60.0
PRESSES_S = 1.0  # between two keys of one table
KEYS = (b"\r", b"u")  # fire, and that taken back: an entry each
START_S = 60.0


class Door:
    """A proxy that passes on what comes to its port, until it is shut."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._open = threading.Event()
        self._open.set()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = int(self._socket.getsockname()[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def shut(self) -> None:
        """Let nothing through from now on."""
        self._open.clear()

    def open(self) -> None:
        """Let new connections through from now on; the old ones stay dead."""
        self._open.set()

    def _listen(self) -> None:
        while True:
            near, _ = self._socket.accept()
            threading.Thread(target=self._pass, args=(near,), daemon=True).start()

    def _pass(self, near: socket.socket) -> None:
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self._to)) as far:
            ways = {near: far, far: near}
            alive = self._open.is_set()
            while True:
                ready, _, _ = select.select(list(ways), [], [], 0.2)
                alive = alive and self._open.is_set()
                for each in ready:
                    content = each.recv(1 << 16)
                    if not content:
                        return
                    if alive:
                        ways[each].sendall(content)


class TableProcess:
    """`companion play` on a pseudo-terminal whose keys are pressed by the benchmark."""

    def __init__(self, number: int, folder: Path) -> None:
        self.number, self.folder = number, folder
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [
            sys.executable,
            "-m",
            "companion",
            "play",
            "panic-fire",
            "--seats",
            "Ann,Bo,Cy",
            "--port",
            "none",
        ]
        about = {**os.environ, "TERM": "xterm-256color", "COMPANION_DATA": str(folder)}
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=about, start_new_session=True
        )
        os.close(slave)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError):
            while os.read(self._master, 1 << 16):
                pass

    def press(self, key: bytes) -> None:
        """Press a key."""
        os.write(self._master, key)

    @property
    def entries(self) -> list[tuple[int, bytes]]:
        """Return the numbers and digests in the session's file."""
        files = sorted((self.folder / "sessions").glob("*.sqlite"))
        return [(entry.n, entry.digest) for entry in read_entries(files[0])] if files else []

    def end(self) -> None:
        """End the process and close its terminal."""
        self.process.terminate()
        self.process.wait()


def tables_at(database: Database, door: Door, count: int, folder: Path) -> Iterator[TableProcess]:
    """Start tables that join through the proxy and begin to play."""
    for number in range(1, count + 1):
        own = folder / str(number)
        with database.writing() as connection:
            code, _ = new_code(connection, number, time.time())
            _, token = join(connection, code, laptop_mark(), time.time())
        os.environ["COMPANION_DATA"] = str(own)
        keep_ticket(Ticket(f"http://127.0.0.1:{door.port}", "Night", number, token))
        yield TableProcess(number, own)


def heads(database: Database) -> dict[bytes, int]:
    """Return the number of entries at the hub, by the digest of the first."""
    with database.reading() as connection:
        return {
            each.session: each.n
            for each in connection.execute(query(RECORDS.c.session, RECORDS.c.n))
        }


@contextmanager
def pressed(tables: Sequence[TableProcess]) -> Iterator[None]:
    """Press keys at all tables during the block."""
    ending = threading.Event()

    def press() -> None:
        at = 0
        while not ending.wait(PRESSES_S / len(tables)):
            tables[at % len(tables)].press(KEYS[at // len(tables) % len(KEYS)])
            at += 1

    pressing = threading.Thread(target=press)
    pressing.start()
    try:
        yield
    finally:
        ending.set()
        pressing.join()


def made(tables: Sequence[TableProcess]) -> int:
    """Return the number of entries of all tables."""
    return sum(len(table.entries) for table in tables)


def caught_up(database: Database, tables: Sequence[TableProcess], limit_s: float) -> list[float]:
    """Return the seconds until the hub has what each table has now, at most `limit_s` for each."""
    began, lacking, after = (
        time.monotonic(),
        {table.number: table.entries for table in tables},
        list[float](),
    )
    while lacking and time.monotonic() - began < limit_s:
        there = heads(database)
        for number, entries in list(lacking.items()):
            if there.get(entries[0][1], 0) >= len(entries):
                after.append(time.monotonic() - began)
                del lacking[number]
        time.sleep(0.1)
    return after + [limit_s] * len(lacking)


def main(count: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as ending:
        folder = Path(name)
        url = f"sqlite:///{folder / 'hub.sqlite'}"
        database = ending.enter_context(closing(Database(url)))
        hub = Hub(url, folder)
        ending.callback(hub.kill)
        door = Door(hub.port)
        tables = list(tables_at(database, door, count, folder))
        for table in tables:
            ending.callback(table.end)
        deadline = time.monotonic() + START_S
        while len(heads(database)) < count:
            assert time.monotonic() < deadline, (
                f"{len(heads(database))} of {count} tables are there"
            )
            time.sleep(0.2)
        row("what", "measured", "beside it")
        with pressed(tables):
            at_first = made(tables)
            time.sleep(BEFORE_S)
            before = made(tables)
            door.shut()
            time.sleep(CUT_S)
            cut = made(tables)
            there = sum(heads(database).values())
            door.open()
            seconds = caught_up(database, tables, AFTER_S)
        left = caught_up(database, tables, AFTER_S)
        row(
            "entries a minute with the network",
            f"{(before - at_first) * 60 / BEFORE_S:,.0f}",
            f"{count} tables",
        )
        row(
            "  without it",
            f"{(cut - before) * 60 / CUT_S:,.0f}",
            f"{cut - there:,} behind in the end",
        )
        row(
            "seconds until a table has caught up, p50",
            f"{percentile(seconds, 0.5):.1f}",
            f"max {max(seconds):.1f}",
        )
        row("  with the last key pressed", f"{max(left):.1f}", "")
        time.sleep(1.0)
        chains = [table.entries for table in tables]
        same = [stored(database, chain[0][1])[0] == chain for chain in chains]
        row(
            "tables whose chain is the same at the hub",
            f"{sum(same)} of {count}",
            f"{sum(map(len, chains)):,} entries",
        )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:] or ["16"]))
