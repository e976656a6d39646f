from __future__ import annotations

import random
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.carve import PAGE
from companion.journal.copy import backup_path, keep_copy
from companion.journal.entries import Control, Entry, is_lost
from companion.journal.errors import NotWritten, SessionBusy, SessionDamagedError
from companion.journal.mark import mark_path
from companion.journal.salvage import Mended, replace, salvage
from companion.journal.store import read_entries
from tests.journal.support import begin, contents, counting_wall, fact, recorded, resume

WALL = counting_wall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder / "evening.sqlite"


def salvaged(path: Path) -> Mended | None:
    """Repair a session, and assert that every file that existed is unchanged."""
    before = contents(path.parent)
    mended = salvage(path, WALL)
    after = contents(path.parent)
    assert {name: after[name] for name in before} == before
    new = set() if mended is None else {mended.path.name, mark_path(mended.path).name}
    assert set(after) - set(before) == new
    return mended


def assert_saved(mended: Mended, entries: tuple[Entry, ...]) -> None:
    """Assert that each entry has its own number in the new file or is reported as lost, and that
    one entry records the damage."""
    *saved, note = read_entries(mended.path)
    lost = [entry.n for entry in saved if is_lost(entry)]
    assert [entry for entry in saved if not is_lost(entry)] == [
        entry for entry in entries if entry.n not in lost
    ]
    assert lost == [n for gap in mended.saving.gaps for n in range(gap.first, gap.last + 1)]
    assert note.kind == Control.REPAIRED
    assert note.n == len(entries) + 1
    assert (note.body["entries"], note.body["lost"]) == (mended.saving.entries, mended.saving.lost)
    assert (mended.saving.entries, mended.saving.lost) == (len(entries) - len(lost), len(lost))
    for name in (mended.path, mark_path(mended.path)):
        name.unlink()


def torn(whole: bytes) -> Iterator[bytes]:
    """Yield the file cut at every page boundary, and inside every page."""
    for length in range(0, len(whole), PAGE):
        yield whole[:length]
        yield whole[: length + 1234]


def flipped(whole: bytes) -> Iterator[bytes]:
    """Yield the file with a bit flipped at the start of every page and somewhere in it."""
    random_ = random.Random(5)
    for start in range(0, len(whole), PAGE):
        for place in (
            start,
            start + 3,
            start + random_.randrange(8, 64),
            start + random_.randrange(PAGE),
        ):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << random_.randrange(8)
            yield bytes(damaged)


@pytest.mark.parametrize("damages", [torn, flipped])
def test_whatever_page_is_damaged_all_that_is_readable_is_saved(
    path: Path, damages: object
) -> None:
    entries = recorded(path, 150)
    whole = path.read_bytes()
    assert len(whole) >= 10 * PAGE
    assert callable(damages)
    saved = []
    for damaged in damages(whole):
        path.write_bytes(damaged)
        try:
            mended = salvaged(path)
        except SessionDamagedError as error:
            assert "No entry of" in str(error)  # noqa: PT017
            assert len(damaged) < 5 * PAGE  # it was cut before the first entry
            continue
        if mended is None:
            assert tuple(read_entries(path)) == entries
        else:
            saved.append(mended.saving.entries)
            assert_saved(mended, entries)
    assert max(saved) >= 140
    if damages is flipped:
        assert min(saved) >= 149, (
            "one flipped bit costs at most its own entry and one that only that verifies"
        )


@pytest.mark.parametrize("damages", [torn, flipped])
def test_whatever_page_is_damaged_the_copy_gives_all_back(path: Path, damages: object) -> None:
    entries = recorded(path, 60)
    keep_copy(path)
    assert callable(damages)
    for damaged in damages(path.read_bytes()):
        path.write_bytes(damaged)
        mended = salvaged(path)
        if mended is None:
            assert tuple(read_entries(path)) == entries
        else:
            assert (mended.saving.entries, mended.saving.lost) == (61, 0)
            assert_saved(mended, entries)


def test_a_first_page_full_of_noise_costs_nothing(path: Path) -> None:
    entries = recorded(path, 50)
    path.write_bytes(random.Random(6).randbytes(PAGE) + path.read_bytes()[PAGE:])
    mended = salvaged(path)
    assert mended is not None
    assert (mended.saving.entries, mended.saving.lost, mended.saving.others) == (51, 0, 0)
    assert_saved(mended, entries)


