"""A disk that cannot read old entries for a while: nothing is lost, and a sentence says so each
time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CommandError
from companion.exits import Exit, code_of
from companion.journal import timeline
from companion.journal.entries import Draft, Layer
from companion.journal.errors import SessionDeniedError
from companion.journal.journal import Journal
from companion.journal.pages import Entries
from companion.journal.store import Store
from companion.link.evidence import NotDurable
from companion.rules.header import header
from companion.session.opening import resume
from companion.session.table import Table
from companion.session.views import UNREADABLE
from tests.journal.support import small_pages
from tests.session.parts import (
    BOOT,
    DEADLINE_S,
    MS,
    WALL,
    Board,
    NoDisk,
    facts,
    fire,
    first_entry,
    hello,
    settle,
    setup,
    table_on,
    tap,
)

AWAY = SessionDeniedError("Old entries cannot be read: attach the disk.")


@pytest.fixture
def disk() -> NoDisk:
    return NoDisk([first_entry()])


@pytest.fixture
def journal(disk: NoDisk) -> Iterator[Journal]:
    store: Any = disk
    with small_pages():
        opened = Journal(
            store, Entries(store.read, [first_entry()]), wall=lambda: WALL, retry_s=0.001
        )
        yield opened
        disk.problem = None
        opened.close()


@pytest.fixture
def short_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a fold with a checkpoint before its last fact only."""
    monkeypatch.setattr(timeline, "NEAR", 1)


@pytest.fixture
def table(journal: Journal) -> Table:
    """Return a table at which a round has been played for a while."""
    made = table_on(journal)
    fire(made)
    for _ in range(20):
        made.enter("draw", {"seat": "red"})
    journal.wait(len(journal.entries), DEADLINE_S)
    return made


def draws(table: Table) -> int:
    return int(table.view().game.seats[0].draws)


def told(table: Table) -> str:
    notice = table.view().notice
    return "" if notice is None else notice.text


def test_what_asks_for_old_entries_is_refused_until_they_can_be_read(
    table: Table, disk: NoDisk
) -> None:
    disk.problem = AWAY
    table.take_back(5)
    assert told(table) == str(AWAY)
    assert draws(table) == 20
    disk.problem = None
    table.take_back(5)
    assert draws(table) == 19


@pytest.mark.usefixtures("short_memory")
def test_what_is_recorded_and_cannot_be_folded_yet_says_so_and_is_folded_as_soon_as_it_can(
    table: Table, journal: Journal, disk: NoDisk
) -> None:
    count = len(journal.entries)
    disk.problem = AWAY
    table.do("table.undo")
    table.do("table.undo")
    table.enter("draw", {"seat": "red"})
    assert len(journal.entries) == count + 3
    assert (table.view().saved.text, table.view().saved.problem) == (UNREADABLE, str(AWAY))
    assert draws(table) == 19
    disk.problem = None
    table.enter("draw", {"seat": "red"})
    assert table.view().saved.ok
    assert draws(table) == 20


def test_an_undo_asks_for_no_old_entry(table: Table, disk: NoDisk) -> None:
    disk.problem = AWAY
    table.do("table.undo")
    assert table.view().saved.ok
    assert draws(table) == 19


def test_a_draw_that_cannot_be_recorded_now_is_recorded_once_it_can(
    table: Table, journal: Journal, disk: NoDisk
) -> None:
    board = Board()
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0), *tap(board, "zone-1", 5 * MS)])
    disk.problem = AWAY
    settle(table)
    assert told(table) == str(AWAY)
    assert draws(table) == 20
    disk.problem = None
    settle(table, 20_000 * MS)
    assert draws(table) == 21
    assert facts(journal)[-1].t_us == 5 * MS


def test_evidence_that_cannot_be_compared_with_older_evidence_stays_with_the_board(
    table: Table, journal: Journal, disk: NoDisk
) -> None:
    board = Board()
    table.board.on_identified(hello(), BOOT)
    evidence = [board.armed(0), *tap(board, "zone-1", 5 * MS)]
    disk.problem = AWAY
    with pytest.raises(NotDurable, match="attach the disk"):
        table.board.store(evidence)
    disk.problem = None
    table.board.store(evidence)
    settle(table)
    assert [entry.kind for entry in journal.entries if entry.layer is Layer.EVIDENCE][-3:] == [
        "state",
        "event",
        "event",
    ]
    assert draws(table) == 21


def test_a_session_whose_old_entries_cannot_be_read_is_not_opened_and_can_be_as_soon_as_they_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.create(path, header(setup(), "evening"), wall=lambda: WALL) as written:
        written.append(*(Draft(Layer.EVIDENCE, "note", {"text": "a note"}) for _ in range(600)))

    def away(*_: object) -> None:
        raise AWAY

    with small_pages(), monkeypatch.context() as patch:
        patch.setattr(Store, "read", away)
        with pytest.raises(CommandError, match="attach the disk") as refusal:
            resume(path)
    assert code_of(refusal.value.kind) == Exit.NO_INPUT
    resume(path).close()
