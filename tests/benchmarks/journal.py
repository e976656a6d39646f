"""How fast the journal is, each figure beside a plain reference; run as `python -m tests.benchmarks.journal`."""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from companion.journal.collector import collector_frozen
from companion.journal.entries import Draft, Entry, Layer
from companion.journal.fold import effective
from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.journal.timeline import Timeline

BIG = 100_000
LONG = 10_000
APPENDS = 2_000


def wall() -> str:
    """Return the time as the companion records it."""
    return datetime.now(UTC).isoformat()


def fact(number: int) -> Draft:
    """Return a fact of usual size."""
    body = {"shooter": "red", "target": "blue", "at": {"us": 1_000_000 + number, "pm": 25, "clock": "board-5f3a"}}
    return Draft(Layer.FACT, "shot", body, causes=(1,), t_us=1_000_000 + number, key=f"shot/{number}")


def timed(work: Callable[[], object]) -> float:
    """Return how many milliseconds `work` takes, without collections, which would depend on what else is in memory."""
    with collector_frozen():
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) * 1000


def row(what: str, *milliseconds: float, reference: str = "") -> None:
    """Print one line: a figure, or its p50 and p99, and what to compare it with."""
    if len(milliseconds) > 1:
        cuts = statistics.quantiles(milliseconds, n=100)
        print(f"{what:<44} p50 {cuts[49]:9.3f} ms   p99 {cuts[98]:9.3f} ms   {reference}")
    else:
        print(f"{what:<44}     {milliseconds[0]:9.3f} ms{'':18}   {reference}")


@contextmanager
def session(count: int) -> Iterator[Journal]:
    """Give a session on the disk that holds `count` facts."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.create(Path(folder) / "s.sqlite", {"game": "benchmark"}, wall=wall) as journal,
    ):
        journal.append(*(fact(number) for number in range(count))).wait()
        yield journal


def counted() -> Timeline[int]:
    """Return a timeline whose rules are as cheap as can be: so the figure is the fold's own."""
    return Timeline(0, lambda state, _: state + 1, LookupError)


def append_one_by_one() -> None:
    """Time one append until it has its number and until it is on the disk, beside a plain file that is forced."""
    numbered: list[float] = []
    durable: list[float] = []
    with session(0) as journal:
        for number in range(APPENDS):
            start = time.perf_counter()
            appended = journal.append(fact(number))
            numbered.append((time.perf_counter() - start) * 1000)
            appended.wait()
            durable.append((time.perf_counter() - start) * 1000)
    row("append, until it has its number", *numbered)
    row("append, until it is on the disk", *durable)
    line = json.dumps(fact(1).body).encode() + b"\n"
    with tempfile.TemporaryFile() as file:

        def force() -> None:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

        row("  reference: a line and fsync", *(timed(force) for _ in range(APPENDS)))


def append_in_a_rush() -> None:
    """Time many appends that are not waited for: group commit."""
    with session(0) as journal:
        start = time.perf_counter()
        for number in range(LONG):
            last = journal.append(fact(number))
        last.wait()
        took = (time.perf_counter() - start) * 1000
    row(f"{LONG:,} appends in a rush, all on the disk", took)


def fold_a_big_record() -> None:
    """Time reading and folding; the reference parses the same entries as lines of JSON."""
    with session(BIG) as journal:
        entries = list(journal.entries)
        path = journal.path
        lines = [json.dumps({"n": entry.n, "kind": entry.kind, "body": entry.body}) for entry in entries]
        row(f"open {BIG:,} entries, every digest checked", timed(lambda: read_entries(path)))
        row(f"fold {BIG:,} entries", timed(lambda: counted().extend(entries)))
        row(f"effective facts of {BIG:,} entries", timed(lambda: effective(entries)))
        row("  reference: json.loads of the same", timed(lambda: [json.loads(line) for line in lines]))


def undo_in_a_long_session() -> None:
    """Time undo from the key to the new state, without the disk; the reference parses the whole session as JSON."""
    with session(LONG) as journal:
        timeline = counted()
        timeline.extend(journal.entries)

        def take(drafts: tuple[Draft, ...]) -> None:
            for entry in journal.append(*drafts).added:
                timeline.add(entry)

        row(f"undo at {LONG:,} entries", *(timed(lambda: take(timeline.undo_drafts())) for _ in range(500)))
        row(f"redo at {LONG:,} entries", *(timed(lambda: take(timeline.redo_drafts())) for _ in range(500)))
        target: Entry = journal.entries[10]
        late = Draft(Layer.FACT, target.kind, target.body, after=target.n)
        row(f"insert at the beginning of {LONG:,}", timed(lambda: take((late,))))
        lines = [json.dumps(entry.body) for entry in journal.entries]
        row("  reference: json.loads of the same", timed(lambda: [json.loads(line) for line in lines]))


if __name__ == "__main__":
    append_one_by_one()
    append_in_a_rush()
    fold_a_big_record()
    undo_in_a_long_session()
