"""Which process has the lock on a file: Linux lists it in `/proc`, macOS by `lsof`, and Windows does not say."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.program import NAMES
from companion.system.children import environment_for_others

PROC = Path("/proc")
ASKED_S = 2.0  # timeout of `lsof` and `ps`
_SHOWN_WORDS = 2  # shown of a command line: `companion resume`


class Holder(NamedTuple):
    """The process that has a lock, and the program it runs."""

    pid: int
    program: str

    def __str__(self) -> str:
        """Return the holder as people read it."""
        return f"process {self.pid} ({self.program})"


def holder_of(path: Path, proc: Path = PROC) -> Holder | None:
    """Return the process that has the lock on a file now, or None if the system does not say, as on
    Windows. The system is asked each time: a stored answer might name a process that has ended, or
    another one that got its number."""
    try:
        pids = _linux_holders(path, proc) if (proc / "locks").exists() else _openers(path)
        pid = next(pids, None)
    except OSError:
        return None
    return None if pid is None else Holder(pid, _program(pid, proc))


def _linux_holders(path: Path, proc: Path) -> Iterator[int]:
    """Yield the processes with a whole-file lock on it, from the kernel's list: `1: FLOCK ADVISORY
    WRITE 4711 fe:00:1234 0 EOF`. The device listed there is not always the one `stat` reports
    (btrfs, overlays), so the process must also have the file open."""
    there = path.stat()
    for line in (proc / "locks").read_text().splitlines():
        words = line.split()
        if len(words) < 6 or words[1] != "FLOCK" or not words[4].isdecimal():
            continue
        device, _, number = words[5].rpartition(":")
        if number != str(there.st_ino):
            continue
        opened = _has_open(int(words[4]), there, proc)
        if opened is None:  # another user's process: then the device decides
            opened = device == _device(there)
        if opened:
            yield int(words[4])


def _device(file: os.stat_result) -> str:
    """Return the device of a file as the kernel's list writes it."""
    if sys.platform == "win32":
        return ""
    return f"{os.major(file.st_dev):02x}:{os.minor(file.st_dev):02x}"


def _has_open(pid: int, file: os.stat_result, proc: Path) -> bool | None:
    """Return whether a process has the file open, or None if this user may not know."""
    try:
        for handle in (proc / str(pid) / "fd").iterdir():
            try:
                if os.path.samestat(handle.stat(), file):
                    return True
            except OSError:  # closed meanwhile
                continue
    except PermissionError:
        return None
    except OSError:  # it has ended
        return False
    return False


def _openers(path: Path) -> Iterator[int]:
    """Yield the other processes that have a file open, as reported by `lsof`, which macOS has: each
    is a line `p4711`."""
    for line in _told_by(["lsof", "-F", "p", "--", str(path)]).splitlines():
        if line[:1] == "p" and line[1:].isdecimal() and int(line[1:]) != os.getpid():
            yield int(line[1:])


def _told_by(words: list[str]) -> str:
    """Return the output of a system program, empty if it does not exist or does not answer."""
    import subprocess  # costs 35 ms, needed only for a busy session on macOS

    environment = environment_for_others()
    environment["PATH"] = f"{environment.get('PATH', '')}{os.pathsep}/usr/sbin"
    try:
        result = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ASKED_S,
            check=False,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout


def _program(pid: int, proc: Path) -> str:
    """Return what a process runs: `companion resume` for one of ours, else the name of its program."""
    words = _words_of(pid, proc)
    for index, word in enumerate(words[:4]):
        name = Path(word).stem
        if name in NAMES:
            following = [
                more for more in words[index + 1 : index + _SHOWN_WORDS] if not more.startswith("-")
            ]
            return " ".join([name, *following])
    return Path(words[0]).name if words else "another program"


def _words_of(pid: int, proc: Path) -> list[str]:
    if not proc.exists():
        return _told_by(["ps", "-o", "args=", "-p", str(pid)]).split()
    try:
        return (proc / str(pid) / "cmdline").read_text(errors="replace").rstrip("\0").split("\0")
    except OSError:
        return []
