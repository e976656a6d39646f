"""Entries found in the bare bytes of a session file and its write-ahead log, without SQLite.

An SQLite page begins with a directory of its rows. If that or a parent page is lost, the rows
themselves are still there. They are found here by their header, which looks the same for each
entry. Nothing found is trusted: the chain of digests shows which are entries of the record
(`pieces`).

Format: https://www.sqlite.org/fileformat2.html, sections 1.6 (pages), 2.1 (records) and 4.1 (the
write-ahead log).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from companion.journal.record import LONGEST_RECORD, StoredEntry, unseal

PAGE = 4096  # bytes per page in the companion's files: SQLite's default since 3.12
WAL_HEADER = 32
FRAME_HEADER = 24
DIGEST = 32
# The header of a row, in SQLite's varints: its own length, NULL for `n` (which is the row id), the types
# of `key` (a text or NULL), of the digest (32 bytes) and of the record (a text). In a look-ahead, so that
# matches may overlap: bytes that only look like a header must not hide a real one.
_HEAD = re.compile(
    rb"(?=([\x05-\x0b]\x00(?:\x00|[\x0d-\x7f]|[\x81-\xff][\x80-\xff]{0,2}[\x00-\x7f])"
    rb"\x4c(?:[\x0d-\x7f]|[\x81-\xff][\x80-\xff]{0,3}[\x00-\x7f])))"
)
# The header of a gap: its length, NULL for `first`, an integer type for `last`, 32 bytes, and more.
_GAP_HEAD = re.compile(rb"(?=[\x06-\x09]\x00[\x01-\x06\x08\x09]\x4c)")
_INTEGER_SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}  # bytes by SQLite's serial type
_VERSIONS = 4  # versions tried of an overflow page: the log may contain several of each


@dataclass(slots=True)
class Carved:
    """The result of a search: rows that decode as entries, and digests whose records do not."""

    # Keyed by digest and record.
    rows: dict[tuple[bytes, bytes], StoredEntry] = field(default_factory=dict)
    loose: set[bytes] = field(default_factory=set)


def carve(file: bytes, log: bytes) -> Carved:
    """Return everything that looks like an entry in the bytes of a session file and its write-ahead
    log, even in pages that SQLite would not read. Either may be cut off."""
    # Page number -> its versions, the oldest first.
    versions = {
        start // PAGE + 1: [file[start : start + PAGE]] for start in range(0, len(file), PAGE)
    }
    for start in range(WAL_HEADER, len(log), FRAME_HEADER + PAGE):
        page = log[start + FRAME_HEADER : start + FRAME_HEADER + PAGE]
        versions.setdefault(int.from_bytes(log[start : start + 4], "big"), []).append(page)
    carved = Carved()
    for data in set(chain.from_iterable(versions.values())):
        for head in _HEAD.finditer(data):
            _take(carved, data, head.start(), head.end(1), versions)
        for head in _GAP_HEAD.finditer(data):
            start = head.start() + data[head.start()] + _INTEGER_SIZES[data[head.start() + 2]]
            carved.loose.add(data[start : start + DIGEST])
    return carved


def _take(
    carved: Carved, data: bytes, start: int, end: int, versions: Mapping[int, Sequence[bytes]]
) -> None:
    if data[start] != end - start:
        return
    key_type, at = _varint(data, start + 2)
    record_type, _ = _varint(data, at + 1)
    if record_type % 2 == 0 or (key_type and key_type % 2 == 0):
        return
    # Bytes before the digest: the header, and the key if it is not NULL.
    before = end - start + (key_type - 13) // 2 * bool(key_type)
    size = before + DIGEST + (record_type - 13) // 2
    if size > LONGEST_RECORD + PAGE:
        return
    for row in _contents(data[start:], size, versions):
        digest, record = row[before : before + DIGEST], row[before + DIGEST :]
        if len(digest) < DIGEST or (digest, record) in carved.rows:
            continue
        try:
            entry = unseal(record, digest)
        except ValueError:
            carved.loose.add(digest)
        else:
            if entry.n > 0:
                carved.rows[digest, record] = StoredEntry(entry.n, entry.key, digest, record)


def _contents(data: bytes, size: int, versions: Mapping[int, Sequence[bytes]]) -> Iterator[bytes]:
    """Yield the possible contents of a row of `size` bytes that begins where `data` does. A long
    row continues in overflow pages: first with their newest versions, then with older ones."""
    local = _local(size)
    if local == size:
        yield data[:size]
        return
    following = int.from_bytes(data[local : local + 4], "big")
    for version in range(_VERSIONS):
        row, number = data[:local], following
        while len(row) < size and number in versions:
            page_versions = versions[number]
            page = page_versions[max(len(page_versions) - 1 - version, 0)]
            row += page[4 : 4 + size - len(row)]
            number = int.from_bytes(page[:4], "big")
            if len(page) < PAGE:
                break
        yield row


def _local(size: int) -> int:
    """Return how many bytes of a row of `size` bytes are in its own page."""
    if size <= PAGE - 35:
        return size
    least = (PAGE - 12) * 32 // 255 - 23
    fitting = least + (size - least) % (PAGE - 4)
    return fitting if fitting <= PAGE - 35 else least


def _varint(data: bytes, index: int) -> tuple[int, int]:
    """Return the number that begins at `index`, and the index after it."""
    value = 0
    while True:
        value = value << 7 | data[index] & 0x7F
        index += 1
        if data[index - 1] < 0x80:
            return value, index
