"""Which other programs have a port open. On Linux `/proc` shows those of the same user, and to root all; elsewhere
nobody says."""

from __future__ import annotations

import os
from pathlib import Path

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
