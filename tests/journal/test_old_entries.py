"""Entries no longer in memory: read again from the disk, or a sentence says why that fails."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.errors import SessionDamagedError, SessionDeniedError
from companion.journal.fold import void_draft
from companion.journal.store import Store
from tests.journal.support import DEADLINE_S, begin, fact, resume, small_pages


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite"


def test_what_the_disk_does_not_tell_about_a_key_keeps_the_draft_out_until_it_does(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(path) as journal:
        (standing,) = journal.append(fact(key="a")).entries
        journal.wait(standing.n, DEADLINE_S)
        with monkeypatch.context() as patch:
            patch.setattr(Store, "find", unreadable)
            with pytest.raises(SessionDeniedError, match="cannot be read"):
                journal.append(fact(1), fact(key="a"))
            assert len(journal.entries) == 2
        assert journal.append(fact(key="a")).entries == (standing,)
        assert journal.append(fact(key="b")).added[0].n == 3


def unreadable(*_: object) -> None:
    raise SessionDeniedError("The file cannot be read: attach the disk.")


def test_what_left_memory_is_read_again_while_the_journal_is_open_and_once_it_is_closed(
    path: Path,
) -> None:
    with small_pages():
        with begin(path) as journal:
            added = [
                *journal.entries,
                *journal.append(*(fact(number) for number in range(30))).added,
            ]
            journal.wait(len(added), DEADLINE_S)
            assert list(journal.entries) == added
            (undone,) = journal.append(void_draft(2, "wrong")).added
        assert list(journal.entries) == [*added, undone]
        with resume(path) as journal:
            assert list(journal.entries) == [*added, undone]


def test_a_damage_done_to_old_entries_during_play_is_told_when_they_are_read(path: Path) -> None:
    with small_pages(), begin(path) as journal:
        journal.wait(journal.append(*(fact(number) for number in range(30))).last_n, DEADLINE_S)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DROP TRIGGER entries_stay")
            connection.execute(
                "UPDATE entries SET record = replace(record, '\"i\":3', '\"i\":4') WHERE n = 5"
            )
        with pytest.raises(SessionDamagedError, match="entry 5 does not follow"):
            journal.entries[4]
        assert journal.entries[-1].body == {"i": 29}
