"""Files: reading one that anybody may have named in bounded time and memory, making one that others cannot read, and
having files and names on the disk when a function returns."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

_NO_FOLDERS_FORCED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # what some network disks answer
PRIVATE, SHARED = 0o600, 0o660  # rights of files
LARGEST_KEPT = 1 << 20  # bytes of what is kept beside a session; it has some hundred
# bytes of an export or a transcript; that of a long evening has some megabytes
LARGEST_TEXT = 1 << 26


def mode_in(folder: Path) -> int:
    """Return the rights of a new file in `folder`: its owner's alone, unless the folder's group may write there, and
    not just anybody, as in /tmp. Raise `OSError`."""
    return (
        SHARED if folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH) == stat.S_IWGRP else PRIVATE
    )


def make_private(folder: Path) -> None:
    """Make a folder that only its owner may look into, and its group where that may write to the one above; one that is
    there stays as it is. Raise `OSError`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    shared = mode_in(folder.parent) == SHARED
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        if shared and sys.platform != "win32":
            # a disk without permissions: everybody may do everything as it is
            with suppress(OSError):
                folder.chmod(0o2770)  # what is made in it belongs to its group


def open_private(path: Path, mode: int | None = None) -> int:
    """Make a file that can hold a secret and return it open for reading and writing: from its first byte it has the
    rights `mode` (None: those of `mode_in`), whatever the umask. Every such file is made here. Raise `OSError`:
    `FileExistsError` for one that is there."""
    mode = mode_in(path.parent) if mode is None else mode
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    if sys.platform != "win32":
        # What the umask took away. A disk without permissions refuses; there the file has no more rights than it had.
        with suppress(OSError):
            os.fchmod(handle, mode)
    return handle


def create_private(path: Path, mode: int | None = None) -> None:
    """Make an empty file as `open_private` does, unless it is there; raise `OSError`."""
    with suppress(FileExistsError):
        os.close(open_private(path, mode))


def write_private(path: Path, content: bytes, mode: int | None = None) -> None:
    """Have that stand in a file and on the disk, in the place of what stood there, and at no moment a part of it.
    `mode`: see `create_private`. Raise `OSError`."""
    new = path.with_name(f"{path.name}.new")
    discard(new)
    try:
        create_private(new, mode)
        new.write_bytes(content)
        force_to_disk(new)
        take_place(new, path)
    except OSError:
        discard(new)
        raise
    sync_folder(path.parent)


@contextmanager
def new_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Make the file that a person named, and its folder; remove the file where it cannot be written to its end. A pipe
    or a device is written to. A `private` file has the rights of `mode_in`. Raise `OSError`: `FileExistsError` for what
    is there."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
    stream = path.exists() and not (path.is_file() or path.is_dir())
    if private and not stream:
        file: BinaryIO = os.fdopen(open_private(path), "w+b")
    else:
        file = path.open("wb" if stream else "xb")
    try:
        with file:
            yield file
    except BaseException:
        if not stream:
            discard(path)
        raise


def is_file(path: Path) -> bool:
    """Return whether `path` is a file; what may not be looked at, or has a name that the system does not take, is
    none."""
    try:
        return path.is_file()
    except OSError:
        return False


def refusal_to_read(path: Path) -> PermissionError | None:
    """Return what the system says to a reader whom it does not let read a file or a folder; None where it does, and
    where nothing is."""
    try:
        if path.is_dir():
            next(path.iterdir(), None)
        else:
            # a pipe has nobody to wait for
            os.close(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)))
    except PermissionError as refused:
        return refused
    except OSError:
        return None
    return None


def require_regular(path: Path) -> None:
    """Raise `OSError` for what is there and no file: to open a pipe may take for ever, and a device may have no end."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file but a pipe, a socket or a device", str(path))


def read_regular(path: Path, most: int) -> bytes:
    """Return what stands in a file of at most `most` bytes; raise `OSError` for a pipe, a device and a larger file."""
    require_regular(path)
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
    return content


def read_json(path: Path, most: int = LARGEST_KEPT) -> Any:
    """Return the value of JSON in a file that we keep beside others, and that anybody may have changed; raise `OSError`
    as `read_regular` does, or `ValueError` for anything but JSON."""
    try:
        return json.loads(read_regular(path, most))
    except RecursionError as problem:
        raise ValueError(f"{path} is too deep") from problem


DAMAGED = ".damaged"


def force_to_disk(path: Path) -> None:
    """Return when what was written to `path` is on the disk."""
    _sync(path, os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Return when the names in `folder` are on the disk, where it can be told to; Windows does that by itself."""
    if sys.platform == "win32":
        return
    try:
        _sync(folder, os.O_RDONLY)
    except OSError as error:
        if error.errno not in _NO_FOLDERS_FORCED:
            raise


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def free_name(path: Path, suffix: str = "") -> Path:
    """Return `path`, or when that is taken the first of `path-2`, `path-3`... that is free, the number before
    `suffix`."""
    candidate, count = path, 1
    while candidate.exists():
        count += 1
        candidate = path.with_name(f"{path.name.removesuffix(suffix)}-{count}{suffix}")
    return candidate


def discard(*left: Path) -> None:
    """Remove what a try that failed has left, as far as the system lets: why it failed is what has to be told."""
    for path in left:
        with suppress(OSError):
            path.unlink()


def take_place(new: Path, path: Path) -> None:
    """Give `new` the name `path`, also where a file has it. Raise `OSError`."""
    try:
        new.replace(path)
    except FileExistsError:  # some network disks give no name anew
        before = free_name(path.with_name(f"{path.name}.before"))
        path.rename(before)
        try:
            new.rename(path)
        except OSError:
            before.rename(path)
            raise
        discard(before)


def put_in_place(new: Path, session: Path) -> Path:
    """Give `new`, which is on the disk, the name of a session file; what stood there keeps its log under a name for
    damaged files, which is returned. At any moment all is under some name. Raise `OSError`."""
    aside = free_name(session.with_name(session.name + DAMAGED))
    log = Path(f"{session}-wal")
    if session.exists():
        try:
            aside.hardlink_to(session)
        except OSError:  # a disk without hard links
            write_private(aside, session.read_bytes())
    # The log before the file: SQLite would apply it to whatever file stands under the name.
    with suppress(FileNotFoundError):
        log.rename(f"{aside}-wal")
    Path(f"{session}-shm").unlink(missing_ok=True)
    sync_folder(session.parent)
    take_place(new, session)
    sync_folder(session.parent)
    return aside
