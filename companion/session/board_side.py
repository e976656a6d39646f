"""What the link tells a table: who the board is, its evidence on the way into the record, how far its word reaches."""

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
from companion.session.status_views import NO_BOARD, link_view, without_timings
from firmware_protocol.messages import Hello

if TYPE_CHECKING:
    from companion.link.events import Configured, CueGiven, Replaced
    from companion.link.supervisor import Link
    from companion.link.sync import SyncPoint

STORE_TIMEOUT_S = 1.0  # how long the link waits for the disk: well below the 3 s after which the board gives it up
CLOSED = "The session is closed: open it again to go on."


class ActionObserver:
    """Sees what people do at a table. This one sees nothing; another writes it down, or has it done again."""

    def observe(self, what: str, *args: Any, **named: Any) -> AbstractContextManager[None]:  # noqa: ARG002  it sees nothing
        """Stand by while method `what` of the table, or of its clock, does its work, the table locked; `TooSoon` leaves
        the block where the guard of the keys held it back."""
        return nullcontext()

    def stamped(self, now: Moment) -> Moment:
        """Return the moment at which something is done by hand that is done `now`."""
        return now

    def closed(self) -> None:
        """The table is closed, all is on the disk."""


@dataclass(slots=True)
class TableParts:
    """What the people of a table and its board work on together, under one lock."""

    lock: threading.RLock
    journal: Journal
    record: SessionProjection
    intake: Intake
    interpreter: Interpreter
    notices: Notices
    observer: ActionObserver
    by_itself: Callable[[], AbstractContextManager[None]]
    """Around what is done without the people: keys that mean something else after it are guarded."""
    waiting: Callable[[], Waiting]
    refused: Callable[[Refused], object]
    """Answers with why something is not done."""
    publish: Callable[[], object]
    lit: Callable[[Moment, int], object] = lambda _at, _entry: None
    """Told when the board's lamp was lit, and which entry says so."""
    closed: bool = False


