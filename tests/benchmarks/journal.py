"""How fast the journal is, each figure beside a plain reference; run as `python -m tests.benchmarks.journal`."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from companion.journal.entries import Draft, Entry, Layer
from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.journal.timeline import Timeline
from tests.benchmarks.figures import Figure, heading, measured, show
from tests.journal.folding import effective

BIG = 100_000
LONG = 10_000
APPENDS = 2_000
UNDOS = 500


def wall() -> str:
    """Return the time as the companion records it."""
    return datetime.now(UTC).isoformat()


def fact(number: int) -> Draft:
    """Return a fact of typical size."""
    body = {
        "shooter": "red",
        "target": "blue",
        "at": {"us": 1_000_000 + number, "pm": 25, "clock": "board-5f3a"},
    }
    return Draft(
        Layer.FACT, "shot", body, causes=(1,), t_us=1_000_000 + number, key=f"shot/{number}"
    )


@contextmanager
def session(count: int) -> Iterator[Journal]:
    """Yield a session on the disk with `count` facts."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.create(Path(folder) / "s.sqlite", {"game": "benchmark"}, wall=wall) as journal,
    ):
        journal.wait(journal.append(*(fact(number) for number in range(count))).last_n)
        yield journal


def counted() -> Timeline[int]:
    """Return a timeline with the cheapest possible rules, so that the figure is the fold's own."""
    return Timeline(0, lambda state, _: state + 1, LookupError)


def append() -> None:
    """Time one append until it has its number and until it is on the disk, compared with a plain file that is synced;
    then many appends without waiting (group commit)."""
    numbered: list[float] = []
    durable: list[float] = []
    with session(0) as journal:
        for number in range(APPENDS):
            start = time.perf_counter()
            appended = journal.append(fact(number))
            numbered.append((time.perf_counter() - start) * 1000)
            journal.wait(appended.last_n)
            durable.append((time.perf_counter() - start) * 1000)
    with session(0) as journal:
        rush = measured(
            f"{LONG:,} appends in a rush, all on the disk",
            lambda: journal.wait(
                [journal.append(fact(number)).last_n for number in range(LONG)][-1]
            ),
        )
    line = json.dumps(fact(1).body).encode() + b"\n"
    with tempfile.TemporaryFile() as file:

        def force() -> None:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

        def force_many() -> None:
            file.write(line * LONG)
            force()

        plain = measured("a line and fsync", force, APPENDS)
        many = measured(f"{LONG:,} lines and one fsync", force_many)
    show(
        plain,
        Figure("append, until it has its number", numbered),
        Figure("append, until it is on the disk", durable),
    )
    show(many, rush)


def fold_a_big_record() -> None:
    """Time reading and folding; the reference parses the same entries as lines of JSON."""
    with session(BIG) as journal:
        entries = list(journal.entries)
        path = journal.path
        lines = [
            json.dumps({"n": entry.n, "kind": entry.kind, "body": entry.body}) for entry in entries
        ]
        show(
            measured("json.loads of the same", lambda: [json.loads(line) for line in lines]),
            measured(f"open {BIG:,} entries, every digest checked", lambda: read_entries(path)),
            measured(f"fold {BIG:,} entries", lambda: counted().extend(entries)),
            measured(f"effective facts of {BIG:,} entries", lambda: effective(entries)),
        )


def undo_in_a_long_session() -> None:
    """Time an undo from the key to the new state, without the disk; the reference parses the whole session as JSON."""
    with session(LONG) as journal:
        timeline = counted()
        timeline.extend(journal.entries)

        def take(drafts: tuple[Draft, ...]) -> None:
            for entry in journal.append(*drafts).added:
                timeline.add(entry)

        undo = measured(
            f"undo at {LONG:,} entries", lambda: take(timeline.steps.undo_drafts()), UNDOS
        )
        redo = measured(
            f"redo at {LONG:,} entries", lambda: take(timeline.steps.redo_drafts()), UNDOS
        )
        target: Entry = journal.entries[10]
        late = Draft(Layer.FACT, target.kind, target.body, after=target.n)
        insert = measured(f"insert at the beginning of {LONG:,}", lambda: take((late,)))
        lines = [json.dumps(entry.body) for entry in journal.entries]
        whole = measured("json.loads of the same", lambda: [json.loads(line) for line in lines])
        show(whole, undo, redo, insert)


if __name__ == "__main__":
    heading()
    append()
    fold_a_big_record()
    undo_in_a_long_session()
