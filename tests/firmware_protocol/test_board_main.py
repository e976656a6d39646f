"""Restart after an exception, the watchdog, and the way out."""

import ast
import gc
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.board.firmware import firmware
from firmware_protocol.board import main
from firmware_protocol.board.pins import default_pins
from firmware_protocol.frames import Frame, FrameDecoder
from firmware_protocol.messages import (
    ARMED,
    CAN_MAINTENANCE,
    ECHOES_WHO,
    RESET_EXCEPTION,
    RESET_POWER,
    RESET_WATCHDOG,
    Arm,
    Hello,
    Log,
    Maintenance,
    Message,
    Ping,
    Pong,
    Replay,
    State,
    Who,
    decode,
    encode,
)
from firmware_protocol.virtual.machine import VirtualMachine
from firmware_protocol.virtual.world import WatchdogBite, World
from tests.firmware_protocol.bench import UID, BenchWire


class Stage:
    """The arguments that `run` is given, and what it did with them."""

    def __init__(self, reason: int = RESET_POWER) -> None:
        self.reason = reason
        self.world = World()
        self.wire = BenchWire(self.world)
        self.turns = 0
        self.on_turn: Callable[[int], None] = lambda _turn: None
        wait = self.wire.wait

        def waiting(ms: int) -> bool:
            self.turns += 1
            self.on_turn(self.turns)
            return wait(ms)

        self.wire.wait = waiting  # type: ignore[method-assign]
        self.keyboard: list[int] = []
        self.kbd_intr: Callable[[int], None] = self.keyboard.append
        self.boots = iter([11, 12, 13, 14, 15, 16])

    def run(self) -> None:
        pins = default_pins()
        machine = VirtualMachine(self.world, pins, UID)
        main.run(
            machine,
            self.world.ticks_us,
            self.wire,
            pins,
            self.kbd_intr,
            lambda: next(self.boots),
            self.reason,
        )

    def messages(self) -> list[tuple[Frame, Message | None]]:
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
    hellos = [
        (frame.boot_id, m.reset_reason) for frame, m in stage.messages() if isinstance(m, Hello)
    ]
    assert hellos == [(11, RESET_POWER), (12, RESET_EXCEPTION), (12, RESET_EXCEPTION)]
    logs = [message for _, message in stage.messages() if isinstance(message, Log)]
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
    stage = Stage(RESET_WATCHDOG)
    stage.on_turn = lambda turn: (
        stage.wire.inbox.extend(encode(Maintenance(), 11)) if turn == 2 else None
    )
    stage.run()
    assert [m.reset_reason for _, m in stage.messages() if isinstance(m, Hello)] == [RESET_WATCHDOG]


def failing_and_ended(stage: Stage, received: bytes) -> None:
    """Give the firmware bytes to read, fail three times, then interrupt it as a person would."""

    def act(turn: int) -> None:
        if turn == 1:
            stage.wire.inbox += received
        elif turn == 5:
            raise KeyboardInterrupt
        elif turn > 1:
            raise RuntimeError

    stage.on_turn = act
    with pytest.raises(KeyboardInterrupt):
        stage.run()


def test_byte_3_is_data_from_the_start_and_over_every_restart() -> None:
    stage = Stage()
    failing_and_ended(stage, encode(Who(), 0))
    assert set(stage.keyboard) == {-1}


def test_the_person_who_interrupts_is_told_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    failing_and_ended(Stage(), b"")
    assert capsys.readouterr().out == "restarted after RuntimeError: \n"


def trigger_held(reason: int = RESET_POWER) -> Stage:
    """A stage whose trigger is closed at the start."""
    stage = Stage(reason)
    stage.world.set_level("trigger", 1)
    return stage


def test_the_trigger_held_at_boot_leaves_the_keyboard_to_the_person_whatever_fails() -> None:
    stage = trigger_held()
    failing_and_ended(stage, b"")
    assert stage.keyboard == [3]


REPLAY = encode(Replay(1), 11)
DAMAGED = REPLAY[:-2] + bytes([REPLAY[-2] ^ 1, 0])


