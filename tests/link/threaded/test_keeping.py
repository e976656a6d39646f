"""Keeping a port: opening it, other programs at it, its disappearance, and closing it in time."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.link.dispatcher import TapeEvent
from companion.link.port_errors import explain
from companion.link.presence import CHECK_NS, OTHERS_EVERY_NS, Presence
from companion.link.status import LinkState
from companion.link.supervisor import Link
from companion.link.transport import Port, PortOpener, open_serial
from companion.link.usb_ports import UsbPort, restarts
from companion.system.port_users import others_at
from tests.link.threaded.fake_port import BoardPort, Cable, MutePort
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="this system has no /proc"
)
needs_pty = pytest.mark.skipif(
    sys.platform == "win32", reason="pseudo-terminals exist on Unix only"
)
MISSED = 10**9


# -- which boards restart


@pytest.mark.parametrize(
    ("vid", "pid", "does"),
    [
        (0x2E8A, 0x0005, False),
        (0x1A86, 0x7523, True),
        (0x2341, 0x0043, True),
        (0x2341, 0x8036, False),  # a Leonardo is the USB device itself
        (0x1234, 0x5678, False),
    ],
)
def test_a_board_behind_a_bridge_restarts_when_its_port_is_opened_and_native_usb_does_not(
    vid: int, pid: int, does: bool
) -> None:
    assert (
        restarts("/dev/ttyX", lambda: [UsbPort("/dev/other", 1, 1), UsbPort("/dev/ttyX", vid, pid)])
        is does
    )


def test_a_link_to_a_port_is_opened_as_the_device_it_leads_to(tmp_path: Path) -> None:
    device, by_id = tmp_path / "ttyUSB0", tmp_path / "usb-bridge"
    device.touch()
    by_id.symlink_to(device)
    assert restarts(str(by_id), lambda: [UsbPort(str(device), 0x10C4, 0xEA60)])


def test_a_port_that_is_no_usb_device_is_opened_as_native() -> None:
    assert not restarts("/dev/pts/0")


@needs_pty
@pytest.mark.parametrize("bridge", [False, True])
def test_the_lines_of_a_bridge_do_not_fall_when_the_port_is_closed(
    bridge: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import termios

    monkeypatch.setattr("companion.link.transport.restarts", lambda _: bridge)
    master, slave = os.openpty()
    flags = termios.tcgetattr(slave)
    flags[2] |= termios.HUPCL
    termios.tcsetattr(slave, termios.TCSANOW, flags)
    port = open_serial(os.ttyname(slave))
    try:
        assert bool(termios.tcgetattr(slave)[2] & termios.HUPCL) is not bridge
    finally:
        port.close()
        os.close(master)
        os.close(slave)


# -- who else


@pytest.fixture
def intruder() -> Iterator[tuple[str, int]]:
    """A program that has a serial port open: yield the port and the program's process id."""
    master, slave = os.openpty()
    name = os.ttyname(slave)
    code = f"import os; os.open({name!r}, os.O_RDWR | os.O_NOCTTY); print('open', flush=True); os.read(0, 1)"
    program = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stdout.readline() == b"open\n"
    yield name, program.pid
    program.stdin.close()
    program.wait(10)
    program.stdout.close()
    os.close(master)
    os.close(slave)


@needs_proc
@needs_pty
def test_a_second_program_at_a_port_is_named(intruder: tuple[str, int]) -> None:
    port, pid = intruder
    (other,) = others_at(port)
    assert other.endswith(f" (process {pid})")
    failed = explain(port, OSError(errno.EBUSY, "busy"))
    assert failed.state is LinkState.BUSY
    assert other in failed.sentence


def test_where_the_system_does_not_tell_nobody_is_named(tmp_path: Path) -> None:
    assert others_at("/dev/ttyX", tmp_path / "no proc") == ()
    assert others_at("COM3") == ()
    assert "another program" in explain("/dev/no such port", OSError(errno.EBUSY, "busy")).sentence


def test_a_process_that_tells_nothing_is_passed_over_and_one_without_a_name_is_a_program(
    tmp_path: Path,
) -> None:
    device = tmp_path / "tty"
    device.touch()
    for pid in ("71", "72", "73"):
        (tmp_path / "proc" / pid / "fd").mkdir(parents=True)
    (tmp_path / "proc" / "72" / "fd" / "3").symlink_to(device)
    (tmp_path / "proc" / "73" / "fd" / "3").write_text("no link")
    assert others_at(str(device), tmp_path / "proc") == ("a program (process 72)",)


def test_the_program_behind_a_pseudo_terminal_is_no_intruder(tmp_path: Path) -> None:
    fd = tmp_path / "proc" / "71" / "fd"
    fd.mkdir(parents=True)
    (fd / "3").symlink_to("/dev/pts/71000")
    (fd / "4").symlink_to("/dev/ptmx")
    assert others_at("/dev/pts/71000", tmp_path / "proc") == ()


# -- presence


