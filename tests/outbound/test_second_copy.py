"""The second copy of a session in play, for another laptop to continue if this one breaks."""

from __future__ import annotations

import shutil
import stat
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.journal.copy import second_copy_path
from companion.journal.mark import mark_path
from companion.journal.store import read_entries
from companion.outbound import second_copy
from companion.outbound.second_copy import SecondCopy
from companion.session.opening import resume
from companion.session.table import Table
from tests.hub.parts import TIMEOUT_S, until
from tests.web.served import played, press, saved


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "stick"
    made.mkdir()
    return made


@contextmanager
def copied(table: Table, folder: Path, pause_s: float = 0.01) -> Iterator[SecondCopy]:
    copy = SecondCopy(table, folder, pause_s=pause_s)
    try:
        yield copy
    finally:
        copy.close()


def notice_of(table: Table) -> str:
    notice = table.view().notice
    return "" if notice is None else notice.text


def entries_in(path: Path) -> int:
    return len(read_entries(path)) if path.exists() else 0


def test_what_is_played_is_in_the_second_copy_and_only_its_owner_reads_it(
    tmp_path: Path, folder: Path
) -> None:
    with played(tmp_path) as table, copied(table, folder) as copy:
        press(table, "fire", "draw.1")
        until(lambda: entries_in(copy.path) == table.durable_n)
        assert [entry.digest for entry in read_entries(copy.path)] == [
            entry.digest for entry in table._journal.entries
        ]
        for path in (copy.path, mark_path(copy.path)):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert sorted(path.name for path in folder.iterdir()) == [
            copy.path.name,
            mark_path(copy.path).name,
        ]
        where, how = table.view().readers[-1]
        assert where == f"second copy ({folder})"
        until(lambda: copy.row[1].startswith(f"{table.durable_n} entries at "))
        assert how


def test_another_laptop_resumes_the_second_copy_in_the_middle_of_a_round_without_a_doubt(
    tmp_path: Path, folder: Path
) -> None:
    with played(tmp_path) as table:
        with copied(table, folder) as copy:
            press(table, "fire", "draw.1")
            until(lambda: entries_in(copy.path) == table.durable_n)
        score, drawn = table.view().standings, table.look(lambda record: record.state.current)
        other = tmp_path / "other" / copy.path.name
        other.parent.mkdir()
        for path in (copy.path, mark_path(copy.path)):
            shutil.copyfile(path, other.with_name(path.name))
        with closing(resume(other)) as again:
            assert again.look(lambda record: record.state.current) == drawn
            assert again.view().standings == score
            assert again._journal.warnings == ()


def test_a_copy_that_is_the_newer_end_of_the_game_is_kept_beside_the_one_that_replaces_it(
    tmp_path: Path, folder: Path
) -> None:
    with played(tmp_path) as table:
        first = table._journal.entries[0].digest
        shutil.copyfile(table.path, tmp_path / "older.sqlite")
        press(table, "fire", "draw.1", "draw.2")
        with copied(table, folder) as copy:
            until(lambda: entries_in(copy.path) == table.durable_n)
    (tmp_path / "other").mkdir()
    older = tmp_path / "other" / "evening.sqlite"
    shutil.copyfile(tmp_path / "older.sqlite", older)
    with closing(resume(older)) as table, copied(table, folder) as copy:
        assert copy.path == second_copy_path(folder, older, first)
        until(lambda: entries_in(copy.path) == table.durable_n)
        (kept,) = folder.glob("*-older")
        assert entries_in(kept) > entries_in(copy.path)


def test_a_stick_that_is_pulled_out_is_told_once_and_the_copy_goes_on_when_it_is_back(
    tmp_path: Path, folder: Path
) -> None:
    with played(tmp_path) as table, copied(table, folder) as copy:
        until(copy.path.exists)
        shutil.rmtree(folder)
        press(table, "fire")
        until(
            lambda: (
                notice_of(table)
                == f"No second copy is kept: the folder {folder} is not there. Put it back."
            )
        )
        assert copy.row[1] == notice_of(table)
        assert not folder.exists()
        folder.mkdir()
        until(lambda: entries_in(copy.path) == table.durable_n)
        until(lambda: notice_of(table) == "The second copy is kept again.")


def test_a_disk_that_refuses_the_copy_is_named_with_its_reason_and_leaves_nothing_behind(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _content: bytes) -> int:
        raise OSError(28, "No space left on device")

    with played(tmp_path) as table:
        monkeypatch.setattr(Path, "write_bytes", full)
        with copied(table, folder):
            sentence = (
                f"No second copy is kept in {folder}, because the disk is full: free some space."
            )
            until(lambda: notice_of(table) == sentence)
        assert list(folder.iterdir()) == []
        press(table, "fire")  # play goes on


def test_a_session_that_is_played_in_that_folder_is_not_copied_over_itself(tmp_path: Path) -> None:
    with played(tmp_path) as table, copied(table, tmp_path):
        until(lambda: notice_of(table) == second_copy.ITSELF)
        saved(table)
        assert not list(tmp_path.glob("evening-*"))


def test_the_copy_is_never_older_than_it_is_promised() -> None:
    assert second_copy.PAUSE_S < second_copy.OLDEST_S


def test_two_tables_with_files_of_one_name_have_two_copies(tmp_path: Path, folder: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with played(tmp_path / "one") as one, played(tmp_path / "two") as two:
        assert one.path.name == two.path.name
        with copied(one, folder) as first, copied(two, folder) as second:
            until(lambda: first.path.exists() and second.path.exists())
        assert first.path != second.path


def test_what_goes_on_from_a_copy_is_copied_to_the_same_file(folder: Path) -> None:
    first = second_copy_path(folder, Path("evening.sqlite"), bytes(32))
    assert second_copy_path(folder, first, bytes(32)) == first


def test_a_disk_that_hangs_holds_up_nobody_and_is_said_beside_the_others_that_are_told(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()
    monkeypatch.setattr(second_copy, "write_second_copy", lambda *_: answers.wait(TIMEOUT_S))
    monkeypatch.setattr(second_copy, "OLDEST_S", 0.05)
    with played(tmp_path) as table, copied(table, folder) as copy:
        press(table, "fire", "draw.1")
        until(lambda: copy.row[1].startswith("the folder has not answered for "))
        answers.set()
        until(lambda: copy.row[1].startswith(f"{table.durable_n} entries at "))
