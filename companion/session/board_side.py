"""The table's side of the link: which board it is, its evidence on the way into the record, and the
watermark up to which everything was reported."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.journal.entries import Draft
from companion.journal.errors import JournalError
from companion.journal.journal import Journal
from companion.link.evidence import Evidence, NotDurable
from companion.link.hit_input import HitInput
from companion.link.status import NO_LINK, LinkState, LinkStatus
from companion.rules.facts import Moment, Refused
from companion.session import intake
from companion.session.accessories import (
    LAMP,
    TRIGGER_CLOSED,
    status_news,
    trigger_news,
)
from companion.session.board_tests import draft_of_test
from companion.session.clocks import clock_name
from companion.session.corrections import NotDone
from companion.session.intake import Intake
from companion.session.interpreter import Interpreter
from companion.session.key_meanings import Waiting
from companion.session.muted import Muting
from companion.session.notices import Notices
from companion.session.projection import SessionProjection
from companion.session.spare_board import (
    BoardAsked,
    SpareBoard,
    answer_draft,
    answered,
    take_over_draft,
)
from companion.session.status_views import NO_BOARD, is_awaited, link_view, without_timings
from firmware_protocol.messages import Hello

if TYPE_CHECKING:
    from companion.link.events import Configured, CueGiven, Replaced
    from companion.link.listening_in import ListeningIn
    from companion.link.supervisor import Link
    from companion.link.sync import SyncPoint

STORE_TIMEOUT_S = 1.0  # how long the link waits for the disk; the board gives up the link after 3 s
CLOSED = "The session is closed. Open it again to continue."
NOT_LIVE = "No board is connected. Plug it in, and wait until its link is live."
NOT_RECORDED = "Nothing can be recorded now, so the board cannot be tested."
TESTED_ALREADY = "The board is being tested already. Stop that test first."
PRESSES_COUNT = "The test of the board is over: presses count again."


class ActionObserver:
    """Observes what people do at a table. This one does nothing; subclasses record actions or
    replay them."""

    def observe(self, what: str, *args: Any, **named: Any) -> AbstractContextManager[None]:  # noqa: ARG002  for subclasses
        """Return a context for the call of method `what` of the table or of its clock, entered with
        the table locked. `TooSoon` leaves the block if the key guard refused the key."""
        return nullcontext()

    def stamped(self, now: Moment) -> Moment:
        """Return the moment to record for an action by hand that happens `now`."""
        return now

    def closed(self) -> None:
        """Called when the table is closed and everything is on the disk."""


@dataclass(slots=True)
class TableParts:
    """The parts shared by the people's side of a table and its board's side, under one lock."""

    lock: threading.RLock
    journal: Journal
    record: SessionProjection
    intake: Intake
    interpreter: Interpreter
    notices: Notices
    observer: ActionObserver
    guarding_keys: Callable[[], AbstractContextManager[None]]
    """Context for changes that people did not make: keys whose meaning they change are guarded for a moment."""
    waiting: Callable[[], Waiting]
    refused: Callable[[Refused], object]
    """Shows why something is not done."""
    publish: Callable[[], object]
    lit: Callable[[Moment, int], object] = lambda _at, _entry: None
    """Called with the moment when the board's lamp was lit, and the entry that records it."""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class _TestBegun:
    """A test of the board since `t_us` of its clock, and `host_ns` of the computer's."""

    what: str
    who: str
    boot_id: int
    t_us: int
    host_ns: int