def test_a_port_whose_file_disappears_is_gone_at_the_next_look(tmp_path: Path) -> None:
    port = tmp_path / "tty"
    port.touch()
    presence = Presence(str(port), 0, lambda _: ())
    port.unlink()
    assert not presence.gone(CHECK_NS - 1)
    assert presence.gone(CHECK_NS)


def test_a_port_that_was_no_file_is_never_missed() -> None:
    for port in ("socket://127.0.0.1:1", "COM7", "/dev/never there"):
        presence = Presence(port, 0, lambda _: ("minicom (process 1)",))
        assert not presence.gone(MISSED)
        assert presence.intruders(MISSED) == []


def test_each_other_program_is_said_once(tmp_path: Path) -> None:
    port = tmp_path / "tty"
    port.touch()
    looks = 0
    looked = threading.Semaphore(0)

    def others(_: str) -> tuple[str, ...]:
        nonlocal looks
        looks += 1
        looked.release()
        return ("minicom (process 1)",)

    presence = Presence(str(port), 0, others)
    intruders = presence.intruders(0)
    assert looked.acquire(timeout=10)
    until = time.monotonic() + 10
    while not intruders and time.monotonic() < until:
        intruders = presence.intruders(1)
    assert intruders == ["minicom (process 1)"]
    presence.intruders(OTHERS_EVERY_NS)
    assert looked.acquire(timeout=10)
    assert presence.intruders(OTHERS_EVERY_NS + 1) == []
    assert looks == 2


def test_a_link_says_that_it_was_unplugged_and_who_else_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = tmp_path / "tty"
    port.touch()
    watching = partial(Presence, others=lambda _: ("minicom (process 1)",))
    monkeypatch.setattr("companion.link.supervisor.Presence", watching)
    cable, notebook = Cable(), Notebook()
    tape: list[tuple[TapeEvent, bytes]] = []
    with linked(
        str(port), notebook, cable.open, tape=lambda did, _, data: tape.append((did, data))
    ):
        notebook.wait_for(LinkState.LIVE)
        notebook.wait(
            lambda: any("is open in minicom (process 1) too" in note for note in notebook.notes)
        )
        port.unlink()
        lost = notebook.wait_for(LinkState.LOST)
    assert "it was unplugged." in lost.sentence
    assert any(did is TapeEvent.NOTED for did, _ in tape)


# -- closing in time


class Stuck:
    """Ports whose driver hangs in one call until the test is over."""

    def __init__(self, call: str) -> None:
        self.call = call
        self.reached = threading.Event()
        self.over = threading.Event()
        self.cable = Cable()

    def hang(self) -> None:
        self.reached.set()
        self.over.wait(20)

    def open(self, name: str) -> Port:
        if self.call == "open":
            self.hang()
        port = self.cable.open(name)
        assert isinstance(port, BoardPort)
        plain = getattr(port, self.call, None)
        if plain is not None:

            def hanging(*args: object) -> object:
                if self.call == "close" or self.armed():
                    self.hang()
                return plain(*args)

            setattr(port, self.call, hanging)
        return port

    def armed(self) -> bool:
        return self.cable.board.next_seq > 2

    def ports(self) -> list[str]:
        if self.call == "list":
            self.hang()
        return ["/dev/board"]


@pytest.mark.parametrize("call", ["open", "read", "close", "list"])
def test_closing_takes_at_most_a_second_whatever_call_of_the_driver_hangs(call: str) -> None:
    stuck, notebook = Stuck(call), Notebook()
    link = Link(
        "auto" if call == "list" else "/dev/board",
        notebook,
        open_port=stuck.open,
        lister=stuck.ports,
        armed=True,
    )
    link.start()
    try:
        if call == "close":
            notebook.wait_for(LinkState.LIVE)
        else:
            stuck.cable.press(3)
            assert stuck.reached.wait(10)
        assert _seconds(link.close) < 1.0
    finally:
        stuck.over.set()
    assert notebook.statuses[-1].state is LinkState.CLOSED


@pytest.mark.parametrize("state", ["deaf", "mute", "absent", "refused", "live", "searching"])
def test_closing_takes_at_most_a_second_in_every_state_of_the_board(state: str) -> None:
    cable, notebook = Cable(), Notebook()
    spec, wanted = "/dev/board", LinkState.LIVE
    opener: PortOpener = cable.open
    if state == "mute":
        opener, wanted = lambda _: MutePort(), LinkState.IDENTIFYING
    elif state == "absent":
        cable.unplug()
        wanted = LinkState.ABSENT
    elif state == "refused":
        cable.board.major = 9
        wanted = LinkState.REFUSED
    elif state == "searching":
        spec, opener, wanted = "auto", lambda _: MutePort(), LinkState.SEARCHING
    link = Link(
        spec, notebook, open_port=opener, lister=lambda: ["/dev/a", "/dev/b", "/dev/c"], armed=True
    )
    link.start()
    notebook.wait_for(wanted)
    if state == "deaf":
        cable.board.deaf = True
        cable.press(3)
    assert _seconds(link.close) < 1.0
    assert notebook.statuses[-1].state is LinkState.CLOSED


def _seconds(close: Callable[[], bool]) -> float:
    begun = time.monotonic()
    assert close()
    return time.monotonic() - begun
