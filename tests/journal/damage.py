"""Damaging files, and finding what is intact afterwards."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.journal.mark import mark_path
from companion.journal.record import LostEntries, Row, StoredEntry, unseal
from companion.journal.schema import rows_between
from companion.journal.store import create_store, reading
from tests.journal.support import DEADLINE_S, begin, evidence, fact

SECTOR = 512
HEAD = 12  # bytes of a row before its digest, at most: the lengths, and a key of up to four letters
Files = Mapping[str, bytes]


class Damage(NamedTuple):
    """Bytes `start` to `end` of the file `name` are replaced by `data`."""

    name: str
    start: int
    end: int
    data: bytes

    def of(self, files: Files) -> bytes:
        whole = files[self.name]
        return whole[: self.start] + self.data[: len(whole) - self.start] + whole[self.end :]


def evening(folder: Path, *, settled: bool) -> dict[str, bytes]:
    """Return the files of a session of 197 entries, by name: closed, or killed with half of it in its log alone."""
    folder.mkdir()
    path, random_ = folder / "evening.sqlite", random.Random(3)
    with begin(path) as journal:
        for number in range(98):
            more = {"actor": "x" * random_.randrange(60)}
            journal.wait(
                journal.append(evidence(number, key=f"e{number}"), fact(number, **more)).last_n,
                DEADLINE_S,
            )
            if number == 40 and not settled:
                with closing(sqlite3.connect(path)) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        killed = {
            file.name: file.read_bytes()
            for file in folder.iterdir()
            if not file.name.endswith("-shm")
        }
    return {file.name: file.read_bytes() for file in folder.iterdir()} if settled else killed


def damages(files: Files, step: int) -> Iterator[Damage]:
    """Yield a zeroed sector, a zeroed page and a flipped bit at every `step` bytes of each file but the mark."""
    for name, data in files.items():
        for at in range(0, 0 if name.endswith(".mark") else len(data), step):
            yield Damage(name, at, at + SECTOR, bytes(SECTOR))
            yield Damage(name, at, at + 4096, bytes(4096))
            place = min(at + random.Random(at).randrange(SECTOR), len(data) - 1)
            yield Damage(name, place, place + 1, bytes([data[place] ^ 1 << at % 8]))


def rows_of(path: Path) -> list[StoredEntry]:
    with reading(path) as connection:
        return [row for row in rows_between(connection, 1) if isinstance(row, StoredEntry)]


def lose(path: Path, *lost: int) -> None:
    """Read a session as if a repair had found all but these entries."""
    rows = rows_of(path)
    for name in (path, mark_path(path), Path(f"{path}-wal")):
        name.unlink(missing_ok=True)
    pieces: list[Row] = []
    for row in rows:
        if row.n not in lost:
            pieces.append(row)
        elif isinstance(pieces[-1], LostEntries):
            pieces[-1] = pieces[-1]._replace(last=row.n, digest=row.digest)
        else:
            wall = unseal(pieces[-1].record, b"").wall
            pieces.append(LostEntries(row.n, row.n, row.digest, wall, "a test took it"))
    create_store(path, *pieces).close()


class Places:
    """The positions of a session's rows in its files."""

    def __init__(self, files: Files, rows: Sequence[StoredEntry]) -> None:
        self._places: dict[int, list[tuple[str, int, int]]] = {}
        for row in rows:
            content = row.digest + row.record
            for name, data in files.items():
                at = data.find(content)
                while at >= 0:
                    self._places.setdefault(row.n, []).append((name, at - HEAD, at + len(content)))
                    at = data.find(content, at + 1)

    def intact(self, damage: Damage) -> set[int]:
        """Return the numbers of the entries with an undamaged copy."""
        return {
            n
            for n, places in self._places.items()
            if any(
                name != damage.name or end <= damage.start or start >= damage.end
                for name, start, end in places
            )
        }
