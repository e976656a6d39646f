"""A separate process that plays one part of a session's life while the recorder logs its file
operations.

Run `python -m tests.journal.power.player TASK FOLDER`. What it acknowledges goes into the file
`acknowledged` of the folder, a line with the number and the digest of the newest entry; a line `0`
revokes everything before it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from companion.journal import store
from companion.journal.copy import keep_copy
from companion.journal.journal import Journal
from companion.journal.log import log_path
from companion.journal.salvage import replace, salvage
from companion.journal.store import read_entries
from companion.reports.importing import parse_export, write_session
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from tests.journal.support import DEADLINE_S, begin, counting_wall, evidence, fact, resume

SESSION = "evening.sqlite"
ACKNOWLEDGED = "acknowledged"


class Acknowledgements:
    """Notes what is saved, like an ACK, without waiting for the disk."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(
            folder / ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666
        )

    def note(self, n: int, digest: bytes) -> None:
        os.write(self._descriptor, f"{n} {digest.hex()}\n".encode())

    def take_back(self) -> None:
        os.write(self._descriptor, b"0\n")


def play(journal: Journal, acknowledged: Acknowledgements, count: int) -> None:
    acknowledged.note(len(journal.entries), journal.entries[-1].digest)
    for number in range(count):
        entries = (*journal.append(evidence(number), fact(number)).entries,)
        journal.wait(entries[-1].n, DEADLINE_S)
        acknowledged.note(entries[-1].n, entries[-1].digest)


def checkpoint(path: Path, how: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA wal_checkpoint({how})")


def evening(path: Path, acknowledged: Acknowledgements) -> None:
    """Begin a session, play, checkpoint in the middle, close, copy, resume, copy again."""
    for journal in (begin(path), None):
        with journal or resume(path) as playing:
            play(playing, acknowledged, 8)
            checkpoint(path, "PASSIVE")
            play(playing, acknowledged, 8)
            checkpoint(path, "TRUNCATE")
            play(playing, acknowledged, 4)
        keep_copy(path)


def repair(path: Path, acknowledged: Acknowledgements) -> None:
    """Repair a damaged session and put the repaired file in place."""
    mended = salvage(path, counting_wall())
    assert mended is not None
    replace(path, mended)


def migrate(path: Path, acknowledged: Acknowledgements) -> None:
    """Continue a session in the first format."""
    with resume(path) as journal:
        play(journal, acknowledged, 3)


def take_in(path: Path, acknowledged: Acknowledgements) -> None:
    """Import a session from an export."""
    rules = open_game("panic-fire").rules_version
    seats = ",".join(
        f'{{"id":"{seat.id}","name":"{seat.name}"}}' for seat in seats_from_names(["Ada", "Bo"])
    )
    text = f'{{"game":"panic-fire","rules":{rules},"seats":[{seats}]}}\n' + '{"kind":"fire"}\n' * 40
    write_session(path, parse_export(text, "export", counting_wall()()), "export", over=False)
    last = read_entries(path)[-1]
    acknowledged.note(last.n, last.digest)


def vanish(path: Path, acknowledged: Acknowledgements) -> None:
    """Remove the log during play."""
    with begin(path) as journal:
        play(journal, acknowledged, 6)
        # Removing the log loses what a power cut would lose now; from the next ACK on all is there again.
        acknowledged.take_back()
        log_path(path).unlink()
        appended = journal.append(fact())
        journal.wait(appended.last_n, DEADLINE_S)
        play(journal, acknowledged, 6)


def careless(path: Path, acknowledged: Acknowledgements) -> None:
    """Play with SQLite's syncs switched off."""
    prepare = store._prepare

    def hastily(connection: sqlite3.Connection, session: Path) -> None:
        prepare(connection, session)
        connection.execute("PRAGMA synchronous = OFF")

    with patch.object(store, "_prepare", hastily), begin(path) as journal:
        play(journal, acknowledged, 10)


TASKS = {task.__name__: task for task in (evening, repair, migrate, take_in, vanish, careless)}

if __name__ == "__main__":
    TASKS[sys.argv[1]](Path(sys.argv[2], SESSION), Acknowledgements(Path(sys.argv[2])))
