"""The lock on a file, which one process has at a time; and which process that is."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

# What the system answers while another process has the lock. Windows says EACCES; anything else is no lock at all.
_TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
PROC = Path("/proc")
ASKED_S = 2.0  # seconds that another program may take to say who has a file open
_SHOWN_WORDS = 2  # of a command line: `companion resume`


class LockTaken(OSError):
    """Another process has the lock."""


def lock(file: BinaryIO) -> None:
    """Have the open file for this process alone until it is closed or the process dies. Others can still read it. Raise
    `LockTaken` where another process has it, `OSError` where the disk has no locks."""
    try:
        _lock(file)
    except OSError as error:
        if error.errno in _TAKEN:
            raise LockTaken(error.errno, error.strerror) from error
        raise


if sys.platform == "win32":
    import msvcrt

    # far behind what is written: locks are mandatory there, and others may read the file
    _LOCK_OFFSET = 1 << 30

    def _lock(file: BinaryIO) -> None:
        file.seek(_LOCK_OFFSET)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def try_as_sqlite(_file: BinaryIO) -> None:
        """Nothing more: SQLite uses the same locks there."""

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)

    def try_as_sqlite(file: BinaryIO) -> None:
        """Lock a part of the file, as SQLite does, and let it go; raise `OSError` where the disk has no such locks."""
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)  # NFS has one kind of lock for both
        fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        fcntl.lockf(file.fileno(), fcntl.LOCK_UN, 1)


class Holder(NamedTuple):
    """The process that has a lock, and what it runs."""

    pid: int
    program: str

    def __str__(self) -> str:
        """The same for people."""
        return f"process {self.pid} ({self.program})"


def holder_of(path: Path, proc: Path = PROC) -> Holder | None:
    """Return which process has the lock on a file now; None where the system does not say, as Windows. It is asked anew
    each time: what a file once said of its holder may be about a process that is gone, or about another one with the
    same number."""
    try:
        pids = _linux_holders(path, proc) if (proc / "locks").exists() else _openers(path)
        pid = next(pids, None)
    except OSError:
        return None
    return None if pid is None else Holder(pid, _program(pid, proc))


def _linux_holders(path: Path, proc: Path) -> Iterator[int]:
    """Processes with a whole-file lock on it, by the kernel's list: `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`.
    The device in it is not always the one that `stat` tells (btrfs, overlays), so the process must have it open."""
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
            opened = device == f"{os.major(there.st_dev):02x}:{os.minor(there.st_dev):02x}"
        if opened:
            yield int(words[4])


def _has_open(pid: int, file: os.stat_result, proc: Path) -> bool | None:
    """Whether a process has the file open; None where this user may not know."""
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
    """The processes but this one that have a file open, by `lsof`, which macOS has: each is a line `p4711`."""
    for line in _told_by(["lsof", "-F", "p", "--", str(path)]).splitlines():
        if line[:1] == "p" and line[1:].isdecimal() and int(line[1:]) != os.getpid():
            yield int(line[1:])


def _told_by(words: list[str]) -> str:
    """What a program of the system prints; nothing where it is not there or does not answer."""
    import subprocess  # 35 ms that only a busy session on macOS needs

    environment = {**os.environ, "PATH": f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin"}
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
    """What a process runs: `companion resume` for one of ours, else its program's name."""
    words = _words_of(pid, proc)
    for index, word in enumerate(words[:4]):
        if Path(word).stem == "companion":
            following = [
                more for more in words[index + 1 : index + _SHOWN_WORDS] if not more.startswith("-")
            ]
            return " ".join(["companion", *following])
    return Path(words[0]).name if words else "another program"


def _words_of(pid: int, proc: Path) -> list[str]:
    if not proc.exists():
        return _told_by(["ps", "-o", "args=", "-p", str(pid)]).split()
    try:
        return (proc / str(pid) / "cmdline").read_text(errors="replace").rstrip("\0").split("\0")
    except OSError:
        return []
