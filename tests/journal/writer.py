"""A separate process that writes and reports, to be killed or to fill its disk.

Run `python -m tests.journal.writer TASK PATH`, where the task is `flood`, `full` or `hold`.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from companion.journal.errors import NotSaved
from companion.journal.journal import Appended, Journal, SaveStatus
from companion.journal.store import read_entries
from tests.journal.support import DEADLINE_S, begin, evidence, fact, is_saved, resume

LIMIT_BYTES = 200_000


def flood(path: Path) -> None:
    """Append forever."""
    journal = resume(path) if path.exists() else begin(path)
    telling = threading.Lock()

    def append(thread: int) -> None:
        start = len(journal.entries)
        for number in range(start, start + 1_000_000):
            drafts = (
                evidence(number, key=f"e{thread}.{number}"),
                fact(number, key=f"f{thread}.{number}"),
            )
            appended = journal.append(*drafts)
            journal.wait(appended.last_n)
            with telling:
                sys.stdout.write("".join(f"{entry.n} {entry.key}\n" for entry in appended.entries))
                sys.stdout.flush()

    threads = [threading.Thread(target=append, args=(thread,), daemon=True) for thread in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def full(path: Path) -> None:
    """Fill the file up to a limit, report what is durable, lift the limit, report again."""
    import resource

    stuck = threading.Event()
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, hard))
    journal = begin(
        path, on_status=lambda status: stuck.set() if status.problem else None, retry_s=0.05
    )
    appended = _fill(journal, stuck)
    try:
        journal.wait(appended.last_n, 0)
    except NotSaved as refusal:
        print(refusal)
    _print(journal.saved, path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    journal.wait(appended.last_n, DEADLINE_S)
    _print(journal.saved, path)
    journal.close()


def hold(path: Path) -> None:
    """Keep the right to write the session until stdin ends."""
    with resume(path) as journal:
        journal.wait(journal.append(fact()).last_n, DEADLINE_S)
        print("open", flush=True)
        sys.stdin.read()


def _fill(journal: Journal, stuck: threading.Event) -> Appended:
    for number in range(1_000_000):
        appended = journal.append(fact(number, actor="x" * 500))
        if number % 50 == 0:
            while not (is_saved(journal, appended) or stuck.is_set()):
                stuck.wait(0.001)
        if stuck.is_set():
            return appended
    raise AssertionError("the limit was never met")


def _print(status: SaveStatus, path: Path) -> None:
    print(
        status.durable_n,
        status.total_n,
        len(read_entries(path)),
        status.problem is not None,
        flush=True,
    )


if __name__ == "__main__":
    {"flood": flood, "full": full, "hold": hold}[sys.argv[1]](Path(sys.argv[2]))
