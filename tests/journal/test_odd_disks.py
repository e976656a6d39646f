"""Sessions on disks that lack features: mounted ones, and injected errors where none can be
mounted."""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from companion.journal.copy import keep_copy
from companion.journal.disk import (
    PRIVATE,
    free_name,
    make_private,
    open_private,
    put_in_place,
    write_private,
)
from companion.journal.errors import JournalError, SessionDeniedError
from companion.journal.features import (
    Feature,
    FolderUnfit,
    accept,
    is_accepted,
    missing_in,
    require_accepted,
)
from companion.journal.mark import MarkFile, mark_path
from companion.journal.store import read_entries
from companion.system import file_locks
from tests.journal.odd_disk import Lacks, can_mount, odd_disk
from tests.journal.support import begin, contents, fact, recorded, resume

real = pytest.mark.skipif(not can_mount(), reason="to mount a disk takes Linux, /dev/fuse and root")

UNFIT = {
    Lacks.LOCKS: (Feature.LOCKS, "without file locks: two programs could write one file at once"),
    Lacks.FLOCK: (Feature.LOCKS, "without file locks"),
    Lacks.EXCLUSION: (Feature.LOCKS, "without file locks"),
    Lacks.MEMORY: (
        Feature.SHARED_MEMORY,
        "without shared memory for files: SQLite cannot write safely there",
    ),
}
OPEN_TO_ALL = (Lacks.MODES, Lacks.CHMOD)
GOOD_ENOUGH = (
    Lacks.LINKS,
    Lacks.RENAME_OVER,
    Lacks.CASE,
    Lacks.FOLDER_SYNC,
    Lacks.MODES,
    Lacks.CHMOD,
)


@real
@pytest.mark.parametrize("lacks", UNFIT, ids=str)
def test_a_session_is_refused_by_what_its_disk_lacks_and_nothing_is_left_there(
    lacks: Lacks, tmp_path: Path
) -> None:
    feature, words = UNFIT[lacks]
    with odd_disk(tmp_path, lacks) as disk:
        with pytest.raises(FolderUnfit, match=words) as refused:
            begin(disk / "data" / "sessions" / "evening.sqlite")
        assert refused.value.feature is feature
        assert contents(disk) == {}


@real
@pytest.mark.parametrize("lacks", UNFIT, ids=str)
def test_a_session_that_was_copied_there_is_read_and_not_written(
    lacks: Lacks, tmp_path: Path
) -> None:
    entries = recorded(tmp_path / "evening.sqlite", 3)
    with odd_disk(tmp_path, lacks) as disk:
        path = disk / "evening.sqlite"
        shutil.copyfile(tmp_path / "evening.sqlite", path)
        before = contents(disk)
        assert read_entries(path) == list(entries)
        if lacks is not Lacks.EXCLUSION:  # nothing that is written shows it
            with pytest.raises(
                FolderUnfit, match=r"Copy evening\.sqlite and what lies beside it to a disk of this"
            ):
                resume(path)
        assert contents(disk) == before


@real
@pytest.mark.parametrize("lacks", GOOD_ENOUGH, ids=str)
def test_a_session_has_its_whole_life_on_a_disk_without(lacks: Lacks, tmp_path: Path) -> None:
    with odd_disk(tmp_path, lacks) as disk:
        for content in (b"old", b"new"):
            write_private(disk / "kept", content)
            assert contents(disk) == {"kept": content}
        path = disk / "sessions" / "evening.sqlite"
        with begin(path) as journal:
            journal.append(*(fact(number) for number in range(3)))
        keep_copy(path)
        with resume(path) as journal:
            journal.append(fact(4))
        keep_copy(path)
        entries = read_entries(path)
        shutil.copyfile(path, disk / "mended.sqlite")
        aside = put_in_place(disk / "mended.sqlite", path)
        assert read_entries(aside) == read_entries(path) == entries
        assert len(entries) == 5