@pytest.mark.parametrize("reason", [RESET_POWER, RESET_WATCHDOG])
@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(b"AT\r\nATI\r\n", id="a modem is looked for"),
        pytest.param(DAMAGED, id="a damaged frame"),
        pytest.param(encode(Pong(1, 1, 1, 1, 1), 11), id="an echo of a board"),
        pytest.param(encode(Who(77), 0)[:-1], id="half a frame"),
    ],
)
def test_what_is_no_hosts_frame_leaves_the_keyboard_to_the_person(
    noise: bytes, reason: int
) -> None:
    stage = trigger_held(reason)

    def act(turn: int) -> None:
        if turn == 2:
            stage.wire.inbox += noise
        if turn == 9:
            raise KeyboardInterrupt

    stage.on_turn = act
    with pytest.raises(KeyboardInterrupt):
        stage.run()
    assert stage.keyboard == [3]


@pytest.mark.parametrize("reason", [RESET_POWER, RESET_WATCHDOG])
def test_the_first_frame_of_a_host_makes_byte_3_data_before_it_is_answered(reason: int) -> None:
    """A host says nothing with byte 0x03 in it until it is answered, and may say so within the same millisecond."""
    stage = trigger_held(reason)
    written: list[int] = []

    def kbd_intr(char: int) -> None:
        stage.keyboard.append(char)
        written.append(len(stage.wire.written))

    stage.kbd_intr = kbd_intr

    def act(turn: int) -> None:
        if turn == 3:
            written.append(len(stage.wire.written))
            stage.wire.inbox += encode(Who(77), 0)
        if turn == 20:
            stage.wire.inbox += encode(Maintenance(), 11)

    stage.on_turn = act
    stage.run()
    assert stage.keyboard == [3, -1, 3]
    _, when_asked, when_shut, _ = written
    assert when_shut == when_asked


def test_a_host_that_comes_back_finds_the_keyboard_shut_and_so_does_one_after_an_exception() -> (
    None
):
    stage = trigger_held()

    def act(turn: int) -> None:
        if turn in (3, 10):
            stage.wire.inbox += encode(Who(77), 0)
        if turn == 5:
            stage.world.advance(4_000_000)
        if turn == 15:
            raise RuntimeError
        if turn == 20:
            stage.wire.inbox += encode(Who(78), 0) + encode(Maintenance(), 12)

    stage.on_turn = act
    stage.run()
    assert stage.keyboard[0] == 3
    assert set(stage.keyboard[1:-1]) == {-1}
    assert stage.keyboard[-1] == 3


def test_maintenance_gives_the_keyboard_back() -> None:
    stage = Stage()
    stage.on_turn = lambda turn: (
        stage.wire.inbox.extend(encode(Maintenance(), 11)) if turn == 2 else None
    )
    stage.run()
    assert set(stage.keyboard[:-1]) == {-1}
    assert stage.keyboard[-1] == 3


def test_both_programs_that_the_chip_may_start_forbid_the_interrupt_first() -> None:
    for source in (Path(main.__file__).read_bytes(), firmware().main):
        statements = ast.parse(source).body[1:]
        first = statements[0].body if isinstance(statements[0], ast.If) else statements
        assert [ast.unparse(statement) for statement in first[:2]] == [
            "import micropython",
            "micropython.kbd_intr(-1)",
        ]


def test_after_a_bite_of_the_watchdog_only_the_link_runs_until_arm() -> None:
    stage = Stage(RESET_WATCHDOG)

    def act(turn: int) -> None:
        if turn == 2:
            stage.world.schedule([(0, "trigger", 1)])
            stage.wire.inbox += encode(Who(77), 0) + encode(Ping(5), 0)
        if turn == 10:
            stage.wire.inbox += encode(Arm(), 11)
        if turn == 100:
            stage.wire.inbox += encode(Who(78), 0)
        if turn == 110:
            stage.wire.inbox += encode(Maintenance(), 11)

    stage.on_turn = act
    stage.run()
    messages = [(frame.boot_id, message) for frame, message in stage.messages()]
    assert {boot_id for boot_id, _ in messages} == {11}
    hellos = [message for _, message in messages if isinstance(message, Hello)]
    assert [hello.who_id for hello in hellos] == [0, 77, 0, 78]
    assert {hello.reset_reason for hello in hellos} == {RESET_WATCHDOG}
    assert hellos[1].capabilities == CAN_MAINTENANCE | ECHOES_WHO
    assert [message.id for _, message in messages if isinstance(message, Pong)] == [5]
    states = [message for _, message in messages if isinstance(message, State)]
    assert any(state.flags & ARMED for state in states)


