"""A terminal that disappears without a signal, or sends what is no key, on a real pty."""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import TIMEOUT_S, facts, needs_vm, record
from tests.end_to_end.program import companion, run
from tests.end_to_end.test_signals import ALTERNATE, OnPty, is_closed

if sys.platform == "win32":
    pytest.skip("Windows has no pty", allow_module_level=True)

import fcntl
import pty
import termios
import tty

pytestmark = pytest.mark.waits

ENDS_WITHIN_S = 2.0
WITHOUT_BOARD = ("--seats", "red,blue", "--port", "none")

# Every program that waits for a person at a terminal: what is run, and what stands there once it does.
PROGRAMS = {
    "a game": (("play", "panic-fire", *WITHOUT_BOARD), b"saved"),
    "a game in plain lines": (("play", "panic-fire", *WITHOUT_BOARD, "--plain"), b"Ctrl-D quits"),
    "the start screens": ((), b"Panic Fire"),
    "a game that is watched": (("watch",), b"Panic Fire"),
    "the demo": (("demo", "--speed", "0.2"), b"Panic Fire"),
    "a lesson": (("teach", "panic-fire"), b"step 1"),
}


def lose(program: OnPty) -> tuple[int, float]:
    """Close both ends of its pty, which sends no signal to a program that it does not control; return the exit code and
    the seconds until the end."""
    os.close(program.slave)
    os.close(program.master)
    began = time.monotonic()
    code = program.process.wait(TIMEOUT_S)
    return code, time.monotonic() - began


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_whose_terminal_is_gone_ends_within_two_seconds(name: str) -> None:
    if name == "a game that is watched":
        run("play", "panic-fire", *WITHOUT_BOARD, "--plain")
    arguments, shown = PROGRAMS[name]
    program = OnPty(*arguments)
    try:
        program.read_until(shown)
        code, took_s = lose(program)
    finally:
        program.close()
    assert code == Exit.HUNG_UP
    assert took_s < ENDS_WITHIN_S
    if name.startswith("a game"):
        assert is_closed(sessions_dir())


ON_SCREEN = [name for name in PROGRAMS if name != "a game in plain lines"]
WAYS_TO_END: dict[str, tuple[Callable[[OnPty], object], int]] = {
    "SIGTERM": (lambda program: program.process.send_signal(signal.SIGTERM), 128 + signal.SIGTERM),
    "SIGHUP": (lambda program: program.process.send_signal(signal.SIGHUP), Exit.HUNG_UP),
    "Ctrl+Q": (lambda program: program.send(b"\x11"), Exit.DONE),
}


def fill(program: OnPty) -> None:
    """Fill the terminal's buffer, and make the program draw its whole screen, which nobody reads."""
    handle = os.open(os.ttyname(program.slave), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    # the kernel makes a little more room once it has moved something
    while select.select([], [handle], [], 0.1)[1]:
        with suppress(BlockingIOError):
            os.write(handle, b"x" * 4096)
    os.close(handle)
    fcntl.ioctl(program.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
    program.process.send_signal(signal.SIGWINCH)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_plain_lines_that_nobody_reads_end_within_two_seconds(number: signal.Signals) -> None:
    arguments, shown = PROGRAMS["a game in plain lines"]
    program = OnPty(*arguments)
    try:
        program.read_until(shown)
        fill(program)
        program.send(b"f\n" * 20)
        began = time.monotonic()
        program.process.send_signal(number)
        assert program.process.wait(TIMEOUT_S) == 128 + number
        assert time.monotonic() - began < ENDS_WITHIN_S
    finally:
        program.close()
    assert is_closed(sessions_dir())


ENDS_AND_SAYS_MUCH = """
from companion import cli
cli._end_cleanly_on_signals()
print("ready", flush=True)
try:
    input()
finally:
    print("x" * 100_000, flush=True)
"""


PRINTS_IN_A_THREAD = """
import threading
from companion import cli
cli._end_cleanly_on_signals()
lines = threading.Thread(target=lambda: print("ready" + "x" * 100_000, flush=True))
try:
    lines.start()
    input()
finally:
    lines.join()
"""


def test_a_thread_in_the_middle_of_a_line_that_nobody_reads_does_not_hold_up_the_end() -> None:
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PRINTS_IN_A_THREAD], stdin=slave, stdout=slave
    ) as program:
        assert os.read(master, 5) == b"ready"
        while select.select([], [slave], [], 0.1)[1]:  # until there is no room for more of it
            pass
        began = time.monotonic()
        program.send_signal(signal.SIGTERM)
        try:
            assert program.wait(TIMEOUT_S) == 128 + signal.SIGTERM
        finally:
            program.kill()
        assert time.monotonic() - began < ENDS_WITHIN_S
    os.close(master)
    os.close(slave)


def test_what_is_said_at_the_end_waits_for_no_terminal_that_has_room_for_a_part_of_it() -> None:
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", ENDS_AND_SAYS_MUCH], stdin=slave, stdout=slave
    ) as program:
        while b"ready" not in os.read(master, 65536):
            pass
        began = time.monotonic()
        program.send_signal(signal.SIGTERM)
        try:
            assert program.wait(TIMEOUT_S) == 128 + signal.SIGTERM
        finally:
            program.kill()
        assert time.monotonic() - began < ENDS_WITHIN_S
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("way", WAYS_TO_END)
@pytest.mark.parametrize("name", ON_SCREEN)
def test_a_program_whose_terminal_reads_nothing_ends_within_two_seconds(
    name: str, way: str
) -> None:
    if name == "a game that is watched":
        run("play", "panic-fire", *WITHOUT_BOARD, "--plain")
    arguments, shown = PROGRAMS[name]
    end, expected = WAYS_TO_END[way]
    program = OnPty(*arguments)
    try:
        program.read_until(shown)
        fill(program)
        began = time.monotonic()
        end(program)
        code = program.process.wait(TIMEOUT_S)
        took_s = time.monotonic() - began
        assert termios.tcgetattr(program.slave) == program.before
    finally:
        program.close()
    assert code == expected
    assert took_s < ENDS_WITHIN_S
    if name == "a game":
        assert is_closed(sessions_dir())


