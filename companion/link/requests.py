"""Requests that the host sends by itself, with their repetition, and the schedule of PINGs."""

from __future__ import annotations

from binascii import crc32
from collections import deque
from collections.abc import Callable

from companion.link.events import Configured
from companion.link.retry import Retry
from companion.link.settings import DEFAULTS
from firmware_protocol.messages import (
    Arm,
    Config,
    Cue,
    Message,
    Ping,
    Replay,
    Show,
    Standby,
    Who,
    encode,
)

_MS = 1_000_000
# Sixteen samples at once: the clocks are matched within half a second of connecting.
BURST = 16
BURST_NS = 20 * _MS
ARMED_NS = 100 * _MS
# After this long without an event (no hold takes longer) PINGs come half as often: each costs a tenth of a percent of
# a core. Any slower, and fewer than 95 % of mapped times would be right to 200 us on USB frames of 1 ms.
QUIET_NS = 200 * _MS
QUIET_AFTER_NS = 3_000 * _MS
IDLE_NS = 500 * _MS
# An unanswered PING is followed by the next after this long at most: a wire that loses frames is not taken for silent.
AGAIN_NS = 100 * _MS
# After an event the watermark is wanted soon: a tap waits for the next PONG, a shot for the first after its window of
# 30 ms. So PINGs come fast for a while, unless the board sends SETTLED by itself.
FOLLOW_NS = 5 * _MS
FOLLOW_FOR_NS = 50 * _MS
# +-20 %: a fixed period could lock to the 1 ms frames of USB and measure the same delay every time.
JITTER = 0.4
# A PONG later than this counts as lost.
FORGET_NS = 2_000 * _MS


