from __future__ import annotations

import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.journal.check import FileFinding, Reader, check
from companion.journal.copy import backup_path, keep_copy
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.errors import (
    JournalError,
    NotASessionError,
    SessionDamagedError,
    SessionMissingError,
)
from companion.journal.mark import HighWater, encode, mark_path
from companion.journal.record import StoredEntry, seal
from companion.journal.salvage import read_leading
from companion.journal.store import create_store, read_entries
from tests.journal.support import begin, contents, fact, recorded, resume, sealed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder / "evening.sqlite"


def knows_marks(header: Mapping[str, Any]) -> Reader:
    assert header["game"] == "panic-fire"

    def read(entry: Entry) -> str | None:
        return None if entry.kind in ("mark", "press") else "no such kind"

    return read


def checked(path: Path) -> tuple[FileFinding, ...]:
    """Check a session, and assert that nothing changed on the disk."""
    before = contents(path.parent)
    findings = check(path, knows_marks)
    assert contents(path.parent) == before
    assert all(
        finding.sentence.endswith(".") and "\n" not in finding.sentence for finding in findings
    )
    return findings


def wrong(path: Path) -> list[str]:
    return [finding.sentence for finding in checked(path) if not finding.right]


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for trigger in ("entries_follow", "entries_stay", "entries_remain"):
            connection.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def written(path: Path, *drafts: Draft) -> None:
    """Write a session with drafts that the journal would refuse."""
    entries = sealed(drafts)
    rows: list[StoredEntry] = []
    for entry in entries:
        draft = Draft(entry.layer, entry.kind, entry.body, entry.actor, entry.causes, entry.after)
        rows.append(
            seal(draft, entry.n, entry.wall, rows[-1].digest if rows else bytes(32), bytes(16))[1]
        )
    store = create_store(path, rows[0])
    store.write(rows)
    store.close()


def test_a_whole_session_is_right_in_every_respect(path: Path) -> None:
    recorded(path, 20)
    keep_copy(path)
    findings = checked(path)
    assert [finding.right for finding in findings] == [True] * 6
    text = " ".join(finding.sentence for finding in findings)
    assert "The 21 entries are numbered without holes" in text
    assert "It has all that was saved, up to entry 21." in text
    assert "copy beside it holds 21 entries" in text


def test_a_session_in_which_nothing_happened_has_one_entry(path: Path) -> None:
    begin(path).close()
    assert "one entry, in which the session begins" in " ".join(
        finding.sentence for finding in checked(path)
    )


def test_a_session_in_play_is_right_as_far_as_it_is_saved(path: Path) -> None:
    with begin(path) as journal:
        journal.wait(journal.append(fact(1), fact(2)).last_n)
        assert all(finding.right for finding in check(path, knows_marks))
        journal.wait(journal.append(fact(3)).last_n)


@pytest.mark.parametrize(
    ("statement", "trusted"),
    [
        (
            "UPDATE entries SET record = replace(record, '\"i\":2', '\"i\":3') WHERE n = 4",
            "entries 1 to 3 can",
        ),
        ("DELETE FROM entries WHERE n = 5", "entries 1 to 4 can"),
        ("DELETE FROM entries WHERE n = 1", "no entry can"),
        ("DELETE FROM entries", "no entry can"),
    ],
)
def test_an_altered_record_breaks_off_where_it_was_altered(
    path: Path, statement: str, trusted: str
) -> None:
    recorded(path, 6)
    change(path, statement)
    (break_off, *_) = wrong(path)
    assert break_off.startswith("The record breaks off, because ")
    assert trusted in break_off


@pytest.mark.parametrize(
    ("at", "data"),
    [(16, b"\x01\x01"), (100, b"\x55" * 3900), (2 * 4096, bytes(4096)), (2 * 4096, b"\xff" * 4096)],
    ids=["size of a page", "schema", "a page of zeros", "a page of ones"],
)
def test_what_is_torn_is_told_in_other_words_than_those_of_sqlite(
    path: Path, at: int, data: bytes
) -> None:
    recorded(path, 60)
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + data + whole[at + len(data) :])
    with pytest.raises(SessionDamagedError) as damage:
        read_entries(path)
    sentences = [*wrong(path), str(damage.value)]
    assert any("part of the file is overwritten or lost" in sentence for sentence in sentences)
    assert not any(
        word in " ".join(sentences) for word in ("malformed", "database", "btree", "codec")
    )