class BoardSide:
    """The link's `Listener` at a table. People and screens only use it to switch outputs of the
    board and to answer its question."""

    def __init__(self, parts: TableParts) -> None:
        self._parts = parts
        self._link: Link | None = None
        self._status = NO_LINK
        self._channels: dict[int, str] = {}
        self._spare = SpareBoard()
        self._hit_input: HitInput | None = None
        self._test: _TestBegun | None = None
        self.view = NO_BOARD
        """What a screen shows of the link."""
        self.heard = 0
        """How many messages of the link were processed."""
        self.before_each: Callable[[], object] = lambda: None
        """Called before each of them."""
        self.options: dict[str, Any] = {}
        """Further arguments of `connect` for the link."""

    def now(self) -> Moment | None:
        """Return the board's time, or None while no board is live."""
        stamp = None if self._link is None else self._link.device_now()
        if stamp is None:
            return None
        us, pm_us, boot_id = stamp
        return Moment(us=us, pm=pm_us, clock=clock_name(boot_id))

    def _count_message(self) -> None:
        self.before_each()
        self.heard += 1

    def configure(self) -> None:
        """Send the settings that the session wants to the board."""
        if self._link is not None:
            self._link.configure(self._parts.record.board)

    def cue(self, output: int, ms: int) -> bool:
        """Switch an output of the board on for `ms` milliseconds; return False if no connected
        board can."""
        return self._link is not None and self._link.cue(output, ms)

    @property
    def is_expected(self) -> bool:
        """Whether there is a board, or was, or one was named; its buttons are then worth a word."""
        return self._status.state is not LinkState.NONE and not is_awaited(self._status)

    @property
    def is_live(self) -> bool:
        """Whether the session's board is connected, and reports what is pressed."""
        return self._status.state is LinkState.LIVE

    def begin_test(self, what: str, who: str) -> ListeningIn:
        """Let presses count for nothing until `end_test`, because `who` tests or calibrates the board; return the
        conversation with it.

        Raise `NotDone` without a live board, while it is being tested, or if nothing can be recorded.
        """
        with self._parts.lock:
            if self._parts.closed:
                raise NotDone(CLOSED)
            if self._parts.record.board_tests.sentence:
                raise NotDone(TESTED_ALREADY)
            link = self._link
            now = None if link is None else link.device_now()
            if link is None or now is None or not self.is_live:
                raise NotDone(NOT_LIVE)
            conversation = link.listen_in()
            if conversation is None:
                raise NotDone(NOT_LIVE)
            t_us, _, boot_id = now
            self.note_test(what, who, boot_id, t_us, begins=True)
            if not self._parts.record.board_tests.sentence:
                conversation.close()
                raise NotDone(NOT_RECORDED)
            self._test = _TestBegun(what, who, boot_id, t_us, link.now_ns())
        return conversation

    def end_test(self) -> None:
        """Let presses count again; do nothing if no test was begun, or the record is closed."""
        with self._parts.lock:
            test, self._test = self._test, None
            if test is None or self._parts.closed or self._link is None:
                return
            # A board that is away has a clock that ran on as the computer's did.
            t_us = test.t_us + (self._link.now_ns() - test.host_ns) // 1_000
            now = self._link.device_now()
            if now is not None:
                now_us, _, boot_id = now
                if boot_id == test.boot_id:
                    t_us = now_us
            self.note_test(test.what, test.who, test.boot_id, t_us, begins=False)

    def note_test(self, what: str, who: str, boot_id: int, t_us: int, *, begins: bool) -> None:
        """Record that a test begins or ends at the board's time `t_us`; if that is impossible, the notice says why."""
        observed = self._parts.observer.observe(
            "note_test", what, who, boot_id, t_us, begins=begins
        )
        with self._parts.lock, self._parts.guarding_keys(), observed:
            draft = draft_of_test(what, who, boot_id, t_us, begins=begins)
            self._parts.interpreter.take_in(draft)
            if not begins:  # while it is on, every screen has a sentence of its own
                self._parts.notices.say(PRESSES_COUNT)
        self._parts.publish()

    @property
    def asked(self) -> BoardAsked | None:
        """The unanswered question whether to continue with another board."""
        return self._spare.asked

    def answer(self, *, agreed: bool) -> str:
        """Continue with the other board, or wait for the session's; return what follows in a
        sentence. Raise `NotDone` if nothing is asked, and `JournalError`."""
        board = self._spare.answer(agreed=agreed)
        if board is None:
            raise NotDone("nothing is asked any more")
        self._parts.interpreter.take_in(answer_draft(board, agreed=agreed))
        if agreed and self._link is not None:
            self._link.adopt(board.uid)
        self._look_for_spare()  # there may be a third board
        return answered(board, agreed=agreed)

    def close(self, clean: bool = True) -> None:
        """End the link; a clean end waits for the board's remaining events and sends it STANDBY."""
        if self._link is not None:
            self._link.close(clean)

    def connect(self, port: str, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """Connect to the board at `port` (a path, a URL, `auto`), again and again until the table
        is closed. `clock_ns` is the host's monotonic clock."""
        from companion.link.supervisor import Link  # not needed by a table without a board

        with self._parts.lock:
            options = {"clock_ns": clock_ns, **self.options}
            link = Link(
                port,
                self,
                config=self._parts.record.board,
                last=self._parts.intake.marks.last,
                armed=True,
                **options,
            )
            self._link = link
        link.start()

    def on_status(self, status: LinkStatus) -> None:
        """Show the link's state. Its timings change constantly and are not published; whoever shows
        them reads the view regularly."""
        with self._parts.lock:
            news = without_timings(status) != without_timings(self._status)
            self._status, self.view = status, link_view(status)
            self._show_muted()
            if news and not self._parts.closed:
                with self._parts.guarding_keys():
                    self._look_for_spare()
                self._report_hit_input()
        if news:
            self._parts.publish()

    def _show_muted(self) -> None:
        """Show which inputs are muted while the link is live; otherwise nobody knows the state of
        any input."""
        if self._status.state is LinkState.LIVE:
            self.view = replace(self.view, muted=self._parts.record.muted.now)

    def _report_hit_input(self) -> None:
        """Record and show what the board found at its hit sensor's pin, if the game reads hits and
        it is no piezo, or was none before."""
        before, hit_input = self._hit_input, self._status.hit_input
        if hit_input is None or hit_input == before or self._status.state is not LinkState.LIVE:
            return
        self._hit_input = hit_input
        known_before = before.sentence if before is not None else ""
        settings = self._parts.record.settings
        if not (settings.gun and settings.hit_sensor) or hit_input.sentence == known_before:
            return
        was_right = before is None or before.has_piezo
        if hit_input.has_piezo and was_right:
            return
        self._parts.interpreter.take_in(intake.note_draft(hit_input.sentence))
        self._parts.notices.say(hit_input.sentence, refused=not hit_input.has_piezo)

    def _look_for_spare(self) -> None:
        self._spare.look(self._status.others, self._parts.intake.marks.boards)

    def on_identified(self, hello: Hello, boot_id: int, replaced: Replaced | None = None) -> None:
        """Record which board it is; before that, the unknown interval if its boot id is new, or the
        take-over if it is another board."""
        with self._parts.lock:
            self._channels = {channel.id: channel.name for channel in hello.channels}
            before = self._parts.intake.boot_id
        drafts = [intake.hello_draft(hello, boot_id)]
        if replaced is not None:
            drafts.insert(0, take_over_draft(hello, boot_id, replaced))
        elif before is not None and before != boot_id:
            drafts.insert(0, intake.boot_draft(before, boot_id))
        self._record_evidence(*drafts)

    def store(self, evidence: list[Evidence]) -> None:
        """Record evidence and return once it is on the disk; raise `NotDurable` if it is not."""
        try:
            with self._parts.lock:
                if self._parts.closed:
                    raise NotDurable(CLOSED)
                self._count_message()
                promised_us = self._parts.intake.promised_us
                drafts = [
                    intake.evidence_draft(item, self._channels, promised_us(item.boot_id))
                    for item in evidence
                ]
                muted_before = self._parts.record.muted.now
                last_n = self._parts.interpreter.take_in(*drafts)
                self._report(evidence, muted_before)
            # Wait outside the lock, so that keys and screens do not wait for the disk.
            self._parts.journal.wait(last_n, STORE_TIMEOUT_S)
        except JournalError as problem:
            raise NotDurable(str(problem)) from problem
        self._parts.publish()

    def _report_trigger(self, evidence: Evidence) -> None:
        shown = self._parts.notices.last
        news = trigger_news(evidence, self._channels, "" if shown is None else shown.text)
        if news is not None:
            self._parts.notices.say(news, refused=news == TRIGGER_CLOSED)

    def _report(self, evidence: list[Evidence], muted_before: tuple[Muting, ...]) -> None:
        """Show changes that are not gestures: the gun's plug, the trigger, and inputs that are no
        longer muted."""
        self._show_muted()
        muted = {muting.channel for muting in self._parts.record.muted.now}
        for item in evidence:
            news = status_news(item, self._channels, muted)
            if news is not None:
                sentence, is_trouble = news
                self._parts.notices.say(sentence, refused=is_trouble)
            self._report_trigger(item)
        again = [
            replace(muting, begins=False).sentence
            for muting in muted_before
            if muting.channel not in muted
        ]
        self._parts.notices.say(" ".join(again))

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        """Interpret the evidence up to `settled_us`."""
        with self._parts.lock:
            if self._parts.closed:
                return
            self._count_message()
            before = (len(self._parts.journal.entries), self._parts.waiting())
            with self._parts.guarding_keys():
                self._parts.interpreter.advance(boot_id, settled_us)
            changed = (len(self._parts.journal.entries), self._parts.waiting()) != before
        if changed:
            self._parts.publish()

    def on_note(self, sentence: str) -> None:
        """Record and show a sentence of the link: noise, a clash, what the board logged."""
        self._record_evidence(intake.note_draft(sentence))

    def on_configured(self, configured: Configured) -> None:
        """Record which settings the board has, if they changed."""
        news = self._parts.record.board_has != (configured.boot_id, configured.crc)
        # Without a draft it still counts as a message of the board.
        drafts = [intake.config_draft(configured)] if news else []
        self._record_evidence(*drafts)

    def on_sync(self, point: SyncPoint) -> None:
        """Record a measured offset between the clocks of board and computer."""
        self._record_evidence(intake.sync_draft(point))

    def on_cue(self, cue: CueGiven, boot_id: int) -> None:
        """Record when the lamp was lit, and pass that to whoever waits for it."""
        if cue.output != LAMP:  # the buzzer has no stamp that a reaction is measured from
            return
        before = self._parts.record.lamp.entry
        self._record_evidence(intake.cue_draft(cue, boot_id))
        with self._parts.lock, self._parts.guarding_keys():
            lamp = self._parts.record.lamp
            # A repeated answer of the board is the same entry.
            if lamp.lit is not None and lamp.entry != before:
                self._parts.lit(lamp.lit, lamp.entry)
        self._parts.publish()

    def _record_evidence(self, *drafts: Draft) -> None:
        with self._parts.lock, self._parts.guarding_keys():
            if self._parts.closed:
                return
            self._count_message()
            # One append: a crash must not leave a take-over in the record without the HELLO that
            # says which board it is.
            self._parts.interpreter.take_in(*drafts)
            self._show_muted()
        self._parts.publish()
