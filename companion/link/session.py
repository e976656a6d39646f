"""One connection to one board, without any I/O: bytes and times in, events and bytes out; used once.

The owner calls `receive` for each read, `poll` when a deadline passed, writes what `outgoing` returns, and says `acknowledge`
once evidence is durable. Nothing is acknowledged otherwise.
"""

from __future__ import annotations

import random
from binascii import crc32
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.link.clock import DRIFT_PPM, Clock
from companion.link.events import (
    BoardSaid,
    Booted,
    Clash,
    ClockFault,
    ConfigIgnored,
    CueGiven,
    EvidenceReceived,
    Identified,
    Missing,
    Refused,
    SessionEvent,
    StoodBy,
    Watermark,
)
from companion.link.evidence import Evidence
from companion.link.order import Arrival, Inbox, Verdict
from companion.link.pings import Pinger
from companion.link.refusals import no_board, other_board, other_version
from companion.link.retry import Retry
from firmware_protocol.frames import Frame, FrameDecoder, FrameError
from firmware_protocol.messages import (
    ARMED,
    CAN_CUE,
    FROM_HOST,
    PROTOCOL_MAJOR,
    Ack,
    Arm,
    Config,
    Cue,
    CueDone,
    Event,
    Gap,
    Hello,
    Log,
    Message,
    Ping,
    Pong,
    Replay,
    Standby,
    State,
    Stats,
    Who,
    decode,
    encode,
)

_MS = 1_000_000
# Boards behind a USB bridge restart when the port is opened and are deaf for up to 3 s.
IDENTIFY_NS = 5_000 * _MS
# The board counts the host as gone after the same time.
SILENT_NS = 3_000 * _MS
# Some systems never report an unplugged port: after this long only opening it again can help.
DEAD_NS = 10_000 * _MS
# The board resends by itself within 2 s; a hole that stays longer than its first few resends is asked for.
REPLAY_FIRST_NS = 500 * _MS
SAMPLE_BYTES = 48
_WATERMARKS = 64
_CONFIG_TRIES = 5
_HOST_KINDS = frozenset(message.KIND for message in FROM_HOST)


class Phase(StrEnum):
    """How far a connection has come."""

    IDENTIFYING = "identifying"
    SYNCING = "syncing"
    LIVE = "live"
    SILENT = "silent"
    REFUSED = "refused"


@dataclass(slots=True)
class Counters:
    """What was counted on this connection; `gap_events` are the events GAPs stand for."""

    foreign_frames: int = 0
    stale_frames: int = 0
    duplicates: int = 0
    clashes: int = 0
    gaps: int = 0
    gap_events: int = 0
    echoes: int = 0
    unfit: int = 0