def test_a_lost_end_is_told_by_the_mark(path: Path) -> None:
    recorded(path, 5)
    change(path, "DELETE FROM entries WHERE n > 4")
    assert wrong(path) == ["The record ends at entry 4, but entry 6 was saved once."]


def test_a_mark_of_another_record_is_told(path: Path) -> None:
    recorded(path, 2)
    mark_path(path).write_bytes(encode(HighWater(2, bytes(32))))
    assert wrong(path) == ["Entry 2 is not the one that was saved last under that number."]


def test_a_missing_mark_is_told(path: Path) -> None:
    recorded(path, 2)
    mark_path(path).unlink()
    (sentence,) = wrong(path)
    assert sentence.startswith("No file beside it says how far it was saved")


def test_kinds_that_nobody_knows_are_told_with_the_first_of_them(path: Path) -> None:
    with begin(path) as journal:
        journal.append(
            fact(1), Draft(Layer.FACT, "sorcery"), Draft(Layer.CONTROL, "paused"), fact(2)
        )
    assert wrong(path) == [
        "2 entries mean nothing to this companion; the first is 3, sorcery: no such kind.",
    ]


def test_a_void_that_names_no_fact_is_told(path: Path) -> None:
    written(path, fact(), Draft(Layer.CONTROL, Control.VOID, {"entry": 9}), fact())
    (sentence,) = wrong(path)
    assert sentence.startswith("Entry 3 makes no sense at its place: a void names an earlier entry")


def test_a_damaged_copy_is_told(path: Path) -> None:
    recorded(path, 50)
    keep_copy(path)
    backup_path(path).write_bytes(backup_path(path).read_bytes()[:-4096])
    (sentence,) = wrong(path)
    assert sentence.startswith("The copy beside it is damaged")


def test_the_copy_of_another_session_is_told(path: Path, tmp_path: Path) -> None:
    recorded(path, 5)
    other = tmp_path / "other.sqlite"
    with begin(other) as journal:
        journal.append(*(fact(number + 7) for number in range(3)))
    backup_path(path).write_bytes(other.read_bytes())
    assert wrong(path) == ["The copy beside it is that of another record."]


def test_what_is_no_session_is_refused(path: Path) -> None:
    with pytest.raises(SessionMissingError):
        check(path, knows_marks)
    path.write_text("Dear diary")
    with pytest.raises(NotASessionError):
        check(path, knows_marks)
    path.write_bytes(b"")
    with pytest.raises(SessionDamagedError):
        check(path, knows_marks)


def test_no_flipped_bit_that_costs_an_entry_goes_untold(path: Path) -> None:
    entries = recorded(path, 60)
    whole = path.read_bytes()
    random_ = random.Random(3)
    reported = 0
    for place in random_.sample(range(len(whole) * 8), 150):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        try:
            sound = all(finding.right for finding in check(path, knows_marks))
        except JournalError:
            sound = False
        reported += not sound
        assert not sound or tuple(read_entries(path)) == entries
    assert reported > 60


def test_the_trusted_beginning_of_a_damaged_file_is_that_of_the_record(path: Path) -> None:
    entries = recorded(path, 300)
    whole = path.read_bytes()
    random_ = random.Random(4)
    lengths = set()
    for _ in range(100):
        damaged = bytearray(whole)
        damaged[random_.randrange(100, len(whole))] ^= 1 << random_.randrange(8)
        path.write_bytes(damaged)
        readable = read_leading(path)
        assert readable.entries == entries[: len(readable.entries)]
        assert len(readable.rows) == len(readable.entries)
        assert readable.problem is not None or readable.entries == entries
        lengths.add(len(readable.entries))
    assert len(lengths) > 10


def test_a_torn_file_is_trusted_up_to_the_tear(path: Path) -> None:
    entries = recorded(path, 150)
    path.write_bytes(path.read_bytes()[: -2 * 4096])
    readable = read_leading(path)
    assert 50 < len(readable.entries) < 151
    assert readable.entries == entries[: len(readable.entries)]


def test_a_session_that_went_on_after_a_loss_is_right_again(path: Path) -> None:
    recorded(path, 5)
    change(path, "DELETE FROM entries WHERE n > 4")
    with resume(path) as journal:
        journal.append(fact(9))
    assert wrong(path) == []
