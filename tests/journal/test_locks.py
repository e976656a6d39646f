"""Who has the lock on a file: the kernel's answer, and nobody else is blamed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal.errors import SessionBusy
from companion.journal.locks import LockTaken, lock
from companion.journal.mark import MarkFile, mark_path
from companion.system import file_locks
from companion.system.lock_holders import Holder, holder_of
from tests.journal.other_user import powerless, unreadable
from tests.journal.support import begin

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists its locks")

_HOLD = "import sys; from companion.journal.mark import MarkFile; from pathlib import Path\n"
_HOLD += "held = MarkFile(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"

_READ = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


def holding(session: Path, *words: str) -> subprocess.Popen[str]:
    """Start a process that has the right to write a session until its input ends."""
    command = [sys.executable, "-c", _HOLD, str(session), *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@linux
def test_the_process_that_writes_a_session_is_named_by_number_and_program(tmp_path: Path) -> None:
    session = tmp_path / "evening.sqlite"
    process = holding(session)
    with process, pytest.raises(SessionBusy) as busy:
        MarkFile(session)
    python = Path(sys.executable).name
    assert (
        f"{session} is being written by process {process.pid} ({python}): close that one first."
        == str(busy.value)
    )
    assert process.wait() == 0
    MarkFile(session).abandon()


@linux
def test_whoever_only_reads_the_mark_is_not_taken_for_the_writer(tmp_path: Path) -> None:
    session = tmp_path / "evening.sqlite"
    with begin(session), mark_path(session).open("rb"):
        process = subprocess.Popen(
            [sys.executable, "-c", _READ, str(mark_path(session))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            assert process.stdout is not None
            process.stdout.readline()
            holder = holder_of(mark_path(session))
            assert holder is not None
            assert holder.pid == os.getpid()


class Proc:
    """A fake /proc: the kernel's list of locks, and the open files of processes."""

    def __init__(self, folder: Path, file: Path) -> None:
        self.folder, self.file = folder, file
        folder.mkdir()
        self.locks("")

    def locks(self, text: str) -> None:
        (self.folder / "locks").write_text(text)

    def line(self, pid: int, kind: str = "FLOCK  ADVISORY  WRITE", inode: int | None = None) -> str:
        return (
            f"1: {kind} {pid} fe:00:{self.file.stat().st_ino if inode is None else inode} 0 EOF\n"
        )

    def process(self, pid: int, command: str, opened: Path | None = None) -> None:
        (self.folder / str(pid) / "fd").mkdir(parents=True)
        (self.folder / str(pid) / "cmdline").write_text(command.replace(" ", "\0") + "\0")
        if opened is not None:
            (self.folder / str(pid) / "fd" / "3").symlink_to(opened)


@pytest.fixture
def proc(tmp_path: Path) -> Proc:
    file = tmp_path / "evening.sqlite.mark"
    file.touch()
    return Proc(tmp_path / "proc", file)


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("/usr/bin/python3 /home/ada/.local/bin/companion resume evening", "companion resume"),
        ("/usr/bin/python3 /usr/bin/table-companion watch evening", "table-companion watch"),
        ("python -m companion play panic-fire --seats ada,ben", "companion play"),
        ("/usr/bin/python3 /usr/bin/companion --plain", "companion"),
        ("/usr/bin/sqlite3 evening.sqlite", "sqlite3"),
    ],
)
def test_a_companion_is_named_with_its_command_and_nothing_that_was_typed_after_it(
    command: str, program: str, proc: Proc
) -> None:
    proc.process(4711, command, proc.file)
    proc.locks(proc.line(4711))
    assert holder_of(proc.file, proc.folder) == Holder(4711, program)
    assert str(Holder(4711, program)) == f"process 4711 ({program})"


def test_a_number_that_another_process_has_by_now_is_not_blamed(proc: Proc) -> None:
    proc.process(4711, "/usr/bin/editor")
    proc.locks(proc.line(4711))
    assert holder_of(proc.file, proc.folder) is None


def test_a_process_that_has_ended_is_not_blamed(proc: Proc) -> None:
    proc.locks(proc.line(4711))
    assert holder_of(proc.file, proc.folder) is None


def test_a_file_of_the_same_number_on_another_disk_blames_nobody(
    proc: Proc, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.touch()
    proc.process(4711, "/usr/bin/companion play", other)
    proc.locks(proc.line(4711) + proc.line(4711, inode=other.stat().st_ino))
    assert holder_of(proc.file, proc.folder) is None


@linux
def test_of_another_users_process_the_device_of_its_lock_decides(proc: Proc) -> None:
    proc.process(4711, "/usr/bin/companion play")
    there = proc.file.stat()
    right = f"{os.major(there.st_dev):02x}:{os.minor(there.st_dev):02x}"
    for device, named in ((right, Holder(4711, "companion play")), ("fe:7f", None)):
        proc.locks(proc.line(4711).replace("fe:00", device))
        with unreadable(proc.folder / "4711" / "fd"), powerless(proc.file.parent):
            assert holder_of(proc.file, proc.folder) == named


def test_other_kinds_of_lock_and_odd_lines_say_nothing(proc: Proc) -> None:
    proc.process(4711, "/usr/bin/companion play", proc.file)
    proc.locks(
        "\n1:\n" + proc.line(4711, "POSIX  ADVISORY  READ") + proc.line(-1) + "2: -> FLOCK\n"
    )
    assert holder_of(proc.file, proc.folder) is None


def test_where_lsof_tells_others_that_have_it_open_are_named(
    proc: Proc, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lsof = tmp_path / "bin" / "lsof"
    lsof.parent.mkdir()
    lsof.write_text(f"#!/bin/sh\nprintf 'p{os.getpid()}\\nf4\\np4711\\nf3\\n'\n")
    lsof.chmod(0o755)
    ps = lsof.with_name("ps")
    ps.write_text("#!/bin/sh\necho /opt/python /opt/bin/companion watch\n")
    ps.chmod(0o755)
    monkeypatch.setenv("PATH", f"{lsof.parent}:{os.environ['PATH']}")
    assert holder_of(proc.file, tmp_path / "no proc") == Holder(4711, "companion watch")


def test_where_nothing_tells_it_is_another_companion(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    session = tmp_path / "evening.sqlite"
    monkeypatch.setattr("companion.journal.mark.holder_of", lambda _path: None)
    with (
        begin(session),
        pytest.raises(SessionBusy, match="is being written by another companion: close that one"),
    ):
        MarkFile(session)


@pytest.mark.parametrize("wanted", [LockTaken, OSError])
def test_a_lock_that_is_taken_is_told_from_none(
    wanted: type[OSError], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import errno

    code = errno.EAGAIN if wanted is LockTaken else errno.ENOLCK

    def refuse(_file: object) -> None:
        raise OSError(code, "no")

    monkeypatch.setattr(file_locks, "lock", refuse)
    with (tmp_path / "file").open("wb", buffering=0) as file, pytest.raises(wanted) as refused:
        lock(file)
    assert type(refused.value) is wanted