class Session:
    """The host's side of the wire.

    `previous` is the inbox of the connection before, so that resends after a reconnect are known; `jitter` returns a number
    in [0, 1). Times are the host's monotonic nanoseconds.
    """

    def __init__(
        self,
        now_ns: int,
        *,
        config: Config | None = None,
        expected_uid: int | None = None,
        armed: bool = False,
        previous: Inbox | None = None,
        jitter: Callable[[], float] = random.random,
        drift_ppm: int = DRIFT_PPM,
    ) -> None:
        self.hello: Hello | None = None
        self.inbox = previous
        self.clock = Clock(drift_ppm)
        self.stats: Stats | None = None
        self.counters = Counters()
        self.armed = False
        self.refusal: str | None = None
        self._config = config
        self._expected_uid = expected_uid
        self._want_armed = armed
        self._drift_ppm = drift_ppm
        self._decoder = FrameDecoder()
        self._pinger = Pinger(jitter)
        self._events: list[SessionEvent] = []
        self._watermarks: deque[tuple[int, int]] = deque()
        self._settled_us = -1
        self._synced_at: int | None = None
        self._opened_ns = self._heard_ns = now_ns
        self._sample = b""
        self._ack_due = False
        self._clashed: set[int] = set()
        self._cues: deque[tuple[int, int, int]] = deque()
        self._cue_id = 0
        self._who = Retry(250 * _MS, 500 * _MS)
        self._arm = Retry(300 * _MS, 2_000 * _MS)
        self._configure = Retry(500 * _MS, 2_000 * _MS)
        self._standby = Retry(100 * _MS, 400 * _MS)
        self._replay = Retry(REPLAY_FIRST_NS, 4_000 * _MS)
        self._who.start(now_ns)

    # -- what the owner asks

    @property
    def boot_id(self) -> int:
        """The boot id of the board; 0 before its first HELLO."""
        return self.inbox.boot_id if self.inbox is not None and self.hello is not None else 0

    @property
    def bad_frames(self) -> int:
        """Runs of bytes that were no frame, and frames whose body did not fit."""
        return self._decoder.bad_frames + self.counters.unfit

    def phase(self, now_ns: int) -> Phase:
        """How far the connection has come."""
        if self.refusal is not None:
            return Phase.REFUSED
        if self.hello is None:
            return Phase.IDENTIFYING
        if now_ns - self._heard_ns >= SILENT_NS:
            return Phase.SILENT
        return Phase.SYNCING if self._synced_at is not None else Phase.LIVE

    def dead(self, now_ns: int) -> bool:
        """Whether nothing valid came for so long that the port must be opened again."""
        return now_ns - self._heard_ns >= DEAD_NS

    def arm(self) -> None:
        """Begin the session's events: ARM until the board says ARMED."""
        self._want_armed = True
        if self.hello is not None and not self.armed and not self._arm.running:
            self._arm.start(self._heard_ns)

    def standby(self, now_ns: int) -> None:
        """A clean end: STANDBY until the board answers, then `StoodBy`. What it still kept is discarded by it."""
        self._want_armed = self.armed = False
        self._arm.stop()
        self._standby.start(now_ns)

    def cue(self, output: int, ms: int) -> int | None:
        """Switch an output on once; return the cue's id, None when the board cannot. The answer is `CueGiven`."""
        if self.hello is None or not self.hello.capabilities & CAN_CUE:
            return None
        self._cue_id = self._cue_id % 0xFFFF + 1
        self._cues.append((self._cue_id, output, ms))
        return self._cue_id

    def acknowledge(self, boot_id: int, seq: int) -> None:
        """Everything of `boot_id` up to `seq` is durable; another boot's is ignored, it has no board to tell."""
        if self.inbox is not None and boot_id == self.inbox.boot_id and self.inbox.acknowledge(seq):
            self._ack_due = True
            self._emit_watermark()

    def durable(self, evidence: Evidence) -> None:
        """This evidence, and so all before it, is durable."""
        self.acknowledge(evidence.boot_id, evidence.seq)

    # -- bytes and time in, events out

    def receive(self, data: bytes, read_ns: int) -> list[SessionEvent]:
        """Take in bytes read at `read_ns`; never raises, whatever they are."""
        if self.hello is None and len(self._sample) < SAMPLE_BYTES:
            self._sample = (self._sample + data)[:SAMPLE_BYTES]
        for frame in self._decoder.feed(data):
            if self.refusal is None:
                self._receive_frame(frame, read_ns)
        return self._take_events()

    def poll(self, now_ns: int) -> list[SessionEvent]:
        """Let time pass; return what happened."""
        if self.hello is None and self.refusal is None and now_ns - self._opened_ns >= IDENTIFY_NS:
            self._refuse(no_board(self._sample, self.counters.echoes > 0))
        if self.hello is not None and self.phase(now_ns) is Phase.SILENT and not self._who.running:
            self._who.start(now_ns)
        return self._take_events()

    def next_deadline(self) -> int:
        """The time by which `poll` and `outgoing` are to be called again; in the past when something is waiting."""
        if self._ack_due or self._cues or self._events:
            return self._opened_ns
        retries = (self._who, self._arm, self._configure, self._standby, self._replay)
        due = [retry.due_ns for retry in retries if retry.due_ns is not None]
        if self._pinger.due_ns is not None:
            due.append(self._pinger.due_ns)
        return min([*due, self._heard_ns + SILENT_NS, self._opened_ns + IDENTIFY_NS][: len(due) + 1 + (self.hello is None)])

    def outgoing(self, now_ns: int) -> bytes:
        """The bytes to write now; a PING in them counts as sent at `now_ns`."""
        if self.refusal is not None:
            return b""
        out = [encode(message, self.boot_id) for message in self._due(now_ns)]
        if self._ack_due and self.inbox is not None:
            out.append(encode(Ack(self.inbox.durable), self.inbox.boot_id))
            self._ack_due = False
        return b"".join(out)

    # -- what is due

    def _due(self, now_ns: int) -> list[Message]:
        due: list[Message] = []
        if self._who.take(now_ns):
            due.append(Who())
        if self.hello is None:
            return due
        if self._standby.take(now_ns):
            due.append(Standby())
        if self._config is not None and self._configure.take(now_ns):
            due.append(self._config)
            self._give_up_config()
        if self._arm.take(now_ns):
            due.append(Arm())
        due += self._due_replay(now_ns)
        while self._cues:
            due.append(Cue(*self._cues.popleft()))
        ping_id = self._pinger.take(now_ns, self.armed)
        if ping_id is not None:
            due.append(Ping(ping_id))
        return due

    def _due_replay(self, now_ns: int) -> list[Message]:
        if self.inbox is None or not self._replay.take(now_ns):
            return []
        self._pinger.spoil()
        return [Replay(self.inbox.delivered + 1)]

    def _give_up_config(self) -> None:
        if self._configure.tries >= _CONFIG_TRIES:
            self._configure.stop()
            self._events.append(ConfigIgnored(self.boot_id))

    # -- frames

    def _receive_frame(self, frame: Frame, read_ns: int) -> None:
        if frame.kind in _HOST_KINDS:
            self.counters.echoes += 1
            self.counters.foreign_frames += 1
            return
        try:
            message = decode(frame)
        except FrameError:
            self._unfit(frame)
            return
        if message is None:
            self.counters.foreign_frames += 1
        elif isinstance(message, Hello):
            self._on_hello(message, frame.boot_id, read_ns)
        elif self.hello is None:
            self.counters.stale_frames += 1  # the board sends it again, nothing was acknowledged
        elif frame.boot_id != self.boot_id:
            self.counters.stale_frames += 1
            self._who_is_it(read_ns)
        else:
            self._heard(read_ns)
            self._on_message(message, frame.seq, read_ns)

    def _unfit(self, frame: Frame) -> None:
        self.counters.unfit += 1
        # Another major version may have laid out its HELLO anew; its first two bytes are the version for ever.
        if frame.kind == Hello.KIND and len(frame.body) >= 2 and frame.body[0] != PROTOCOL_MAJOR:
            self._refuse(other_version(frame.body[0], frame.body[1]))

    def _who_is_it(self, now_ns: int) -> None:
        if not self._who.running:
            self._who.start(now_ns)

    def _heard(self, read_ns: int) -> None:
        self._heard_ns = max(self._heard_ns, read_ns)

    def _on_message(self, message: Message, seq: int, read_ns: int) -> None:
        if isinstance(message, Event | State | Gap):
            self._on_numbered(Arrival(seq, message, read_ns))
        elif isinstance(message, Pong):
            self._on_pong(message, read_ns)
        elif isinstance(message, Stats):
            self.stats = message
        elif isinstance(message, CueDone):
            self._events.append(CueGiven(message.id, message.t_us))
        elif isinstance(message, Log):
            self._events.append(BoardSaid(printable(message.data)))

    # -- HELLO

    def _on_hello(self, hello: Hello, boot_id: int, read_ns: int) -> None:
        if hello.major != PROTOCOL_MAJOR:
            self._refuse(other_version(hello.major, hello.minor))
        elif self._expected_uid is not None and hello.uid != self._expected_uid:
            self._refuse(other_board(hello.uid, self._expected_uid))
        else:
            self._who.stop()
            self._heard(read_ns)
            self._expected_uid = hello.uid
            if self.hello is None or boot_id != self.boot_id:
                self._begin(hello, boot_id, read_ns)
            self.hello = hello
            self._settle_requests(hello, read_ns)

    def _begin(self, hello: Hello, boot_id: int, now_ns: int) -> None:
        before = self.inbox
        if before is not None and before.uid == hello.uid and before.boot_id == boot_id:
            before.floor(hello.oldest_seq, hello.next_seq)
            self._report_missing(before)
        else:
            self.inbox = Inbox(hello.uid, boot_id, hello.oldest_seq)
            if before is not None:
                self._events.append(Booted(before.boot_id, boot_id))
        self._events.append(Identified(hello, boot_id))
        self._start_over(hello, now_ns)

    def _start_over(self, hello: Hello, now_ns: int) -> None:
        """A boot, or a connection, starts with no clock, no watermark and nothing asked."""
        assert self.inbox is not None
        self.clock = Clock(self._drift_ppm)
        self._watermarks.clear()
        self._clashed.clear()
        self._settled_us = -1
        self.armed = False
        self._synced_at = hello.next_seq
        self._pinger.start(now_ns)
        self._configure.stop()
        if self._want_armed:
            self._arm.start(now_ns)
        self._ack_due = hello.oldest_seq <= self.inbox.durable
        # What the board kept while nobody listened waits for its slow resend: ask at once.
        self._replay.stop()
        if self.inbox.delivered + 1 < hello.next_seq:
            self._replay.start(now_ns)

    def _settle_requests(self, hello: Hello, now_ns: int) -> None:
        if self._standby.running and hello.oldest_seq == hello.next_seq and self._standby.tries > 0:
            self._standby.stop()
            self._events.append(StoodBy())
        if self._config is None or hello.config_crc == crc32(self._config.body()):
            self._configure.stop()
        elif not self._configure.running and self._configure.tries < _CONFIG_TRIES:
            self._configure.start(now_ns)

    def _report_missing(self, inbox: Inbox) -> None:
        for first_seq, count in inbox.take_missing():
            self._events.append(Missing(inbox.boot_id, first_seq, count))

    # -- numbered frames

    def _on_numbered(self, arrival: Arrival) -> None:
        inbox = self.inbox
        assert inbox is not None
        verdict = inbox.take(arrival)
        if verdict is Verdict.TOO_FAR:
            self.counters.foreign_frames += 1
        elif verdict is not Verdict.NEW:
            self._on_repeated(inbox, arrival, verdict)
        for ready in inbox.ready():
            self._deliver(inbox, ready)
        self._report_missing(inbox)
        self._watch_holes(inbox, arrival.read_ns, progress=verdict is Verdict.NEW)

    def _on_repeated(self, inbox: Inbox, arrival: Arrival, verdict: Verdict) -> None:
        self._pinger.spoil()
        if arrival.seq <= inbox.durable:
            self._ack_due = True  # the ACK before was lost
        if verdict is Verdict.DUPLICATE:
            self.counters.duplicates += 1
            return
        kept = inbox.known(arrival.seq)
        if kept is not None and arrival.seq not in self._clashed:
            self._clashed.add(arrival.seq)
            self.counters.clashes += 1
            self._events.append(Clash(inbox.uid, inbox.boot_id, arrival.seq, kept, arrival.message))

    def _deliver(self, inbox: Inbox, arrival: Arrival) -> None:
        message = arrival.message
        if isinstance(message, Gap):
            self.counters.gaps += 1
            self.counters.gap_events += message.count
        elif isinstance(message, State) and message.flags & ARMED and self._want_armed:
            self.armed = True
            self._arm.stop()
            self._pinger.hasten(arrival.read_ns)
        t_us = message.last_us if isinstance(message, Gap) else message.t_us
        mapped_ns, pm_ns = self.clock.host_at(t_us) or (None, None)
        evidence = Evidence(inbox.uid, inbox.boot_id, arrival.seq, message, arrival.read_ns, mapped_ns, pm_ns)
        self._events.append(EvidenceReceived(evidence))

    def _watch_holes(self, inbox: Inbox, now_ns: int, *, progress: bool) -> None:
        if not inbox.waiting:
            self._replay.stop()
        elif progress or not self._replay.running:
            self._replay.start(now_ns + REPLAY_FIRST_NS)

    # -- PONG

    def _on_pong(self, pong: Pong, read_ns: int) -> None:
        sent_ns = self._pinger.answered(pong.id)
        if sent_ns is not None and not self.clock.add(sent_ns, pong.t_rx_us, pong.t_tx_us, read_ns):
            self._events.append(ClockFault(self.boot_id))
        if len(self._watermarks) == _WATERMARKS:
            self._watermarks.pop()
        self._watermarks.append((pong.next_seq, pong.settled_us))
        self._emit_watermark()

    def _emit_watermark(self) -> None:
        assert self.inbox is not None
        settled_us = self._settled_us
        while self._watermarks and self._watermarks[0][0] <= self.inbox.durable + 1:
            settled_us = max(settled_us, self._watermarks.popleft()[1])
        if settled_us > self._settled_us:
            self._settled_us = settled_us
            self._events.append(Watermark(self.boot_id, settled_us))
        if self._synced_at is not None and self._synced_at <= self.inbox.durable + 1 and self.clock.samples:
            self._synced_at = None

    def _refuse(self, sentence: str) -> None:
        self.refusal = sentence
        self._events.append(Refused(sentence))

    def _take_events(self) -> list[SessionEvent]:
        events, self._events = self._events, []
        return events


def printable(data: bytes) -> str:
    """Foreign bytes as one harmless line: what a terminal could obey is shown as `?`."""
    text = data.decode("utf-8", "replace").strip()
    return "".join(char if char.isprintable() else "?" for char in text)
