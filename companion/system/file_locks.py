"""Locks that one process at a time can have; the system releases them when that process ends."""

from __future__ import annotations

import errno
import sys

TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""Errors while another process has the lock (EACCES on Windows). Any other error: the disk has no locks."""

if sys.platform == "win32":
    import msvcrt
    import os

    # Far beyond the content: on Windows locks are mandatory, and others must be able to read the file.
    _LOCK_OFFSET = 1 << 30

    def lock(descriptor: int) -> None:
        """Lock an open file until it is closed; others can still read it. Raise `OSError`, see `TAKEN`."""
        os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def try_as_sqlite(descriptor: int) -> None:
        """Do nothing: on Windows SQLite uses the same kind of lock as `lock`."""

else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Lock an open file or folder until it is closed; others can still read it. Raise `OSError`, see `TAKEN`."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def try_as_sqlite(descriptor: int) -> None:
        """Lock a byte of the file as SQLite does, and unlock it; raise `OSError` if the disk has no such locks."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # on NFS the two kinds of lock exclude each other
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1)
