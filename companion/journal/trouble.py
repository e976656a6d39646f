"""Why the disk refuses, as text for people."""

from __future__ import annotations

import errno
import sqlite3

_FULL = "the disk is full: free some space"
# Primary result codes of SQLite: https://www.sqlite.org/rescode.html
_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: "the file is write-protected: change its permissions",
    sqlite3.SQLITE_PERM: "the system does not permit it: change the permissions of the folder",
    sqlite3.SQLITE_BUSY: "another program holds the file locked: close that program",
    sqlite3.SQLITE_LOCKED: "another program holds the file locked: close that program",
    sqlite3.SQLITE_IOERR: "the disk reports an error: check that it is attached and has space",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened: check the folder and its permissions",
    sqlite3.SQLITE_CORRUPT: "the file was damaged by something else: keep a copy of it",
    sqlite3.SQLITE_NOTADB: "the file was damaged by something else: keep a copy of it",
}
_LOCKS = "the disk has no file locks: copy it to a disk of this computer"
_MEMORY = "the disk has no shared memory for files: copy it to a disk of this computer"
# Extended codes that say more: https://www.sqlite.org/rescode.html#extrc
_SQLITE_EXTENDED = {
    sqlite3.SQLITE_IOERR_LOCK: _LOCKS,
    sqlite3.SQLITE_IOERR_RDLOCK: _LOCKS,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK: _LOCKS,
    sqlite3.SQLITE_IOERR_SHMLOCK: _LOCKS,
    sqlite3.SQLITE_IOERR_SHMOPEN: _MEMORY,
    sqlite3.SQLITE_IOERR_SHMMAP: _MEMORY,
}
_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: "the system limits the size of the file: lift the limit",
    errno.EACCES: "the system does not permit it: change the permissions of the file or its folder",
    errno.EPERM: "the system does not permit it: change the permissions of the file or its folder",
    errno.EROFS: "the disk is write-protected: choose another folder",
    errno.ENOENT: "it is not there (moved or deleted?): put it back, or choose another folder",
    errno.EEXIST: "a file stands where a folder is needed: choose another folder",
    errno.EISDIR: "a folder stands where a file is needed: move it away",
    errno.ENOTDIR: "a file stands where a folder is needed: choose another folder",
    errno.EIO: "the disk reports an error: check that it is attached",
    errno.ESTALE: "the disk is not there any more: attach it again",
    errno.ENODEV: "the disk is not there any more: attach it again",
    errno.ECONNABORTED: "the disk is not there any more: attach it again",
    errno.ENOTCONN: "the disk is not there any more: attach it again",
    errno.ENAMETOOLONG: "its name is too long for that disk: choose a shorter one",
    errno.ENOLCK: _LOCKS,
}


_REFUSALS = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
)


def is_refusal(error: BaseException) -> bool:
    """Return whether the system or another program refuses access, rather than the file being
    damaged."""
    return _primary_code(error) in _REFUSALS


TORN = "part of the file is overwritten or lost"
_TORN = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def damage(error: BaseException) -> str:
    """Return what is wrong with a damaged file, as the end of a sentence; `error` is the one that
    reading it raised."""
    code = _primary_code(error)
    if code == sqlite3.SQLITE_INTERRUPT:
        return "reading it takes longer than any session of its size"
    if isinstance(error, UnicodeDecodeError) or code in _TORN:
        return TORN
    return why(error)


def why(error: BaseException) -> str:
    """Return why reading or writing failed and what to do, as the end of a sentence."""
    if isinstance(error, sqlite3.Error):
        known = _SQLITE_EXTENDED.get(_code(error)) or _SQLITE.get(_primary_code(error))
        return known or f"SQLite reports {error}"
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno or 0) or f"the system reports {error.strerror or error}"
    return str(error)


def _primary_code(error: BaseException) -> int:
    return _code(error) & 0xFF


def _code(error: BaseException) -> int:
    # Errors that the Python module itself raises have no code.
    return int(getattr(error, "sqlite_errorcode", 0))