def test_a_damaged_index_costs_no_entry(path: Path) -> None:
    with begin(path) as journal:
        journal.append(*(fact(number, key=f"key {number}") for number in range(40)))
        entries = tuple(journal.entries)
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE type = 'index'"
        ).fetchone()
    damaged = bytearray(path.read_bytes())
    damaged[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    path.write_bytes(damaged)
    mended = salvaged(path)
    assert mended is not None
    assert mended.saving.lost == 0
    assert_saved(mended, entries)


def test_what_the_copy_lacks_comes_from_the_damaged_file(path: Path) -> None:
    recorded(path, 3)
    keep_copy(path)
    with resume(path) as journal:
        journal.append(*(fact(number) for number in range(200)))
        entries = tuple(journal.entries)
    path.write_bytes(path.read_bytes()[: -5 * PAGE])
    mended = salvaged(path)
    assert mended is not None
    assert mended.saving.others == 0
    assert mended.saving.entries > 100
    assert_saved(mended, entries)


def test_a_lost_end_comes_back_from_the_copy(path: Path) -> None:
    entries = recorded(path, 5)
    keep_copy(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER entries_remain")
        connection.execute("DELETE FROM entries WHERE n > 4")
        connection.commit()
    mended = salvaged(path)
    assert mended is not None
    assert mended.saving.entries == 6
    assert_saved(mended, entries)


def test_the_copy_of_another_record_is_not_taken_for_the_session(path: Path) -> None:
    entries = recorded(path, 100)
    keep_copy(path)
    other = backup_path(path).read_bytes()
    backup_path(path).unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER entries_remain")
        connection.execute("DELETE FROM entries WHERE n > 50")
        connection.commit()
        connection.execute("VACUUM")
    with resume(path) as journal:
        journal.append(fact(777))
    backup_path(path).write_bytes(other)
    assert salvaged(path) is None
    path.write_bytes(path.read_bytes()[:-PAGE])
    mended = salvaged(path)
    assert mended is not None
    assert mended.saving.entries < 51
    assert (
        tuple(entry for entry in read_entries(mended.path)[:50] if not is_lost(entry))
        == entries[: mended.saving.entries]
    )


def test_a_whole_session_is_not_mended(path: Path) -> None:
    recorded(path, 3)
    assert salvaged(path) is None
    keep_copy(path)
    assert salvaged(path) is None


def test_nothing_can_be_mended_where_nothing_can_be_read(path: Path) -> None:
    path.write_text("Dear diary\n" * 1000)
    with pytest.raises(SessionDamagedError, match="nothing can be mended"):
        salvaged(path)


def test_a_session_that_is_gone_comes_back_from_its_copy(path: Path) -> None:
    entries = recorded(path, 3)
    keep_copy(path)
    path.unlink()
    mended = salvaged(path)
    assert mended is not None
    replace(path, mended)
    assert tuple(read_entries(path))[:-1] == entries


def test_how_much_is_lost_is_not_known_without_a_mark(path: Path) -> None:
    recorded(path, 150)
    mark_path(path).unlink()
    path.write_bytes(path.read_bytes()[: -3 * PAGE])
    mended = salvage(path, WALL)
    assert mended is not None
    assert mended.saving.lost is None


def test_a_session_that_somebody_writes_is_not_mended(path: Path) -> None:
    recorded(path, 3)
    with resume(path), pytest.raises(SessionBusy):
        salvage(path, WALL)


def test_the_mended_file_takes_the_place_of_the_damaged_one_which_is_kept(path: Path) -> None:
    recorded(path, 150)
    damaged = path.read_bytes()[: -3 * PAGE]
    path.write_bytes(damaged)
    mended = salvaged(path)
    assert mended is not None
    aside = replace(path, mended)
    assert aside.read_bytes() == damaged
    assert set(contents(path.parent)) == {
        path.name,
        mark_path(path).name,
        "evening.sqlite.damaged",
        "evening.sqlite.damaged.mark",
    }
    with resume(path) as journal:
        assert journal.warnings == ()
        assert journal.entries[-1].kind == Control.REPAIRED
        journal.append(fact())


def test_a_second_damage_does_not_overwrite_the_file_of_the_first(path: Path) -> None:
    recorded(path, 150)
    for _ in range(2):
        path.write_bytes(path.read_bytes()[: -2 * PAGE])
        mended = salvaged(path)
        assert mended is not None
        replace(path, mended)
    assert {"evening.sqlite.damaged", "evening.sqlite.damaged-2"} < set(contents(path.parent))


def crashed(path: Path, folder: Path) -> Path:
    """Return a copy of a session as a crash leaves it: its last entries are only in the write-ahead
    log."""
    with begin(path) as journal:
        journal.wait(journal.append(*(fact(number) for number in range(150))).last_n)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            journal.wait(journal.append(*(fact(number) for number in range(5))).last_n)
            files = contents(path.parent)
    folder.mkdir()
    for name, data in files.items():
        if not name.endswith("-shm"):
            (folder / name).write_bytes(data)
    return folder / path.name


def test_the_old_write_ahead_log_is_never_applied_to_the_mended_file(
    path: Path, tmp_path: Path
) -> None:
    session = crashed(path, tmp_path / "crashed")
    data = bytearray(session.read_bytes())
    data[5 * PAGE : 6 * PAGE] = bytes(PAGE)
    session.write_bytes(data)
    mended = salvage(session, WALL)
    assert mended is not None
    expected = read_entries(mended.path)
    aside = replace(session, mended)
    assert read_entries(session) == expected
    assert Path(f"{aside}-wal").exists()
    assert not Path(f"{session}-wal").exists()
    with resume(session) as journal:
        journal.append(fact())


def test_what_a_crash_left_in_the_write_ahead_log_is_saved_too(path: Path, tmp_path: Path) -> None:
    session = crashed(path, tmp_path / "crashed")
    entries = tuple(read_entries(session))
    data = session.read_bytes()
    session.write_bytes(bytes(100) + data[100:])
    assert len(entries) == 156
    mended = salvage(session, WALL)
    assert mended is not None
    assert mended.saving.entries == 156
    assert_saved(mended, entries)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limit on the size of files")
def test_a_disk_without_room_for_the_mended_file_leaves_all_as_it_was(path: Path) -> None:
    import resource

    recorded(path, 1000)
    keep_copy(path)
    path.write_bytes(path.read_bytes()[: 3 * PAGE])
    before = contents(path.parent)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(NotWritten) as failure:
            salvage(path, WALL)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert str(failure.value).count("because") == 1, failure.value
    assert contents(path.parent) == before


def test_a_file_that_cannot_be_put_in_place_is_told_and_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(path, 150)
    path.write_bytes(path.read_bytes()[: -2 * PAGE])
    mended = salvaged(path)
    assert mended is not None

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(NotWritten, match="was not replaced"):
        replace(path, mended)
    assert path.exists()
    assert len(read_entries(mended.path)) == 152
    shutil.rmtree(path.parent)