def test_a_firmware_that_hangs_at_every_start_still_gives_its_prompt_back() -> None:
    stage = Stage(RESET_WATCHDOG)
    stage.on_turn = lambda turn: (
        stage.wire.inbox.extend(encode(Maintenance(), 11)) if turn == 2 else None
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "firmware_protocol.board.app.App.__init__", lambda *_: pytest.fail("it would hang here")
        )
        stage.run()
    assert set(stage.keyboard[:-1]) == {-1}
    assert stage.keyboard[-1] == 3


PICO = "Raspberry Pi Pico with RP2040"


class Feeder:
    """A timer, running as long as somebody refers to it."""

    def __init__(self, callback: Callable[[object], None]) -> None:
        self.callback = callback


class Chip(VirtualMachine):
    """A machine module with a timer, whose firmware hears what `received` holds and is given back to a person."""

    def __init__(self, received: bytes, interrupt: bool) -> None:
        self.world = World()
        super().__init__(self.world, default_pins(), UID, cause=VirtualMachine.WDT_RESET)
        self.wire = BenchWire(self.world)
        self.wire.inbox += received
        self.keyboard: list[int] = []
        self.kept: list[object] = []
        self.feeder: Callable[[], Feeder | None] = lambda: None
        if interrupt:
            self.wire.wait = lambda *_: self.interrupt()  # type: ignore[assignment, method-assign]

    def interrupt(self) -> None:
        raise KeyboardInterrupt

    def Timer(self, number: int, period: int, callback: Callable[[object], None]) -> Feeder:  # noqa: N802
        assert number == -1, "the RP2040 has no timers by number"
        assert period < main.WATCHDOG_MS
        feeder = Feeder(callback)
        self.feeder = weakref.ref(feeder)
        return feeder

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fake = SimpleNamespace(
            kbd_intr=self.keyboard.append, alloc_emergency_exception_buf=lambda _size: None
        )
        monkeypatch.setitem(sys.modules, "micropython", fake)
        monkeypatch.setitem(sys.modules, "machine", self)
        monkeypatch.setitem(
            sys.modules, "firmware_protocol.board.chip", SimpleNamespace(Chip=lambda _adc: self)
        )
        monkeypatch.setattr("time.ticks_us", self.world.ticks_us, raising=False)
        monkeypatch.setattr("firmware_protocol.board.wire.StdioWire", lambda *_: self.wire)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=None))
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=None))
        monkeypatch.setattr(
            sys,
            "implementation",
            SimpleNamespace(_machine=PICO, cache_tag=sys.implementation.cache_tag),
        )
        monkeypatch.setattr(main, "random_boot_id", lambda: 11)
        monkeypatch.setattr(main, "KEPT", self.kept)


@pytest.mark.parametrize("interrupt", [False, True], ids=["maintenance", "ctrl-c"])
def test_the_entry_on_the_chip_gives_the_repl_back_with_the_watchdog_fed(
    monkeypatch: pytest.MonkeyPatch, interrupt: bool
) -> None:
    chip = Chip(encode(Maintenance(), 11), interrupt)
    with monkeypatch.context() as patch:
        chip.install(patch)
        main.start()
    (frame, *_) = FrameDecoder().feed(bytes(chip.wire.written))
    hello = decode(frame)
    assert isinstance(hello, Hello)
    assert (hello.board, hello.reset_reason) == ("Raspberry Pi Pico with RP2040", RESET_WATCHDOG)
    assert chip.keyboard[-1] == 3
    gc.collect()
    feeder = chip.feeder()
    assert feeder is not None
    for _ in range(10):
        chip.world.advance(1_000_000)
        feeder.callback(None)


def test_a_random_boot_id_is_16_bit_and_never_0(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= main.random_boot_id() <= 0xFFFF
    monkeypatch.setattr("os.urandom", bytes)
    assert main.random_boot_id() == 1
