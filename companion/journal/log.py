"""The write-ahead log beside a session file, when it is damaged: SQLite reads it up to the damage, says nothing, and
deletes it at the next clean end, with all that was saved behind that.

Format: https://www.sqlite.org/fileformat2.html, section 4.
"""

from __future__ import annotations

import struct
from pathlib import Path

from companion.journal.carve import FRAME_HEADER, PAGE, WAL_HEADER
from companion.journal.disk import create_private, force_to_disk, free_name, read_regular, sync_folder
from companion.journal.untrusted import LARGEST_READ

KEPT = ".damaged"
LONGEST_LOG = 1 << 26  # bytes; SQLite brings the log into the file when it has some 4 million
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}  # the byte order in which checksums add up
_WORD = (1 << 32) - 1
_Sum = tuple[int, int]


def log_path(session: Path) -> Path:
    """Return where SQLite keeps the write-ahead log of the session file `session`."""
    return Path(f"{session}-wal")


def has_unread(session: Path) -> bool:
    """Return whether the log of the session holds whole transactions that SQLite does not read, because something
    before them is damaged. The rest of a transaction that was never finished is none. Raise `OSError`."""
    try:
        data = read_regular(log_path(session), LARGEST_READ)
    except FileNotFoundError:
        return False
    if len(data) <= WAL_HEADER:
        return False
    order = _MAGIC.get(int.from_bytes(data[:4], "big"), "")
    total = _added(order, (0, 0), data[:24]) if order else None
    if total != struct.unpack(">II", data[24:WAL_HEADER]):
        return any(data)
    broken = False
    for at in range(WAL_HEADER, len(data) - FRAME_HEADER - PAGE + 1, FRAME_HEADER + PAGE):
        head, page = data[at : at + FRAME_HEADER], data[at + FRAME_HEADER : at + FRAME_HEADER + PAGE]
        of_this_run = head[8:16] == data[16:24]
        if not broken:
            total = _added(order, _added(order, total, head[:8]), page)
            broken = not of_this_run or total != struct.unpack(">II", head[16:])
        elif of_this_run and any(head[4:8]):  # it ends a transaction
            return True
    return False


def is_cut(session: Path) -> bool:
    """Return whether `has_unread`; what cannot be looked at, or is longer than any log of ours, does not count."""
    try:
        return log_path(session).stat().st_size <= LONGEST_LOG and has_unread(session)
    except OSError:
        return False


def keep_log(session: Path) -> Path:
    """Copy the log of the session beside it, under a name that SQLite leaves alone, and return that once it is on the
    disk. Raise `OSError`."""
    log = log_path(session)
    kept = free_name(log.with_name(log.name + KEPT))
    create_private(kept)
    kept.write_bytes(log.read_bytes())
    force_to_disk(kept)
    sync_folder(kept.parent)
    return kept


def _added(order: str, total: _Sum, data: bytes) -> _Sum:
    """The checksum of `data` behind that of what stands before it."""
    first, second = total
    for one, two in struct.iter_unpack(order + "II", data):
        first = (first + one + second) & _WORD
        second = (second + two + first) & _WORD
    return first, second
