"""Leaving while the disk refuses, on a real pty: nothing is lost without a question."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.journal.store import read_entries
from tests.end_to_end.test_signals import NORMAL, OnPty

if sys.platform == "win32":
    pytest.skip("Windows has no pty", allow_module_level=True)

import resource

pytestmark = pytest.mark.waits

GAME = ("play", "panic-fire", "--seats", "red,blue", "--port", "none")
QUIT, ESCAPE, END = b"\x11", b"\x1b", b"\x04"
ASKED = "Quit and lose"


def limit(program: OnPty, most: int) -> None:
    """Limit the program's files to `most` bytes from now on: to the program, a full disk."""
    _, hard = resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (hard if most < 0 else most, hard))


@contextmanager
def on_full_disk(*more: str) -> Iterator[OnPty]:
    """Yield a game whose `fire` is not saved."""
    program = OnPty(*GAME, *more)
    try:
        program.read_until(b"Ctrl-D quits" if more else b"saved")
        limit(program, 1)
        program.send(b"fire\r" if more else b"\r")
        program.read_until(b"NOT SAVED")
        yield program
    finally:
        program.close()


def kinds() -> list[str]:
    (path,) = sessions_dir().glob("*.sqlite")
    return [entry.kind for entry in read_entries(path)]


def test_leaving_asks_first_and_yes_says_what_is_lost() -> None:
    with on_full_disk() as program:
        program.send(QUIT)
        program.read_until(ASKED.encode())
        program.send(b"y")
        assert program.ended() == Exit.NOT_SAVED
    after = program.seen[program.seen.rindex(NORMAL) :].decode()
    assert "Not saved:" in after
    assert "fire" in after.partition("Not saved:")[2].lower()
    assert "ends with entry 1" in after
    assert kinds() == ["session"]


def test_who_stays_loses_nothing_once_the_disk_takes_it() -> None:
    with on_full_disk() as program:
        program.send(QUIT)
        program.read_until(ASKED.encode())
        program.send(ESCAPE)
        limit(program, -1)
        program.read_again_until(b"saved")
        program.send(QUIT)
        assert program.ended() == Exit.DONE
    assert "fire" in kinds()


def test_the_question_leaves_by_itself_once_all_is_saved() -> None:
    with on_full_disk() as program:
        program.send(QUIT)
        program.read_until(ASKED.encode())
        limit(program, -1)
        assert program.ended() == Exit.DONE
    assert "fire" in kinds()


def test_plain_lines_ask_at_the_end_of_the_input_and_take_a_no() -> None:
    with on_full_disk("--plain") as program:
        program.send(END)
        program.read_until(b"Type y and Enter to quit without")
        program.send(b"\r")
        limit(program, -1)
        program.read_again_until(b"saved")
        program.send(END)
        assert program.ended() == Exit.DONE
    assert "fire" in kinds()


@pytest.mark.parametrize("yes", [b"y\r", END], ids=["y", "the end of the input once more"])
def test_plain_lines_left_all_the_same_say_what_is_lost(yes: bytes) -> None:
    with on_full_disk("--plain") as program:
        program.send(END)
        program.read_until(b"Type y and Enter to quit without")
        program.send(yes)
        assert program.ended() == Exit.NOT_SAVED
    assert b"Not saved:" in program.seen
    assert kinds() == ["session"]


@pytest.mark.parametrize("more", [(), ("--plain",)], ids=["dashboard", "plain"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_asks_nobody(number: signal.Signals, more: tuple[str, ...]) -> None:
    with on_full_disk(*more) as program:
        program.process.send_signal(number)
        assert program.ended() == Exit.NOT_SAVED
    assert b"eave and lose" not in program.seen


def test_a_terminal_that_is_gone_asks_nobody() -> None:
    with on_full_disk() as program:
        os.close(program.slave)
        os.close(program.master)
        assert program.process.wait(5) == Exit.NOT_SAVED
