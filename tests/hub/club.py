"""A club night of real programs: a hub, and tables on terminals with a board each, whose parts can be broken and
repaired."""

from __future__ import annotations

import html
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.test_terminal import Terminal
from tests.hub.parts import PASSWORD, Browser

TIMEOUT_S = 60.0
POINTS = 20
RACE = f"""
format = 1
id = "race"
title = "Race"
does = "Who has {POINTS} points first wins."
seats = [2, 2]
score = "point"
over = "max(point) >= {POINTS}"

[counters.point]
title = "points"

[inputs.point]
title = "scores a point"
label = "point"
does = "point"
on = "tap"

[examples.one]
seats = ["Ann", "Ben"]
plays = ["Ann point 4", "Ben point 3"]
scores = [4, 3]
"""
"""A game that so many keys end: `1` is a point of the first player, `2` of the second."""
SHIFTED_CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile double *shift;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_SHIFT");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file >= 0) shift = mmap(0, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
}

static time_t seconds(void) { return shift && shift != MAP_FAILED ? (time_t)*shift : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int said = real(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += seconds();
    return said;
}

int gettimeofday(struct timeval *now, void *zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
    int said = real(now, zone);
    now->tv_sec += seconds();
    return said;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""
"""A library that shifts the wall clock of a program by the seconds that stand in a file; not the monotonic clock."""
_CHAIN = """
from pathlib import Path
from companion.journal.store import read_entries
for path in Path({folder!r}).glob("*.sqlite"):
    for entry in read_entries(path):
        print(entry.n, entry.digest.hex())
"""
_CHAIN_THERE = """
import sqlite3
query = "SELECT e.n, hex(e.digest) FROM entries e JOIN records r ON r.id = e.record JOIN tables t ON t.id = r.table_id "
for row in sqlite3.connect({file!r}).execute(query + "WHERE t.number = {number} ORDER BY e.n"):
    print(*row)
"""
_SMALL_DISK = 'mount -t tmpfs -o size=8m,mode=700 none "$0" && echo there && exec sleep infinity'


def why_not() -> str:
    """Return why no club can be run here; empty if it can."""
    if sys.platform != "linux":
        return "disks and clocks of single programs exist on Linux alone"
    for program in ("cc", "tmux", "unshare", "nsenter"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    tried = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], check=False, capture_output=True
    )
    return "" if tried.returncode == 0 else "no program may have a disk of its own here"


class Clock:
    """A program's wall clock, which can be set wrong."""

    def __init__(self, folder: Path, name: str) -> None:
        self._library, self._file = folder / "clock.so", folder / f"{name}.clock"
        if not self._library.exists():
            source = folder / "clock.c"
            source.write_text(SHIFTED_CLOCK)
            command = [
                "cc",
                "-shared",
                "-fPIC",
                "-O1",
                "-o",
                str(self._library),
                str(source),
                "-ldl",
            ]
            subprocess.run(command, check=True, timeout=TIMEOUT_S)
        self.shift(0.0)

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment variables for the program."""
        return {"LD_PRELOAD": str(self._library), "CLOCK_SHIFT": str(self._file)}

    def shift(self, seconds: float) -> None:
        """Set the clock wrong by some seconds from now on."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("d", seconds))


class SmallDisk:
    """A disk of a few megabytes at `folder`, mounted for programs started on it, that can be full."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        command = ["unshare", "-rm", "sh", "-c", _SMALL_DISK, str(folder)]
        self._holder = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"there\n"

    @property
    def on_it(self) -> Sequence[str]:
        """Command that runs a program on this disk."""
        return ["nsenter", "--preserve-credentials", "-U", "-m", "-t", str(self._holder.pid)]

    @property
    def inside(self) -> Path:
        """The folder as those programs see it."""
        return Path(f"/proc/{self._holder.pid}/root{self.folder}")

    def fill(self) -> None:
        """Fill the disk to the last byte."""
        with (self.inside / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
            while ballast.write(b"x" * 4096):
                pass

    def empty(self) -> None:
        """Free its room."""
        (self.inside / "ballast").unlink()

    def close(self) -> None:
        """Unmount it, with all that is on it."""
        self._holder.kill()
        self._holder.wait()
        if self._holder.stdout is not None:
            self._holder.stdout.close()


class Door:
    """The network between a table and its hub, as a proxy."""

    def __init__(self, to: int) -> None:
        self.to = to
        self._stalls = threading.Event()
        self.stalled = threading.Event()
        """That a body was cut in its middle."""
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = int(self._socket.getsockname()[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def stall(self) -> None:
        """Pass on half of the next body, and nothing more: the laptop hangs, or its Wi-Fi is gone."""
        self.stalled.clear()
        self._stalls.set()

    def heal(self) -> None:
        """Pass on new connections; the old ones stay dead."""
        self._stalls.clear()

    def _listen(self) -> None:
        while True:
            near, _ = self._socket.accept()
            threading.Thread(target=self._pass, args=(near,), daemon=True).start()

    def _pass(self, near: socket.socket) -> None:
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self.to)) as far:
            ways, text, dead = {near: far, far: near}, b"", False
            while True:
                ready, _, _ = select.select(list(ways), [], [], 0.2)
                for each in ready:
                    content = each.recv(1 << 16)
                    if not content:
                        return
                    if each is near and self._stalls.is_set() and not dead:
                        text += content
                        half = _half_of(text)
                        dead = half is not None
                        if half is not None:
                            far.sendall(half)
                            self.stalled.set()
                    elif not dead:
                        ways[each].sendall(content)


def _half_of(request: bytes) -> bytes | None:
    """Return a request up to the middle of its body, or None while it has no body yet."""
    head, end, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    if not end or length is None or not body:
        return None
    return head + end + body[: int(length[1]) // 2]


class HubProgram:
    """`companion hub` at a fixed port, with an organiser who has signed in."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.disk = Clock(folder, "hub"), SmallDisk(folder / "hub")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._log = folder / "hub.log"
        self._process: subprocess.Popen[bytes] | None = None
        text = self.start()
        code = re.search(r"this code: (\w{4} \w{4})", text)
        assert code is not None, text
        self.olga = Browser(self.port)
        assert self.olga.post("/setup", code=code[1], name="Olga", password=PASSWORD).status == 303

    def start(self) -> str:
        """Start it, and return its output."""
        program = [sys.executable, "-m", "companion", "hub", "--port", str(self.port)]
        about = {**os.environ, **of_data(self.disk.folder), **self.clock.environment}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*self.disk.on_it, *program], stdout=log, stderr=log, env=about
            )
        wait_until(lambda: "Ctrl-C ends it" in self.output)
        return self.output

    @property
    def output(self) -> str:
        """The program's output since it was started."""
        return self._log.read_text("utf-8")

    def kill(self) -> None:
        """Kill it, whatever it is doing."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def code(self, number: int) -> str:
        """Get a code for a table."""
        found = re.search(
            r"joins with (\w{4} \w{4})", self.olga.post("/organiser/code", number=str(number)).text
        )
        assert found is not None
        return found[1]

    def row(self, number: int) -> str:
        """Return a table's row on the organiser's page."""
        page = self.olga.get("/organiser").text
        found = re.search(rf'<tr id="table-{number}">(.*?)</tr>', page, re.DOTALL)
        return "" if found is None else html.unescape(re.sub(r"<[^>]+>", " ", found[1]))

    def shows(self, number: int, sentence: str) -> None:
        """Wait until the organiser's page shows that about a table."""
        wait_until(lambda: sentence in self.row(number), lambda: self.row(number))

    def standings(self) -> dict[str, str]:
        """Return the points by name on everybody's page."""
        page = self.olga.get("/").text.partition("<h2>Standings</h2>")[2]
        rows = re.findall(r"<tr><td>[^<]*</td><td>([^<]*)</td><td>([^<]*)</td>", page)
        return dict(rows)

    def chain(self, number: int) -> list[tuple[int, bytes]]:
        """Return the hub's entries of a table's session: numbers and digests."""
        text = run_on(
            self.disk, _CHAIN_THERE.format(file=str(self.disk.folder / "hub.sqlite"), number=number)
        )
        return [(int(n), bytes.fromhex(digest)) for n, digest in map(str.split, text.splitlines())]

    def close(self) -> None:
        """End it, with its disk."""
        self.kill()
        self.disk.close()


