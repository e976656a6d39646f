"""Monitor, selftest and calibrate at a board: asks, listens for a while, says what came of it. In plain lines, unless
somebody takes the steps and the events to show them in another way, as the screen does (`desk.py`)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from math import inf
from zlib import crc32

from companion.board.asking import (
    BUTTON_PRESSES,
    AskedStep,
    AskingPace,
    StepKind,
    calibration_asks,
    of,
    selftest_asks,
)
from companion.board.calibration import CalibrationSamples, ProposedSettings, propose
from companion.board.monitor import Monitor, at_rest, drawing
from companion.board.selftest import Grade, WireEvents, WireVerdict, verdicts
from companion.dashboard.board.view import BoardOutcome
from companion.errors import CommandError, ErrorKind
from companion.link.clock import Sample, rate_between
from companion.link.conversation import Conversation
from companion.link.events import Identified, Watermark
from companion.link.evidence import Evidence, Numbered
from companion.session.muted import Muting, muting_in
from firmware_protocol.messages import (
    ARMED,
    CAN_CUE,
    MASKED,
    MUTED,
    PRESSED,
    ROLE_HIT,
    ROLE_TRIGGER,
    Channel,
    Config,
    Event,
    Hello,
    Overrun,
    State,
    Wave,
)

Say = Callable[[str], None]
_S = 1_000_000_000


@dataclass(slots=True)
class SelftestBoard:
    """A board that takes part, the words to its person, and what came so far.

    `plan` is told of all steps before the first, `ask` of each when it is its turn; where nobody takes it, it is said
    in full. `hear` is told of each message; `goes_on` says that the person waits for no more, and is asked all the
    time: what it raises ends the work. `passed_by` is whether it ended the last listening.
    `closed` are the channels that are closed now; None before the board said so. `undrawn` counts the waves that
    were asked for and have not come, `noise` is what the hit sensor read before its last hit. `muted` are the channels
    that the board has muted now, `noisy` those that it muted at any time.
    """

    talk: Conversation
    hello: Hello
    say: Say
    pace: AskingPace = field(default_factory=AskingPace)
    plan: Callable[[Sequence[AskedStep]], object] = lambda _steps: None
    ask: Callable[[AskedStep], object] | None = None
    hear: Callable[[Numbered], object] = lambda _message: None
    draw: Callable[[Wave], object] = lambda _wave: None
    goes_on: Callable[[], bool] = lambda: False
    passed_by: bool = False
    closed: set[int] | None = None
    muted: dict[int, Muting] = field(default_factory=dict)
    noisy: dict[int, Muting] = field(default_factory=dict)
    settled_us: int = 0
    undrawn: int = 0
    noise: int | None = None

    def asked(self, steps: Iterable[AskedStep]) -> Iterator[AskedStep]:
        """Ask one step after the other, and yield each; one about a channel that the board has muted is left out."""
        planned = tuple(steps)
        self.plan(planned)
        for step in planned:
            if step.channel is not None and step.channel.id in self.muted:
                continue
            if self.ask is None:
                self.say(step.in_full)
            else:
                self.ask(step)
            yield step

    def listen(
        self, seconds: float, enough: Callable[[], bool] = lambda: False
    ) -> Iterator[Numbered]:
        """What comes within so many seconds, or until there is enough."""
        until = self.talk.clock_ns() + seconds * _S
        self.passed_by = False
        while self.talk.clock_ns() < until and not enough():
            self.passed_by = self.goes_on()
            if self.passed_by:
                return
            for event in self.talk.turn():
                if isinstance(event, Evidence):
                    self._note(event.message)
                    self.hear(event.message)
                    yield event.message
                elif isinstance(event, Wave):
                    self._shown(event)
                elif isinstance(event, Watermark):
                    self.settled_us = event.settled_us
                elif isinstance(event, str):
                    self.say(event)
                elif isinstance(event, Identified):
                    raise CommandError(
                        "The board started anew in the middle: begin again.", ErrorKind.UNAVAILABLE
                    )
            if self.talk.trouble:
                raise CommandError(self.talk.trouble, ErrorKind.UNAVAILABLE)

    def _shown(self, wave: Wave) -> None:
        self.undrawn = max(0, self.undrawn - 1)
        if wave.points:  # else the board came too late to read them
            self.noise = at_rest(wave)
            self.draw(wave)

    def events(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> list[Event]:
        """The edges that come within so many seconds, or until there is enough."""
        return [message for message in self.listen(seconds, enough) if isinstance(message, Event)]

    def until(self, enough: Callable[[Sequence[Event]], bool]) -> list[Event]:
        """The edges until there are enough, or nobody answered in time; and what follows shortly after."""
        found: list[Event] = []
        # Not left in the middle: what came in the same read as the last that was wanted counts too.
        for message in self.listen(self.pace.answer_s, lambda: enough(found)):
            if isinstance(message, Event):
                found.append(message)
        return found + self._after(found)

    def _after(self, found: Sequence[Event]) -> list[Event]:
        """What follows within `after_s` of the board's own time, however late it comes over the wire.

        A wave is that of the last hit: the next may only happen once this one's was read.
        """
        if not found:
            return []
        until_us = found[-1].t_us + round(self.pace.after_s * 1_000_000)
        after = self.events(
            self.pace.order_s, lambda: self.settled_us >= until_us and not self.undrawn
        )
        self.undrawn = 0
        return after

    def _note(self, message: Numbered) -> None:
        if isinstance(message, Overrun):
            self._note_muted(message)
        elif isinstance(message, State) and (message.flags & ARMED or self.closed is not None):
            self.closed = {
                channel.id for channel in self.hello.channels if message.levels >> channel.id & 1
            }
        elif (
            isinstance(message, Event)
            and self.closed is not None
            and message.channel not in of(self.hello, ROLE_HIT)
        ):
            (self.closed.add if message.flags & PRESSED else self.closed.discard)(message.channel)
        elif (
            isinstance(message, Event)
            and message.channel in of(self.hello, ROLE_HIT)
            and not message.flags & MASKED
        ):
            self.undrawn += self.talk.session.show()

    def _note_muted(self, message: Overrun) -> None:
        muting = muting_in(message, {channel.id: channel.name for channel in self.hello.channels})
        if muting is None:
            return
        number = message.source % MUTED
        if muting.begins:
            self.muted[number] = muting
            self.noisy.setdefault(number, muting)
            if self.closed is not None:
                self.closed.discard(number)
        else:
            self.muted.pop(number, None)
        self.say(muting.sentence)

    def say_wave(self, wave: Wave) -> None:
        """Draw a hit in lines."""
        for line in drawing(wave):
            self.say(line)

    def arm(self) -> frozenset[str]:
        """Begin, if that was not done before, and return the names of the channels that are closed now."""
        if self.closed is None:
            self.talk.session.arm()
            self.events(self.pace.order_s, lambda: self.closed is not None)
        if self.closed is None:
            raise CommandError(
                "The board did not say which levels its wires have: try again.",
                ErrorKind.UNAVAILABLE,
            )
        return frozenset(one.name for one in self.hello.channels if one.id in self.closed)


class EventsKept(CommandError):
    """The board keeps what a session should have first."""


@contextmanager
def at(
    port: str,
    say: Say,
    *,
    discard: bool,
    pace: AskingPace | None = None,
    clock_ns: Callable[[], int] = time.monotonic_ns,
) -> Iterator[SelftestBoard]:
    """Take part with the board at `port`; what it keeps for a session is only thrown away when `discard` says so."""
    with closing(Conversation(port, acknowledges=True, clock_ns=clock_ns)) as talk:
        hello = talk.hello()
        if hello is None:
            why = talk.trouble or f"No table board answers at {port}: companion doctor says why."
            raise CommandError(why, ErrorKind.UNAVAILABLE)
        held = hello.next_seq - hello.oldest_seq
        if held > 1 and not discard:
            raise EventsKept(
                f"The board keeps {held} events that no session has saved: `companion resume` saves them, --discard "
                "throws them away."
            )
        table = SelftestBoard(talk, hello, say, pace or AskingPace())
        try:
            yield table
        finally:
            talk.session.standby(talk.clock_ns())
            until = talk.clock_ns() + table.pace.order_s * _S
            while talk.clock_ns() < until and talk.lost is None and not talk.session.stood_by:
                talk.turn()


def monitor(table: SelftestBoard, seconds: float | None) -> None:
    """A line for each event until the time is over or Ctrl-C; then a line per channel."""
    view = Monitor(table.hello)
    table.draw = table.say_wave
    table.talk.session.arm()
    table.say("   board's s  channel")
    try:
        for message in table.listen(inf if seconds is None else seconds):
            table.say(view.line(message))
    except KeyboardInterrupt:
        table.say("")
    for line in view.summary():
        table.say(line)


def selftest(
    table: SelftestBoard,
    report: Say,
    *,
    press: bool,
    wires: Sequence[str] = (),
    as_json: bool = False,
) -> ErrorKind | None:
    """Look with hands off and, with `press`, at each wire in turn; report a verdict per wire. Return
    `UNAVAILABLE` for a fault."""
    found = examine(table, press=press, wires=wires)
    if as_json:
        report(json.dumps([asdict(one) for one in found], indent=2))
    else:
        for grade, wire, sentence in tested(found).rows:
            report(f"{grade:8} {wire:9} {sentence}")
    return ErrorKind.UNAVAILABLE if any(one.grade is Grade.FAULT for one in found) else None


def tested(found: Sequence[WireVerdict]) -> BoardOutcome:
    """Return the verdicts as they are shown."""
    return BoardOutcome(tuple((one.grade.value, one.wire, one.sentence) for one in found), ())


def examine(table: SelftestBoard, *, press: bool, wires: Sequence[str] = ()) -> list[WireVerdict]:
    """A verdict per wire, for the clock and for the link; a wire that the person skipped is untried. Raise
    `CommandError` for one of `wires` that the board does not have."""
    known = [channel.name for channel in table.hello.channels]
    if strange := [wire for wire in wires if wire not in known]:
        raise CommandError(
            f"The board has no wire {strange[0]}. It has {', '.join(known)}.", ErrorKind.USAGE
        )
    closed = table.arm()
    begun = _clocks(table)
    quiet: list[Event] = []
    worked: dict[str, list[Event]] = {}
    for ask in table.asked(selftest_asks(table.hello, table.pace, press=press, wires=wires)):
        if ask.channel is None:
            quiet = table.events(table.pace.quiet_s)
            continue
        found = _work(table, ask.channel)
        if found or not table.passed_by:
            worked[ask.channel.name] = found
    if press and not wires and table.hello.capabilities & CAN_CUE:
        table.say(
            "The lamp lights up and the buzzer sounds now, for half a second each: look and listen."
        )
        for output in (0, 1):
            table.talk.session.cue(output, 500)
            table.events(0.1)
    session, rate = table.talk.session, _rate(table, begun)
    noisy = {muting.channel: muting for muting in table.noisy.values()}
    seen = WireEvents(
        table.hello,
        closed,
        quiet,
        worked,
        session.counters,
        *rate,
        session.stats,
        table.noise,
        noisy,
    )
    return [
        one
        for one in verdicts(seen)
        if not wires or one.wire in wires or one.wire in ("clock", "link", "board")
    ]


def _work(table: SelftestBoard, channel: Channel) -> list[Event]:
    def answered(events: Sequence[Event]) -> bool:
        mine = [event for event in events if event.channel == channel.id]
        return bool(mine) and (channel.role == ROLE_HIT or not mine[-1].flags & PRESSED)

    return table.until(answered)


def _clocks(table: SelftestBoard) -> tuple[Sample, ...]:
    """What is known of both clocks, once they are matched."""
    table.events(table.pace.order_s, lambda: table.talk.session.synced)
    return table.talk.session.clock.samples


def _rate(table: SelftestBoard, begun: Sequence[Sample]) -> tuple[float | None, float]:
    """How far off the computer's clock the board's runs, and the error of that, in ppm; None where nothing tells."""
    rate = rate_between(begun, _clocks(table))
    return (None, 0.0) if rate is None or table.talk.session.counters.clock_faults else rate


def calibrate(table: SelftestBoard) -> ProposedSettings:
    """Ask for everything, and return what to set; the board is not changed."""
    table.arm()
    came: dict[StepKind, list[list[Event]]] = {kind: [] for kind in StepKind}
    for ask in table.asked(calibration_asks(table.hello, table.pace)):
        came[ask.kind].append(_answer(table, ask))
    hits = of(table.hello, ROLE_HIT)
    shots = came[StepKind.SHOT]
    return propose(
        CalibrationSamples(
            [one for still in came[StepKind.STILL] for one in still if one.channel in hits],
            [[one for one in shot if one.channel in hits] for shot in shots],
            [[one for one in knock if one.channel in hits] for knock in came[StepKind.KNOCK]],
            [
                one
                for step in (*came[StepKind.PRESS], *shots)
                for one in step
                if one.channel not in hits
            ],
        )
    )


def _answer(table: SelftestBoard, ask: AskedStep) -> list[Event]:
    if ask.kind is StepKind.STILL:
        return table.events(table.pace.quiet_s)
    if ask.channel is not None:
        return _pressed(table, ask.channel)
    triggers = of(table.hello, ROLE_TRIGGER) if ask.kind is StepKind.SHOT else set()
    wanted = of(table.hello, ROLE_HIT) | triggers
    return table.until(
        lambda found: any(_presses(found, wanted)) and not any(_presses(found, triggers)[-1:])
    )


def _pressed(table: SelftestBoard, wanted: Channel) -> list[Event]:
    """The presses of one contact; whoever works another one is told which that was."""
    others = {
        one.id: one.name
        for one in table.hello.channels
        if one.role != ROLE_HIT and one.id != wanted.id
    }

    def enough(found: Sequence[Event]) -> bool:
        for one in found:
            if one.flags & PRESSED and (name := others.pop(one.channel, None)) is not None:
                table.say(f"That was {name}: press {wanted.name}.")
        return _presses(found, {wanted.id}).count(False) >= BUTTON_PRESSES

    return table.until(enough)


def _presses(found: Sequence[Event], channels: Set[int]) -> list[bool]:
    """Which of the channels' edges are presses, the others being releases."""
    return [bool(one.flags & PRESSED) for one in found if one.channel in channels]


def proposed(found: ProposedSettings) -> BoardOutcome:
    """Return what was calibrated as it is shown."""
    rows = tuple((str(one.value), one.name, one.reason) for one in found.settings)
    return BoardOutcome(rows, found.sentences, can_store=True)


def tell(proposal: ProposedSettings, say: Say) -> None:
    """Say what is proposed, why, and what it would have made of the shots."""
    outcome = proposed(proposal)
    for value, name, reason in outcome.rows:
        say(f"{name:14} {value:>6}  {reason}")
    for sentence in outcome.sentences:
        say(sentence)


STORED = "Stored on the board, until its next boot."


def store(table: SelftestBoard, config: Config) -> None:
    """Send the settings to the board, which keeps them until its next boot; `CommandError` when it does not."""
    session = table.talk.session
    now_ns = table.talk.clock_ns()
    session.settings.change(config, now_ns)
    session.settings.retry.ensure(now_ns)
    wanted = crc32(config.body())
    table.events(
        table.pace.order_s, lambda: session.hello is not None and session.hello.config_crc == wanted
    )
    if session.hello is None or session.hello.config_crc != wanted:
        raise CommandError(
            "The board did not take the settings: run `companion doctor`.", ErrorKind.UNAVAILABLE
        )
