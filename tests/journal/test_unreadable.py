"""A file that may not be read is not damaged: the error names the permission and the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal import check as checking
from companion.journal.copy import backup_path, keep_copy
from companion.journal.errors import JournalError, SessionDeniedError
from companion.journal.journal import Journal
from companion.journal.log import log_path
from companion.journal.mark import mark_path
from companion.journal.salvage import salvage
from companion.journal.store import read_entries
from tests.journal.other_user import not_windows, powerless, unreadable
from tests.journal.support import contents, counting_wall, recorded

pytestmark = not_windows

PERMISSION = (
    "because the system does not permit it: change the permissions of the file or its folder"
)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "evening.sqlite"
    recorded(path, 3)
    keep_copy(path)
    for file in tmp_path.iterdir():
        file.chmod(0o666)
    tmp_path.chmod(0o777)
    return path


def _open(path: Path) -> object:
    return Journal.open(path, wall=counting_wall())


def _salvage(path: Path) -> object:
    return salvage(path, counting_wall())


def _check(path: Path) -> object:
    return checking.check(path, lambda _header: lambda _entry: None)


EVERYTHING = [read_entries, _open, _salvage, _check]


@pytest.mark.parametrize("does", EVERYTHING)
def test_a_session_that_may_not_be_read_is_called_neither_damaged_nor_mended(
    does: Callable[[Path], object], session: Path
) -> None:
    before = contents(session.parent)
    with (
        unreadable(session),
        powerless(session.parent),
        pytest.raises(SessionDeniedError, match=PERMISSION) as denied,
    ):
        does(session)
    assert str(denied.value).startswith(f"{session} cannot be ")
    assert contents(session.parent) == before


@pytest.mark.parametrize("does", EVERYTHING)
def test_a_log_that_may_not_be_read_is_named_itself(
    does: Callable[[Path], object], session: Path
) -> None:
    log_path(session).write_bytes(bytes(100))
    before = contents(session.parent)
    with (
        unreadable(log_path(session)),
        powerless(session.parent),
        pytest.raises(SessionDeniedError) as denied,
    ):
        does(session)
    assert str(denied.value).startswith(f"{log_path(session)} cannot be ")
    assert PERMISSION in str(denied.value)
    assert contents(session.parent) == before


def test_no_repair_goes_past_a_copy_that_may_not_be_read(session: Path) -> None:
    session.write_bytes(session.read_bytes()[:5000])
    before = contents(session.parent)
    copy = backup_path(session)
    with (
        unreadable(copy),
        powerless(session.parent),
        pytest.raises(SessionDeniedError, match=PERMISSION) as denied,
    ):
        _salvage(session)
    assert str(denied.value).startswith(f"{copy} cannot be read, ")
    assert contents(session.parent) == before


def test_no_repair_goes_past_a_folder_whose_names_may_not_be_read(session: Path) -> None:
    session.write_bytes(session.read_bytes()[:5000])
    session.parent.chmod(0o300)
    with (
        powerless(session.parent),
        pytest.raises(SessionDeniedError, match=f"{session.parent} cannot be read, "),
    ):
        _salvage(session)
    session.parent.chmod(0o700)


@pytest.mark.parametrize(
    ("beside", "sentence"),
    [
        (mark_path, f"The file that says how far it was saved cannot be read, {PERMISSION}."),
        (backup_path, f"The copy beside it cannot be read, {PERMISSION}."),
    ],
    ids=["mark", "copy"],
)
def test_check_says_of_a_file_beside_that_it_may_not_be_read(
    beside: Callable[[Path], Path], sentence: str, session: Path
) -> None:
    with unreadable(beside(session)), powerless(session.parent):
        findings = checking.check(session, lambda _header: lambda _entry: None)
    assert sentence in [finding.sentence for finding in findings if not finding.right]


def test_a_session_that_may_only_be_read_is_read_and_refused_to_writers(session: Path) -> None:
    session.chmod(0o444)
    with powerless(session.parent):
        assert len(read_entries(session)) == 4
        with pytest.raises(
            JournalError, match="the file is write-protected: change its permissions"
        ):
            _open(session)
