"""Checks with the firmware running: round trips, crosstalk, its counters, its port, and presses of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field

from companion.board import procedures
from companion.board.asking import AskingPace, channels_with_role
from companion.board.chip_checks import verdicts
from companion.board.chip_checks.prompt_checks import Lengths
from companion.board.chip_checks.verdicts import Finding
from companion.board.procedures import BoardConversation, SelftestBoard
from companion.errors import CommandError, ErrorKind
from companion.link.clock import rate_between
from companion.link.conversation import Conversation
from companion.link.events import CueGiven, SessionEvent
from companion.link.evidence import Evidence
from companion.program import PROGRAM
from firmware_protocol.board import FIRMWARE
from firmware_protocol.board.pins import OUTPUTS
from firmware_protocol.messages import (
    CAN_CUE,
    MASKED,
    PRESSED,
    ROLE_HIT,
    UNREAD,
    Event,
    Stats,
    Wave,
)

_S = 1_000_000_000
CUE_MS = 200
# How long presses are counted after a cue begins.
CUE_S = 0.6
PRESSES_HZ = 13
# The board sends STATS every ten seconds.
STATS_S = 11.0
# Before it answers, the board compiles 16 KiB and loads the firmware.
STARTS_S = 10.0


@dataclass(slots=True)
class FirmwareBench:
    """A port with a running firmware, the computer's clock, and how long to wait for the firmware."""

    port: str
    say: Callable[[str], None]
    lengths: Lengths = field(default_factory=Lengths)
    hubs: int | None = None
    discard: bool = False
    pace: AskingPace | None = None
    clock_ns: Callable[[], int] = time.monotonic_ns
    starts_s: float = STARTS_S

    def answers(self) -> Iterator[Finding]:
        """Yield the verdicts on the firmware as it normally runs."""
        with self._open_board() as board:
            if board.hello.firmware != FIRMWARE:
                why = (
                    f"The board has firmware {board.hello.firmware}, and these checks are for {FIRMWARE}: run "
                    f"`{PROGRAM} board install` first."
                )
                raise CommandError(why, ErrorKind.UNAVAILABLE)
            board.arm()
            yield verdicts.pings(self._round_trips(board.conversation), self.hubs)
            for number, output in enumerate(OUTPUTS):
                yield self._crosstalk(board, number, output)
            stats = self._newest_stats(board)
            yield verdicts.longest_turn(None if stats is None else stats.longest_turn_us)
            # The free memory is measured after ARM, so any STATS has it.
            stats = board.conversation.session.stats
            yield verdicts.memory(None if stats is None else stats.free_bytes)

    def opened(self) -> Finding:
        """Open and close the port repeatedly, each time asking who is there."""
        boots: set[int] = set()
        answered = 0
        for _ in range(self.lengths.opened):
            with closing(Conversation(self.port, clock_ns=self.clock_ns)) as conversation:
                if conversation.hello() is not None:
                    answered += 1
                    boots.add(conversation.session.boot_id)
        return verdicts.port(answered, self.lengths.opened, max(0, len(boots) - 1))

    def pressed(self) -> Finding:
        """Measure the delays of presses that the board makes itself, and end its firmware."""
        with closing(
            Conversation(self.port, acknowledges=True, clock_ns=self.clock_ns)
        ) as conversation:
            if conversation.hello(self.starts_s) is None:
                raise CommandError(
                    "The firmware that presses a pin itself did not answer.", ErrorKind.UNAVAILABLE
                )
            try:
                delays = self._delays(conversation)
            finally:
                conversation.end_firmware()
        return verdicts.to_host(delays, self.lengths.presses)

    def shots(self) -> Iterator[Finding]:
        """Ask for ten shots, and yield the verdicts on them."""
        waves: list[Wave] = []
        peaks: list[int] = []
        with self._open_board() as board:
            board.arm()
            board.draw = waves.append
            hits = channels_with_role(board.hello, ROLE_HIT)
            if not hits:
                yield verdicts.not_asked("ten shots", "the board has no hit sensor")
                return
            self.say(f"Fire {verdicts.SHOTS} shots, a second apart.")
            for message in board.listen(self.lengths.shots_s, lambda: len(peaks) >= verdicts.SHOTS):
                if not isinstance(message, Event) or message.channel not in hits:
                    continue
                if not message.flags & (MASKED | UNREAD):
                    peaks.append(message.peak)
            list(board.listen(1.0, lambda: not board.waves_pending))
        yield from verdicts.shots(peaks, len(waves))

    def night(self) -> Iterator[Finding]:
        """Listen for hours, or until Ctrl-C; yield the verdicts on the counters."""
        begun_ns = self.clock_ns()
        with self._open_board() as board:
            board.arm()
            list(board.listen(board.pace.order_s, lambda: board.conversation.session.synced))
            session, restarts, is_gone = board.conversation.session, 0, False
            first_samples = session.clock.samples
            hours = self.lengths.night_s / 3600
            self.say(f"Leave the board alone for {hours:.0f} hours.")
            self.say("Ctrl-C ends this earlier; the report is written then, too.")
            try:
                for _ in board.listen(self.lengths.night_s):
                    pass
            except CommandError:
                # `listen` raises this both for a lost port and for a board that restarted.
                is_gone = board.conversation.lost is not None
                restarts = 0 if is_gone else 1
            except KeyboardInterrupt:
                self.say("")
            rate = rate_between(first_samples, session.clock.samples)
            counters = session.counters
        hours = (self.clock_ns() - begun_ns) / 3600 / _S
        damaged = counters.bad_frames + counters.duplicates
        yield from verdicts.night(hours, counters.gap_events, damaged, restarts, rate, is_gone)

    def _open_board(self) -> AbstractContextManager[SelftestBoard]:
        return procedures.open_board(
            self.port, self.say, discard=self.discard, pace=self.pace, clock_ns=self.clock_ns
        )

    def _round_trips(self, conversation: BoardConversation) -> list[int]:
        rtts_us: list[int] = []
        last = None
        for _ in self._turns(conversation, self.lengths.pings_s):
            newest = conversation.session.clock.samples[-1:]
            if newest and newest != last and conversation.session.clock.rtt_us is not None:
                last = newest
                rtts_us.append(conversation.session.clock.rtt_us)
        return rtts_us

    def _newest_stats(self, board: SelftestBoard) -> Stats | None:
        """Return the next STATS, which covers everything done until now; None if the board sent none."""
        session = board.conversation.session
        before = session.stats
        list(board.listen(STATS_S, lambda: session.stats is not before))
        if session.stats is before:
            return None
        return session.stats

    def _crosstalk(self, board: SelftestBoard, number: int, output: str) -> Finding:
        check, conversation, hello = f"crosstalk of the {output}", board.conversation, board.hello
        if not hello.capabilities & CAN_CUE or conversation.session.cue(number, CUE_MS) is None:
            return verdicts.not_asked(check, "the board has no output")
        names = {channel.id: channel.name for channel in hello.channels}
        pressed: list[str] = []
        until_ns = None
        for event in self._turns(conversation, board.pace.order_s + CUE_S):
            if isinstance(event, CueGiven):
                until_ns = conversation.clock_ns() + round(CUE_S * _S)
            message = event.message if isinstance(event, Evidence) else None
            if isinstance(message, Event) and message.flags & PRESSED:
                pressed.append(names.get(message.channel, "?"))
            if until_ns is not None and conversation.clock_ns() >= until_ns:
                return verdicts.crosstalk(output, pressed)
            if isinstance(event, str):
                break
        return verdicts.not_asked(check, f"the board did not switch the {output} on")

    def _delays(self, conversation: Conversation) -> list[float]:
        """Return the ms from each press's stamp to its arrival here, by the two clocks."""
        session = conversation.session
        session.arm()
        delays: list[float] = []
        for event in self._turns(
            conversation, self.starts_s + 2 * self.lengths.presses / PRESSES_HZ
        ):
            if not (
                isinstance(event, Evidence) and isinstance(event.message, Event) and session.synced
            ):
                continue
            offset = session.clock.offset_at(event.read_ns)
            if event.message.flags & PRESSED and offset is not None:
                delays.append(delay_ms(event.message, event.read_ns, offset))
            if len(delays) >= self.lengths.presses:
                break
        return delays

    def _turns(
        self, conversation: BoardConversation, seconds: float
    ) -> Iterator[SessionEvent | None]:
        """Talk for so many seconds; yield each event, and None after each turn."""
        until_ns = conversation.clock_ns() + round(seconds * _S)
        while conversation.clock_ns() < until_ns:
            yield from conversation.turn()
            if conversation.trouble:
                raise CommandError(conversation.trouble, ErrorKind.UNAVAILABLE)
            yield None


def delay_ms(event: Event, read_ns: int, offset: tuple[int, int]) -> float:
    """Return the longest time in ms that an event can have taken from the pin to the host.

    The board's clock minus the host's lies within `offset` (ns). Its middle would hide half of a way to the host that
    is longer than the way to the board.
    """
    return (read_ns - event.t_us * 1000 + offset[1]) / 1e6
