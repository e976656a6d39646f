"""Monitor, selftest and calibrate: ask, listen for a while, evaluate.

Output is plain lines, unless the callbacks of `SelftestBoard` take the steps and events, as the screen's do
(`desk.py`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from math import inf
from typing import Protocol
from zlib import crc32

from companion.board.asking import (
    BUTTON_PRESSES,
    AskedStep,
    AskingPace,
    StepKind,
    calibration_steps,
    channels_with_role,
    selftest_steps,
)
from companion.board.calibration import CalibrationSamples, ProposedSettings, propose
from companion.board.monitor import Monitor, noise_before, wave_lines
from companion.board.selftest import Grade, WireEvents, WireVerdict, verdicts
from companion.errors import CommandError, ErrorKind
from companion.link.clock import Sample, rate_between
from companion.link.conversation import Conversation
from companion.link.events import Identified, SessionEvent, Watermark
from companion.link.evidence import Evidence, Numbered
from companion.link.session import Session
from companion.link.status import Counters
from companion.program import PROGRAM
from companion.rules.columns import plural
from companion.session.accessories import LAMP
from companion.session.board_pages import BoardOutcome
from companion.session.muted import Muting, muting_in
from companion.session.sound import BUZZER
from firmware_protocol.messages import (
    ARMED,
    CAN_CUE,
    MASKED,
    MUTED,
    PRESSED,
    ROLE_HIT,
    ROLE_TRIGGER,
    SHOWS_HITS,
    Channel,
    Config,
    Event,
    Hello,
    Overrun,
    State,
    Wave,
)
from firmware_protocol.unsaved import unsaved_events

Say = Callable[[str], None]
_S = 1_000_000_000


class BoardConversation(Protocol):
    """A conversation with a board: a `Conversation` of its own, or `ListeningIn` at a link."""

    clock_ns: Callable[[], int]
    session: Session
    lost: str | None

    @property
    def counters(self) -> Counters:
        """What happened on the wire since the conversation began."""

    @property
    def trouble(self) -> str:
        """Sentence on why the board cannot be talked to; empty if it can."""

    def do(self, order: Callable[[Session], object]) -> None:
        """Give an order to the session, in the thread that owns it."""

    def turn(self) -> list[SessionEvent]:
        """Wait for a moment; return what happened."""


@dataclass(slots=True)
class SelftestBoard:
    """A board under test, the output for its person, and what was observed so far.

    `plan` gets all steps before the first, `ask` each when it is due; without `ask`, its sentence in full goes to
    `say`. `hear` gets each message and `draw` each wave. `skip_requested` is polled all the time: True skips the rest
    of a step, and an exception from it ends the procedure. `was_skipped` is whether the last step was skipped.

    `closed` are the channels closed now, None before the board said so. `waves_pending` counts waves that were
    requested and have not arrived; `noise` is the hit sensor's highest reading before its last hit. `muted` are the
    channels that the board has muted now, `ever_muted` those that it muted at any time.
    """

    conversation: BoardConversation
    hello: Hello
    say: Say
    pace: AskingPace = field(default_factory=AskingPace)
    plan: Callable[[Sequence[AskedStep]], object] = lambda _steps: None
    ask: Callable[[AskedStep], object] | None = None
    hear: Callable[[Numbered], object] = lambda _message: None
    draw: Callable[[Wave], object] = lambda _wave: None
    skip_requested: Callable[[], bool] = lambda: False
    was_skipped: bool = False
    closed: set[int] | None = None
    muted: dict[int, Muting] = field(default_factory=dict)
    ever_muted: dict[int, Muting] = field(default_factory=dict)
    settled_us: int = 0
    waves_pending: int = 0
    noise: int | None = None

    def ask_each(self, steps: Iterable[AskedStep]) -> Iterator[AskedStep]:
        """Ask one step after the other, yielding each; a step about a muted channel is left out."""
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
        """Yield the messages of so many seconds, or until there are enough."""
        until = self.conversation.clock_ns() + seconds * _S
        self.was_skipped = False
        while self.conversation.clock_ns() < until and not enough():
            self.was_skipped = self.skip_requested()
            if self.was_skipped:
                return
            for event in self.conversation.turn():
                if isinstance(event, Evidence):
                    self._track_levels(event.message)
                    self.hear(event.message)
                    yield event.message
                elif isinstance(event, Wave):
                    self._take_wave(event)
                elif isinstance(event, Watermark):
                    self.settled_us = event.settled_us
                elif isinstance(event, str):
                    self.say(event)
                elif isinstance(event, Identified):
                    raise CommandError(
                        "The board started anew in the middle: begin again.", ErrorKind.UNAVAILABLE
                    )
            if self.conversation.trouble:
                raise CommandError(self.conversation.trouble, ErrorKind.UNAVAILABLE)

    def _take_wave(self, wave: Wave) -> None:
        self.waves_pending = max(0, self.waves_pending - 1)
        if wave.points:  # empty if the samples were overwritten before the board read them
            self.noise = noise_before(wave)
            self.draw(wave)

    def events(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> list[Event]:
        """Return the edges of so many seconds, or until there are enough."""
        return [message for message in self.listen(seconds, enough) if isinstance(message, Event)]

    def until(self, enough: Callable[[Sequence[Event]], bool]) -> list[Event]:
        """Return the edges until there are enough or the time for an answer is over, and those shortly after."""
        events: list[Event] = []
        # The loop is not left early: edges of the same read as the last wanted one count too.
        for message in self.listen(self.pace.answer_s, lambda: enough(events)):
            if isinstance(message, Event):
                events.append(message)
        return events + self._after(events)

    def _after(self, events: Sequence[Event]) -> list[Event]:
        """Return the edges within `after_s` of the board's own time, however late they arrive.

        This also waits for pending waves: the board can only show its last hit, so the next one must not happen before.
        """
        if not events:
            return []
        until_us = events[-1].t_us + round(self.pace.after_s * 1_000_000)
        after = self.events(
            self.pace.order_s, lambda: self.settled_us >= until_us and not self.waves_pending
        )
        self.waves_pending = 0
        return after

    def _track_levels(self, message: Numbered) -> None:
        if isinstance(message, Overrun):
            self._track_muting(message)
        elif isinstance(message, State):
            # The levels before ARM are those of an earlier time.
            if message.flags & ARMED or self.closed is not None:
                self.closed = {
                    channel.id
                    for channel in self.hello.channels
                    if message.levels >> channel.id & 1
                }
        elif isinstance(message, Event):
            self._track_edge(message)

    def _track_edge(self, event: Event) -> None:
        if event.channel in channels_with_role(self.hello, ROLE_HIT):
            if not event.flags & MASKED:
                self._ask_for_wave()
        elif self.closed is not None and event.flags & PRESSED:
            self.closed.add(event.channel)
        elif self.closed is not None:
            self.closed.discard(event.channel)

    def _ask_for_wave(self) -> None:
        if self.hello.capabilities & SHOWS_HITS:
            self.conversation.do(Session.show)
            self.waves_pending += 1

    def _track_muting(self, message: Overrun) -> None:
        muting = muting_in(message, {channel.id: channel.name for channel in self.hello.channels})
        if muting is None:
            return
        number = message.source % MUTED
        if muting.begins:
            self.muted[number] = muting
            self.ever_muted.setdefault(number, muting)
            if self.closed is not None:
                self.closed.discard(number)
        else:
            self.muted.pop(number, None)
        self.say(muting.sentence)

    def say_wave(self, wave: Wave) -> None:
        """Draw a hit in lines."""
        for line in wave_lines(wave):
            self.say(line)

    def arm(self) -> frozenset[str]:
        """Arm the board, if not done before; return the names of the channels that are closed now."""
        session = self.conversation.session
        if self.closed is None and session.armed:
            contacts = {channel.id for channel in self.hello.channels if channel.role != ROLE_HIT}
            self.closed = set(session.closed & contacts)
        if self.closed is None:
            self.conversation.do(Session.arm)
            self.events(self.pace.order_s, lambda: self.closed is not None)
        if self.closed is None:
            raise CommandError(
                "The board did not say which levels its wires have: try again.",
                ErrorKind.UNAVAILABLE,
            )
        return frozenset(
            channel.name for channel in self.hello.channels if channel.id in self.closed
        )


class EventsKept(CommandError):
    """The board has events that a session should save first."""


@contextmanager
def open_board(
    port: str,
    say: Say,
    *,
    discard: bool,
    pace: AskingPace | None = None,
    clock_ns: Callable[[], int] = time.monotonic_ns,
) -> Iterator[SelftestBoard]:
    """Open the board at `port`; raise `EventsKept` if it has unsaved events, unless `discard`."""
    with closing(Conversation(port, acknowledges=True, clock_ns=clock_ns)) as conversation:
        hello = conversation.hello()
        if hello is None:
            sentence = (
                conversation.trouble
                or f"No table board answers at {port}: {PROGRAM} doctor says why."
            )
            raise CommandError(sentence, ErrorKind.UNAVAILABLE)
        kept = unsaved_events(hello)
        if kept and not discard:
            them = "it" if kept == 1 else "them"
            raise EventsKept(
                f"The board keeps {plural(kept, 'event')} that no session has saved: `{PROGRAM} resume` saves {them}, "
                f"--discard throws {them} away."
            )
        board = SelftestBoard(conversation, hello, say, pace or AskingPace())
        try:
            yield board
        finally:
            conversation.session.standby(conversation.clock_ns())
            until = conversation.clock_ns() + board.pace.order_s * _S
            while (
                conversation.clock_ns() < until
                and conversation.lost is None
                and not conversation.session.stood_by
            ):
                conversation.turn()


def monitor(board: SelftestBoard, seconds: float | None) -> None:
    """Print a line for each event until the time is over or Ctrl-C, then a line per channel."""
    view = Monitor(board.hello)
    board.draw = board.say_wave
    board.conversation.do(Session.arm)
    board.say("   board's s  channel")
    try:
        for message in board.listen(inf if seconds is None else seconds):
            board.say(view.line(message))
    except KeyboardInterrupt:
        board.say("")
    for line in view.summary():
        board.say(line)


def selftest(
    board: SelftestBoard,
    report: Say,
    *,
    press: bool,
    wires: Sequence[str] = (),
    as_json: bool = False,
) -> ErrorKind | None:
    """Test with hands off and, with `press`, each wire in turn; report a verdict per wire.

    Return `UNAVAILABLE` if there is a fault.
    """
    verdict_rows = examine(board, press=press, wires=wires)
    if as_json:
        report(json.dumps([asdict(verdict) for verdict in verdict_rows], indent=2))
    else:
        for grade, wire, sentence in verdict_outcome(verdict_rows).rows:
            report(f"{grade:8} {wire:9} {sentence}")
    if any(verdict.grade is Grade.FAULT for verdict in verdict_rows):
        return ErrorKind.UNAVAILABLE
    return None


def verdict_outcome(rows: Sequence[WireVerdict]) -> BoardOutcome:
    """Return the verdicts as the screen shows them."""
    cells = [(verdict.grade.value, verdict.wire, verdict.sentence) for verdict in rows]
    return BoardOutcome(tuple(cells), ())


def examine(
    board: SelftestBoard, *, press: bool, wires: Sequence[str] = (), outputs: bool = True
) -> list[WireVerdict]:
    """Return a verdict per wire and for the clock, the link and the board; a wire that was skipped is untried.

    With `press` and `outputs`, lamp and buzzer are switched on for the person to notice. Raise `CommandError` for one
    of `wires` that the board does not have.
    """
    _require_wires(board.hello, wires)
    closed = board.arm()
    first = _matched_samples(board)
    quiet: list[Event] = []
    worked: dict[str, list[Event]] = {}
    for step in board.ask_each(selftest_steps(board.hello, board.pace, press=press, wires=wires)):
        if step.channel is None:
            quiet = board.events(board.pace.quiet_s)
            continue
        events = _worked(board, step.channel)
        if events or not board.was_skipped:
            worked[step.channel.name] = events
    if press and outputs and not wires and board.hello.capabilities & CAN_CUE:
        _show_outputs(board)
    session, rate = board.conversation.session, _clock_rate(board, first)
    ever_muted = {muting.channel: muting for muting in board.ever_muted.values()}
    observed = WireEvents(
        board.hello,
        closed,
        quiet,
        worked,
        board.conversation.counters,
        *rate,
        session.stats,
        board.noise,
        ever_muted,
        was_asked=press,
    )
    if not wires:
        return verdicts(observed)
    wanted = (*wires, "clock", "link", "board")
    return [verdict for verdict in verdicts(observed) if verdict.wire in wanted]


def _require_wires(hello: Hello, wires: Sequence[str]) -> None:
    known = [channel.name for channel in hello.channels]
    for wire in wires:
        if wire not in known:
            raise CommandError(
                f"The board has no wire {wire}. It has {', '.join(known)}.", ErrorKind.USAGE
            )


def _show_outputs(board: SelftestBoard) -> None:
    board.say(
        "The lamp lights up and the buzzer sounds now, for half a second each: look and listen."
    )
    for output in (LAMP, BUZZER):
        board.conversation.do(partial(_light, output))
        board.events(0.1)


def _light(output: int, session: Session) -> None:
    session.cue(output, 500)


def _worked(board: SelftestBoard, channel: Channel) -> list[Event]:
    def answered(events: Sequence[Event]) -> bool:
        own = [event for event in events if event.channel == channel.id]
        if not own:
            return False
        # A contact is done once it is let go; a hit has no release.
        return channel.role == ROLE_HIT or not own[-1].flags & PRESSED

    return board.until(answered)


def _matched_samples(board: SelftestBoard) -> tuple[Sample, ...]:
    """Return the clock samples, once the first burst of them is complete."""
    board.events(board.pace.order_s, lambda: board.conversation.session.synced)
    return board.conversation.session.clock.samples


def _clock_rate(board: SelftestBoard, first: Sequence[Sample]) -> tuple[float | None, float]:
    """Return how many ppm the board's clock is off the computer's, and the error of that; None if unknown."""
    rate = rate_between(first, _matched_samples(board))
    if rate is None or board.conversation.counters.clock_faults:
        return None, 0.0
    return rate


def calibrate(board: SelftestBoard) -> ProposedSettings:
    """Ask for every step, and return the proposed settings; the board is not changed."""
    board.arm()
    answers: dict[StepKind, list[list[Event]]] = {kind: [] for kind in StepKind}
    for step in board.ask_each(calibration_steps(board.hello, board.pace)):
        answers[step.kind].append(_answer(board, step))
    hits = channels_with_role(board.hello, ROLE_HIT)

    def candidates(steps: Iterable[Sequence[Event]]) -> list[list[Event]]:
        return [[event for event in step if event.channel in hits] for step in steps]

    still = [event for step in candidates(answers[StepKind.STILL]) for event in step]
    shots, knocks = candidates(answers[StepKind.SHOT]), candidates(answers[StepKind.KNOCK])
    contacts: list[Event] = []
    # The trigger is pressed in the shots.
    for events in (*answers[StepKind.PRESS], *answers[StepKind.SHOT]):
        contacts += [event for event in events if event.channel not in hits]
    return propose(CalibrationSamples(still, shots, knocks, contacts))


def _answer(board: SelftestBoard, step: AskedStep) -> list[Event]:
    if step.kind is StepKind.STILL:
        return board.events(board.pace.quiet_s)
    if step.channel is not None:
        return _pressed(board, step.channel)
    triggers: set[int] = set()
    if step.kind is StepKind.SHOT:
        triggers = channels_with_role(board.hello, ROLE_TRIGGER)
    wanted = channels_with_role(board.hello, ROLE_HIT) | triggers

    def answered(events: Sequence[Event]) -> bool:
        if not any(_presses(events, wanted)):
            return False
        trigger_edges = _presses(events, triggers)
        is_held = bool(trigger_edges) and trigger_edges[-1]
        return not is_held

    return board.until(answered)


def _pressed(board: SelftestBoard, wanted: Channel) -> list[Event]:
    """Return the edges of one contact's presses; name any other contact that is pressed instead."""
    others = {
        channel.id: channel.name
        for channel in board.hello.channels
        if channel.role != ROLE_HIT and channel.id != wanted.id
    }

    def enough(events: Sequence[Event]) -> bool:
        for event in events:
            if event.flags & PRESSED and event.channel in others:
                name = others.pop(event.channel)  # each is named once
                board.say(f"That was {name}: press {wanted.name}.")
        return _presses(events, {wanted.id}).count(False) >= BUTTON_PRESSES

    return board.until(enough)


