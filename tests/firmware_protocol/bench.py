"""The firmware on a bench: pins, time and wire are ours, time is virtual. In the dialect: MicroPython runs it too."""

from firmware_protocol.board.app import App
from firmware_protocol.board.clock import Clock
from firmware_protocol.board.pins import PinMap, default_pins
from firmware_protocol.board.ring import SLOT_SIZE
from firmware_protocol.frames import Frame, FrameDecoder
from firmware_protocol.messages import Event, Message, State, decode, encode
from firmware_protocol.virtual.machine import VirtualMachine
from firmware_protocol.virtual.world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BOOT = 0x1234
TRIGGER_ONLY = {"trigger": {"pin": 2, "active": 0}}
UID = 0xE660112233445566


class BenchWire:
    """The wire to a scripted host; waiting lets the world's time pass, at least `stride_us` at a time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.stride_us = 1000
        self.inbox = bytearray()
        self.written = bytearray()
        self.writes_us: list[int] = []

    def wait(self, ms: int) -> bool:
        if not self.inbox:
            self.world.advance(max(ms * 1000, self.stride_us))
        return bool(self.inbox)

    def read(self, into: bytearray) -> int:
        data = self.inbox[: len(into)]
        self.inbox = self.inbox[len(into) :]
        into[: len(data)] = data
        return len(data)

    def write(self, data: "bytes | memoryview") -> None:
        self.writes_us.append(self.world.now_us())
        self.written += data


class Bench:
    """One firmware, its world, and a host that says only what the test makes it say.

    With `circuit`, what holds the hit sensor's pin, the firmware tests that; else it samples from the first instant.
    """

    def __init__(
        self,
        pins: "PinMap | None" = None,
        ring_size: int = 512,
        start_us: int = 0,
        reason: int = 0,
        read_cost_us: int = 2,
        now_us: "Callable[[], int] | None" = None,
        circuit: str = "",
    ) -> None:
        self.world = World(now_us, start_us, read_cost_us)
        self.wire = BenchWire(self.world)
        self.pins = pins or default_pins()
        if not circuit and "hit" in self.pins:
            # No test of what holds its pin: hits count from the first instant.
            self.pins.always_samples = True
        self.machine = VirtualMachine(self.world, self.pins, UID, circuit=circuit or "piezo")
        self.clock = Clock(self.world.ticks_us)
        self._decoder = FrameDecoder()
        self._ring_size = ring_size
        self.app = self.boot(reason)

    def boot(self, reason: int = 0) -> App:
        """Start the firmware on this bench."""
        self.app = App(
            self.machine,
            self.clock,
            self.wire,
            self.pins,
            BOOT,
            reason,
            "bench",
            self._ring_size,
        )
        return self.app

    def send(self, message: Message, boot_id: int = BOOT) -> None:
        """The host says something; the board hears it in its next turn."""
        self.wire.inbox += encode(message, boot_id)

    def run_ms(self, ms: int) -> None:
        """Turn the main loop for so many milliseconds."""
        end_us = self.world.now_us() + ms * 1000
        while self.world.now_us() < end_us:
            self.app.step()

    def script(self, edges: "list[tuple[int, str, int]]") -> int:
        """Schedule the edges; return the time that their dts count from."""
        return self.world.schedule(edges)

    def frames(self) -> "list[Frame]":
        """Return the frames the board wrote since the last call."""
        data = bytes(self.wire.written)
        self.wire.written = bytearray()
        self.wire.writes_us = []
        return self._decoder.feed(data)

    def messages(self) -> "list[Message]":
        """Return the messages the board wrote since the last call."""
        messages: list[Message] = []
        for frame in self.frames():
            message = decode(frame)
            if message is not None:
                messages.append(message)
        return messages

    def stored(self) -> "list[tuple[int, Message]]":
        """Return the sequence number and message of everything in the ring."""
        rows: list[tuple[int, Message]] = []
        ring = self.app.ring
        for index in range(ring.held):
            target = bytearray(SLOT_SIZE)
            (frame,) = FrameDecoder().feed(bytes(target[: ring.gather(index, 1, target)]))
            message = decode(frame)
            assert message is not None
            rows.append((ring.seq(index), message))
        return rows

    def events(self) -> "list[Event]":
        """Return the events in the ring, by their stamp."""
        events = [message for _, message in self.stored() if isinstance(message, Event)]
        return sorted(events, key=lambda event: event.t_us)

    def states(self) -> "list[State]":
        """Return the states in the ring."""
        return [message for _, message in self.stored() if isinstance(message, State)]


def bouncing(
    at_us: int, name: str, level: int, bounces_us: "list[int]"
) -> "list[tuple[int, str, int]]":
    """Return an edge to `level` at `at_us` that flips at each of `bounces_us` after it and then settles at `level`."""
    rows = [(at_us, name, level)]
    now = level
    for bounce_us in bounces_us:
        now = 1 - now
        rows.append((at_us + bounce_us, name, now))
    if now != level:
        rows.append((at_us + (bounces_us[-1] if bounces_us else 0) + 60, name, level))
    return rows
