"""The lock on a file, which one process at a time can have, and which process has it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

# Errors while another process has the lock (EACCES on Windows). Any other error: the disk has no locks.
_TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
PROC = Path("/proc")
ASKED_S = 2.0  # timeout of `lsof` and `ps`
_SHOWN_WORDS = 2  # shown of a command line: `companion resume`


class LockTaken(OSError):
    """Another process has the lock."""


def lock(file: BinaryIO) -> None:
    """Lock the open file for this process until it is closed or the process ends; others can still
    read it. Raise `LockTaken` if another process has it, `OSError` if the disk has no locks."""
    try:
        _lock(file)
    except OSError as error:
        if error.errno in _TAKEN:
            raise LockTaken(error.errno, error.strerror) from error
        raise


if sys.platform == "win32":
    import msvcrt

    # Far beyond the content: on Windows locks are mandatory, and others must be able to read the file.
    _LOCK_OFFSET = 1 << 30

    def _lock(file: BinaryIO) -> None:
        file.seek(_LOCK_OFFSET)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def try_as_sqlite(_file: BinaryIO) -> None:
        """Do nothing: on Windows SQLite uses the same kind of lock as `lock`."""

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)

    def try_as_sqlite(file: BinaryIO) -> None:
        """Lock a byte of the file as SQLite does, and unlock it; raise `OSError` if the disk has no such locks."""
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)  # on NFS the two kinds of lock exclude each other
        fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        fcntl.lockf(file.fileno(), fcntl.LOCK_UN, 1)


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
            opened = device == f"{os.major(there.st_dev):02x}:{os.minor(there.st_dev):02x}"
        if opened:
            yield int(words[4])


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
    """Return what a process runs: `companion resume` for one of ours, else the name of its program."""
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
