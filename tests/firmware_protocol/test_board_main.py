"""Restart after an exception, the watchdog, and the way out."""

from collections.abc import Callable

import pytest

from firmware_protocol.board import main
from firmware_protocol.board.pins import default_pins
from firmware_protocol.frames import Frame, FrameDecoder
from firmware_protocol.messages import (
    RESET_EXCEPTION,
    RESET_POWER,
    RESET_WATCHDOG,
    Hello,
    Log,
    Maintenance,
    Message,
    Who,
    decode,
    encode,
)
from firmware_protocol.virtual.machine import VirtualMachine
from firmware_protocol.virtual.world import WatchdogBite, World
from tests.firmware_protocol.bench import UID, BenchWire


class Stage:
    """What `run` is given, and what came out."""

    def __init__(self) -> None:
        self.world = World()
        self.wire = BenchWire(self.world)
        self.turns = 0
        self.on_turn: Callable[[int], None] = lambda _turn: None
        wait = self.wire.wait

        def waiting(ms: int) -> None:
            self.turns += 1
            self.on_turn(self.turns)
            wait(ms)

        self.wire.wait = waiting  # type: ignore[method-assign]
        self.boots = iter([11, 12, 13, 14, 15, 16])

    def run(self, reason: int = RESET_POWER) -> None:
        pins = default_pins()
        machine = VirtualMachine(self.world, pins, UID)
        main.run(machine, self.world.ticks_us, self.wire, pins, lambda _: None, lambda: next(self.boots), reason)

    def said(self) -> list[tuple[Frame, Message | None]]:
        return [(frame, decode(frame)) for frame in FrameDecoder().feed(bytes(self.wire.written))]


def test_after_an_exception_the_board_is_back_with_a_new_boot_id_and_says_why() -> None:
    stage = Stage()

    def act(turn: int) -> None:
        if turn == 3:
            raise RuntimeError("a cosmic ray")
        if turn == 5:
            stage.wire.inbox += encode(Who(), 0)
        if turn == 7:
            stage.wire.inbox += encode(Maintenance(), 12)

    stage.on_turn = act
    stage.run()
    hellos = [(frame.boot_id, m.reset_reason) for frame, m in stage.said() if isinstance(m, Hello)]
    assert hellos == [(11, RESET_POWER), (12, RESET_EXCEPTION), (12, RESET_EXCEPTION)]
    logs = [message for _, message in stage.said() if isinstance(message, Log)]
    assert logs == [Log(b"restarted after RuntimeError: a cosmic ray")]


def test_the_boards_time_goes_on_over_a_restart() -> None:
    stage = Stage()

    def act(turn: int) -> None:
        if turn == 1:
            stage.world.advance(4_000_000)
            raise RuntimeError
        if turn == 3:
            stage.wire.inbox += encode(Maintenance(), 12)

    stage.on_turn = act
    stage.run()
    assert stage.world.now_us() > 4_000_000


def test_a_firmware_that_fails_in_every_turn_is_reset_by_the_watchdog() -> None:
    stage = Stage()

    def act(_turn: int) -> None:
        stage.world.advance(1_000_000)
        raise RuntimeError

    stage.on_turn = act
    with pytest.raises(WatchdogBite):
        stage.run()


def test_a_main_loop_that_hangs_is_reset_by_the_watchdog() -> None:
    stage = Stage()

    def act(turn: int) -> None:
        while turn == 5:
            stage.world.ticks_us()
            stage.world.advance(1000)

    stage.on_turn = act
    with pytest.raises(WatchdogBite):
        stage.run()
    assert stage.turns == 5


def test_the_reset_reason_given_is_published() -> None:
    stage = Stage()
    stage.on_turn = lambda turn: stage.wire.inbox.extend(encode(Maintenance(), 11)) if turn == 2 else None
    stage.run(RESET_WATCHDOG)
    assert [m.reset_reason for _, m in stage.said() if isinstance(m, Hello)] == [RESET_WATCHDOG]


def test_a_random_boot_id_is_16_bit_and_never_0(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= main.random_boot_id() <= 0xFFFF
    monkeypatch.setattr("os.urandom", bytes)
    assert main.random_boot_id() == 1
