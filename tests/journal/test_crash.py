from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal.errors import SessionBusy, SessionDamagedError
from companion.journal.store import read_entries
from tests.journal.support import begin, recorded, resume

ROOT = Path(__file__).parents[2]


def writer(task: str, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.journal.writer", task, str(path)]
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def kill_after(process: subprocess.Popen[str], lines: int) -> list[str]:
    """Kill the writer after so many lines; return all complete lines it wrote."""
    assert process.stdout is not None
    reported = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    reported.extend(process.stdout.readlines())
    process.communicate()
    return [line.strip() for line in reported if line.endswith("\n")]


def test_whatever_was_reported_durable_is_there_once_after_each_kill(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    random_ = random.Random(7)
    reported: dict[int, str] = {}
    for _ in range(8):
        lines = kill_after(writer("flood", path), random_.randrange(1, 400))
        reported.update((int(line.split()[0]), line.split()[1]) for line in lines)
        entries = read_entries(path)
        assert [entry.n for entry in entries] == list(range(1, len(entries) + 1))
        assert {n: entries[n - 1].key for n in reported} == reported
        keys = [entry.key for entry in entries[1:]]
        assert len(set(keys)) == len(keys)
        assert len(entries) % 2 == 1, "an append of two was torn"
    with resume(path) as journal:
        assert journal.warnings == ()


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limit on the size of files")
def test_a_full_disk_claims_nothing_durable_and_all_is_saved_once_there_is_room(
    tmp_path: Path,
) -> None:
    path = tmp_path / "evening.sqlite"
    process = writer("full", path)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    refusal, when_full, afterwards = output.splitlines()
    durable, total, on_disk, problem = when_full.split()
    assert "the disk reports an error" in refusal
    assert int(durable) < int(total)
    assert int(on_disk) >= int(durable)
    assert problem == "True"
    assert afterwards == f"{total} {total} {total} False"
    assert len(read_entries(path)) == int(total)


def test_a_session_that_another_process_writes_is_refused_until_that_one_is_killed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "evening.sqlite"
    recorded(path, 2)
    process = writer("hold", path)
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    with pytest.raises(SessionBusy, match=rf"written by process {process.pid} \(python"):
        resume(path)
    process.kill()
    process.communicate()
    with resume(path) as journal:
        assert len(journal.entries) == 4
        assert journal.warnings == ()


def test_a_kill_before_the_first_entry_was_saved_leaves_a_name_that_is_refused_clearly(
    tmp_path: Path,
) -> None:
    path = tmp_path / "evening.sqlite"
    path.touch()
    path.with_name(path.name + ".mark").touch()
    with pytest.raises(SessionDamagedError, match="is empty: delete it"):
        resume(path)
    path.unlink()
    begin(path).close()