def test_a_terminal_that_reads_again_shows_everything_again() -> None:
    program = OnPty("play", "panic-fire", *WITHOUT_BOARD)
    try:
        program.read_until(b"saved")
        fill(program)
        program.send(b"?")
        program.read_again_until(b"x" * 4096)
        program.read_again_until(b"Esc")
        program.send(b"\x1b")
        program.read_again_until(b"saved")
        program.send(b"\x11")
        assert program.ended() == Exit.DONE
    finally:
        program.close()
    assert b"The session is kept" in program.seen


def test_a_stream_to_a_terminal_that_reads_nothing_drops_what_it_is_given_and_ends_what_was_cut() -> (
    None
):
    from companion.dashboard.textual import terminal_driver

    master, slave = pty.openpty()
    tty.setraw(slave)
    with open(slave, "w", encoding="utf-8") as stream:  # noqa: PTH123  a descriptor
        screen = terminal_driver.TerminalStream(stream)
        screen.open()
        frame = "\x1b[31mred" * 100_000
        assert screen.write(frame) == len(frame)
        assert screen.stalled
        assert not screen.reads_again()
        screen.write("never seen")
        seen = b""
        while select.select([master], [], [], 0)[0]:
            seen += os.read(master, 65536)
        assert frame.encode().startswith(seen)
        assert screen.reads_again()
        assert not screen.stalled
        screen.write("\x1b[2J")
        assert os.read(master, 65536) == b"\x18\x1b[2J"
        screen.write("next")
        assert os.read(master, 65536) == b"next"
        screen.close()
    os.close(master)


# What a terminal must not send.
NO_KEYS = {
    "a number beyond Unicode": b"\x1b[1114112u",
    "a number of eleven digits": b"\x1b[99999999999u",
    "half of a pair of surrogates": b"\x1b[55296u",
    "a text of no letters": b"\x1b[97;1;1114112u",
    "bytes that are no UTF-8": b"\xff\xfe\x80",
    "a click in a window of no pixels": b"\x1b[48;24;80;0;0t\x1b[<0;5;5M",
    "modifiers of forty digits": b"\x1b[97;" + b"9" * 24 + b"u",
}


@pytest.mark.parametrize("name", NO_KEYS)
def test_what_is_no_key_is_skipped_and_the_next_key_works(name: str) -> None:
    program = OnPty("play", "panic-fire", *WITHOUT_BOARD)
    try:
        program.read_until(b"saved")
        os.write(program.master, NO_KEYS[name])
        os.write(program.master, b"\x11")  # Ctrl+Q
        assert program.ended() == Exit.DONE
    finally:
        program.close()
    assert b"Traceback" not in program.seen


FAULTY = """
import companion.dashboard.textual.terminal_driver as driver

def tick(_parser):
    raise RuntimeError("no such key")

driver.KeyReports.tick = tick
"""


def test_a_fault_in_reading_keys_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAULTY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    program = OnPty("play", "panic-fire", *WITHOUT_BOARD)
    try:
        assert program.ended() == Exit.SOFTWARE
    finally:
        program.close()
    assert b"stopped by a fault of its own" in program.seen
    assert b"Traceback" not in program.seen
    assert is_closed(sessions_dir())


def test_ctrl_and_the_place_of_q_leave_on_a_russian_keyboard() -> None:
    program = OnPty("play", "panic-fire", *WITHOUT_BOARD)
    try:
        program.read_until(b"\x1b[=4;2u")  # the terminal is asked for positions
        program.read_until(b"saved")
        os.write(program.master, b"\x1b[1081::113;5u")
        assert program.ended() == Exit.DONE
    finally:
        program.close()


@pytest.mark.parametrize("stop", [signal.SIGTSTP, signal.SIGSTOP])
def test_everything_is_drawn_again_after_the_program_was_stopped(stop: signal.Signals) -> None:
    program = OnPty("play", "panic-fire", *WITHOUT_BOARD)
    try:
        program.read_until(b"saved")
        program.process.send_signal(stop)
        program.stopped()
        program.seen = b""
        program.process.send_signal(signal.SIGCONT)
        program.read_until(ALTERNATE)
        program.read_until(b"Piles")
        program.read_until(b"saved")
        os.write(program.master, b"\x11")
        assert program.ended() == Exit.DONE
    finally:
        program.close()


@pytest.mark.vm
@needs_vm
def test_a_board_keeps_what_the_players_do_after_a_signal_and_resume_has_it(
    tmp_path: Path, own_data_folder: Path
) -> None:
    with VirtualBoard.spawn("micropython", seed=5, path=tmp_path / "port") as board:
        with companion("play", "panic-fire", "--seats", "red,blue", "--port", board.url) as first:
            first.wait_for("the board is armed")
            board.press("zone-1", hold_ms=700)
            first.wait_for("fire! round 1")
            first.process.terminate()
            first.process.wait(TIMEOUT_S)
            assert first.leave() == 128 + signal.SIGTERM
        board.press("zone-2", hold_ms=30)
        with companion("resume", "--port", board.url) as second:
            second.wait_for("blue draws")
            assert second.leave() == Exit.DONE
    (session,) = (own_data_folder / "sessions").glob("*.sqlite")
    assert len(facts(record(session), "draw")) == 1
