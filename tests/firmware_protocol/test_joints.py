"""The virtual board's own joints: lines of JSON, wires and a control address, when the other end misbehaves."""

from __future__ import annotations

import os
import selectors
import socket
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from firmware_protocol.virtual import jsonlines
from firmware_protocol.virtual.board_process import SocketWire, StdioWire
from firmware_protocol.virtual.control import ControlServer
from firmware_protocol.virtual.jsonlines import JsonLines
from firmware_protocol.virtual.runtime import VirtualBoardError

Pair = tuple[JsonLines, socket.socket]


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    monkeypatch.setattr(jsonlines, "STUCK_S", 0.05)
    near, far = socket.socketpair()
    with near, far:
        yield JsonLines(near), far


def test_objects_come_whole_however_their_lines_are_cut(pair: Pair) -> None:
    lines, far = pair
    far.sendall(b'{"id": 1}\n\n{"id"')
    assert lines.receive() == [{"id": 1}]
    far.sendall(b": 2}\n")
    assert lines.receive() == [{"id": 2}]


def test_a_line_that_is_no_object_is_refused(pair: Pair) -> None:
    lines, far = pair
    far.sendall(b"[1]\n")
    with pytest.raises(ValueError, match="expected a JSON object"):
        lines.receive()


def test_a_peer_that_says_nothing_too_much_or_goodbye_is_a_broken_connection(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, far = pair
    with pytest.raises(ConnectionError, match="no answer in time"):
        lines.receive()
    monkeypatch.setattr(jsonlines, "MAX_LINE", 10)
    far.sendall(b"x" * 11)
    with pytest.raises(ConnectionError, match="a line of over 10 bytes"):
        lines.receive()
    far.close()
    with pytest.raises(ConnectionError, match="closed"):
        lines.receive()
    with pytest.raises(ConnectionError, match="takes nothing"):
        lines.send({"id": 1})


def _read_on(wire: SocketWire) -> None:
    while True:
        wire.read()


def test_a_socket_as_wire_never_waits_and_its_end_is_the_end_of_the_board() -> None:
    near, far = socket.create_server(("127.0.0.1", 0)), socket.socket()
    with near, far:
        far.connect(near.getsockname())
        accepted, _ = near.accept()
        with accepted:
            wire = SocketWire(accepted)
            assert wire.fileno() == accepted.fileno()
            assert wire.read() == b""
            assert wire.write(b"abc") == 3
            assert far.recv(10) == b"abc"
            while wire.write(b"x" * 65536):
                pass
            assert wire.write(b"x") == 0
            far.close()
            with pytest.raises(EOFError):
                _read_on(wire)
            wire.close()
            with pytest.raises(EOFError):
                wire.write(b"x")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows know no selector")
def test_pipes_as_wire_never_wait_and_their_end_is_the_end_of_the_board() -> None:
    (reading, far_out), (far_in, writing) = os.pipe(), os.pipe()
    process = SimpleNamespace(stdin=os.fdopen(writing, "wb", 0), stdout=os.fdopen(reading, "rb", 0))
    wire = StdioWire(process)  # type: ignore[arg-type]
    assert wire.fileno() == reading
    assert wire.read() == b""
    os.write(far_out, b"abc")
    assert wire.read() == b"abc"
    while wire.write(b"x" * 4096):
        pass
    assert wire.write(b"x") == 0
    os.close(far_in)
    os.close(far_out)
    with pytest.raises(EOFError):
        wire.write(b"x")
    with pytest.raises(EOFError):
        wire.read()
    wire.close()


def test_a_process_without_pipes_is_no_wire() -> None:
    with pytest.raises(ValueError, match="without pipes"):
        StdioWire(SimpleNamespace(stdin=None, stdout=None))  # type: ignore[arg-type]


def test_a_control_address_that_is_taken_is_refused_and_a_client_that_talks_nonsense_is_dropped() -> (
    None
):
    with selectors.DefaultSelector() as selector:
        heard: list[object] = []
        server = ControlServer("0", selector, lambda _, message: heard.append(message))
        try:
            host, _, port = server.address.rpartition(":")
            with pytest.raises(VirtualBoardError, match="Cannot listen for control"):
                ControlServer(port, selector, lambda _, __: None)
            with socket.create_connection((host, int(port))) as client:
                client.sendall(b'{"op": "status"}\n')
                _turn(selector, lambda: bool(heard))
                client.sendall(b"nonsense\n")
                _turn(selector, lambda: len(selector.get_map()) == 1)
                assert heard == [{"op": "status"}]
                assert client.recv(10) == b""
        finally:
            server.close()


def _turn(selector: selectors.BaseSelector, done: Callable[[], bool]) -> None:
    for _ in range(10):
        if done():
            return
        for key, _ in selector.select(5):
            key.data()
    raise AssertionError("nothing came")
