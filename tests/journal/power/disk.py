"""What a disk may contain after a power cut, from a record of everything a process did to the files
of a folder.

The model is that of SQLite's own crash tests (https://www.sqlite.org/testing.html): synced data is
there. Of the data written since, any sectors of 512 bytes may be there and any may not, in any
order. Names change in order, as in a journaling file system, but changes since the last sync of the
folder may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

SECTOR = 512


class Step(NamedTuple):
    """One operation; see recorder.c for the letters."""

    letter: str
    fields: tuple[str, ...]
    data: bytes = b""


def steps_in(trace: bytes) -> Iterator[Step]:
    """Yield the recorded operations in order."""
    at = 0
    while at < len(trace):
        end = trace.index(b"\n", at)
        letter, *fields = trace[at:end].decode().split(" ")
        at = end + 1
        size = int(fields[2]) if letter == "W" else 0
        yield Step(letter, tuple(fields), trace[at : at + size])
        at += size


@dataclass(slots=True)
class File:
    """The bytes of a file that are certainly on the disk, and the operations since: cuts, or data
    and its offset."""

    synced: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)

    def after(self, random: Random, share: float) -> bytes:
        """Return possible content if a `share` of all sectors written since is there."""
        data = bytearray(self.synced)
        for offset, written in self.since:
            if written is None:
                if random.random() < share:
                    data[offset:] = bytes(max(offset - len(data), 0))
                continue
            at = offset
            while at < offset + len(written):
                end = min((at // SECTOR + 1) * SECTOR, offset + len(written))
                if random.random() < share:
                    data.extend(bytes(max(end - len(data), 0)))
                    data[at:end] = written[at - offset : end - offset]
                at = end
        return bytes(data)


Names = dict[str, File]


class Disk:
    """A folder on a disk, operation by operation."""

    def __init__(self, before: Mapping[str, bytes]) -> None:
        self._files: dict[str, File] = {}  # by their number
        self._now: Names = {name: File(data) for name, data in before.items()}
        self._synced: Names = dict(self._now)
        self._since: list[Names] = []  # the names after each change since

    def know(self, name: str, inode: str) -> None:
        """Note the inode number of a file that existed before."""
        self._files[inode] = self._now[name]

    def do(self, step: Step) -> None:
        """Apply the next operation."""
        match step.letter:
            case "W":
                self._files[step.fields[0]].since.append((int(step.fields[1]), step.data))
            case "T":
                self._files[step.fields[0]].since.append((int(step.fields[1]), None))
            case "S":
                synced = self._files[step.fields[0]]
                synced.synced, synced.since = synced.after(Random(0), 1.1), []
            case "N":
                self._synced, self._since = dict(self._now), []
            case _:
                self._change_names(step)

    def _change_names(self, step: Step) -> None:
        if step.letter == "C":
            inode, name = step.fields
            self._files[inode] = self._now[name] = File()
        elif step.letter == "R":
            self._now[step.fields[1]] = self._now.pop(step.fields[0])
        elif step.letter == "L":
            self._now[step.fields[1]] = self._now[step.fields[0]]
        elif step.letter == "U":
            del self._now[step.fields[0]]
        self._since.append(copy(self._now))

    def after_a_cut(self, random: Random, share: float) -> dict[str, bytes]:
        """Return possible files if a `share` of the unsynced data is there."""
        names = [self._synced, *self._since]
        there = names[
            min(
                int(share * len(names)) if share in (0, 1) else random.randrange(len(names)),
                len(names) - 1,
            )
        ]
        return {
            name: file.after(random, 1.1 if share == 1 else share) for name, file in there.items()
        }


def lay(files: Mapping[str, bytes], folder: Path) -> None:
    """Make `folder` contain exactly `files`."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
