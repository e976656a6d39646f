"""Who may read a session: its owner, and a group that shares the folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.copy import keep_copy
from companion.journal.disk import new_file
from companion.journal.log import log_path
from tests.journal.support import begin, fact

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")


@pytest.fixture(autouse=True, params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def rights(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}


def test_a_private_file_that_somebody_names_is_its_owners_alone(tmp_path: Path) -> None:
    with new_file(tmp_path / "night.hub", private=True) as file:
        file.write(b"{}")
    assert rights(tmp_path) == {"night.hub": "0o600"}


def test_a_session_and_all_beside_it_are_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "sessions" / "evening.sqlite"
    with begin(path) as journal:
        journal.wait(journal.append(fact()).last_n, 20)
        assert set(rights(path.parent).values()) == {"0o600"}
        assert len(rights(path.parent)) == 5
        log_path(path).unlink()
        journal.wait(journal.append(fact()).last_n, 20)
        assert journal.saved.note
        assert set(rights(path.parent).values()) == {"0o600"}
    keep_copy(path)
    assert set(rights(path.parent).values()) == {"0o600"}
    assert oct(path.parent.stat().st_mode & 0o777) == "0o700"


def test_a_folder_that_its_group_may_write_to_is_shared(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    folder.chmod(0o2770)
    with begin(folder / "evening.sqlite") as journal:
        journal.wait(journal.append(fact()).last_n, 20)
        assert set(rights(folder).values()) == {"0o660"}
    keep_copy(folder / "evening.sqlite")
    assert set(rights(folder).values()) == {"0o660"}


def test_a_folder_that_anybody_may_write_to_as_tmp_is_not_shared_with_its_group(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o1777)
    with begin(tmp_path / "data" / "evening.sqlite") as journal:
        journal.wait(journal.append(fact()).last_n, 20)
        assert set(rights(tmp_path / "data").values()) == {"0o600"}
    assert oct((tmp_path / "data").stat().st_mode & 0o7777) == "0o700"