class BoardSide:
    """A table's side of the link, see `Listener`; nothing of it is called by people or screens but what switches
    something on the board."""

    def __init__(self, parts: TableParts) -> None:
        self._parts = parts
        self._link: Link | None = None
        self._status = NO_LINK
        self._channels: dict[int, str] = {}
        self._spare = SpareBoard()
        self._hit_input: HitInput | None = None
        self.view = NO_BOARD
        """What a screen shows of the link."""
        self.heard = 0
        """How often the board's word was taken in."""
        self.before_each: Callable[[], object] = lambda: None
        """Called before each of these times."""
        self.options: dict[str, Any] = {}
        """What `connect` tells the link beyond the port."""

    def now(self) -> Moment | None:
        """The board's time; None while no board is live."""
        device = None if self._link is None else self._link.device_now()
        return (
            None
            if device is None
            else Moment(us=device[0], pm=device[1], clock=clock_name(device[2]))
        )

    def _hear(self) -> None:
        self.before_each()
        self.heard += 1

    def configure(self) -> None:
        """Have the settings on the board that the session wants there now."""
        if self._link is not None:
            self._link.configure(self._parts.record.board)

    def cue(self, output: int, ms: int) -> bool:
        """Switch an output of the board on; return False when no board is there that can."""
        return self._link is not None and self._link.cue(output, ms)

    @property
    def asked(self) -> BoardAsked | None:
        """The question whether play continues with another board, while it waits for its answer."""
        return self._spare.asked

    def answer(self, *, agreed: bool) -> str:
        """Continue with the board that is asked about, or wait for the session's; return what follows in a sentence.
        Raise `NotDone` where nothing is asked, and `JournalError`."""
        board = self._spare.answer(agreed=agreed)
        if board is None:
            raise NotDone("nothing is asked any more")
        self._parts.interpreter.take_in(answer_draft(board, agreed=agreed))
        if agreed and self._link is not None:
            self._link.adopt(board.uid)
        self._look_for_spare()  # there may be a second one
        return answered(board, agreed=agreed)

    def close(self, clean: bool = True) -> None:
        """End the link; a clean end sends the board STANDBY, once everything it has is here."""
        if self._link is not None:
            self._link.close(clean)

    def connect(self, port: str, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """Look for the board at `port` (a path, a URL, `auto`) from now on; closing the table ends that. `clock_ns` is
        the host's monotonic clock."""
        from companion.link.supervisor import Link  # what a table without a board does not need

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
        """Show the link's state. Its timings change all the time, and who shows them looks at the view by itself."""
        with self._parts.lock:
            news = without_timings(status) != without_timings(self._status)
            self._status, self.view = status, link_view(status)
            self._show_muted()
            if news and not self._parts.closed:
                with self._parts.by_itself():
                    self._look_for_spare()
                self._tell_of_hit_input()
        if news:
            self._parts.publish()

    def _show_muted(self) -> None:
        """Show which inputs are muted, while the link is live: else nobody knows what any of them does."""
        if self._status.state is LinkState.LIVE:
            self.view = replace(self.view, muted=self._parts.record.muted.now)

    def _tell_of_hit_input(self) -> None:
        """Record and say what the board found at its hit sensor's pin, where that is no piezo or was none before, and
        the game reads hits."""
        before, found = self._hit_input, self._status.hit_input
        if found is None or found == before or self._status.state is not LinkState.LIVE:
            return
        self._hit_input = found
        known_before = before.sentence if before is not None else ""
        settings = self._parts.record.settings
        was_right = found.has_piezo and (before is None or before.has_piezo)
        if (
            was_right
            or found.sentence == known_before
            or not (settings.gun and settings.hit_sensor)
        ):
            return
        self._parts.interpreter.take_in(intake.note_draft(found.sentence))
        self._parts.notices.say(found.sentence, refused=not found.has_piezo)

    def _look_for_spare(self) -> None:
        self._spare.look(self._status.others, self._parts.intake.marks.boards)

    def on_identified(self, hello: Hello, boot_id: int, replaced: Replaced | None = None) -> None:
        """Record who the board is, and the unknown interval when it is another boot than before, or another board."""
        with self._parts.lock:
            self._channels = {channel.id: channel.name for channel in hello.channels}
            before = self._parts.intake.boot_id
        drafts = [intake.hello_draft(hello, boot_id)]
        if replaced is not None:
            drafts.insert(0, take_over_draft(hello, boot_id, replaced))
        elif before is not None and before != boot_id:
            drafts.insert(0, intake.boot_draft(before, boot_id))
        self._keep(*drafts)

    def store(self, evidence: list[Evidence]) -> None:
        """Record what the board said and return once it is on disk; raise `NotDurable` when it is not."""
        try:
            with self._parts.lock:
                if self._parts.closed:
                    raise NotDurable(CLOSED)
                self._hear()
                promised_us = self._parts.intake.promised_us
                drafts = [
                    intake.evidence_draft(item, self._channels, promised_us(item.boot_id))
                    for item in evidence
                ]
                muted_before = self._parts.record.muted.now
                last_n = self._parts.interpreter.take_in(*drafts)
                self._tell(evidence, muted_before)
            self._parts.journal.wait(last_n, STORE_TIMEOUT_S)
        except JournalError as problem:
            raise NotDurable(str(problem)) from problem
        self._parts.publish()

    def _tell_of_trigger(self, evidence: Evidence) -> None:
        shown = self._parts.notices.last
        news = trigger_news(evidence, self._channels, "" if shown is None else shown.text)
        if news is not None:
            self._parts.notices.say(news, refused=news == TRIGGER_CLOSED)

    def _tell(self, evidence: list[Evidence], muted_before: tuple[Muting, ...]) -> None:
        """Answer with what is no gesture: the gun's plug, and inputs that are heard again."""
        self._show_muted()
        muted = {one.channel for one in self._parts.record.muted.now}
        for item in evidence:
            news = status_news(item, self._channels, muted)
            if news is not None:
                sentence, is_trouble = news
                self._parts.notices.say(sentence, refused=is_trouble)
            self._tell_of_trigger(item)
        again = [
            replace(one, begins=False).sentence for one in muted_before if one.channel not in muted
        ]
        self._parts.notices.say(" ".join(again))

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        """Decide what the evidence up to `settled_us` means."""
        with self._parts.lock:
            if self._parts.closed:
                return
            self._hear()
            before = (len(self._parts.journal.entries), self._parts.waiting())
            with self._parts.by_itself():
                self._parts.interpreter.advance(boot_id, settled_us)
            changed = (len(self._parts.journal.entries), self._parts.waiting()) != before
        if changed:
            self._parts.publish()

    def on_note(self, sentence: str) -> None:
        """Keep and show a sentence of the link: noise, a clash, what the board logged."""
        self._keep(intake.note_draft(sentence))

    def on_configured(self, configured: Configured) -> None:
        """Keep what settings the board has, when that is news."""
        news = self._parts.record.board_has != (configured.boot_id, configured.crc)
        self._keep(*([intake.config_draft(configured)] if news else []))

    def on_sync(self, point: SyncPoint) -> None:
        """Keep how the clocks of board and computer lie to each other."""
        self._keep(intake.sync_draft(point))

    def on_cue(self, cue: CueGiven, boot_id: int) -> None:
        """Keep when the lamp was lit, and tell what waits for it."""
        if cue.output != LAMP:  # what is only heard measures nothing
            return
        before = self._parts.record.lamp.entry
        self._keep(intake.cue_draft(cue, boot_id))
        with self._parts.lock, self._parts.by_itself():
            lamp = self._parts.record.lamp
            if lamp.lit is not None and lamp.entry != before:  # the same answer twice is one
                self._parts.lit(lamp.lit, lamp.entry)
        self._parts.publish()

    def _keep(self, *drafts: Draft) -> None:
        with self._parts.lock, self._parts.by_itself():
            if self._parts.closed:
                return
            self._hear()
            # In one append: after a crash another board has not taken over without saying who it is.
            self._parts.interpreter.take_in(*drafts)
            self._show_muted()
        self._parts.publish()
