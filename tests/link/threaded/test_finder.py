from __future__ import annotations

import threading
from collections.abc import Callable

from companion.link.finder import ANY_BOARD, REST_NS, BoardSearch, Finder, Sought, usb_port_names
from companion.link.transport import Opener, Port
from tests.link.fake_board import UID, FakeBoard
from tests.link.threaded.fake_port import Cable, MutePort, failing

MS = 1_000_000
Ports = dict[str, Callable[[str], Port]]


def find(ports: Ports, uid: int | None = None, probe_ns: int = 200 * MS) -> BoardSearch:
    finder = Finder(lambda: ports, Opener(lambda port: ports[port](port)), probe_ns=probe_ns)
    return finder.find(ANY_BOARD if uid is None else Sought((uid,)))


def test_the_one_board_among_foreign_devices_is_found_and_the_ports_are_released() -> None:
    cable = Cable()
    search = find(
        {
            "/dev/a": lambda _: MutePort(b"modem ok\r\n"),
            "/dev/b": cable.open,
            "/dev/c": failing(OSError(16, "busy")),
        }
    )

    assert search.port == "/dev/b"
    assert f"{UID:016x}" in search.sentence
    assert cable.port is None


def test_the_known_board_is_preferred_to_the_first() -> None:
    first, known = Cable(FakeBoard(uid=5)), Cable()

    assert find({"/dev/a": first.open, "/dev/b": known.open}, UID).port == "/dev/b"


def test_two_boards_are_both_named_and_the_first_is_used() -> None:
    search = find({"/dev/a": Cable(FakeBoard(uid=5)).open, "/dev/b": Cable().open})

    assert search.port == "/dev/a"
    assert f"{UID:016x} at /dev/b" in search.sentence


def test_another_board_than_the_sessions_is_not_taken() -> None:
    search = find({"/dev/a": Cable(FakeBoard(uid=5)).open}, UID)

    assert search.port is None
    assert search.refused
    assert f"{5:016x}" in search.sentence


def test_devices_that_are_no_boards_are_named_with_the_reason() -> None:
    search = find(
        {
            "/dev/a": lambda _: MutePort(),
            "/dev/b": Cable(FakeBoard(major=4)).open,
            "/dev/c": failing(PermissionError(13, "Permission denied")),
        }
    )

    assert search.port is None
    assert "/dev/a: no table board answered" in search.sentence
    assert "protocol 4.0" in search.sentence
    assert "usermod" in search.sentence


def test_a_port_that_is_lost_while_it_is_asked_is_not_waited_for() -> None:
    class Dying(MutePort):
        def read(self, _size: int = 1, /) -> bytes:
            raise OSError(5, "Input/output error")

    class Deaf(MutePort):
        def write(self, _data: bytes, /) -> int | None:
            raise OSError(5, "Input/output error")

    search = find({"/dev/a": lambda _: Dying(), "/dev/b": lambda _: Deaf()}, probe_ns=60_000 * MS)

    assert search.port is None


def test_a_device_that_is_no_board_is_left_in_peace_for_a_while_unless_plugged_in_anew() -> None:
    opened: list[str] = []
    now_ns = [0]

    def open_port(port: str) -> Port:
        opened.append(port)
        return MutePort()

    def clock_ns() -> int:
        now_ns[0] += 20 * MS
        return now_ns[0]

    listed = ["/dev/a"]
    finder = Finder(lambda: list(listed), Opener(open_port), clock_ns=clock_ns, probe_ns=200 * MS)
    assert "/dev/a: no table board answered" in finder.find().sentence
    assert "/dev/a: no table board answered" in finder.find().sentence
    assert len(opened) == 1

    listed.clear()
    finder.find()
    listed.append("/dev/a")
    finder.find()
    assert len(opened) == 2

    now_ns[0] += REST_NS
    finder.find()
    assert len(opened) == 3


def test_only_a_search_that_asks_a_port_says_so_first() -> None:
    listed: list[str] = []
    ports: list[MutePort] = []
    asked: list[int] = []

    def open_port(_: str) -> Port:
        ports.append(MutePort())
        return ports[-1]

    finder = Finder(lambda: list(listed), Opener(open_port), probe_ns=20 * MS)
    finder.find(asking=lambda: asked.append(len(ports)))
    assert asked == []
    listed.append("/dev/a")
    for _ in range(2):
        finder.find(asking=lambda: asked.append(len(ports)))
    assert asked == [0]


def test_no_listed_port_is_said_so() -> None:
    assert "plug the board in" in find({}).sentence


def test_a_system_that_hangs_listing_its_ports_is_given_up() -> None:
    hang = threading.Event()

    def lister() -> list[str]:
        hang.wait(10)
        return []

    search = Finder(lister, Opener(failing(OSError(2, "none"))), list_s=0.02).find()
    hang.set()

    assert "name the port" in search.sentence


def test_a_search_that_is_stopped_opens_nothing() -> None:
    cable = Cable()
    search = Finder(lambda: ["/dev/a"], Opener(cable.open), stopping=lambda: True).find()

    assert search.port is None
    assert cable.opened == 0


def test_the_systems_own_list_names_only_usb_devices() -> None:
    assert all(isinstance(port, str) for port in usb_port_names())
