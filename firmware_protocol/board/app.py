"""The firmware's main loop: inputs into the ring, the ring onto the wire, the host's requests carried out.

Everything it touches is passed in, so tests drive it with their own pins, time and wire.
"""

import gc
import struct

from firmware_protocol.board import FIRMWARE
from firmware_protocol.board.clock import Clock, const
from firmware_protocol.board.collecting import collect
from firmware_protocol.board.inputs import Inputs
from firmware_protocol.board.link import Link
from firmware_protocol.board.outputs import Outputs
from firmware_protocol.board.packing import Packer
from firmware_protocol.board.pins import OUTPUTS, PinMap
from firmware_protocol.board.ring import RING_SIZE, EventRing
from firmware_protocol.board.settings import Settings
from firmware_protocol.frames import HEADER_SIZE, MAX_BODY, Frame, FrameError
from firmware_protocol.messages import (
    ARMED,
    CAN_CUE,
    CAN_MAINTENANCE,
    ECHOES_WHO,
    HAS_HIT_SENSOR,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    SAYS_SETTLED,
    SHOWS_HITS,
    UNMUTED,
    Ack,
    Arm,
    Config,
    Cue,
    CueDone,
    Hello,
    Log,
    Maintenance,
    Message,
    Overrun,
    Ping,
    Replay,
    Show,
    Standby,
    State,
    Stats,
    Who,
    decode,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import Pin, Wire, WiredMachine

TICKS_MASK = const(0x3FFFFFFF)
STATS_US = const(10_000_000)
# How often, and for how long after the last events, SETTLED is sent: a tap waits for it, and a shot for the one after
# its window of 30 ms.
SETTLED_US = const(10_000)
FOLLOW_US = const(50_000)
LOOP_MS = const(1)
# A garbage collection takes some 11 ms. Events of contacts allocate nothing; a hit, or a message read or sent as an
# object, leaves up to 2 kB, and 115 kB are free. The fuller the heap, the longer an allocation takes: after 60 hits
# without a collection a press takes 24 ms.
TIDY_AFTER = const(24)
# At this much the collection waits for no pause: without it hits were lost after some sixty waves of a kilobyte each.
TIDY_ANYWAY = const(40)
WAVE_LITTERS = 2
# This long after the last events the table is quiet. Garbage is then collected soon: if it stays, everything that
# follows is slower, up to hits whose samples are overwritten before they are read.
QUIET_US = const(500_000)
# How often the board of a quiet table does what need not be done in each turn (`_keep`).
KEEP_US = const(16_000)
# A turn that has already lasted this long leaves `_keep` to the next turn, which then does it in any case.
LATE_US = const(2000)
MAX_NOTES = 8
PING, ACK = Ping.KIND, Ack.KIND
# CPython has no such count: `int()` returns 0, "unknown".
mem_free = getattr(gc, "mem_free", int)
HELLO_CHANGING = struct.calcsize("<BBQBH")


class App:
    """One run of the firmware, from boot to reset; `boot_id` is never 0.

    `armed` means that ARM was already received. `host_came` is called when a host begins to talk, before it is
    answered. `ring` holds what the host does not have on disk yet; `link` is the transport.
    """

    def __init__(
        self,
        machine: "WiredMachine",
        clock: Clock,
        wire: "Wire",
        pins: PinMap,
        boot_id: int,
        reset_reason: int,
        board: str = "",
        ring_size: int = RING_SIZE,
        armed: bool = False,
        host_came: "Callable[[], object] | None" = None,
    ) -> None:
        self.maintenance = False
        self._clock = clock
        self._pins = pins
        self._board = board
        self._uid = int.from_bytes(machine.unique_id(), "big")
        self._reset_reason = reset_reason
        self._settings = Settings()
        packer = Packer(boot_id, clock)
        self.ring = EventRing(ring_size, packer, clock)
        self.link = Link(wire, clock, self.ring, packer, boot_id, host_came)
        # The outputs first: creating the inputs mutes every GPIO that is not an input.
        self._outputs = Outputs(tuple([_output(machine, pins, name) for name in OUTPUTS]), clock)
        self._inputs = Inputs(machine, pins, clock, self._settings, self.ring.put_event, self._lose)
        # Bound methods, created once: each new one would allocate memory in each turn.
        self._taker = self._take
        self._wait, self._source, self._collect = wire.wait, clock.source, self._inputs.collect
        self._arm_waits = armed
        self._held, self._armed = self._inputs.held, False
        # The number of messages that were objects; and of these and the hits, as of the last collection.
        self._objects = self._tidied = 0
        self._notes: list[str] = []
        self._notes_lost = 0
        self._stats_said = (clock.ticks() - STATS_US) & TICKS_MASK
        # Counted again after each collection.
        self._free = mem_free()
        self._counts = False
        # While `_following`, SETTLED is sent now and then; the last events went out at `_events_went`.
        self._following = False
        self._put_off = False
        self._events_went = self._settled_said = self._kept = 0
        self._hello = bytearray(self._make_hello().body())
        if machine.fault:
            self.note(machine.fault)
        self._put_state(0)
        self._send_hello()

    def note(self, text: str) -> None:
        """Send the host a sentence once one listens; too many are only counted."""
        if len(self._notes) < MAX_NOTES:
            self._notes.append(text)
        else:
            self._notes_lost += 1

    def step(self) -> None:
        """Run one turn of the main loop."""
        link = self.link
        link.stalled = False
        ready = link.rest or self._wait(LOOP_MS)
        ticks = self._source() & TICKS_MASK
        following = self._following
        # Input from the host comes first: a turn must be short, so SETTLED may wait twice as long.
        settles = following and (ticks - self._settled_said) & TICKS_MASK >= (
            2 * SETTLED_US if ready else SETTLED_US
        )
        self._collect(ticks, settles)
        if self.ring.held and link.asked and not link.in_flight and link.pump(ticks):
            # The host is answered in the next turn, which keeps this one short.
            ready = False
            self._following = True
            self._events_went = ticks
        if settles:
            self._send_settled(ticks)
        heard = ready and link.receive(self._taker)
        if self._outputs.on:
            self._outputs.step(self._clock.now_us())
        if link.rest:
            pass  # bytes of the host are waiting: answer them before anything else
        elif heard and not self._put_off and (self._source() - ticks) & TICKS_MASK >= LATE_US:
            self._put_off = True
        elif heard or following or self.ring.held or (ticks - self._kept) & TICKS_MASK >= KEEP_US:
            self._put_off = False
            self._keep(ticks)

    def _tidy(self, ticks: int) -> None:
        """Collect garbage, if possible while nothing is going on: among events it delays them."""
        litter = self._inputs.hits + self._objects - self._tidied
        if litter < TIDY_AFTER and not self._counts:
            return
        is_quiet = (ticks - self._events_went) & TICKS_MASK >= QUIET_US
        if litter >= (TIDY_AFTER if is_quiet else TIDY_ANYWAY):
            self._tidied += litter
            collect()
            self._counts = True
        elif self._counts and is_quiet:
            self._count()

    def _count(self) -> None:
        """Count the memory that a collection left; this takes 8 ms, so it gets a turn of its own.

        TinyUSB keeps 16 events. While a packet for the host waits, each millisecond is one, and a full queue drops what
        the host sent.
        """
        self._counts = False
        self._free = mem_free()

    def _keep(self, ticks: int) -> None:
        """Do what need not be done in each turn of a quiet table."""
        self._kept = self._clock.look()
        link = self.link
        if self._arm_waits and self._counts:
            # Nobody plays yet, so the time is free; the rest is left to the next turn.
            self._count()
            self._kept = (ticks - KEEP_US) & TICKS_MASK
            return
        held = self._held
        if held is not None and held.due:
            if held.step(self._kept):
                self._stats_said = (ticks - STATS_US) & TICKS_MASK
        elif self._arm_waits and self.ring.has_room():
            self._arm_waits = False
            self._armed = True
            # The start and ARM's own work are no turns of the game: the next STATS must not contain them.
            self._inputs.longest_turn_us = 0
            self._stats_said = (ticks - STATS_US) & TICKS_MASK
            self._inputs.tell_muted(self.ring.oldest_seq())
            self._put_state(ARMED)
        if link.look(ticks):
            if self.ring.held and link.pump(ticks):
                self._following = True
                self._events_went = ticks
            if self._notes or self._notes_lost:
                self._send_note()
            if (ticks - self._stats_said) & TICKS_MASK >= STATS_US:
                self._send_stats(ticks)
            else:
                self._tidy(ticks)

    def close(self) -> None:
        """Stop stamping and switch the outputs off."""
        self._inputs.stop()
        self._outputs.off()

    def _lose(self, source: int, count: int, first_us: int, last_us: int) -> int:
        self._objects += 1
        seq = self.ring.next_seq
        self.ring.put(Overrun(source, count, first_us, last_us), last_us)
        if source >= UNMUTED:
            self._put_state(0)
        return seq

    def _put_state(self, flags: int) -> None:
        self._objects += 1
        now_us = self._clock.now_us()
        self.ring.put(State(flags, self._inputs.levels(), now_us), now_us)

    def _take(self, kind: int, boot_id: int, data: bytearray, end: int) -> None:
        """Process a frame; the frequent kinds are read without a message object and allocate nothing."""
        if kind == PING and end >= HEADER_SIZE + 2:
            self._inputs.collect(self._clock.look(), True)
            self.link.send_pong(
                data[HEADER_SIZE] | data[HEADER_SIZE + 1] << 8, self._inputs.settled()
            )
        elif kind == ACK and end >= HEADER_SIZE + 4:
            if boot_id == self.link.boot_id:
                self._acknowledge(data[7] | data[8] << 8 | data[9] << 16 | data[10] << 24)
        else:
            self._handle(Frame(kind, boot_id, 0, bytes(data[HEADER_SIZE:end])))

    def _handle(self, frame: Frame) -> None:
        self._objects += 1
        try:
            message = decode(frame)
        except FrameError as error:
            self.note(f"ignored a frame: {error}")
            return
        if message is None:
            self.note(
                f"ignored a frame of kind 0x{frame.kind:02x}, which firmware {FIRMWARE} does not know"
            )
        elif frame.boot_id == self.link.boot_id or isinstance(message, Who):
            self._obey(message)

    def _obey(self, message: Message) -> None:
        if isinstance(message, Who):
            self._send_hello(message.id)
        elif isinstance(message, Replay):
            self.link.replay(message.seq)
        elif isinstance(message, Config):
            self._configure(message)
        elif isinstance(message, Arm):
            # Collect the start's garbage now, before the first event.
            collect()
            self._counts = True
            self._stats_said = (self._clock.ticks() - STATS_US) & TICKS_MASK
            self._inputs.resume()
            held = self._held
            if held is not None and not (held.due or self._armed):
                # Events before ARMED do not count, so nothing is lost while the pin is tested.
                held.test(False, 0)
            self._arm_waits = True
        elif isinstance(message, Standby):
            self._standby()
        elif isinstance(message, Cue):
            self._cue(message)
        elif isinstance(message, (Maintenance, Show)):
            self._serve(message)

    def _serve(self, message: "Maintenance | Show") -> None:
        if isinstance(message, Show):
            self.link.send(self._inputs.wave())
            self._objects += WAVE_LITTERS
        else:
            self.maintenance = True

    def _configure(self, config: Config) -> None:
        try:
            self._settings.apply(config)
        except ValueError as error:
            self.note(f"refused a CONFIG: {error}")
        self._inputs.reconsider()
        self._send_hello()

    def _acknowledge(self, seq: int) -> None:
        if seq < self.ring.next_seq:
            self.link.acknowledge(seq)
        else:
            self.note(f"ignored an ACK of {seq}: the next number is {self.ring.next_seq}")

    def _standby(self) -> None:
        self._inputs.stop()
        self._arm_waits = self._armed = self._following = False
        self.ring.clear()
        self.link.rewind()
        self._send_hello()

    def _cue(self, cue: Cue) -> None:
        t_us = self._outputs.switch_on(cue.output, cue.ms)
        if t_us < 0:
            self.note(f"CUE {cue.id}: there is no output {cue.output}")
        else:
            self.link.send(CueDone(cue.id, t_us))

    def _send_hello(self, who_id: int = 0) -> None:
        # The body is built once; only the fields that change are rewritten.
        hello, ring = self._hello, self.ring
        oldest, crc = ring.oldest_seq(), self._settings.crc
        struct.pack_into("<IHII", hello, HELLO_CHANGING, crc, ring.size, oldest, ring.next_seq)
        struct.pack_into("<H", hello, len(hello) - 2, who_id)
        self.link.send_body(Hello.KIND, hello)

    def _make_hello(self) -> Hello:
        capabilities = CAN_MAINTENANCE | ECHOES_WHO | SAYS_SETTLED
        if self._outputs.has_any():
            capabilities |= CAN_CUE
        if "hit" in self._pins:
            capabilities |= HAS_HIT_SENSOR
            if self._pins.adc("hit") is not None:
                capabilities |= SHOWS_HITS
        return Hello(
            PROTOCOL_MAJOR,
            PROTOCOL_MINOR,
            self._uid,
            self._reset_reason,
            capabilities,
            self._settings.crc,
            self.ring.size,
            self.ring.oldest_seq(),
            self.ring.next_seq,
            max(self._pins.stamp_errors_us, default=0),
            FIRMWARE,
            self._board,
            self._pins.channels,
            self._pins.stamp_errors_us,
        )

    def _send_settled(self, ticks: int) -> None:
        self._settled_said = ticks
        self._following = (ticks - self._events_went) & TICKS_MASK < FOLLOW_US
        self.link.send_settled(self._inputs.settled())

    def _send_note(self) -> None:
        self._objects += 1
        if self._notes:
            if self.link.send(Log(clip(self._notes[0]))):
                self._notes.pop(0)
        elif self._notes_lost and self.link.send(
            Log(f"{self._notes_lost} more lines were lost".encode())
        ):
            self._notes_lost = 0

    def _send_stats(self, ticks: int) -> None:
        self._stats_said = ticks
        self._objects += 1
        now_us = self._clock.now_us()
        longest = min(self._inputs.longest_turn_us, 0xFFFF)
        link = self.link
        uptime_s = now_us // 1_000_000
        found = () if self._held is None else self._held.result
        link.send(
            Stats(
                link.bad_frames,
                link.resends,
                self.ring.high_water,
                longest,
                uptime_s,
                self._free,
                *found,
            )
        )


def clip(text: str) -> bytes:
    """Return as much of the text's UTF-8 as fits into a LOG."""
    raw = text.encode()
    end = min(len(raw), MAX_BODY)
    # Back to the start of a character: continuation bytes are 10xxxxxx.
    while end < len(raw) and raw[end] & 0xC0 == 0x80:
        end -= 1
    return raw[:end]


def _output(machine: "WiredMachine", pins: PinMap, name: str) -> "Pin | None":
    return machine.Pin(pins.pin(name), machine.Pin.OUT) if name in pins else None
