"""Monitor, selftest and calibrate at a board, in plain lines: asks, listens for a while, says what came of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from zlib import crc32

from companion.board.calibration import Felt, Proposal, propose
from companion.board.conversation import Conversation
from companion.board.monitor import Monitor
from companion.board.selftest import Grade, Link, Seen, Verdict, verdicts
from companion.exits import CommandError, Exit
from companion.link.events import BoardSaid, Booted, EvidenceReceived, StoodBy, Watermark
from companion.link.port_errors import OpenFailed
from firmware_protocol.messages import ARMED, CAN_CUE, PRESSED, ROLE_HIT, ROLE_TRIGGER, Config, Event, Gap, Hello, State

Say = Callable[[str], None]
Message = Event | State | Gap

BUTTON_PRESSES = 5
SHOTS = 3


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to listen, in seconds: with hands off, for one answer, after it, and for an order to the board."""

    quiet_s: float = 5.0
    answer_s: float = 15.0
    after_s: float = 0.4
    order_s: float = 3.0


@dataclass(slots=True)
class Table:
    """A board that takes part, the words to its person, and what came so far."""

    talk: Conversation
    hello: Hello
    say: Say
    pace: Pace = field(default_factory=Pace)
    gap_events: int = 0
    settled_us: int = 0

    def listen(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> Iterator[Message]:
        """What comes within so many seconds, or until there is enough."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not enough():
            for event in self.talk.turn():
                if isinstance(event, EvidenceReceived):
                    self.gap_events += event.evidence.message.count if isinstance(event.evidence.message, Gap) else 0
                    yield event.evidence.message
                elif isinstance(event, Watermark):
                    self.settled_us = event.settled_us
                elif isinstance(event, BoardSaid):
                    self.say(f"the board says: {event.text}")
                elif isinstance(event, Booted):
                    raise CommandError("The board started anew in the middle: begin again.", Exit.UNAVAILABLE)
            if self.talk.lost is not None or self.talk.session.refusal is not None:
                why = self.talk.lost or self.talk.session.refusal
                raise CommandError(f"The board is lost: {why}.", Exit.UNAVAILABLE)

    def events(self, seconds: float) -> list[Event]:
        """The edges that come within so many seconds."""
        return [message for message in self.listen(seconds) if isinstance(message, Event)]

    def until(self, enough: Callable[[Sequence[Event]], bool], seconds: float | None = None) -> list[Event]:
        """The edges until there are enough, or the time is over; and what follows shortly after."""
        found: list[Event] = []
        for message in self.listen(self.pace.answer_s if seconds is None else seconds):
            if isinstance(message, Event):
                found.append(message)
            if enough(found):
                break
        return found + self._after(found)

    def _after(self, found: Sequence[Event]) -> list[Event]:
        """What follows within `after_s` of the board's own time, however late it comes over the wire."""
        if not found:
            return []
        until_us = found[-1].t_us + round(self.pace.after_s * 1_000_000)
        after: list[Event] = []
        for message in self.listen(self.pace.order_s, enough=lambda: self.settled_us >= until_us):
            if isinstance(message, Event):
                after.append(message)
        return after

    def arm(self) -> frozenset[str]:
        """Begin, and return the names of the channels that are closed."""
        self.talk.session.arm()
        for message in self.listen(self.pace.order_s):
            if isinstance(message, State) and message.flags & ARMED:
                return frozenset(one.name for one in self.hello.channels if message.levels >> one.id & 1)
        raise CommandError("The board did not say which levels its wires have: try again.", Exit.UNAVAILABLE)


@contextmanager
def at(port: str, say: Say, *, discard: bool, pace: Pace | None = None) -> Iterator[Table]:
    """Take part with the board at `port`; what it keeps for a session is only thrown away when `discard` says so."""
    try:
        talk = Conversation(port, takes=True)
    except OpenFailed as failed:
        raise CommandError(failed.sentence, Exit.UNAVAILABLE) from failed
    with talk:
        hello = talk.hello()
        if hello is None:
            raise CommandError(f"No table board answers at {port}: companion doctor says why.", Exit.UNAVAILABLE)
        held = hello.next_seq - hello.oldest_seq
        if held > 1 and not discard:
            raise CommandError(
                f"The board keeps {held} events that no session has saved: `companion resume` saves them, --discard "
                "throws them away."
            )
        table = Table(talk, hello, say, pace or Pace())
        yield table
        _stand_by(table)


def _stand_by(table: Table) -> None:
    session = table.talk.session
    session.standby(time.monotonic_ns())
    until = time.monotonic() + table.pace.order_s
    while time.monotonic() < until and table.talk.lost is None:
        if any(isinstance(event, StoodBy) for event in table.talk.turn()):
            return


def monitor(table: Table, seconds: float) -> Exit:
    """A line for each event until the time is over or Ctrl-C; then a line per channel."""
    view = Monitor(table.hello)
    table.talk.session.arm()
    table.say("   board's s  channel")
    try:
        for message in table.listen(seconds):
            table.say(view.line(message))
    except KeyboardInterrupt:
        table.say("")
    for line in view.summary():
        table.say(line)
    return Exit.DONE


def selftest(table: Table, report: Say, *, press: bool, wires: Sequence[str] = (), as_json: bool = False) -> Exit:
    """Look with hands off and, with `press`, at each wire in turn; report a verdict per wire; 69 for a fault."""
    closed = table.arm()
    begun = _clock(table)
    table.say(f"Hands off everything for {table.pace.quiet_s:g} s.")
    quiet = table.events(table.pace.quiet_s)
    names = [channel.name for channel in table.hello.channels if not wires or channel.name in wires]
    worked = {name: _work(table, name) for name in names} if press else {}
    if press and not wires:
        _outputs(table)
    found = verdicts(Seen(table.hello, closed, quiet, worked, _link(table, begun)))
    found = [one for one in found if not wires or one.wire in wires or one.wire in ("clock", "link")]
    _report(found, report, as_json=as_json)
    return Exit.UNAVAILABLE if any(one.grade is Grade.FAULT for one in found) else Exit.DONE


def _work(table: Table, name: str) -> list[Event]:
    channel = next(one for one in table.hello.channels if one.name == name)
    asked = {ROLE_HIT: "Knock on the gun once", ROLE_TRIGGER: "Pull the trigger once and let go"}
    table.say(f"{asked.get(channel.role, f'Press {name} once and let go')}.")

    def answered(events: Sequence[Event]) -> bool:
        mine = [event for event in events if event.channel == channel.id]
        return bool(mine) and (channel.role == ROLE_HIT or not mine[-1].flags & PRESSED)

    return table.until(answered)


def _outputs(table: Table) -> None:
    if table.hello.capabilities & CAN_CUE:
        table.say("The lamp lights up and the buzzer sounds now, for half a second each: look and listen.")
        for output in (0, 1):
            table.talk.session.cue(output, 500)
            table.events(0.1)


def _clock(table: Table) -> tuple[int, int, int] | None:
    """The host's time, the board's and its error, once the clocks are matched."""
    for _ in range(round(table.pace.order_s * 50)):
        if table.talk.session.synced:
            break
        table.events(0.02)
    now_ns = time.monotonic_ns()
    matched = table.talk.session.clock.device_at(now_ns)
    return None if matched is None else (now_ns, *matched)


def _link(table: Table, begun: tuple[int, int, int] | None) -> Link:
    counters, stats = table.talk.session.counters, table.talk.session.stats
    ended = _clock(table)
    ppm = error = None
    if begun is not None and ended is not None and counters.clock_faults == 0:
        host_us = (ended[0] - begun[0]) / 1000
        ppm = ((ended[1] - begun[1]) - host_us) / host_us * 1e6
        error = (begun[2] + ended[2]) / host_us * 1e6
    return Link(
        bad_frames=counters.bad_frames + (stats.bad_frames if stats else 0),
        resends=counters.duplicates,
        gap_events=table.gap_events,
        clock_ppm=ppm,
        clock_error_ppm=error or 0.0,
        clock_faults=counters.clock_faults,
        longest_isr_us=stats.longest_isr_us if stats else None,
    )


def _report(found: Iterable[Verdict], say: Say, *, as_json: bool) -> None:
    if as_json:
        say(json.dumps([asdict(one) for one in found], indent=2))
        return
    for one in found:
        say(f"{one.grade.value:8} {one.wire:9} {one.sentence}")


def calibrate(table: Table) -> Proposal:
    """Ask for everything, and return what to set; the board is not changed."""
    table.arm()
    hits = {channel.id for channel in table.hello.channels if channel.role == ROLE_HIT}
    triggers = {channel.id for channel in table.hello.channels if channel.role == ROLE_TRIGGER}
    still: list[Event] = []
    shots: list[list[Event]] = []
    knocks: list[list[Event]] = []
    contacts: list[Event] = []
    if hits:
        table.say(f"Hold the gun still for {table.pace.quiet_s:g} s.")
        still = table.events(table.pace.quiet_s)
        for count in range(SHOTS):
            table.say(f"Shot {count + 1} of {SHOTS}: fire as in play.")
            shots.append(table.until(lambda found: any(one.channel in hits | triggers for one in found)))
        for count in range(SHOTS):
            table.say(f"Knock {count + 1} of {SHOTS}: lay the gun down, or tap it, without the trigger.")
            knocks.append(table.until(lambda found: any(one.channel in hits for one in found)))
    for channel in table.hello.channels:
        if channel.id not in hits | triggers:
            contacts += _presses(table, channel.name, channel.id)
    contacts += [one for shot in shots for one in shot if one.channel in triggers]
    return propose(
        Felt(
            [one for one in still if one.channel in hits],
            [[one for one in shot if one.channel in hits] for shot in shots],
            [[one for one in knock if one.channel in hits] for knock in knocks],
            contacts,
        )
    )


def _presses(table: Table, name: str, number: int) -> list[Event]:
    table.say(f"Press {name} {BUTTON_PRESSES} times (not there: wait {table.pace.answer_s:g} s).")
    return table.until(
        lambda found: sum(one.channel == number and not one.flags & PRESSED for one in found) >= BUTTON_PRESSES
    )


def tell(proposal: Proposal, say: Say) -> None:
    """Say what is proposed, why, and what it would have made of the shots."""
    for setting in proposal.settings:
        say(f"{setting.name:14} {setting.value:6}  {setting.reason}")
    for sentence in (*proposal.warnings, *(f"It would have counted {line}." for line in proposal.outcome)):
        say(sentence)


def store(port: str, config: Config, within_s: float = 3.0) -> None:
    """Send the settings to the board, which keeps them until its next boot; `CommandError` when it does not."""
    try:
        talk = Conversation(port, config=config)
    except OpenFailed as failed:
        raise CommandError(failed.sentence, Exit.UNAVAILABLE) from failed
    with talk:
        until = time.monotonic() + within_s
        while time.monotonic() < until and talk.lost is None:
            talk.turn()
            hello = talk.session.hello
            if hello is not None and hello.config_crc == crc32(config.body()):
                return
    raise CommandError("The board did not take the settings: run `companion doctor`.", Exit.UNAVAILABLE)
