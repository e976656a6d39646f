"""Whether a port is still there, and which other programs have it open.

Not every system reports the loss of a port, so it is checked now and then. On Linux `/proc` shows the programs of the
same user, and root sees all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

PROC = Path("/proc")
PTS, PTMX = "/dev/pts/", ("/dev/ptmx", "/dev/pts/ptmx")


def others_at(port: str, proc: Path = PROC) -> tuple[str, ...]:
    """Return the other programs that have `port` open, each as `name (process n)`; empty without a `/proc`."""
    if not port.startswith("/"):
        return ()
    try:
        device = os.path.realpath(port)
    except OSError:  # a link that was removed just now
        return ()
    own = os.getpid()
    names: dict[int, str] = {}
    for process in _listed(proc):
        if not process.name.isdecimal() or int(process.name) == own:
            continue
        if _has_open(process / "fd", device):
            names[int(process.name)] = program_name(process)
    return tuple(f"{names[pid]} (process {pid})" for pid in sorted(names))


def _has_open(folder: Path, device: str) -> bool:
    """Return whether a process has the device open, other than as the owner of a pseudo-terminal's far end.

    A process with a ptmx open is the one that made the pseudo-terminal: it is the board, not a reader beside us.
    """
    targets = set(map(_target, _listed(folder)))
    if device.startswith(PTS) and not targets.isdisjoint(PTMX):
        return False
    return device in targets


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # another user's process, or one that has just ended
        return []


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def program_name(process: Path) -> str:
    """Return the name of the program that the process of this `/proc` folder runs."""
    try:
        return (process / "comm").read_text().strip() or "a program"
    except OSError:
        return "a program"


_MS = 1_000_000
CHECK_NS = 250 * _MS
# Listing the open files of every process takes some 30 ms of processor time.
OTHERS_EVERY_NS = 20_000 * _MS


class Presence:
    """The port of one connection. A port that was no file when it was opened is never reported as gone."""

    def __init__(
        self, port: str, now_ns: int, others: Callable[[str], tuple[str, ...]] = others_at
    ) -> None:
        self._path = Path(port) if port.startswith("/") and Path(port).exists() else None
        self._port = port
        self._others = others
        self._check_ns = now_ns + CHECK_NS
        self._others_ns = now_ns
        self._named: set[str] = set()
        self._reported: SimpleQueue[str] = SimpleQueue()

    def gone(self, now_ns: int) -> bool:
        """Return whether the port's file has disappeared; checked every 250 ms."""
        if self._path is None or now_ns < self._check_ns:
            return False
        self._check_ns = now_ns + CHECK_NS
        return not self._path.exists()

    def intruders(self, now_ns: int) -> list[str]:
        """Return other programs that have the port open, each once; searched every 20 s in a thread of its own."""
        if self._path is not None and now_ns >= self._others_ns:
            self._others_ns = now_ns + OTHERS_EVERY_NS
            threading.Thread(
                target=self._find_others, name=f"link-others {self._port}", daemon=True
            ).start()
        reported = [self._reported.get() for _ in range(self._reported.qsize())]
        unnamed = [name for name in reported if name not in self._named]
        self._named.update(unnamed)
        return unnamed

    def _find_others(self) -> None:
        for name in self._others(self._port):
            self._reported.put(name)
