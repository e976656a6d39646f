"""The table of messages: the fields and the layout of each kind of frame. PROTOCOL.md gives the reasons.

Runs under CPython and MicroPython. All numbers are little-endian; times end in `_us` and are the board's 64-bit
microsecond counter since its boot.
"""

import struct

from firmware_protocol.frames import Frame, FrameError, encode_frame

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 1

# Flags of an EVENT.
PRESSED = 0x01  # the edge: set = press (or hit), clear = release
MASKED = 0x02  # within the mask time of the previous hit
BELOW_THRESHOLD = 0x04  # a candidate whose peak did not reach the threshold
LATE = 0x08  # its own edge was lost in an OVERRUN: stamped when the level was found changed
GLITCH = 0x10  # the level was back within the glitch time
UNREAD = 0x20  # a hit whose samples were overwritten before they were read: its peak is unknown

# Flags of a STATE.
ARMED = 0x01  # the answer to ARM: the session's events count from `t_us` on

# Reset reasons in HELLO.
RESET_POWER = 0
RESET_WATCHDOG = 1
RESET_EXCEPTION = 2
RESET_REQUEST = 3

# Sources of an OVERRUN: words that were lost, or a test of the hit sensor's pin; or, added to a channel's number, an
# input that was muted for noise or counts again.
EDGES = 0
SAMPLES = 1
TESTED = 2
MUTED = 0x20
UNMUTED = 0x40

# Capabilities in HELLO.
CAN_CUE = 0x0001
CAN_MAINTENANCE = 0x0002
HAS_HIT_SENSOR = 0x0004
SHOWS_HITS = 0x0020
ECHOES_WHO = 0x0008
SAYS_SETTLED = 0x0010

# What is connected to the hit sensor's analog pin, in STATS.
HIT_UNTESTED = 0  # not tested (yet), or there is no such pin
HIT_OPEN = 1  # nothing: the pin follows the chip's pull-up and its pull-down
HIT_RESISTOR = 2  # a resistor, or something that drives the pin
HIT_PIEZO = 3  # a piezo with a resistor across it: it takes time to charge

# Roles of a channel, as HELLO's channel table gives them.
ROLE_TRIGGER = 1
ROLE_HIT = 2
ROLE_ZONE = 3
ROLE_PLUG = 4


class Channel:
    """One row of HELLO's channel table: number on the wire, role, index within the role, level while pressed."""

    __slots__ = ("active_level", "id", "index", "role")

    def __init__(self, id: int, role: int, index: int, active_level: int) -> None:  # noqa: A002
        self.id = id
        self.role = role
        self.index = index
        self.active_level = active_level

    @property
    def name(self) -> str:
        """The channel's name: `trigger`, `hit`, `zone-1` ... `zone-10`, `plug`."""
        if self.role == ROLE_ZONE:
            return f"zone-{self.index}"
        return {ROLE_TRIGGER: "trigger", ROLE_HIT: "hit", ROLE_PLUG: "plug"}.get(
            self.role, f"channel-{self.id}"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Channel) and self.row() == other.row()

    def __hash__(self) -> int:
        return hash(self.row())

    def __repr__(self) -> str:
        return f"Channel{self.row()!r}"

    def row(self) -> "tuple[int, int, int, int]":
        """Return the four numbers as HELLO packs them."""
        return (self.id, self.role, self.index, self.active_level)


class Message:
    """A message: its fields in the order of `FIELDS`, packed as `LAYOUT`; `NUMBERED` kinds carry a seq."""

    KIND = 0
    NAME = ""
    LAYOUT = "<"
    FIELDS: "tuple[str, ...]" = ()
    NUMBERED = False

    def body(self) -> bytes:
        """Return the body's bytes; raise `FrameError` if a field does not fit its layout."""
        try:
            return struct.pack(self.LAYOUT, *[getattr(self, field) for field in self.FIELDS])
        except (struct.error, OverflowError, ValueError, TypeError) as error:
            raise FrameError(f"{self.NAME}: a field does not fit: {error}") from error

    @classmethod
    def from_body(cls, body: bytes) -> "Message":
        """Read a body; a longer one is from a newer minor version, and its tail is ignored."""
        size = struct.calcsize(cls.LAYOUT)
        if len(body) < size:
            raise FrameError(f"{cls.NAME}: {len(body)} bytes, expected at least {size}")
        return cls(*struct.unpack(cls.LAYOUT, body[:size]))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Message) and self.KIND == other.KIND and self.body() == other.body()
        )

    def __hash__(self) -> int:
        return hash((self.KIND, self.body()))

    def __repr__(self) -> str:
        fields = ", ".join([f"{field}={getattr(self, field)!r}" for field in self.FIELDS])
        return f"{self.NAME}({fields})"


