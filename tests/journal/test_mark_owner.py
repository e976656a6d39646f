"""The owner of a mark is recorded, and errors about a mark name the mark."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.commands import sessions
from companion.exits import Exit
from companion.journal.check import check
from companion.journal.copy import keep_copy
from companion.journal.errors import (
    JournalError,
    NotWritten,
    SessionDeniedError,
    SessionDoubtfulError,
)
from companion.journal.journal import Journal
from companion.journal.mark import mark_path, read_mark
from companion.journal.mark_owner import LONGEST, owner_path, read_owner, write_owner
from companion.journal.salvage import find_saving, salvage
from companion.journal.sessions import list_sessions
from companion.journal.store import read_known
from tests.commands.parts import Said
from tests.journal.support import begin, counting_wall, fact, recorded, resume


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / "evening.sqlite"


def laid_beside(path: Path) -> None:
    """Put the mark of another, longer session beside the one at `path`, with the file that names
    its owner."""
    other = path.with_name("other.sqlite")
    recorded(other, 40)
    shutil.copy(mark_path(other), mark_path(path))
    shutil.copy(owner_path(other), owner_path(path))


def test_a_session_keeps_whose_mark_lies_beside_it(path: Path) -> None:
    entries = recorded(path, 3)
    assert read_owner(path) == entries[0].digest


def test_the_mark_itself_is_one_line_as_the_last_version_reads_it(path: Path) -> None:
    recorded(path, 3)
    assert re.fullmatch(rb"\d{16} [0-9a-f]{64} [0-9a-f]{8}\n", mark_path(path).read_bytes())


def test_a_mark_of_an_earlier_version_says_whose_it_is_once_the_session_goes_on(path: Path) -> None:
    entries = recorded(path, 3)
    owner_path(path).unlink()
    with resume(path) as journal:
        assert journal.warnings == ()
        journal.append(fact())
    assert read_owner(path) == entries[0].digest


def test_the_mark_of_another_session_is_named_and_is_no_lost_end(path: Path) -> None:
    recorded(path, 3)
    laid_beside(path)
    assert read_known(path)[1] is None
    lacking = {info.path.name: info.lacking for info in list_sessions(path.parent)}
    assert lacking["evening.sqlite"] == ""
    sentences = [
        finding.sentence
        for finding in check(path, lambda _header: lambda _entry: None)
        if not finding.right
    ]
    assert sentences == [
        f"{mark_path(path)} belongs to another session, so nothing tells how far evening.sqlite was saved."
    ]
    with pytest.raises(
        SessionDoubtfulError, match=r"evening\.sqlite\.mark belongs to another session"
    ):
        Journal.open(path, wall=counting_wall(), doubtful=False)


def test_a_session_under_the_mark_of_another_goes_on_with_one_of_its_own(path: Path) -> None:
    entries = recorded(path, 3)
    laid_beside(path)
    with resume(path) as journal:
        (warning,) = journal.warnings
        assert warning.startswith(f"{mark_path(path)} belongs to another session")
        journal.append(fact())
    assert read_owner(path) == entries[0].digest
    with resume(path) as journal:
        assert journal.warnings == ()


def test_a_repair_makes_no_gap_up_to_the_mark_of_another_session(path: Path) -> None:
    recorded(path, 3)
    laid_beside(path)
    assert find_saving(path) is None


def test_a_mark_that_agrees_is_believed_whatever_is_kept_about_it(path: Path) -> None:
    """An earlier version leaves the owner's file of a deleted session, and writes the mark of a new
    one with its name."""
    recorded(path, 3)
    write_owner(path, bytes(32))
    assert read_known(path)[1] is None
    with resume(path) as journal:
        assert journal.warnings == ()


@pytest.mark.parametrize("line", [None, b"", b"garbage", bytes(LONGEST + 1)])
def test_where_nothing_tells_whose_a_mark_is_a_lost_end_is_noticed_as_before(
    path: Path, line: bytes | None
) -> None:
    recorded(path, 3)
    laid_beside(path)
    owner_path(path).unlink()
    if line is not None:
        owner_path(path).write_bytes(line)
    lacking = read_known(path)[1]
    assert lacking is not None
    assert "entry 41 was saved once" in lacking


def folder_for(mark: Path) -> None:
    mark.unlink()
    mark.mkdir()


def pipe_for(mark: Path) -> None:
    mark.unlink()
    os.mkfifo(mark)


@pytest.mark.parametrize("obstacle", [folder_for, pipe_for])
@pytest.mark.parametrize(
    ("act", "error"),
    [
        (resume, SessionDeniedError),
        (keep_copy, NotWritten),
        (lambda path: salvage(path, counting_wall()), NotWritten),
    ],
    ids=["resume", "keep_copy", "salvage"],
)
def test_what_stands_in_the_place_of_a_mark_is_named(
    path: Path,
    obstacle: Callable[[Path], None],
    act: Callable[[Path], object],
    error: type[JournalError],
) -> None:
    recorded(path, 3)
    obstacle(mark_path(path))
    with pytest.raises(error) as refusal:
        act(path)
    assert f"{mark_path(path)} cannot be opened" in str(refusal.value)


def test_a_new_session_names_the_folder_in_the_place_of_its_mark(path: Path) -> None:
    mark_path(path).mkdir(parents=True)
    with pytest.raises(
        SessionDeniedError, match=r"evening\.sqlite\.mark cannot be opened, because a folder stands"
    ):
        begin(path)
    assert [left.name for left in path.parent.iterdir()] == [mark_path(path).name]


def test_a_folder_in_the_place_of_what_says_whose_the_mark_is_is_no_hindrance(path: Path) -> None:
    owner_path(path).mkdir(parents=True)
    recorded(path, 3)
    with resume(path) as journal:
        assert journal.warnings == ()


def test_check_names_a_folder_in_the_place_of_the_mark(path: Path) -> None:
    recorded(path, 3)
    folder_for(mark_path(path))
    sentences = [
        finding.sentence
        for finding in check(path, lambda _header: lambda _entry: None)
        if not finding.right
    ]
    assert sentences[0].startswith(f"{mark_path(path)} is a folder")


def test_deleting_a_session_names_the_folder_and_leaves_everything(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(path.parent.parent))
    recorded(path, 3)
    folder_for(mark_path(path))
    ran = Said(sessions.delete, str(path), yes=True)
    ran.refused(Exit.CANNOT_CREATE, f"{mark_path(path)} cannot be opened")
    assert path.exists()


def test_a_session_that_is_put_away_takes_along_whose_its_mark_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(path.parent.parent))
    entries = recorded(path, 3)
    Said(sessions.archive, str(path)).done("Archived")
    away = path.parent / "archive" / path.name
    assert read_owner(away) == entries[0].digest
    assert read_mark(away) is not None
    Said(sessions.delete, str(away), yes=True).done("Deleted")
    assert list(away.parent.iterdir()) == []
