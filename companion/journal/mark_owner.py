"""The session to which the high-water mark beside a file belongs, in a file of its own, so that
earlier versions can still read the mark.

A mark is found by the name of its session file. Copying, synchronizing or replacing files can
separate the two; then the mark of another session would look as if the end of this one were lost.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path

from companion.journal.disk import create_private, read_regular, require_regular
from companion.journal.mark import mark_path

SUFFIX = "-of"
LONGEST = 100  # bytes; the one line has 74


def owner_path(session: Path) -> Path:
    """Return the path of the file that names the owner of the mark beside `session`."""
    mark = mark_path(session)
    return mark.with_name(mark.name + SUFFIX)


def encode(first: bytes) -> bytes:
    """Return the content of the file, one line: the digest of the session's first entry, and its
    CRC-32."""
    text = first.hex()
    return f"{text} {zlib.crc32(text.encode()):08x}\n".encode()


def read_owner(session: Path) -> bytes | None:
    """Return the digest of the first entry of the session that owns the mark, or None if unknown."""
    try:
        line = read_regular(owner_path(session), LONGEST)
        first = bytes.fromhex(line.split()[0].decode("ascii"))
    except (OSError, IndexError, ValueError):
        return None
    return first if encode(first) == line else None


def write_owner(session: Path, first: bytes) -> None:
    """Record that the mark beside `session` belongs to the session whose first entry has the digest
    `first`. If the disk refuses, less is detected and nothing is lost."""
    if read_owner(session) == first:
        return
    path = owner_path(session)
    with suppress(OSError):
        create_private(path)
        require_regular(path)
        path.write_bytes(encode(first))


def is_of_another(session: Path, first: bytes | None) -> bool:
    """Return whether the mark beside `session`, whose first entry has the digest `first`, is
    recorded as another session's. Ask only if mark and record disagree: an earlier version writes
    marks without naming the owner."""
    owner = read_owner(session)
    return owner is not None and owner != first


def of_another(session: Path) -> str:
    """Return a sentence without a full stop: the mark is another session's."""
    return f"{mark_path(session)} belongs to another session, so nothing tells how far {session.name} was saved"
