"""Whose high-water mark lies beside a session file: a file of its own, so that earlier versions read the mark as ever.

A mark goes by the name of its session file. A copy, a synchronized folder or a file laid in the place of another parts
the two; without this file, the mark of another session would look like a lost end.
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
    """Return where it is kept whose mark lies beside the session file `session`."""
    mark = mark_path(session)
    return mark.with_name(mark.name + SUFFIX)


def encode(first: bytes) -> bytes:
    """Return the one line of the file: the digest of the session's first entry, and the CRC-32 of its text."""
    text = first.hex()
    return f"{text} {zlib.crc32(text.encode()):08x}\n".encode()


def read_owner(session: Path) -> bytes | None:
    """Return the digest of the first entry of the session that the mark belongs to; None where nothing tells."""
    try:
        line = read_regular(owner_path(session), LONGEST)
        first = bytes.fromhex(line.split()[0].decode("ascii"))
    except (OSError, IndexError, ValueError):
        return None
    return first if encode(first) == line else None


def write_owner(session: Path, first: bytes) -> None:
    """Keep that the mark beside `session` belongs to the session whose first entry has the digest `first`. Where the
    disk refuses, less is noticed, and nothing is lost."""
    if read_owner(session) == first:
        return
    path = owner_path(session)
    with suppress(OSError):
        create_private(path)
        require_regular(path)
        path.write_bytes(encode(first))


def is_of_another(session: Path, first: bytes | None) -> bool:
    """Return whether the mark beside `session`, whose first entry has the digest `first`, is kept as that of another
    session. Ask only where the two do not agree: an earlier version writes a mark without saying whose it is."""
    owner = read_owner(session)
    return owner is not None and owner != first


def of_another(session: Path) -> str:
    """Return in a sentence without its end that the mark is that of another session."""
    return f"{mark_path(session)} belongs to another session, so nothing tells how far {session.name} was saved"
