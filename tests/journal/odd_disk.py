"""A disk that lacks a feature: a real file system over /dev/fuse, served from a folder by a
separate process. It needs Linux and root.

    with odd_disk(tmp_path, Lacks.LOCKS) as folder:
        ...

The process of the test cannot serve it itself: in a page fault it would wait for its own answer
while it holds the interpreter lock.

Structures and numbers: include/uapi/linux/fuse.h of Linux, as of version 7.31.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import stat
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path


class Lacks(StrEnum):
    """The feature that a disk lacks."""

    LOCKS = "locks"  # as NFS without its lock service
    FLOCK = "flock"  # only those that a whole file has, as on old NFS
    EXCLUSION = "exclusion"  # everybody who asks for a lock has it
    MEMORY = "memory"  # no file is mapped to shared memory, as on some SMB and 9p
    MODES = "modes"  # anybody may read whatever is said, as on exFAT
    CHMOD = "chmod"  # the same, and to ask for rights is refused, as on vfat
    SYMLINKS = "symlinks"  # no file only names another one, as on exFAT
    LINKS = "links"  # one file has one name, as on exFAT
    RENAME_OVER = "rename-over"  # a name that is taken is not given anew, as over old sshfs
    CASE = "case"  # `A` is `a`, as on exFAT, SMB and macOS
    FOLDER_SYNC = "folder-sync"  # a folder cannot be forced to the disk, as on some SMB
    ROOM = "room"  # it is full
    WRITING = "writing"  # it is write-protected
    LONG_NAMES = "long-names"  # at most 40 bytes


LONGEST = 40
_HANDLES = "/proc/self/fd/"
_OPEN_READ_ONLY = os.O_ACCMODE
_ATTR, _HEAD, _OUT = struct.Struct("<6Q10I"), struct.Struct("<IIQQIIII"), struct.Struct("<IiQ")
_LIBC = ctypes.CDLL(None, use_errno=True)
_DIRECT_IO = 1
_POSIX_LOCKS, _BIG_WRITES, _FLOCKS = 2, 1 << 5, 1 << 10
_MODE, _SIZE, _LOCK_IS_FLOCK = 1, 8, 1
_PR_SET_PDEATHSIG = 1
_MNT_FORCE, _MNT_DETACH, _MS_RDONLY = 1, 2, 1


class _Served:
    """The folder `beneath`, as presented to the kernel."""

    def __init__(self, beneath: Path, lacks: frozenset[str]) -> None:
        self._root, self._lacks = str(beneath), lacks
        self._paths = {1: self._root}
        self._last = 1
        self._open: dict[int, tuple[int, int]] = {}  # a file's number, and its node's

    # Answers: bytes, None for none at all; an `OSError` is one too.

    def answer(self, opcode: int, node: int, body: bytes) -> bytes | None:
        """Return the answer to a request."""
        name = _OPS.get(opcode)
        if name is None:
            raise OSError(errno.ENOSYS, "unknown")
        act: Callable[[int, bytes], bytes | None] = getattr(self, name)
        return act(node, body)

    def init(self, _: int, body: bytes) -> bytes:
        (_, _, ahead, _) = struct.unpack_from("<4I", body)
        flags = _BIG_WRITES
        if not self._lacks.isdisjoint({Lacks.LOCKS, Lacks.EXCLUSION}):
            flags |= _POSIX_LOCKS | _FLOCKS  # else the kernel has locks of its own
        elif Lacks.FLOCK in self._lacks:
            flags |= _FLOCKS
        return struct.pack(
            "<4I2H2I2HI7I", 7, 31, ahead, flags, 8, 8, 1 << 17, 1, 0, 0, 0, *([0] * 7)
        )

    def lookup(self, node: int, body: bytes) -> bytes:
        return self._entry(self._child(node, body))

    def getattr(self, node: int, _: bytes) -> bytes:
        return struct.pack("<QII", 0, 0, 0) + self._attributes(node)

    def setattr(self, node: int, body: bytes) -> bytes:
        valid, _, _, size = struct.unpack_from("<IIQQ", body)
        (mode,) = struct.unpack_from("<I", body, 68)
        if valid & _MODE:
            if Lacks.CHMOD in self._lacks:
                raise OSError(errno.EPERM, "no rights here")
            if Lacks.MODES not in self._lacks:
                os.chmod(self._at(node), stat.S_IMODE(mode))
        if valid & _SIZE:
            os.truncate(self._at(node), size)
        return self.getattr(node, b"")

    def mkdir(self, node: int, body: bytes) -> bytes:
        (mode, _) = struct.unpack_from("<II", body)
        path = self._child(node, body[8:])
        os.mkdir(path, mode)
        return self._entry(path)

    def symlink(self, node: int, body: bytes) -> bytes:
        if Lacks.SYMLINKS in self._lacks:
            raise OSError(errno.EPERM, "no links")
        name, target = body.split(b"\0")[:2]
        path = self._child(node, name)
        os.symlink(target, os.fsencode(path))
        return self._entry(path)

    def readlink(self, node: int, _: bytes) -> bytes:
        return os.fsencode(os.readlink(self._at(node)))

    def unlink(self, node: int, body: bytes) -> bytes:
        os.unlink(self._child(node, body))
        return b""

    def rmdir(self, node: int, body: bytes) -> bytes:
        os.rmdir(self._child(node, body))
        return b""

    def rename(self, node: int, body: bytes) -> bytes:
        return self._rename(node, struct.unpack_from("<Q", body)[0], body[8:])

    def rename2(self, node: int, body: bytes) -> bytes:
        return self._rename(node, struct.unpack_from("<Q", body)[0], body[16:])

    def _rename(self, node: int, into: int, names: bytes) -> bytes:
        before, after = names.split(b"\0")[:2]
        old, new = self._child(node, before), self._child(into, after)
        if Lacks.RENAME_OVER in self._lacks and os.path.exists(new):
            raise OSError(errno.EEXIST, "taken")
        os.rename(old, new)
        for number, path in self._paths.items():
            if path == new:
                self._paths[number] = f"{new} (gone)"
            elif path == old or path.startswith(f"{old}/"):
                self._paths[number] = new + path[len(old) :]
        return b""

    def link(self, node: int, body: bytes) -> bytes:
        if Lacks.LINKS in self._lacks:
            raise OSError(errno.EPERM, "one name each")
        (old,) = struct.unpack_from("<Q", body)
        path = self._child(node, body[8:])
        os.link(self._at(old), path)
        return self._entry(path)

    def open(self, node: int, body: bytes) -> bytes:
        (flags,) = struct.unpack_from("<I", body)
        return self._opened(node, os.open(self._at(node), flags & _OPEN_READ_ONLY))

    def create(self, node: int, body: bytes) -> bytes:
        flags, mode = struct.unpack_from("<II", body)
        path = self._child(node, body[16:])
        if Lacks.ROOM in self._lacks:
            raise OSError(errno.ENOSPC, "full")
        made = os.open(
            path, (flags & os.O_ACCMODE) | os.O_CREAT | (flags & os.O_EXCL), stat.S_IMODE(mode)
        )
        entry = self._entry(path)
        return entry + self._opened(struct.unpack_from("<Q", entry)[0], made)

    def _opened(self, node: int, handle: int) -> bytes:
        self._open[handle] = (handle, node)
        return struct.pack("<QII", handle, _DIRECT_IO if Lacks.MEMORY in self._lacks else 0, 0)

    def read(self, _: int, body: bytes) -> bytes:
        handle, offset, size = struct.unpack_from("<QQI", body)
        return os.pread(handle, size, offset)

    def write(self, _: int, body: bytes) -> bytes:
        handle, offset, size = struct.unpack_from("<QQI", body)
        if Lacks.ROOM in self._lacks:
            raise OSError(errno.ENOSPC, "full")
        return struct.pack("<II", os.pwrite(handle, body[40 : 40 + size], offset), 0)

    def release(self, _: int, body: bytes) -> bytes:
        (handle,) = struct.unpack_from("<Q", body)
        self._open.pop(handle, None)
        os.close(handle)
        return b""

    def fsync(self, _: int, body: bytes) -> bytes:
        os.fsync(struct.unpack_from("<Q", body)[0])
        return b""

    def fsyncdir(self, _node: int, _body: bytes) -> bytes:
        if Lacks.FOLDER_SYNC in self._lacks:
            raise OSError(errno.EINVAL, "no folder is forced")
        return b""

    def nothing(self, _node: int, _body: bytes) -> bytes:
        return b""

    def silence(self, _node: int, _body: bytes) -> None:
        return None

    def lock(self, _: int, body: bytes) -> bytes:
        (flags,) = struct.unpack_from("<I", body, 40)
        if Lacks.EXCLUSION in self._lacks:
            return b""
        if Lacks.LOCKS in self._lacks or flags & _LOCK_IS_FLOCK:
            raise OSError(errno.ENOLCK, "no locks")
        return b""

    def opendir(self, _node: int, _body: bytes) -> bytes:
        return struct.pack("<QII", 0, 0, 0)

    def readdir(self, node: int, body: bytes) -> bytes:
        _, offset, size = struct.unpack_from("<QQI", body)
        listing = b""
        for at, name in enumerate(sorted(os.listdir(self._at(node)))):
            encoded = os.fsencode(name)
            row = struct.pack("<QQII", at + 2, at + 1, len(encoded), 0) + encoded
            row += bytes(-len(row) % 8)
            if at >= offset:
                if len(listing) + len(row) > size:
                    break
                listing += row
        return listing

    def statfs(self, _node: int, _body: bytes) -> bytes:
        free = 0 if Lacks.ROOM in self._lacks else 1 << 20
        return struct.pack(
            "<5Q4I6I", 1 << 21, free, free, 1 << 20, 1 << 20, 4096, 255, 4096, 0, *([0] * 6)
        )

    def _at(self, node: int) -> str:
        path = self._paths[node]
        if not os.path.lexists(path):  # removed, but somebody has it open
            for handle, opened in self._open.values():
                if opened == node:
                    return f"{_HANDLES}{handle}"
        return path

    def _child(self, node: int, name: bytes) -> str:
        folder, text = self._paths[node], os.fsdecode(name.partition(b"\0")[0])
        if Lacks.LONG_NAMES in self._lacks and len(text) > LONGEST:
            raise OSError(errno.ENAMETOOLONG, "too long")
        if Lacks.CASE in self._lacks:
            there = {child.casefold(): child for child in os.listdir(folder)}
            text = there.get(text.casefold(), text)
        return f"{folder}/{text}"

    def _entry(self, path: str) -> bytes:
        os.lstat(path)
        node = next((number for number, known in self._paths.items() if known == path), 0)
        if not node:
            node = self._last = self._last + 1
            self._paths[node] = path
        return struct.pack("<4Q2I", node, 0, 0, 0, 0, 0) + self._attributes(node)

    def _attributes(self, node: int) -> bytes:
        path = self._at(node)
        there = os.stat(path) if path.startswith(_HANDLES) else os.lstat(path)
        mode = there.st_mode
        if not self._lacks.isdisjoint({Lacks.MODES, Lacks.CHMOD}):
            mode = stat.S_IFMT(mode) | 0o777
        nanoseconds = [
            divmod(stamp_ns, 1_000_000_000)
            for stamp_ns in (there.st_atime_ns, there.st_mtime_ns, there.st_ctime_ns)
        ]
        seconds, rest = (
            [stamp_ns[0] for stamp_ns in nanoseconds],
            [stamp_ns[1] for stamp_ns in nanoseconds],
        )
        links = 0 if path.startswith(_HANDLES) else there.st_nlink
        owner = (there.st_uid, there.st_gid)
        return _ATTR.pack(
            node, there.st_size, there.st_blocks, *seconds, *rest, mode, links, *owner, 0, 4096, 0
        )


_OPS = {
    1: "lookup", 2: "silence", 3: "getattr", 4: "setattr", 5: "readlink", 6: "symlink", 9: "mkdir", 10: "unlink",
    11: "rmdir", 12: "rename", 13: "link", 14: "open", 15: "read", 16: "write", 17: "statfs", 18: "release",
    20: "fsync", 25: "nothing", 26: "init", 27: "opendir", 28: "readdir", 29: "nothing", 30: "fsyncdir", 31: "lock",
    32: "lock", 33: "lock", 35: "create", 36: "silence", 42: "silence", 45: "rename2",
}  # fmt: skip


def serve(place: Path, beneath: Path, lacks: frozenset[str]) -> None:
    """Mount `beneath` at `place`, print a line, and answer requests until it is unmounted or the
    parent process is gone."""
    signal.signal(signal.SIGTERM, lambda *_: _unmount(place))
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions"
    flags = _MS_RDONLY if Lacks.WRITING in lacks else 0
    if _LIBC.mount(b"odd", os.fsencode(place), b"fuse", flags, options.encode()) != 0:
        raise OSError(ctypes.get_errno(), "mount")
    print("mounted", flush=True)
    served = _Served(beneath, lacks)
    while True:
        try:
            request = os.read(device, 1 << 18)
        except OSError as end:
            if end.errno == errno.ENODEV:
                return
            if end.errno in (errno.EINTR, errno.ENOENT):
                continue
            raise
        length, opcode, unique, node, *_ = _HEAD.unpack_from(request)
        try:
            answer = served.answer(opcode, node, request[_HEAD.size : length])
            if answer is None:
                continue
            reply = _OUT.pack(_OUT.size + len(answer), 0, unique) + answer
        except OSError as refused:
            reply = _OUT.pack(_OUT.size, -(refused.errno or errno.EIO), unique)
        with suppress(FileNotFoundError):  # whoever asked has been interrupted
            os.write(device, reply)


def _unmount(place: Path) -> None:
    _LIBC.umount2(os.fsencode(place), _MNT_FORCE | _MNT_DETACH)  # files may still be open


def can_mount() -> bool:
    """Return whether this machine and this user can mount such a disk."""
    return (
        sys.platform == "linux" and os.geteuid() == 0 and os.access("/dev/fuse", os.R_OK | os.W_OK)
    )


@contextmanager
def odd_disk(folder: Path, *lacks: Lacks) -> Iterator[Path]:
    """Mount a disk that lacks this in a folder of `folder`, and yield its path."""
    place, beneath = folder / "odd disk", folder / "beneath"
    place.mkdir()
    beneath.mkdir()
    command = [sys.executable, "-m", "tests.journal.odd_disk", str(place), str(beneath), *lacks]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "mounted\n"
        # A server that fails would leave whoever asks it waiting for ever.
        try:
            yield place
        finally:
            _unmount(place)
            closing = threading.Timer(10, server.kill)
            closing.start()
            server.wait()
            closing.cancel()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), Path(sys.argv[2]), frozenset(sys.argv[3:]))
