"""Power cuts at any moment of a session's life: everything acknowledged is there afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion.journal.copy import backup_path
from companion.journal.errors import JournalError
from companion.journal.mark import mark_path
from companion.journal.record import StoredEntry
from companion.journal.salvage import find_saving, replace, salvage
from companion.journal.store import read_entries
from tests.journal.damage import evening as damaged_evening
from tests.journal.power.disk import Disk, lay, steps_in
from tests.journal.power.player import ACKNOWLEDGED, SESSION
from tests.journal.support import counting_wall, resume
from tests.thorough import THOROUGH

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "tests" / "fixtures" / "journal"
SHARES = (0.0, 0.5, 1.0, 0.9, 0.1, 0.5, 0.3, 0.7) if THOROUGH else (0.0, 0.5, 1.0)
EVERY = 1 if THOROUGH else 7  # behind which steps the power is cut, for each share


@pytest.fixture(scope="session")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip(
            "the recorder of system calls is built with the C compiler of a Linux, and there is none here"
        )
    built = tmp_path_factory.mktemp("recorder") / "recorder.so"
    source = Path(__file__).with_name("recorder.c")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", built, source, "-ldl", "-lpthread"], check=True
    )
    return built


class Cut(NamedTuple):
    """Possible content of the disk after a power cut, and the newest entry acknowledged before it,
    if any."""

    files: Mapping[str, bytes]
    acknowledged: tuple[int, str] | None


def cuts(recorder: Path, task: str, folder: Path) -> Iterator[Cut]:
    """Run `task` in `folder`, then yield possible results of power cuts after each of its steps."""
    trace = folder.with_suffix(".trace")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    disk = Disk(before)
    for path in folder.iterdir():
        disk.know(path.name, str(path.stat().st_ino))
    told_file = folder / ACKNOWLEDGED
    told_file.touch()
    environment = {
        "LD_PRELOAD": str(recorder),
        "POWER_FOLDER": str(folder),
        "POWER_TRACE": str(trace),
    }
    command = [sys.executable, "-m", "tests.journal.power.player", task, str(folder)]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True, timeout=120)
    acknowledged, random = None, Random(task)
    inode = str(told_file.stat().st_ino)
    images = 0
    for number, step in enumerate(steps_in(trace.read_bytes())):
        if step.fields[:1] == (inode,):
            n, *digest = step.data.decode().split()
            acknowledged = (int(n), digest[0]) if digest else None
            continue
        disk.do(step)
        for place, share in enumerate(SHARES):
            if (number + place) % EVERY == 0:
                images += 1
                yield Cut(disk.after_a_cut(random, share), acknowledged)
    print(f"{task}: {images} images")


def assert_there(folder: Path, acknowledged: tuple[int, str] | None) -> None:
    """Assert that a session can be continued with everything acknowledged, if necessary after a
    repair, and that a copy beside it is whole."""
    session = folder / SESSION
    if backup_path(session).exists():
        read_entries(backup_path(session))
    try:
        resume(session).close()
    except JournalError:
        if acknowledged is None:
            return
        mended = salvage(session, counting_wall())
        assert mended is not None
        assert mended.saving.gaps == ()
        replace(session, mended)
        resume(session).close()
    if acknowledged is not None:
        assert read_entries(session)[acknowledged[0] - 1].digest.hex() == acknowledged[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(("task", "least"), [("evening", 100), ("take_in", 10), ("vanish", 30)])
def test_whenever_the_power_is_cut_every_acknowledged_entry_is_there(
    recorder: Path, folder: Path, tmp_path: Path, task: str, least: int
) -> None:
    images = 0
    for cut in cuts(recorder, task, folder):
        lay(cut.files, tmp_path / "after")
        assert_there(tmp_path / "after", cut.acknowledged)
        images += 1
    assert images > least


def test_a_session_that_does_not_wait_for_the_disk_is_found_out(
    recorder: Path, folder: Path, tmp_path: Path
) -> None:
    lost = 0
    for cut in cuts(recorder, "careless", folder):
        lay(cut.files, tmp_path / "after")
        try:
            assert_there(tmp_path / "after", cut.acknowledged)
        except (AssertionError, IndexError, JournalError):
            lost += 1
    assert lost > 10


@pytest.mark.parametrize("kept", sorted(KEPT.glob("*.sqlite")), ids=lambda kept: kept.stem)
def test_a_power_cut_on_the_way_to_another_format_loses_no_entry(
    recorder: Path, folder: Path, tmp_path: Path, kept: Path
) -> None:
    shutil.copyfile(kept, folder / SESSION)
    shutil.copyfile(mark_path(kept), mark_path(folder / SESSION))
    last = read_entries(kept)[-1]
    for cut in cuts(recorder, "migrate", folder):
        lay(cut.files, tmp_path / "after")
        assert_there(tmp_path / "after", cut.acknowledged or (last.n, last.digest.hex()))


def test_a_power_cut_during_a_repair_costs_nothing_that_it_would_have_saved(
    recorder: Path, folder: Path, tmp_path: Path
) -> None:
    files = damaged_evening(tmp_path / "before", settled=False)
    for name, data in files.items():
        damaged = data if name.endswith(".mark") else data[:20_480] + bytes(4_096) + data[24_576:]
        (folder / name).write_bytes(damaged)
    saving = find_saving(folder / SESSION)
    assert saving is not None
    expected = {row for row in saving.rows if isinstance(row, StoredEntry)}
    assert len(expected) > 150
    for cut in cuts(recorder, "repair", folder):
        lay(cut.files, tmp_path / "after")
        after = find_saving(tmp_path / "after" / SESSION)
        if after is not None:
            assert expected <= {row for row in after.rows if isinstance(row, StoredEntry)}
        else:
            entries_by_name = {
                (entry.n, entry.digest) for entry in read_entries(tmp_path / "after" / SESSION)
            }
            assert {(row.n, row.digest) for row in expected} <= entries_by_name
