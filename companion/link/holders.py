"""Which other programs have a port open, as far as the system tells: on Linux those of the same user, to root all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
PTS, PTMX = "/dev/pts/", ("/dev/ptmx", "/dev/pts/ptmx")


def others_at(port: str, proc: Path = PROC) -> tuple[str, ...]:
    """Return the programs beside this one that have `port` open, each as `name (process n)`; nothing where the system
    has no `/proc`."""
    if not port.startswith("/"):
        return ()
    try:
        device = os.path.realpath(port)
    except OSError:  # a link that is taken away at this moment
        return ()
    own = os.getpid()
    pids = sorted(pid for pid in _processes(proc) if pid != own and _reads(proc / str(pid) / "fd", device))
    return tuple(f"{_name(proc / str(pid))} (process {pid})" for pid in pids)


def _processes(proc: Path) -> Iterator[int]:
    yield from (int(entry.name) for entry in _listed(proc) if entry.name.isdecimal())


def _reads(folder: Path, device: str) -> bool:
    """Whether a process has the device open, and is not what a pseudo-terminal's other end belongs to."""
    targets = set(map(_target, _listed(folder)))
    return device in targets and not (device.startswith(PTS) and not targets.isdisjoint(PTMX))


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # another user's, or it has just ended
        return []


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip() or "a program"
    except OSError:
        return "a program"