def _presses(events: Sequence[Event], channels: Set[int]) -> list[bool]:
    """Return for each edge of these channels whether it is a press, False meaning a release."""
    return [bool(event.flags & PRESSED) for event in events if event.channel in channels]


def proposal_outcome(proposal: ProposedSettings) -> BoardOutcome:
    """Return a proposal as the screen shows it."""
    rows = [(str(setting.value), setting.name, setting.reason) for setting in proposal.settings]
    return BoardOutcome(tuple(rows), proposal.sentences, can_store=True)


def tell(proposal: ProposedSettings, say: Say) -> None:
    """Print the proposal, its reasons, and what it would have made of the shots."""
    outcome = proposal_outcome(proposal)
    for value, name, reason in outcome.rows:
        say(f"{name:14} {value:>6}  {reason}")
    for sentence in outcome.sentences:
        say(sentence)


STORED = "Stored on the board, until its next boot."


def store(board: SelftestBoard, config: Config) -> None:
    """Send the settings to the board, which keeps them until its next boot; raise `CommandError` if it does not take
    them."""
    session = board.conversation.session
    now_ns = board.conversation.clock_ns()
    session.settings.change(config, now_ns)
    session.settings.retry.ensure(now_ns)
    crc = crc32(config.body())
    board.events(
        board.pace.order_s, lambda: session.hello is not None and session.hello.config_crc == crc
    )
    if session.hello is None or session.hello.config_crc != crc:
        raise CommandError(
            f"The board did not take the settings: run `{PROGRAM} doctor`.", ErrorKind.UNAVAILABLE
        )