class Pinger:
    """The schedule of one connection's PINGs; `jitter` returns a number in [0, 1)."""

    def __init__(self, jitter: Callable[[], float]) -> None:
        self._jitter = jitter
        self.burst = 0
        """Number of the first samples still to be taken."""
        self._id = 0
        # id -> (when it was sent, whether no resend was seen since)
        self._outstanding: dict[int, tuple[int, bool]] = {}
        # the slowest recent round trip, decaying by an eighth with each answer
        self._slow_ns = 0
        self._follow_until_ns = self._quiet_from_ns = self._rest_until_ns = 0
        self.due_ns: int | None = None

    def start(self, now_ns: int) -> None:
        """Begin with a burst; earlier PINGs are forgotten."""
        self.burst = BURST
        self._outstanding.clear()
        self._rest_until_ns = 0
        self.due_ns = now_ns

    def take(self, now_ns: int, armed: bool) -> int | None:
        """Return the id to PING now; None if it is not yet time."""
        if self.due_ns is None or now_ns < self.due_ns:
            return None
        period = self._period(now_ns, armed)
        self.burst = max(0, self.burst - 1)
        jitter = 1 - JITTER / 2 + JITTER * self._jitter()
        # No faster than the board answers: PINGs would queue up at the board, and its PONGs would delay the next event.
        wait = min(max(period, 2 * self._slow_ns), AGAIN_NS)
        self.due_ns = now_ns + round(wait * jitter)
        self._rest_until_ns = now_ns + round(period * jitter)
        self._outstanding = {
            ping_id: entry
            for ping_id, entry in self._outstanding.items()
            if now_ns - entry[0] <= FORGET_NS
        }
        self._id = self._id % 0xFFFF + 1
        self._outstanding[self._id] = now_ns, True
        return self._id

    def _period(self, now_ns: int, armed: bool) -> int:
        if self.burst > 0:
            return BURST_NS
        if now_ns < self._follow_until_ns:
            return FOLLOW_NS
        if armed:
            return ARMED_NS if now_ns < self._quiet_from_ns else QUIET_NS
        return IDLE_NS

    def follow(self, now_ns: int, *, closely: bool) -> None:
        """Note an event: the table is not quiet. With `closely`, ask for the watermark soon, and often for a while."""
        self._quiet_from_ns = now_ns + QUIET_AFTER_NS
        if self.due_ns is None or self.burst > 0 or not closely:
            return
        if now_ns >= self._follow_until_ns:
            self.hasten(now_ns)
        self._follow_until_ns = now_ns + FOLLOW_FOR_NS

    def hasten(self, by_ns: int) -> None:
        """Bring the next PING forward to `by_ns`, once the board is known."""
        if self.due_ns is not None:
            self.due_ns = min(self.due_ns, by_ns)
            self._rest_until_ns = 0

    def answered(self, ping_id: int, now_ns: int) -> int | None:
        """Return when the PING was sent; None if it is unknown or a resend came between, which spoils the sample."""
        if ping_id == self._id and self.due_ns is not None:
            self.due_ns = self._rest_until_ns or self.due_ns
        if ping_id not in self._outstanding:
            return None
        sent_ns, is_undisturbed = self._outstanding.pop(ping_id)
        self._slow_ns = max(now_ns - sent_ns, self._slow_ns * 7 // 8)
        return sent_ns if is_undisturbed else None

    def spoil(self) -> None:
        """Note a resend: the round trips under way waited in its queue and prove little."""
        self._outstanding = {
            ping_id: (sent_ns, False) for ping_id, (sent_ns, _) in self._outstanding.items()
        }


CONFIG_TRIES = 5


class BoardSettings:
    """One connection's handling of `wanted`, the session's settings; None leaves the board's alone.

    The board is told until it says that it has them, and again after each boot. `in_force` is whether it has them; None
    before it said.
    """

    def __init__(self, wanted: Config | None) -> None:
        self.wanted = wanted
        self.retry = Retry(500 * _MS, 2_000 * _MS)
        self.in_force: bool | None = None
        self._reported: tuple[int, int] | None = None

    def change(self, wanted: Config | None, now_ns: int) -> None:
        """Change the wanted settings."""
        self.wanted = wanted
        self.retry.stop()
        if wanted is None or self._reported is None:
            return
        _, config_crc = self._reported
        if config_crc != crc32(wanted.body()):
            self.in_force = False
            self.retry.start(now_ns)

    def forget(self) -> None:
        """Forget what the board reported, because the board or the connection started again."""
        self.retry.stop()
        self.in_force = self._reported = None

    def receive_crc(self, boot_id: int, config_crc: int, now_ns: int) -> Configured | None:
        """Take the CRC of a HELLO; return what to report about it, once for each change."""
        wanted = self.wanted
        if wanted is None:
            return None
        self.in_force = config_crc == crc32(wanted.body())
        if self.in_force:
            self.retry.stop()
        elif self._reported is None or self._reported[1] != config_crc:
            self.retry.ensure(now_ns)
        if self._reported == (boot_id, config_crc):
            return None
        was_told = self._reported is not None and self.in_force
        self._reported = (boot_id, config_crc)
        known: Config | None = None
        if self.in_force:
            known = wanted
        elif config_crc == crc32(DEFAULTS.body()):
            known = DEFAULTS
        return Configured(boot_id, config_crc, known, self.in_force, was_told)

    def give_up(self) -> bool:
        """Stop telling a board that does not take them; return True once, when that happens."""
        if not self.retry.running or self.retry.tries < CONFIG_TRIES:
            return False
        self.retry.stop()
        return True


# The board resends by itself, first after 100, 200 and 400 ms: only a number that is missing for longer is asked for.
REPLAY_FIRST_NS = 500 * _MS
WHO_IDS = 0xFFFF
NOT_BEFORE_HELLO = frozenset((0x03, 0x04, 0x05))
"""Bytes that MicroPython acts on while no firmware listens: 0x03 interrupts a program, 0x04 restarts the interpreter at
its prompt, and 0x05 begins a paste that lasts until one of the others."""
END_OF_LINE = 0x0D


class Requests:
    """The requests of one connection that wait for an answer; `jitter` returns a number in [0, 1)."""

    def __init__(self, config: Config | None, jitter: Callable[[], float], first_who: int) -> None:
        self.settings = BoardSettings(config)
        self.pinger = Pinger(jitter)
        self.one_shot: deque[Cue | Show] = deque()
        # cue id -> output, for cues that are not answered yet
        self.cue_outputs: dict[int, int] = {}
        self._cue_id = 0
        self.who = Retry(250 * _MS, 500 * _MS)
        self._who_id = first_who % WHO_IDS
        # id -> when, of the WHOs sent since the doubt began: a HELLO that echoes one ends it
        self.asked: dict[int, int] = {}
        self.arm = Retry(300 * _MS, 2_000 * _MS)
        self.standby = Retry(100 * _MS, 400 * _MS)
        self.replay = Retry(REPLAY_FIRST_NS, 4_000 * _MS)

    @property
    def in_doubt(self) -> bool:
        """True if it is uncertain which firmware listens, or if any does: nothing but WHO is sent then."""
        return self.who.running

    def ask_who(self, now_ns: int) -> None:
        """Be in doubt until a HELLO echoes a WHO sent from now on."""
        if not self.who.running:
            self.asked.clear()
            self.who.start(now_ns)

    def due_who(self, now_ns: int, *, ends_line: bool = False) -> bytes:
        """Return the WHO to send now, as bytes, for a board whose firmware may not run yet.

        It is for boot id 0 and has an id that keeps `NOT_BEFORE_HELLO` out of the frame. With `ends_line` the frame
        contains an end of line: in the middle of a line a prompt only echoes what is typed, and after the line it shows
        itself.
        """
        if not self.who.take(now_ns):
            return b""
        while True:
            self._who_id = self._who_id % WHO_IDS + 1
            frame = encode(Who(self._who_id), 0)
            if NOT_BEFORE_HELLO.isdisjoint(frame) and (not ends_line or END_OF_LINE in frame):
                self.asked[self._who_id] = now_ns
                return frame

    def due(self, now_ns: int, *, armed: bool = False, replay_from: int = 1) -> list[Message]:
        """Return the messages to send now to a board that is known."""
        due: list[Message] = []
        if self.standby.take(now_ns):
            due.append(Standby())
        if self.settings.wanted is not None and self.settings.retry.take(now_ns):
            due.append(self.settings.wanted)
        if self.arm.take(now_ns):
            due.append(Arm())
        if self.replay.take(now_ns):
            self.pinger.spoil()
            due.append(Replay(replay_from))
        while self.one_shot:
            due.append(self.one_shot.popleft())
        ping_id = self.pinger.take(now_ns, armed)
        return due if ping_id is None else [*due, Ping(ping_id)]

    def cue(self, output: int, ms: int) -> int:
        """Queue a cue; return its id."""
        self._cue_id = self._cue_id % 0xFFFF + 1
        self.one_shot.append(Cue(self._cue_id, output, ms))
        self.cue_outputs[self._cue_id] = output
        return self._cue_id

    def next_due(self) -> list[int]:
        """Return the times at which something is to be sent."""
        if self.who.due_ns is not None:
            return [self.who.due_ns]
        retries = (self.arm, self.settings.retry, self.standby, self.replay)
        times = [retry.due_ns for retry in retries] + [self.pinger.due_ns]
        return [due_ns for due_ns in times if due_ns is not None]
