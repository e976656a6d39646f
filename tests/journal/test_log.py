"""A damaged write-ahead log is evidence: it is never deleted, and everything readable in it is
saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.journal.carve import FRAME_HEADER, PAGE, WAL_HEADER
from companion.journal.check import check
from companion.journal.errors import SessionDoubtfulError
from companion.journal.log import has_unread, log_path
from companion.journal.mark import mark_path
from companion.journal.salvage import replace, salvage
from companion.journal.store import open_store, read_entries
from tests.journal.support import begin, contents, counting_wall, fact, recorded, resume

FRAME = FRAME_HEADER + PAGE


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """Return a session of 47 entries as a kill leaves it: all but the first are only in its log."""
    path = tmp_path / "played" / "evening.sqlite"
    with begin(path) as journal:
        for number in range(46):
            journal.wait(journal.append(fact(number)).last_n)
        files = contents(path.parent)
    folder = tmp_path / "sessions"
    folder.mkdir()
    for name, data in files.items():
        if not name.endswith("-shm"):
            (folder / name).write_bytes(data)
    return folder / path.name


def flip(file: Path, at: int) -> None:
    data = bytearray(file.read_bytes())
    data[at] ^= 4
    file.write_bytes(data)


def frames(path: Path) -> int:
    return (len(log_path(path).read_bytes()) - WAL_HEADER) // FRAME


def test_a_log_as_a_kill_leaves_it_is_read_whole(killed: Path) -> None:
    assert not has_unread(killed)
    assert len(read_entries(killed)) == 47
    with resume(killed) as journal:
        assert journal.warnings == ()
    assert set(contents(killed.parent)) == {killed.name, mark_path(killed).name}


def test_a_transaction_that_was_never_finished_is_no_damage(killed: Path) -> None:
    log = log_path(killed)
    data = log.read_bytes()
    for length in (*range(len(data) - FRAME, len(data), 512), WAL_HEADER, 5, 0):
        log.write_bytes(data[:length])
        assert not has_unread(killed)


def test_a_long_transaction_of_which_the_middle_and_the_end_never_came_is_no_damage(
    tmp_path: Path,
) -> None:
    path = tmp_path / "evening.sqlite"
    with begin(path) as journal:
        journal.wait(journal.append(fact()).last_n)
        before = frames(path)
        journal.wait(journal.append(*(fact(number) for number in range(300))).last_n)
        log = log_path(path)
        assert frames(path) > before + 5
        other = tmp_path / "other.sqlite"
        log_path(other).write_bytes(log.read_bytes()[: -FRAME - 10])
        flip(log_path(other), WAL_HEADER + (before + 1) * FRAME + 200)
        assert not has_unread(other)
        log_path(other).write_bytes(log.read_bytes())
        flip(log_path(other), WAL_HEADER + (before + 1) * FRAME + 200)
        assert has_unread(other)


@pytest.mark.parametrize(
    "place", [0, 17, 30, WAL_HEADER + 4, WAL_HEADER + 9, WAL_HEADER + 17, WAL_HEADER + 2_000]
)
def test_wherever_a_log_is_damaged_it_is_noticed_and_nothing_of_it_is_lost(
    killed: Path, place: int
) -> None:
    for number in range(0, frames(killed) - 3 if place >= WAL_HEADER else 1, 29):
        flip(log_path(killed), place + number * FRAME)
        assert has_unread(killed)
        before = contents(killed.parent)
        wrong = [
            finding for finding in check(killed, lambda _: lambda _: None) if not finding.right
        ]
        assert wrong[-1].mendable
        assert "A repair saves 47 entries" in wrong[-1].sentence
        for doubtful in (True, False):
            with pytest.raises(SessionDoubtfulError, match="more of it can be read"):
                resume(killed, doubtful=doubtful)
        mended = salvage(killed, counting_wall())
        assert mended is not None
        assert (mended.saving.entries, mended.saving.lost) == (47, 0)
        mended.path.unlink()
        mark_path(mended.path).unlink()
        for name, data in before.items():
            if not name.endswith("-shm"):
                assert (killed.parent / name).read_bytes() == data
        flip(log_path(killed), place + number * FRAME)


def test_a_record_that_lost_its_end_for_good_goes_on_and_its_log_is_kept(killed: Path) -> None:
    log = log_path(killed)
    noise = log.read_bytes()[: WAL_HEADER + 8 * FRAME] + bytes(FRAME) * 30
    log.write_bytes(noise)
    with pytest.raises(SessionDoubtfulError, match="was saved once"):
        open_store(killed, doubtful=False)
    assert log.read_bytes() == noise
    with resume(killed) as journal:
        assert "was saved once" in journal.warnings[0]
        assert (
            journal.warnings[1]
            == "Its log was damaged: evening.sqlite-wal.damaged keeps it as it was."
        )
    assert killed.with_name("evening.sqlite-wal.damaged").read_bytes() == noise


def test_a_log_that_was_kept_gives_back_what_its_file_lost(killed: Path) -> None:
    kept_log = killed.with_name("evening.sqlite-wal.damaged")
    log_path(killed).rename(kept_log)
    mended = salvage(killed, counting_wall())
    assert mended is not None
    assert (mended.saving.entries, mended.saving.lost, mended.saving.others) == (47, 0, 46)
    replace(killed, mended)
    assert len(read_entries(killed)) == 48


def test_a_session_without_a_log_has_nothing_unread(tmp_path: Path) -> None:
    recorded(tmp_path / "evening.sqlite", 3)
    assert not has_unread(tmp_path / "evening.sqlite")