class TableProgram:
    """`companion play` on a terminal, with a board, a disk, a clock and a network of its own, joined to the hub. The
    keys `1` and `2` give a point to the first and the second player."""

    def __init__(self, number: int, folder: Path, hub: HubProgram, seats: str) -> None:
        self.number, self.hub = number, hub
        own = folder / str(number)
        own.mkdir()
        self.clock, self.disk, self.door = (
            Clock(folder, str(number)),
            SmallDisk(own / "data"),
            Door(hub.port),
        )
        self.board = VirtualBoard.spawn(seed=number, path=own / "port")
        game = own / "race.toml"
        game.write_text(RACE)
        about = {**of_data(self.disk.folder), **self.clock.environment}
        address = f"http://127.0.0.1:{self.door.port}"
        joining = [*self.disk.on_it, sys.executable, "-m", "companion", "hub", "join", address]
        code = f"{hub.code(number)}\n".encode()
        subprocess.run(
            joining, input=code, check=True, env={**os.environ, **about}, timeout=TIMEOUT_S
        )
        words = ("play", str(game), "--seats", seats, "--port", self.board.url)
        self.terminal = Terminal(own, 80, 24, *words, before=self.disk.on_it, **about)
        self.terminal.wait_for("saved", "live")

    def point(self, player: int, *, saved: bool = True) -> None:
        """Give a player a point by keyboard."""
        before = self.saved
        self.terminal.type(str(player))
        if saved:
            wait_until(lambda: self.saved > before, self.terminal.screen)

    @property
    def saved(self) -> int:
        """Return the number of entries on its disk; 0 while its screen says that it cannot save."""
        if "saved" not in self.terminal.screen():
            return 0
        return len(self.chain)

    @property
    def chain(self) -> list[tuple[int, bytes]]:
        """Return the numbers and digests in the session's file."""
        text = run_on(self.disk, _CHAIN.format(folder=str(self.disk.folder / "sessions")))
        return [(int(n), bytes.fromhex(digest)) for n, digest in map(str.split, text.splitlines())]

    @property
    def is_at_the_hub(self) -> bool:
        """Return whether the hub has all of it, by the organiser's page."""
        return f"all {self.saved} entries here" in self.hub.row(self.number)

    def close(self) -> None:
        """End it with its board and its disk."""
        self.terminal.close()
        self.board.end()
        self.board.close()
        self.disk.close()


def run_on(disk: SmallDisk, program: str) -> str:
    """Return the output of a Python program run on this disk: SQLite opens no file through `/proc`."""
    command = [*disk.on_it, sys.executable, "-c", program]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=TIMEOUT_S
    ).stdout


def of_data(folder: Path) -> dict[str, str]:
    """Return the environment that names a program's data folder."""
    return {"COMPANION_DATA": str(folder), "COMPANION_CONFIG": str(folder / "config.toml")}


def wait_until(holds: Callable[[], bool], what: Callable[[], object] = str) -> None:
    """Return once the condition holds; `what` is called for the failure's text if it does not."""
    end = time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < end, what()
        time.sleep(0.05)


@contextmanager
def club(folder: Path, *seats: str) -> Iterator[tuple[HubProgram, list[TableProgram]]]:
    """Yield a hub, and a table for each of `seats`."""
    with ExitStack() as ending:
        hub = HubProgram(folder)
        ending.callback(hub.close)
        tables = []
        for number, names in enumerate(seats, start=1):
            tables.append(TableProgram(number, folder, hub, names))
            ending.callback(tables[-1].close)
        yield hub, tables
