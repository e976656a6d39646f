"""Files: bounded reads of files that anybody may have put there, private files, and writes that are
on the disk when a function returns."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from companion.system import files

# What some network disks answer to an fsync of a folder.
_NO_FOLDERS_FORCED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
PRIVATE, SHARED = 0o600, 0o660  # file modes
LARGEST_KEPT = 1 << 20  # bytes of a small file beside a session; in practice a few hundred
# Bytes of an export or a transcript; a long evening has a few megabytes.
LARGEST_TEXT = 1 << 26


def mode_in(folder: Path) -> int:
    """Return the mode for a new file in `folder`: only the owner has access, unless the folder's
    group may write there and others (as in /tmp) may not. Raise `OSError`."""
    return (
        SHARED if folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH) == stat.S_IWGRP else PRIVATE
    )


def make_private(folder: Path) -> None:
    """Create a folder that only its owner can enter, and its group if that may write to the parent
    folder. An existing folder is left as it is. Raise `OSError`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    shared = mode_in(folder.parent) == SHARED
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        if shared:
            files.share_with_group(folder)


def open_private(path: Path, mode: int | None = None) -> int:
    """Create a file that may hold a secret and return its descriptor, open for reading and writing.

    It has mode `mode` (None: that of `mode_in`) from its first byte, whatever the umask; every such
    file is created here. Raise `OSError`, `FileExistsError` if the file exists.
    """
    mode = mode_in(path.parent) if mode is None else mode
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | files.BINARY, mode)
    files.set_mode(handle, mode)  # restores the bits that the umask removed
    return handle


def create_private(path: Path, mode: int | None = None) -> None:
    """Create an empty file as `open_private` does, unless it exists; raise `OSError`."""
    with suppress(FileExistsError):
        os.close(open_private(path, mode))


def write_private(path: Path, content: bytes, mode: int | None = None) -> None:
    """Replace the content of a file atomically and force it to the disk. `mode`: see
    `open_private`. Raise `OSError`."""
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
    """Create the file that a person named, and its folder; delete the file again if it cannot be
    written completely.

    A pipe or a device is written to. A `private` file has the mode of `mode_in`. Raise `OSError`,
    `FileExistsError` if the file exists.
    """
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
    """Return whether `path` is a file; False if the system denies access or cannot have such a
    name."""
    try:
        return path.is_file()
    except OSError:
        return False


def refusal_to_read(path: Path) -> PermissionError | None:
    """Return the error if the system denies reading a file or a folder; None if it can be read or
    does not exist."""
    try:
        if path.is_dir():
            next(path.iterdir(), None)
        else:
            # Without O_NONBLOCK the open of a pipe would wait for a writer.
            os.close(os.open(path, os.O_RDONLY | files.AT_ONCE))
    except PermissionError as refused:
        return refused
    except OSError:
        return None
    return None


def require_regular(path: Path) -> None:
    """Raise `OSError` if `path` exists and is not a regular file: opening a pipe may block forever,
    and a device may be endless."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file but a pipe, a socket or a device", str(path))


def read_regular(path: Path, most: int) -> bytes:
    """Return the content of a file of at most `most` bytes; raise `OSError` for a pipe, a device
    and a larger file."""
    require_regular(path)
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
    return content


def read_json(path: Path, most: int = LARGEST_KEPT) -> Any:
    """Return the decoded JSON of a file that the companion keeps beside others and that anybody may
    have changed. Raise `OSError` as `read_regular` does, `ValueError` for anything but JSON."""
    try:
        return json.loads(read_regular(path, most))
    except RecursionError as problem:
        raise ValueError(f"{path} is too deep") from problem


DAMAGED = ".damaged"


def force_to_disk(path: Path) -> None:
    """Force the content of `path` to the disk (fsync)."""
    _sync(os.open(path, os.O_RDWR))


def sync_folder(folder: Path) -> None:
    """Force the names in `folder` to the disk if the system supports it; Windows does so by itself."""
    try:
        descriptor = files.open_folder(folder)
        if descriptor is not None:
            _sync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDERS_FORCED:
            raise


def _sync(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def free_name(path: Path, suffix: str = "") -> Path:
    """Return `path`, or if it is taken the first free one of `path-2`, `path-3`, ...; the number
    goes before `suffix`."""
    candidate, count = path, 1
    while candidate.exists():
        count += 1
        candidate = path.with_name(f"{path.name.removesuffix(suffix)}-{count}{suffix}")
    return candidate


def discard(*left: Path) -> None:
    """Delete what a failed attempt left, ignoring errors: the failure itself is what the caller
    reports."""
    for path in left:
        with suppress(OSError):
            path.unlink()


def take_place(new: Path, path: Path) -> None:
    """Rename `new` to `path`, replacing a file there. Raise `OSError`."""
    try:
        files.replace(new, path)
    except FileExistsError:  # some network disks cannot rename onto an existing file
        before = free_name(path.with_name(f"{path.name}.before"))
        path.rename(before)
        try:
            new.rename(path)
        except OSError:
            before.rename(path)
            raise
        discard(before)


def put_in_place(new: Path, session: Path) -> Path:
    """Rename `new`, which is on the disk, to the session file's name. The old file and its log keep
    a name for damaged files, which is returned. At every moment each file has some name. Raise
    `OSError`."""
    aside = free_name(session.with_name(session.name + DAMAGED))
    log = Path(f"{session}-wal")
    if session.exists():
        try:
            aside.hardlink_to(session)
        except OSError:  # a disk without hard links
            write_private(aside, session.read_bytes())
    # The log must move before the file: SQLite would apply it to any file with this name.
    with suppress(FileNotFoundError):
        log.rename(f"{aside}-wal")
    Path(f"{session}-shm").unlink(missing_ok=True)
    sync_folder(session.parent)
    take_place(new, session)
    sync_folder(session.parent)
    return aside