@real
@pytest.mark.parametrize(
    ("lacks", "words"),
    [
        (Lacks.ROOM, "the disk is full"),
        (Lacks.WRITING, "the disk is write-protected"),
        (Lacks.LONG_NAMES, "its name is too long for that disk"),
    ],
    ids=str,
)
def test_a_disk_that_takes_no_file_says_why(lacks: Lacks, words: str, tmp_path: Path) -> None:
    with odd_disk(tmp_path, lacks) as disk:
        with pytest.raises(SessionDeniedError, match=words):
            begin(disk / "sessions" / f"{'long ' * 4}evening.sqlite")
        assert contents(disk) == {}


@real
@pytest.mark.parametrize("lacks", OPEN_TO_ALL, ids=str)
def test_a_disk_without_permissions_is_written_once_somebody_has_agreed(
    lacks: Lacks, tmp_path: Path
) -> None:
    with odd_disk(tmp_path, lacks) as disk:
        folder = disk / "sessions"
        with pytest.raises(
            FolderUnfit, match="anybody with this disk or stick can read hands and goals"
        ):
            require_accepted(folder)
        assert contents(disk) == {}
        accept(folder)
        require_accepted(folder)
        assert is_accepted(folder)
        begin(folder / "evening.sqlite").close()


@real
def test_a_disk_that_vanishes_in_play_is_named_and_the_entries_wait(tmp_path: Path) -> None:
    with odd_disk(tmp_path) as disk:
        journal = begin(disk / "evening.sqlite", retry_s=0.01)
    # The disk is pulled out: its file system is gone while the file is open.
    journal.append(fact())
    with pytest.raises(
        JournalError, match="not saved, because the disk is not there any more: attach it again"
    ):
        journal.close()


def _no_lock(*_: object) -> None:
    raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def _no_mapping(*_: object, **__: object) -> None:
    raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Callable[[Feature], None]:
    def inject(feature: Feature) -> None:
        if feature is Feature.LOCKS:
            monkeypatch.setattr(file_locks, "lock", _no_lock)
        else:
            monkeypatch.setattr(mmap, "mmap", _no_mapping)

    return inject


@pytest.mark.parametrize("feature", [Feature.LOCKS, Feature.SHARED_MEMORY])
def test_where_no_disk_can_be_mounted_the_same_is_injected(
    feature: Feature, lacking: Callable[[Feature], None], tmp_path: Path
) -> None:
    lacking(feature)
    assert missing_in(tmp_path) == (feature,)
    with pytest.raises(FolderUnfit, match=f"without {feature}"):
        begin(tmp_path / "sessions" / "evening.sqlite")
    assert contents(tmp_path) == {}


def test_a_mark_that_cannot_be_locked_is_not_left_behind(
    lacking: Callable[[Feature], None], tmp_path: Path
) -> None:
    lacking(Feature.LOCKS)
    path = tmp_path / "evening.sqlite"
    with pytest.raises(FolderUnfit):
        MarkFile(path)
    assert not mark_path(path).exists()
    mark_path(path).touch()
    with pytest.raises(FolderUnfit):
        MarkFile(path)
    assert mark_path(path).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_a_disk_of_this_computer_lacks_nothing_and_keeps_nothing_of_the_try(tmp_path: Path) -> None:
    assert missing_in(tmp_path) == ()
    assert contents(tmp_path) == {}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_a_folder_that_a_group_shares_is_on_a_disk_with_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o2770)
    assert missing_in(tmp_path) == ()
    require_accepted(tmp_path / "sessions")


def test_a_full_disk_lacks_no_feature(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "fdopen", _full)
    with pytest.raises(OSError, match="No space"):
        missing_in(tmp_path)
    assert contents(tmp_path) == {}


def _full(handle: int, *_: object, **__: object) -> None:
    with suppress(OSError):
        os.close(handle)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@real
def test_a_free_name_is_free_in_either_case_of_its_letters(tmp_path: Path) -> None:
    with odd_disk(tmp_path, Lacks.CASE) as disk:
        (disk / "Evening.sqlite").touch()
        assert free_name(disk / "evening.sqlite", ".sqlite").name == "evening-2.sqlite"


@real
def test_a_private_file_is_made_where_rights_cannot_be_set(tmp_path: Path) -> None:
    with odd_disk(tmp_path, Lacks.CHMOD) as disk:
        make_private(disk / "folder")
        os.close(open_private(disk / "folder" / "secret", PRIVATE))
        assert (disk / "folder" / "secret").exists()
