"""How the program ends when its input, its output or its patience does: at once, in order, with a documented code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.journal.sessions import list_sessions
from tests.end_to_end.parts import TIMEOUT_S, needs_vm
from tests.end_to_end.program import run, run_here, sentence

PROGRAM = [sys.executable, "-m", "companion"]
PLAY = ["play", "panic-fire", "--seats", "red,blue", "--port", "none"]

posix = pytest.mark.skipif(os.name != "posix", reason="a shell and signals of POSIX")


def started(*arguments: str) -> subprocess.Popen[str]:
    """Start the program with pipes, both outputs in one."""
    return subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def read_until(words: str, program: subprocess.Popen[str]) -> None:
    """Read lines up to one with these words."""
    assert program.stdout is not None
    said = ""
    while words not in said:
        line = program.stdout.readline()
        assert line, f"waited for {words!r} behind {said!r}"
        said += line


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run the program as `companion` in a line of the shell."""
    line = line.replace("companion", " ".join(PROGRAM), 1)
    return subprocess.run(line, shell=True, capture_output=True, text=True, timeout=60, check=False)


@posix
@pytest.mark.vm
@needs_vm
def test_a_demo_whose_reader_has_left_ends_at_once_and_leaves_no_board_behind(
    own_tmp: Path,
) -> None:
    with started("demo", "--plain", "--speed", "4") as demo:
        read_until("armed", demo)
        assert demo.stdout is not None
        demo.stdout.close()
        assert demo.wait(TIMEOUT_S) == Exit.DONE
    assert list(own_tmp.iterdir()) == []


@posix
@pytest.mark.vm
@needs_vm
def test_ctrl_c_ends_a_demo_at_once_and_leaves_no_board_and_no_session(
    own_tmp: Path, own_data_folder: Path
) -> None:
    with started("demo", "--plain") as demo:
        read_until("armed", demo)
        assert demo.stdout is not None
        demo.send_signal(signal.SIGINT)
        rest = demo.stdout.read()
        assert demo.wait(TIMEOUT_S) == Exit.INTERRUPTED
    assert "Traceback" not in rest
    assert list(own_tmp.iterdir()) == []
    assert list(own_data_folder.rglob("*.sqlite")) == [], "no statistics count a demo"


@posix
def test_ctrl_c_ends_plain_play_while_it_waits_for_a_key_and_the_session_can_be_resumed() -> None:
    with started(*PLAY) as play:
        assert play.stdin is not None
        assert play.stdout is not None
        play.stdin.write("enter\n")
        play.stdin.flush()
        read_until("fire!", play)
        play.send_signal(signal.SIGINT)
        rest = play.stdout.read()
        assert play.wait(TIMEOUT_S) == Exit.INTERRUPTED
    assert rest == ""
    assert "fire! round 1" in run_here("resume", "--port", "none").stdout


@posix
def test_plain_play_ends_when_nobody_reads_its_lines_though_the_keyboard_stays_open() -> None:
    with started(*PLAY) as play:
        assert play.stdin is not None
        assert play.stdout is not None
        assert "starts" in play.stdout.readline()
        play.stdout.close()
        play.stdin.write("enter\n")
        play.stdin.flush()
        assert play.wait(TIMEOUT_S) == Exit.DONE


@posix
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_came_closed_is_no_fault(closed: str, own_data_folder: Path) -> None:
    result = shell(f"companion {' '.join(PLAY)} {closed}")
    assert result.returncode == Exit.DONE
    assert result.stderr == ""
    (session,) = (own_data_folder / "sessions").glob("*.sqlite")
    assert session.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux")
def test_an_output_that_cannot_be_written_is_one_sentence_and_the_session_stands() -> None:
    result = shell(f"companion {' '.join(PLAY)} < /dev/null > /dev/full")
    assert result.returncode == Exit.CANNOT_CREATE
    assert "The output cannot be written: No space left on device" in sentence(result)
    (session,) = list_sessions(sessions_dir())
    assert run_here("resume", session.path.stem, "--port", "none").returncode == Exit.DONE


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("companion config path > /dev/full", Exit.CANNOT_CREATE, 1),
        ("companion help > /dev/full", Exit.CANNOT_CREATE, 1),
        ("companion config path > /dev/full 2> /dev/full", Exit.CANNOT_CREATE, 0),
        ("companion journal check nothing 2> /dev/full", Exit.NO_INPUT, 0),
        ("companion nothing 2> /dev/full", Exit.USAGE, 0),
    ],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux")
def test_a_full_disk_under_either_output_leaves_the_exit_code_that_is_documented(
    line: str, code: Exit, said: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # as in anybody's shell, where only the end of it writes
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    result = shell(line)
    assert (result.returncode, result.stderr.count("\n")) == (code, said)


@posix
def test_a_data_folder_that_is_a_file_is_one_sentence_for_the_virtual_board_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "file"))
    result = run("play", "panic-fire", "--port", "virtual")
    assert result.returncode == Exit.UNAVAILABLE
    assert "COMPANION_DATA" in sentence(result)
    assert run("play", "panic-fire", "--port", "none").returncode == Exit.CANNOT_CREATE


@pytest.fixture
def own_tmp(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a short folder for the program's temporary ones, the demo's board among them."""
    folder = tmp_path_factory.mktemp("d")
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder
