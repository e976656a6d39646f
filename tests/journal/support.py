"""Shorthands for the journal's tests."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from companion.journal import pages
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.follow import Follower
from companion.journal.journal import Appended, Journal, SaveStatus
from companion.journal.record import FIRST_DIGEST, seal

HEADER = {"game": "panic-fire", "name": "Friday", "seats": ["red", "blue"]}
DEADLINE_S = 20.0
ON_DISK = "/var/tmp" if Path("/var/tmp").is_dir() else None
"""Where what is written lies on a disk: what a record is worth shows there. Other tests may write into memory."""


def counting_wall() -> Callable[[], str]:
    """Return a wall clock that advances a second at each call."""
    seconds = itertools.count()
    return lambda: f"2025-01-31T20:{next(seconds) // 60 % 60:02d}:00+00:00"


def fact(number: int = 0, **more: Any) -> Draft:
    return Draft(Layer.FACT, "mark", {"i": number}, **more)


def evidence(number: int = 0, **more: Any) -> Draft:
    return Draft(Layer.EVIDENCE, "press", {"seq": number}, **more)


def small_pages() -> Any:
    """Return a patch, for `start` and `stop` or a `with`, that makes pages so small that a short
    session has many."""
    return patch.multiple(pages, PAGE=2, IN_MEMORY=4, PAGES=2)


Told = Callable[[SaveStatus], object]


def begin(path: Path, on_status: Told = lambda _: None, **more: Any) -> Journal:
    journal = Journal.create(path, HEADER, wall=counting_wall(), **more)
    journal.on_status = on_status
    return journal


def resume(path: Path, on_status: Told = lambda _: None, **more: Any) -> Journal:
    journal = Journal.open(path, wall=counting_wall(), **more)
    journal.on_status = on_status
    return journal


def follow(path: Path, wait: Callable[[], bool]) -> Iterator[Entry]:
    """Yield all entries of the session and then each new one; `wait` is called when there is none,
    and ends this by returning False."""
    follower = Follower(path)
    while True:
        new = follower.poll()
        yield from new
        if not new and not wait():
            return


def recorded(path: Path, count: int) -> tuple[Entry, ...]:
    """Write a session of one header and `count` facts; return its entries."""
    with begin(path) as journal:
        journal.append(*(fact(number) for number in range(count)))
        return tuple(journal.entries)


def sealed(drafts: Sequence[Draft]) -> list[Entry]:
    """Return the entries of a record that begins with a header, without a disk."""
    entries: list[Entry] = []
    for n, draft in enumerate([Draft(Layer.CONTROL, Control.SESSION, HEADER), *drafts], start=1):
        entries.append(
            seal(
                draft,
                n,
                "2025-01-31T20:00:00+00:00",
                entries[-1].digest if entries else FIRST_DIGEST,
                bytes(16),
            )[0]
        )
    return entries


def numbers(facts: Sequence[Entry]) -> list[int]:
    return [entry.n for entry in facts]


def bodies(facts: Sequence[Entry]) -> list[Mapping[str, Any]]:
    return [entry.body for entry in facts]


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file in `folder` with its bytes, except those that name the owner of a mark,
    which differ for each session."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.endswith(".mark-of")
    }


def is_saved(journal: Journal, appended: Appended) -> bool:
    """Return whether everything appended is on the disk."""
    return journal.saved.durable_n >= appended.last_n
