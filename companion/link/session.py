"""One connection to one board without any I/O: bytes and times in, events and bytes out; used once.

The owner calls `receive` for each read and `poll` when a deadline has passed, writes what `outgoing` returns, and calls
`acknowledge` once evidence is durable. Nothing is acknowledged otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.link import words
from companion.link.clock import Clock
from companion.link.events import Clash, CueGiven, Identified, SessionEvent, TakeOver, Watermark
from companion.link.evidence import Evidence, Numbered
from companion.link.order import BOOT_MASK, FrameOrder, Hole, Inbox, Watermarks
from companion.link.prompt import PromptWatch
from companion.link.requests import ARMED_NS, REPLAY_FIRST_NS, Requests
from companion.link.status import Counters, LinkState
from firmware_protocol import messages as wire
from firmware_protocol.frames import Frame, FrameDecoder, FrameError

SAMPLE_BYTES = 48
# An ACK costs a Pico a millisecond, as much as an event. One for each 8 events, as many as it sends unacknowledged,
# keeps it sending; the ACK for the last ones only has to arrive well before the board resends them (100 ms).
ACK_AT = 8
ACK_WITHIN_NS = 5_000_000
_MS = 1_000_000
# Boards behind a USB bridge restart when the port is opened and are deaf for up to 3 s.
IDENTIFY_NS = 5_000 * _MS
# An unanswered PING is repeated every 100 ms (`Pinger`): on a wire that loses every fifth frame each way, some 15 round
# trips in a row would have to fail (0.36 ** 15). The board takes the host for gone a second later.
SILENT_NS = 2_000 * _MS
# The board resends a missing number after 100, 200, 400 and 800 ms, and it is asked for after 500: a hole that outlives
# all these was not a lost frame, and is reported before two seconds are over.
STALLED_NS = 1_500 * _MS
# Some systems never report an unplugged port: after this long only opening it again can help.
DEAD_NS = 10_000 * _MS
_HOST_KINDS = frozenset(message.KIND for message in wire.FROM_HOST)


class Session:
    """The host's side of the wire.

    `previous` is the inbox of the connection before: this must be the same board, and frames that come again are known.
    `adopted` is another board that may take its place. `jitter` returns a number in [0, 1). Times are the host's
    monotonic nanoseconds.
    """

    def __init__(
        self,
        now_ns: int,
        *,
        config: wire.Config | None = None,
        armed: bool = False,
        counters: Counters | None = None,
        previous: Inbox | None = None,
        adopted: int | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.hello: wire.Hello | None = None
        self.inbox = previous
        self.other: int | None = None
        """Number of the board that was refused because it is not the session's."""
        self._adopted = adopted
        self.clock = Clock()
        self.stats: wire.Stats | None = None
        self.counters = Counters() if counters is None else counters
        self.armed = False
        self.closed: frozenset[int] = frozenset()
        """The channels that are closed now, as far as they were reported; known once the board is armed."""
        self.refusal: str | None = None
        self._want_armed = armed
        self._decoder = FrameDecoder()
        self._counting = False
        self._requests = Requests(config, jitter, first_who=now_ns // 1_000_000)
        self.settings = self._requests.settings
        self._watermarks = Watermarks()
        self._logs = words.LogLimit(self.counters)
        self._jumps = words.Jumps()
        self.stood_by = False
        """Whether the board confirmed STANDBY."""
        self.last_cue: tuple[int, int] | None = None
        self.hole = Hole()
        self._events: list[SessionEvent] = []
        self._sync_until: int | None = None
        self._opened_ns = self._heard_ns = now_ns
        self._first_bytes = b""
        self._echoes = False
        self._prompt = PromptWatch()
        self._announced = self._first_new_seq = 0
        self.ack_due_ns: int | None = None
        """When to acknowledge to the board what is durable; None if all of that is acknowledged."""
        self._acked = 0
        self._acks_at_once = False
        self._clashed: set[int] = set()
        self._hole_asked_for: int | None = None
        self._last_word_after: int | None = None
        self._withheld_before = None if previous is None else previous.withheld_at
        self._requests.ask_who(now_ns)

    @property
    def boot_id(self) -> int:
        """The board's boot, see `Inbox.boot_id`; 0 before its first HELLO."""
        if self.inbox is None or self.hello is None:
            return 0
        return self.inbox.boot_id

    @property
    def last_word(self) -> tuple[int, int] | None:
        """Interval of host times in which the board sent its last frame; None if it sent none."""
        if self.hello is None:
            return None
        # The board sent its last frame after it received the last PING that it answered.
        samples = self.clock.samples
        sent_after_ns = samples[-1].sent_ns if samples else self._opened_ns
        return sent_after_ns, self._heard_ns

    @property
    def settled(self) -> bool:
        """True if everything the board is known to have is here and durable, and no last PONG is awaited."""
        inbox = self.inbox
        if self.hello is None or inbox is None or self._last_word_after is not None:
            return False
        return self._announced <= inbox.durable + 1 and not inbox.waiting

    def await_last_word(self, now_ns: int) -> None:
        """PING the board now: only its answer can tell of a frame that was lost since its last one."""
        self._last_word_after = now_ns
        self._requests.pinger.hasten(now_ns)

    def phase(self, now_ns: int) -> LinkState:
        """Return how far the connection has come."""
        if self.refusal is not None:
            return LinkState.REFUSED
        if self.hello is None:
            return LinkState.IDENTIFYING
        if self.silent_ns(now_ns) >= SILENT_NS:
            return LinkState.SILENT
        if self.hole.age_ns(now_ns) >= STALLED_NS:
            return LinkState.STALLED
        if self._sync_until is not None:
            return LinkState.SYNCING
        return LinkState.LIVE

    def silent_ns(self, now_ns: int) -> int:
        """Return for how long no valid frame came."""
        return now_ns - self._heard_ns

    def arm(self) -> None:
        """Begin the session's events: send ARM until the board says ARMED."""
        self._want_armed = True
        if self.hello is not None and not self.armed:
            self._requests.arm.ensure(self._heard_ns)

    def standby(self, now_ns: int) -> None:
        """End cleanly: send STANDBY until the board answers, then `stood_by` is True. The board discards what it still
        has."""
        self._want_armed = self.armed = False
        self._requests.arm.stop()
        self._requests.standby.start(now_ns)

    def cue(self, output: int, ms: int) -> int | None:
        """Switch an output on once; return the cue's id, or None if the board cannot. The answer is a `CueGiven`."""
        if self.hello is None or not self.hello.capabilities & wire.CAN_CUE:
            return None
        return self._requests.cue(output, ms)

    def show(self) -> bool:
        """Ask for the samples around the last hit; return whether the board can. The answer is a `Wave`."""
        if self.hello is None or not self.hello.capabilities & wire.SHOWS_HITS:
            return False
        self._requests.one_shot.append(wire.Show())
        return True

    def slept(self, now_ns: int) -> None:
        """Note that the computer slept: its clock stood still, and the board was silent for an unknown time."""
        self.clock.forget()
        self._requests.pinger.start(now_ns)
        self._requests.ask_who(now_ns)

    @property
    def synced(self) -> bool:
        """True if the first burst of round trips is over and what the board had kept is here."""
        return (
            self.hello is not None and self._sync_until is None and not self._requests.pinger.burst
        )

    def acknowledge(self, boot_id: int, seq: int) -> None:
        """Note that everything of `boot_id` up to `seq` is durable.

        Another boot's is ignored: there is no board to tell.
        """
        if self.inbox is None or boot_id != self.inbox.boot_id:
            return
        if self.inbox.acknowledge(seq):
            due_ns = self._heard_ns + ACK_WITHIN_NS
            if self.inbox.durable - self._acked >= ACK_AT:
                due_ns = self._opened_ns  # in the past: at the next chance
            self._schedule_ack(due_ns)
            self._advance()

    def _schedule_ack(self, by_ns: int) -> None:
        if self.ack_due_ns is None or by_ns < self.ack_due_ns:
            self.ack_due_ns = by_ns

    def receive(self, data: bytes, read_ns: int) -> list[SessionEvent]:
        """Take in bytes read at `read_ns`; never raises, whatever they are."""
        if self.hello is None and len(self._first_bytes) < SAMPLE_BYTES:
            self._first_bytes = (self._first_bytes + data)[:SAMPLE_BYTES]
        bad, skipped = self._decoder.bad_frames, self._decoder.skipped_bytes
        frames = self._decoder.feed(data)
        if self._counting:
            self.counters.bad_frames += self._decoder.bad_frames - bad
            self.counters.skipped_bytes += self._decoder.skipped_bytes - skipped
        for frame in frames:
            if self.refusal is None:
                self._receive_frame(frame, read_ns)
        self._look_for_prompt(data)
        return self._take_events()

    def _look_for_prompt(self, data: bytes) -> None:
        """Refuse a board whose firmware has ended: anything sent from then on would be typed into a prompt."""
        is_known = self.inbox is not None
        # Only what follows the last whole frame counts: the firmware has started since an earlier prompt.
        self._prompt.read(data if self.hello is None else data.rpartition(b"\0")[2])
        ended = self._prompt.shown if self.hello is None else self._prompt.begun
        if is_known and ended and self.refusal is None:
            self.refusal = words.FIRMWARE_ENDED

    @property
    def at_prompt(self) -> bool:
        """True if a prompt answers, and no firmware."""
        return self.hello is None and self._prompt.shown

    def poll(self, now_ns: int) -> list[SessionEvent]:
        """Take the time; return what happened."""
        if self.hello is None and self.refusal is None and now_ns - self._opened_ns >= IDENTIFY_NS:
            self.refusal = words.no_board(self._first_bytes, self._echoes, self.inbox is not None)
            if self.at_prompt:
                self.refusal = words.AT_PROMPT
        if self.phase(now_ns) is LinkState.SILENT:
            self._requests.ask_who(now_ns)
        elif self.phase(now_ns) is LinkState.STALLED:
            self._recover_hole(now_ns)
        return self._take_events()

    def _recover_hole(self, now_ns: int) -> None:
        """Ask for the missing number, and who the board is: its HELLO says what it holds.

        A board that holds a number and does not send it ends the connection. If the next connection meets the same
        hole, the number is given up: what follows it must count.
        """
        inbox = self.inbox
        assert inbox is not None
        if self._withheld_before == self.hole.seq:
            inbox.give_up(self._announced)
            self._deliver_ready(now_ns)
            return
        if self._hole_asked_for != self.hole.seq:
            self._hole_asked_for = self.hole.seq
            self._requests.ask_who(now_ns)
        if self.hole.age_ns(now_ns) >= DEAD_NS:
            inbox.withheld_at = self.hole.seq

    def next_deadline(self) -> int:
        """Return when `poll` and `outgoing` must be called again; a time in the past if something is waiting."""
        in_doubt = self._requests.in_doubt
        if self._events or (not in_doubt and self._requests.one_shot):
            return self._opened_ns
        due = self._requests.next_due()
        if self.ack_due_ns is not None and not in_doubt:
            # Until it is acknowledged, the board goes on resending what a REPLAY asked for.
            due.append(self._opened_ns if self._acks_at_once else self.ack_due_ns)
        if self.hello is None:
            due.append(self._opened_ns + IDENTIFY_NS)
        elif not in_doubt:
            due.append(self._heard_ns + SILENT_NS)
        return min(due)

    def outgoing(self, now_ns: int) -> bytes:
        """Return the bytes to write now; a PING among them counts as sent at `now_ns`."""
        if self.refusal is not None:
            return b""
        if self._requests.in_doubt:
            # In the middle of a line a prompt looks like any other device that echoes what it hears.
            may_be_prompt = (
                self.hello is None and bool(self._first_bytes) and b"\0" not in self._first_bytes
            )
            return self._requests.due_who(now_ns, ends_line=may_be_prompt)
        inbox = self.inbox
        assert (
            inbox is not None
        )  # a session begins in doubt, and only a HELLO, which makes an inbox, ends that
        due = self._requests.due(now_ns, armed=self.armed, replay_from=inbox.delivered + 1)
        self._acks_at_once = self._acks_at_once or any(
            isinstance(message, wire.Replay) for message in due
        )
        if self.ack_due_ns is not None and (self._acks_at_once or now_ns >= self.ack_due_ns):
            due.insert(0, wire.Ack(inbox.durable))
            self._acked, self.ack_due_ns = inbox.durable, None
            self._acks_at_once = False
        if self.settings.give_up():
            self._events.append(words.CONFIG_IGNORED)
        return b"".join(wire.encode(message, self.boot_id & BOOT_MASK) for message in due)

    def _receive_frame(self, frame: Frame, read_ns: int) -> None:
        if frame.kind in _HOST_KINDS:
            self._echoes = True
            self.counters.foreign_frames += 1
            return
        try:
            message = wire.decode(frame)
        except FrameError:
            self._on_undecodable(frame)
            return
        if message is None:
            self.counters.foreign_frames += 1
        elif isinstance(message, wire.Hello) and frame.boot_id == 0:
            self._on_undecodable(frame)
        elif isinstance(message, wire.Hello):
            self._on_hello(message, frame.boot_id, read_ns)
        elif self.hello is None:
            self.counters.stale_frames += 1  # not lost: unacknowledged, the board resends it
        elif frame.boot_id != self.boot_id & BOOT_MASK:
            self.counters.stale_frames += 1
            self._requests.ask_who(read_ns)
        else:
            self._heard_ns = max(self._heard_ns, read_ns)
            self._on_message(message, frame.seq, read_ns)

    def _on_undecodable(self, frame: Frame) -> None:
        self.counters.bad_frames += 1
        # Another major version may lay out its HELLO differently; its first two bytes are always the version.
        if (
            frame.kind == wire.Hello.KIND
            and len(frame.body) >= 2
            and frame.body[0] != wire.PROTOCOL_MAJOR
        ):
            self.refusal = words.other_version(frame.body[0], frame.body[1])

    def _on_message(self, message: wire.Message, seq: int, read_ns: int) -> None:
        if isinstance(message, Numbered):
            inbox = self.inbox
            assert inbox is not None
            self._on_numbered(inbox, Evidence(inbox.uid, inbox.boot_id, seq, message, read_ns))
        elif isinstance(message, wire.Pong):
            self._on_pong(message, read_ns)
        elif isinstance(message, wire.Settled):
            self._on_promise(message, read_ns)
        elif isinstance(message, wire.Stats):
            self.stats = message
        elif isinstance(message, wire.Wave):
            self._events.append(message)
        elif isinstance(message, wire.CueDone):
            self.last_cue = (message.id, message.t_us)
            output = self._requests.cue_outputs.pop(message.id, None)
            self._events.append(CueGiven(message.id, message.t_us, output))
        elif isinstance(message, wire.Log):
            self._events += self._logs.take(words.printable(message.data), read_ns)

    def _on_hello(self, hello: wire.Hello, boot_id: int, read_ns: int) -> None:
        if hello.major != wire.PROTOCOL_MAJOR:
            self.refusal = words.other_version(hello.major, hello.minor)
        elif self.inbox is not None and hello.uid not in (self.inbox.uid, self._adopted):
            self.other = hello.uid
            self.refusal = words.other_board(hello.uid, self.inbox.uid)
        elif not self._is_current(hello, boot_id):
            self.counters.stale_frames += 1
            self._requests.ask_who(read_ns)
            self._requests.who.hasten(read_ns)
        else:
            self._heard_ns = max(self._heard_ns, read_ns)
            self._prompt = PromptWatch()
            self._counting = (
                True  # bytes before the first HELLO may be a driver's old buffer, not a bad cable
            )
            if self.hello is None or not self._continues(hello, boot_id):
                self._begin(hello, boot_id, read_ns)
            elif self.inbox is not None:
                self.inbox.floor(hello.oldest_seq, hello.next_seq)
                self._deliver_ready(read_ns)
            self.hello = hello
            self._settle_requests(hello, read_ns)

    def _is_current(self, hello: wire.Hello, boot_id: int) -> bool:
        """Return whether the firmware that sent this HELLO listens now: it answers a WHO of ours, or continues a boot
        that did.

        If not, the HELLO may have lain in a driver's buffer, or come from a board that is starting: neither may be sent
        byte 0x03, which would interrupt its program.
        """
        if hello.who_id in self._requests.asked or not hello.capabilities & wire.ECHOES_WHO:
            self._requests.who.stop()
            return True
        return self.hello is not None and self._continues(hello, boot_id)

    def _begin(self, hello: wire.Hello, boot_id: int, now_ns: int) -> None:
        taking_over, self._adopted = None, None
        if self.inbox is None:
            self.inbox = Inbox(hello.uid, boot_id, hello.oldest_seq)
        elif hello.uid != self.inbox.uid:
            taking_over = self._take_over(self.inbox, hello, boot_id, now_ns)
        elif self._continues(hello, boot_id):
            self.inbox.floor(hello.oldest_seq, hello.next_seq)
            self._events += self.inbox.take_missing()
        else:
            self.inbox = self.inbox.followed_by(boot_id, hello.oldest_seq)
        self._events.append(Identified(hello, self.inbox.boot_id, taking_over))
        self._start_over(hello, now_ns)

    def _take_over(self, before: Inbox, hello: wire.Hello, boot_id: int, now_ns: int) -> TakeOver:
        self.inbox = before.replaced_by(hello.uid, boot_id, hello.oldest_seq, hello.next_seq)
        first_seq = self.inbox.delivered + 1
        self.inbox.floor(hello.oldest_seq, hello.next_seq)
        self._events += self.inbox.take_missing()
        asked_ns = self._requests.asked.get(hello.who_id, self._opened_ns)
        return TakeOver(before.uid, before.boot_id, asked_ns, now_ns, first_seq)

    def _continues(self, hello: wire.Hello, boot_id: int) -> bool:
        """Return true if the board continues the numbers that this session knows, instead of starting again."""
        return self.inbox is not None and self.inbox.continued_by(
            hello.uid, boot_id, hello.next_seq
        )

    def _start_over(self, hello: wire.Hello, now_ns: int) -> None:
        """Begin a boot or a connection: no clock, no watermark and nothing requested."""
        assert self.inbox is not None
        self.clock = Clock(self.inbox.boot_id)
        self._watermarks = Watermarks()
        self.hole = Hole()
        self._clashed.clear()
        self.armed = False
        self._sync_until = self._announced = self._first_new_seq = hello.next_seq
        self._requests.pinger.start(now_ns)
        self.settings.forget()
        if self._want_armed:
            self._requests.arm.start(now_ns)
        self._acked = hello.oldest_seq - 1
        self.ack_due_ns = now_ns if self._acked < self.inbox.durable else None
        # By now the board resends what it kept only at long intervals: ask at once.
        self._requests.replay.stop()
        if self.inbox.delivered + 1 < hello.next_seq:
            self._requests.replay.start(now_ns)

    def _settle_requests(self, hello: wire.Hello, now_ns: int) -> None:
        if (
            self._requests.standby.running
            and hello.oldest_seq == hello.next_seq
            and self._requests.standby.tries
            > 0  # an empty ring before the first STANDBY is no answer to it
        ):
            self._requests.standby.stop()
            self.stood_by = True
        configured = self.settings.receive_crc(self.boot_id, hello.config_crc, now_ns)
        if configured is not None:
            self._events.append(configured)

    def _on_numbered(self, inbox: Inbox, arrival: Evidence) -> None:
        verdict = inbox.take(arrival)
        if verdict is FrameOrder.TOO_FAR:
            self.counters.foreign_frames += 1
        elif verdict is not FrameOrder.NEW:
            self._on_repeated(inbox, arrival, verdict)
        if self._deliver_ready(arrival.read_ns) or not inbox.waiting:
            self._requests.replay.stop()
        if inbox.waiting:
            self._requests.replay.ensure(arrival.read_ns + REPLAY_FIRST_NS)

    def _deliver_ready(self, now_ns: int) -> bool:
        """Deliver what is contiguous now; return whether anything is."""
        inbox = self.inbox
        assert inbox is not None
        ready = inbox.ready()
        for evidence in ready:
            self._deliver(evidence)
        self._events += inbox.take_missing()
        self.hole.update(inbox, self._announced, now_ns)
        return bool(ready)

    def _on_repeated(self, inbox: Inbox, arrival: Evidence, verdict: FrameOrder) -> None:
        self._requests.pinger.spoil()
        if arrival.seq <= inbox.durable:
            self._schedule_ack(self._opened_ns)  # the last ACK was lost: send it again at once
        if verdict is FrameOrder.DUPLICATE:
            self.counters.duplicates += 1
            return
        kept = inbox.known(arrival.seq)
        if kept is not None and arrival.seq not in self._clashed:
            self._clashed.add(arrival.seq)
            self._requests.ask_who(arrival.read_ns)  # it may have restarted with the same boot id
            self.counters.clashes += 1
            self._events += (Clash(arrival), words.clash(kept, arrival.message, arrival.seq))

    def _deliver(self, arrival: Evidence) -> None:
        message = arrival.message
        if isinstance(message, wire.Gap):
            self.counters.gaps += 1
            self.counters.gap_events += message.count
        elif (
            isinstance(message, wire.State)
            and message.flags & wire.ARMED
            and self._want_armed
            and arrival.seq >= self._first_new_seq
        ):
            self.armed = True
            self._requests.arm.stop()
            self._requests.pinger.hasten(arrival.read_ns + ARMED_NS)
        self._note_levels(message)
        self._events.append(arrival)
        assert self.hello is not None
        self._requests.pinger.follow(
            arrival.read_ns, closely=not self.hello.capabilities & wire.SAYS_SETTLED
        )

    def _note_levels(self, message: Numbered) -> None:
        if isinstance(message, wire.State):
            bits = range(message.levels.bit_length())
            self.closed = frozenset(bit for bit in bits if message.levels >> bit & 1)
        elif isinstance(message, wire.Event) and message.flags & wire.PRESSED:
            self.closed |= {message.channel}
        elif isinstance(message, wire.Event):
            self.closed -= {message.channel}

    def _on_pong(self, pong: wire.Pong, read_ns: int) -> None:
        assert self.inbox is not None
        if pong.next_seq <= self.inbox.highest:
            # The next number is one it has sent already: it restarted, and its HELLO will tell.
            self._requests.ask_who(read_ns)
            return
        sent_ns = self._requests.pinger.answered(pong.id, read_ns)
        if (
            sent_ns is not None
            and self._last_word_after is not None
            and sent_ns >= self._last_word_after
        ):
            self._last_word_after = None
        if sent_ns is not None and not self.clock.add(sent_ns, pong.t_rx_us, pong.t_tx_us, read_ns):
            self.counters.clock_faults += 1
            self._events += self._jumps.take(read_ns)
        self._on_promise(pong, read_ns)

    def _on_promise(self, promise: wire.Pong | wire.Settled, read_ns: int) -> None:
        inbox = self.inbox
        assert inbox is not None
        if promise.next_seq <= inbox.highest:
            return
        self._announced = promise.next_seq
        self._watermarks.promise(promise.next_seq, promise.settled_us)
        self._advance()
        # The last frames before a pause can be lost without leaving a hole: only the announced count shows it.
        if inbox.durable == inbox.delivered < promise.next_seq - 1:
            self._requests.replay.ensure(read_ns + REPLAY_FIRST_NS)
        self.hole.update(inbox, self._announced, read_ns)

    def _advance(self) -> None:
        assert self.inbox is not None
        durable = self.inbox.durable
        settled_us = self._watermarks.advance(durable)
        if settled_us is not None:
            self._events.append(Watermark(self.boot_id, settled_us))
        if self._sync_until is not None and self._sync_until <= durable + 1 and self.clock.samples:
            self._sync_until = None

    def _take_events(self) -> list[SessionEvent]:
        events, self._events = self._events, []
        return events