class Hello(Message):
    """The board's identity; sent at boot and in answer to WHO.

    `stamp_errors_us` is the largest error of a stamp at the pin, for each channel in the order of the table; two stamps
    closer than their errors are a tie. `stamp_error_us` is the largest of them all. `who_id` is that of the WHO
    answered, 0 if there was none.
    """

    KIND = 0x81
    NAME = "HELLO"
    LAYOUT = "<BBQBHIHIIH"
    FIELDS = (
        "major",
        "minor",
        "uid",
        "reset_reason",
        "capabilities",
        "config_crc",
        "ring_size",
        "oldest_seq",
        "next_seq",
        "stamp_error_us",
    )

    def __init__(
        self,
        major: int,
        minor: int,
        uid: int,
        reset_reason: int,
        capabilities: int,
        config_crc: int,
        ring_size: int,
        oldest_seq: int,
        next_seq: int,
        stamp_error_us: int,
        firmware: str = "",
        board: str = "",
        channels: "tuple[Channel, ...]" = (),
        stamp_errors_us: "tuple[int, ...]" = (),
        who_id: int = 0,
    ) -> None:
        self.major = major
        self.minor = minor
        self.uid = uid
        self.reset_reason = reset_reason
        self.capabilities = capabilities
        self.config_crc = config_crc
        self.ring_size = ring_size
        self.oldest_seq = oldest_seq
        self.next_seq = next_seq
        self.stamp_error_us = stamp_error_us
        self.firmware = firmware
        self.board = board
        self.channels = tuple(channels)
        self.stamp_errors_us = tuple(stamp_errors_us)
        self.who_id = who_id

    def error_us(self, channel_id: int) -> int:
        """Return the error of a channel's stamps; a board of version 1.0 has one for all channels."""
        for channel, error_us in zip(self.channels, self.stamp_errors_us):  # noqa: B905 - MicroPython's has no strict
            if channel.id == channel_id:
                return error_us
        return self.stamp_error_us

    def body(self) -> bytes:
        """Return the fixed fields, two length-prefixed UTF-8 strings, a counted table of four-byte channels, their
        errors, and the id of the WHO."""
        out = bytearray(super().body())
        for text in (self.firmware, self.board):
            raw = text.encode()
            out.append(len(raw))
            out += raw
        out.append(len(self.channels))
        for channel in self.channels:
            out += bytes(channel.row())
        for channel in self.channels:
            out += struct.pack("<H", self.error_us(channel.id))
        out += struct.pack("<H", self.who_id)
        return bytes(out)

    @classmethod
    def from_body(cls, body: bytes) -> "Hello":
        """Read a HELLO of any major version whose fixed part is whole; raise `FrameError` otherwise."""
        at = struct.calcsize(cls.LAYOUT)
        try:
            fixed = struct.unpack(cls.LAYOUT, body[:at])
            firmware, at = _text(body, at)
            board, at = _text(body, at)
            rows = [body[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(body[at])]
            channels = [Channel(*row) for row in rows]
            at += 1 + 4 * len(channels)
            # A board of version 1.0 ends here.
            known = len(channels) if len(body) >= at + 2 * len(channels) else 0
            errors = struct.unpack("<" + "H" * known, body[at : at + 2 * known])
            at += 2 * len(channels)
            who_id = struct.unpack("<H", body[at : at + 2])[0] if len(body) >= at + 2 else 0
        except (struct.error, ValueError, IndexError, TypeError) as error:
            raise FrameError(f"HELLO: {error}") from error
        hello = cls(*fixed)
        hello.firmware, hello.board, hello.channels, hello.stamp_errors_us = (
            firmware,
            board,
            tuple(channels),
            errors,
        )
        hello.who_id = who_id
        return hello


def _text(body: bytes, at: int) -> "tuple[str, int]":
    end = at + 1 + body[at]
    if end > len(body):
        raise FrameError("HELLO: a text runs past the end")
    return body[at + 1 : end].decode(), end


class Event(Message):
    """An edge on a channel, stamped by the hardware.

    A release has in `bounces` the bounces since the press; a hit has its pulse width in us there. `peak` is the hit's
    highest sample; 0 for contacts, without an ADC, and with the flag UNREAD.
    """

    KIND = 0x82
    NAME = "EVENT"
    LAYOUT = "<BBQHH"
    FIELDS = ("channel", "flags", "t_us", "bounces", "peak")
    NUMBERED = True

    def __init__(
        self, channel: int, flags: int, t_us: int, bounces: int = 0, peak: int = 0
    ) -> None:
        self.channel = channel
        self.flags = flags
        self.t_us = t_us
        self.bounces = bounces
        self.peak = peak


class State(Message):
    """The level of all channels at `t_us`: bit n of `levels` is set while channel n is pressed."""

    KIND = 0x83
    NAME = "STATE"
    LAYOUT = "<BHQ"
    FIELDS = ("flags", "levels", "t_us")
    NUMBERED = True

    def __init__(self, flags: int, levels: int, t_us: int) -> None:
        self.flags = flags
        self.levels = levels
        self.t_us = t_us


class Gap(Message):
    """Events that a full ring refused: `count` numbers from `first_seq`, stamped `first_us` to `last_us`."""

    KIND = 0x84
    NAME = "GAP"
    LAYOUT = "<IIQQ"
    FIELDS = ("first_seq", "count", "first_us", "last_us")
    NUMBERED = True

    def __init__(self, first_seq: int, count: int, first_us: int, last_us: int) -> None:
        self.first_seq = first_seq
        self.count = count
        self.first_us = first_us
        self.last_us = last_us


class Overrun(Message):
    """Raw words that were overwritten before the board read them: at least `count`, from `first_us` to `last_us`.

    `source` is EDGES (records of all levels) or SAMPLES (of the hit sensor); TESTED, if the hit sensor's pin was tested
    meanwhile; a channel's number plus MUTED: `count` edges from `first_us` to `last_us` were noise, and from there on
    nothing is known of the input; or plus UNMUTED: the input was muted from `first_us` to `last_us`, was found noisy
    `count` times meanwhile, and counts again.
    """

    KIND = 0x89
    NAME = "OVERRUN"
    LAYOUT = "<BIQQ"
    FIELDS = ("source", "count", "first_us", "last_us")
    NUMBERED = True

    def __init__(self, source: int, count: int, first_us: int, last_us: int) -> None:
        self.source = source
        self.count = count
        self.first_us = first_us
        self.last_us = last_us


class Wave(Message):
    """The samples around the last hit, stamped `t_us`: a point each `step_us` from `first_us`; the answer to SHOW.

    A point is the highest sample of its step in 8 bits (an EVENT's `peak` / 16). Without points there was no hit yet,
    or its samples were overwritten.
    """

    KIND = 0x8A
    NAME = "WAVE"
    LAYOUT = "<QQH"
    FIELDS = ("t_us", "first_us", "step_us")

    def __init__(self, t_us: int, first_us: int, step_us: int, points: bytes = b"") -> None:
        self.t_us = t_us
        self.first_us = first_us
        self.step_us = step_us
        self.points = points

    def body(self) -> bytes:
        """Return the three numbers, then the points to the end."""
        return super().body() + self.points

    @classmethod
    def from_body(cls, body: bytes) -> "Message":
        """Read a body; everything after the three numbers is points."""
        size = struct.calcsize(cls.LAYOUT)
        if len(body) < size:
            raise FrameError(f"{cls.NAME}: {len(body)} bytes, expected at least {size}")
        t_us, first_us, step_us = struct.unpack(cls.LAYOUT, body[:size])
        return cls(t_us, first_us, step_us, bytes(body[size:]))


class Pong(Message):
    """The answer to PING `id`: received at `t_rx_us`, sent at `t_tx_us`.

    Every event stamped up to `settled_us` has a seq below `next_seq`. `settled_us` lies before `t_tx_us` while a hit is
    scanned or a release settles, because these are reported later than they are stamped.
    """

    KIND = 0x85
    NAME = "PONG"
    LAYOUT = "<HQQQI"
    FIELDS = ("id", "t_rx_us", "t_tx_us", "settled_us", "next_seq")

    def __init__(self, id: int, t_rx_us: int, t_tx_us: int, settled_us: int, next_seq: int) -> None:  # noqa: A002
        self.id = id
        self.t_rx_us = t_rx_us
        self.t_tx_us = t_tx_us
        self.settled_us = settled_us
        self.next_seq = next_seq


class Settled(Message):
    """PONG's promise without a PING, after events: every event stamped up to `settled_us` has a seq below
    `next_seq`."""

    KIND = 0x8B
    NAME = "SETTLED"
    LAYOUT = "<QI"
    FIELDS = ("settled_us", "next_seq")

    def __init__(self, settled_us: int, next_seq: int) -> None:
        self.settled_us = settled_us
        self.next_seq = next_seq


STATS_OF_1_0 = 16
STATS_HIT = "<BHHH"


class Stats(Message):
    """The board's own counters since its boot.

    `longest_turn_us` is the longest time, since it was armed, that raw words waited to be read. `free_bytes` is the
    memory that was free when the session's events began, 0 if the board does not know. `hit_found` is what the test of
    the hit sensor's analog pin found: the pin read `hit_up` with the pull-up and `hit_down` with the pull-down (12
    bits), and took `hit_charge_us` from 1/8 to 5/8 of the way up. These fields are sent once the pin was tested.
    """

    KIND = 0x86
    NAME = "STATS"
    LAYOUT = "<IIHHII"
    FIELDS = (
        "bad_frames",
        "resends",
        "ring_high_water",
        "longest_turn_us",
        "uptime_s",
        "free_bytes",
    )

    def __init__(
        self,
        bad_frames: int,
        resends: int,
        ring_high_water: int,
        longest_turn_us: int,
        uptime_s: int,
        free_bytes: int = 0,
        hit_found: int = HIT_UNTESTED,
        hit_up: int = 0,
        hit_down: int = 0,
        hit_charge_us: int = 0,
    ) -> None:
        self.bad_frames = bad_frames
        self.resends = resends
        self.ring_high_water = ring_high_water
        self.longest_turn_us = longest_turn_us
        self.uptime_s = uptime_s
        self.free_bytes = free_bytes
        self.hit_found = hit_found
        self.hit_up = hit_up
        self.hit_down = hit_down
        self.hit_charge_us = hit_charge_us

    def body(self) -> bytes:
        """Return the counters; then, if the hit sensor's pin was tested, the test's result."""
        counters = super().body()
        if self.hit_found == HIT_UNTESTED:
            return counters
        return counters + struct.pack(
            STATS_HIT, self.hit_found, self.hit_up, self.hit_down, self.hit_charge_us
        )

    @classmethod
    def from_body(cls, body: bytes) -> "Message":
        """Read a body; a board of version 1.0 ends before the free bytes, others before the test's result."""
        size = struct.calcsize(cls.LAYOUT)
        counters = body + bytes(4) if len(body) == STATS_OF_1_0 else body[:size]
        if len(counters) < size:
            raise FrameError(f"{cls.NAME}: {len(body)} bytes, expected at least {size}")
        found = body[size : size + struct.calcsize(STATS_HIT)]
        if len(found) < struct.calcsize(STATS_HIT):
            return cls(*struct.unpack(cls.LAYOUT, counters))
        return cls(*struct.unpack(cls.LAYOUT, counters) + struct.unpack(STATS_HIT, found))


class _Block(Message):
    """A message whose body is bytes as they are."""

    FIELDS = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    def body(self) -> bytes:
        return self.data

    @classmethod
    def from_body(cls, body: bytes) -> "Message":
        return cls(body)


class Log(_Block):
    """UTF-8 text from the firmware; as a frame it never mixes into the stream."""

    KIND = 0x87
    NAME = "LOG"


class CueDone(Message):
    """The answer to CUE `id`: the output went on at `t_us`."""

    KIND = 0x88
    NAME = "CUE_DONE"
    LAYOUT = "<HQ"
    FIELDS = ("id", "t_us")

    def __init__(self, id: int, t_us: int) -> None:  # noqa: A002
        self.id = id
        self.t_us = t_us


class Who(Message):
    """Asks for HELLO, which repeats `id`; answered at any time. 0 is an id that no one checks."""

    KIND = 0x01
    NAME = "WHO"
    LAYOUT = "<H"
    FIELDS = ("id",)

    def __init__(self, id: int = 0) -> None:  # noqa: A002
        self.id = id

    @classmethod
    def from_body(cls, body: bytes) -> "Message":
        """Read a body; a host of version 1.0 sends an empty one."""
        return super().from_body(body) if body else cls()


class Ack(Message):
    """Everything of this boot up to and including `seq` is durable on the host."""

    KIND = 0x02
    NAME = "ACK"
    LAYOUT = "<I"
    FIELDS = ("seq",)

    def __init__(self, seq: int) -> None:
        self.seq = seq


class Replay(Message):
    """Asks for everything that the ring still holds from `seq` on."""

    KIND = 0x03
    NAME = "REPLAY"
    LAYOUT = "<I"
    FIELDS = ("seq",)

    def __init__(self, seq: int) -> None:
        self.seq = seq


class Ping(Message):
    """Asks for PONG with the same id; also the host's sign of life."""

    KIND = 0x04
    NAME = "PING"
    LAYOUT = "<H"
    FIELDS = ("id",)

    def __init__(self, id: int) -> None:  # noqa: A002
        self.id = id


class Config(Message):
    """Settings: lock and glitch time of contacts; threshold, scan and mask time of the hit sensor. Times in us.

    Applied at once; HELLO publishes the CRC-32 of this body as `config_crc`.
    """

    KIND = 0x05
    NAME = "CONFIG"
    LAYOUT = "<HHHHH"
    FIELDS = ("lock_us", "glitch_us", "hit_threshold", "hit_scan_us", "hit_mask_us")

    def __init__(
        self, lock_us: int, glitch_us: int, hit_threshold: int, hit_scan_us: int, hit_mask_us: int
    ) -> None:
        self.lock_us = lock_us
        self.glitch_us = glitch_us
        self.hit_threshold = hit_threshold
        self.hit_scan_us = hit_scan_us
        self.hit_mask_us = hit_mask_us


class Arm(Message):
    """Begins a session; answered by a STATE with the flag ARMED."""

    KIND = 0x06
    NAME = "ARM"


class Standby(Message):
    """Ends a session cleanly: stop stamping and empty the ring."""

    KIND = 0x07
    NAME = "STANDBY"


class Cue(Message):
    """Switches output `output` (0 lamp, 1 buzzer) on for `ms`; answered by CUE_DONE with its own stamp."""

    KIND = 0x08
    NAME = "CUE"
    LAYOUT = "<HBH"
    FIELDS = ("id", "output", "ms")

    def __init__(self, id: int, output: int, ms: int) -> None:  # noqa: A002
        self.id = id
        self.output = output
        self.ms = ms


class Maintenance(Message):
    """Ends the firmware, which leaves the wire to the REPL."""

    KIND = 0x09
    NAME = "MAINTENANCE"


class Show(Message):
    """Asks for the WAVE of the last hit."""

    KIND = 0x0A
    NAME = "SHOW"


FROM_BOARD = (Hello, Event, State, Gap, Pong, Stats, Log, CueDone, Overrun, Wave, Settled)
FROM_HOST = (Who, Ack, Replay, Ping, Config, Arm, Standby, Cue, Maintenance, Show)
BY_KIND = {message.KIND: message for message in FROM_BOARD + FROM_HOST}


def encode(message: Message, boot_id: int, seq: int = 0) -> bytes:
    """Return the message as a frame's bytes, delimiters included."""
    return encode_frame(message.KIND, boot_id, seq, message.body())


def decode(frame: Frame) -> "Message | None":
    """Return a frame's message; None for a kind this version does not know. Raise `FrameError` for a body that does
    not fit."""
    kind = BY_KIND.get(frame.kind)
    return None if kind is None else kind.from_body(frame.body)
