"""The controller of a table: it owns link, journal and game, knows no widget, and publishes
immutable views."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from companion.journal.entries import Control, Draft, Layer
from companion.journal.errors import JournalError, NotSaved
from companion.journal.journal import Appended, Journal, SaveStatus
from companion.journal.mark import HighWater
from companion.rules.actions import OWN_KEYS, Action, KeyMap, on_page
from companion.rules.clauses import spoken, without_clauses
from companion.rules.facts import Fact, Moment, Refused, SeatId, Setup, secret_kinds
from companion.rules.game import Game, Retraction
from companion.rules.spans import KEY_ERROR_US
from companion.rules.state_text import NoText
from companion.session import corrections, key_meanings, seat_entries, seat_notes
from companion.session.board_side import CLOSED, ActionObserver, BoardSide, TableParts
from companion.session.clock_side import ClockSide
from companion.session.consent import Asked, Consent, outcome
from companion.session.corrections import NotDone, Plan
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.inspection import Inspection
from companion.session.intake import Intake, read_draft
from companion.session.interpreter import Interpreter
from companion.session.kept_fold import LONG, FoldStart, keep
from companion.session.notices import Notices
from companion.session.projection import SessionProjection
from companion.session.publisher import Publisher
from companion.session.seat_notes import SeatNote
from companion.session.status_views import saved_view
from companion.session.tap_meanings import LOOK, doing_of, meant, planned_by, reason_of
from companion.session.tap_side import TAP_ERROR_US, TapInProgress, TapSide, key_of, recorded_answer
from companion.session.taps import (
    LAPTOP,
    Answer,
    Decide,
    Device,
    Outcome,
    Step,
    Tap,
    TapAnswer,
    Wish,
    have_same_code,
)
from companion.session.views import SLOW_DISK_S, LessonView, Proposal, TableView, Unsaved

if TYPE_CHECKING:
    from companion.session.rereading import Rereading


T = TypeVar("T")
STOPPED = "It was stopped, and nothing was recorded."


class TooSoon(NotDone):
    """The meaning of a key changed just now, so nothing was done."""


class Table(Publisher):
    """A session in play. Every method may be called from any thread; none raises because of what a
    person did.

    `host_us` is the host's monotonic clock in microseconds, which stamps keys while no board is
    live. `keys` replace the keys of the actions; with `typed`, their names are typed. `start`: see
    `SessionProjection`; `guard_us`: see `KeyDebounce`. The caller closes the table. `who` is free
    text: a seat's id, or empty for the whole table.
    """

    def __init__(
        self,
        game: Game[Any],
        journal: Journal,
        setup: Setup,
        *,
        host_us: Callable[[], int],
        keys: KeyMap = OWN_KEYS,
        typed: bool = False,
        start: FoldStart | None = None,
        observer: ActionObserver | None = None,
        guard_us: int = key_meanings.GUARD_US,
    ) -> None:
        super().__init__()
        self.game = game
        """The rules of this session."""
        self._journal = journal
        self._observer = ActionObserver() if observer is None else observer
        self._host_us = host_us
        # A name of its own for each run: monotonic clocks of two runs cannot be compared.
        self._host_clock = f"host-{len(journal.entries)}"
        self._lock = threading.RLock()
        self._intake = Intake(game.settings(setup))
        self._record = SessionProjection(
            game, setup, journal.entries, self._intake.remember, start=start
        )
        self._intake.readings = self._record.readings
        self._intake.tests = self._record.board_tests
        self._interpreter = Interpreter(self._record, self._append, self._intake, host_us)
        self._consent = Consent(self._record, self._append)
        self._guard: key_meanings.KeyDebounce[key_meanings.KeyContext] = key_meanings.KeyDebounce(
            guard_us
        )
        self._keyboard = key_meanings.Keyboard(game, setup, keys, typed=typed)
        self._hung_keys = key_meanings.HungKeys()
        self._taps = TapSide(self._record)
        self._acting: TapInProgress | None = None
        self._notices = Notices(
            self._keyboard.sentence, lambda: [seat.name for seat in self._record.common.setup.seats]
        )
        parts = (
            self._lock,
            journal,
            self._record,
            self._intake,
            self._interpreter,
            self._notices,
            self._observer,
        )
        self._parts = TableParts(
            *parts, self._unattended, lambda: self._waiting, self._refused, self.publish
        )
        self.board = BoardSide(self._parts)
        """The table's side of the link."""
        self.clock = ClockSide(self._parts, self.board, self._host_now, self._append)
        """What happens when its time has come; whoever shows the table calls its `tick`."""
        self.tick, self.next_look_s = self.clock.tick, self.clock.next_look_s
        self._parts.lit = self.clock.lit
        self.inspection = Inspection(self._record, self._lock)
        """Views of the whole record."""
        self.readers: Callable[[], tuple[tuple[str, str], ...]] = tuple
        """Returns the outlets that report the game elsewhere, each with its state."""
        self.has_laptop = True
        """Whether a screen beside the pages shows the table; otherwise a page is in its place."""
        self.behind: Callable[[], str] = str
        """Returns in a few words what the table's hub is missing; empty for nothing, or without a hub."""
        self.lesson: Callable[[SessionProjection], LessonView | None] = lambda _record: None
        """Returns the step of the lesson that follows this table; None without one."""
        self._interpreter.read(entry for entry in journal.entries if entry.layer is Layer.EVIDENCE)
        self._last_note = journal.saved.note
        journal.on_status = self._on_saved

    @property
    def path(self) -> Path:
        """The session's file."""
        return self._journal.path

    @property
    def durable_n(self) -> int:
        """The number of entries that are on the disk."""
        return self._journal.saved.durable_n

    @property
    def is_saving(self) -> bool:
        """Whether the disk accepts the record."""
        return self._journal.saved.problem is None

    def now_us(self) -> int:
        """Return the time by the host's clock, in microseconds: that of `Tap.heard_us`."""
        return self._host_us()

    def reading_us(self, clock: str) -> int | None:
        """Return what the clock of that name reads now, in microseconds; None for one that nobody can read."""
        if clock == self._host_clock:
            return self._host_us()
        board = self.board.now()
        if board is None or board.clock != clock:
            return None
        return board.us

    def image(self) -> tuple[bytes, HighWater]:
        """Return the content of a session file with everything that is on the disk, and its last
        entry; raise `JournalError`. Play continues meanwhile."""
        return self._journal.image()

    # -- what a screen asks for

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the keyboard with the current seats; those without keys are reached by
        `overrides`."""
        with self._lock:
            return self._keyboard.actions(self._record.common.setup)

    def view(self) -> TableView:
        """Return what a screen of the whole table shows now."""
        with self._lock:
            self._taps.remember_shown(
                self._record.number(len(self._record.entries)), self._key_context
            )
            asked = self._question
            link = self.board.view
            sentence = partial(self._keyboard.sentence, board=self.board.is_expected)
            saved = saved_view(self._journal.saved, self._record.number)
            return replace(
                self._record.view(link, saved, self._notices.last, sentence),
                proposal=self._proposal(),
                question=None if asked is None else asked.text,
                question_id="" if asked is None else asked.id,
                overrides=key_meanings.overrides(self._waiting),
                works=self._works(),
                refusals=self._notices.refusals,
                readers=self.readers(),
                behind=self.behind(),
                lesson=self.lesson(self._record),
            )

    def _works(self) -> Callable[[str], bool]:
        return key_meanings.working(
            self._record, self.actions, self._key_context, self._hung_keys, self._say_key_stopped
        )

    def _proposal(self) -> Proposal | None:
        """Return the proposal as a screen shows it."""
        shown, proposal = self._interpreter.proposals.shown, self._interpreter.proposals.view()
        if shown is None or proposal is None:
            return None
        text = self._consent.proposal_text(proposal.text, read_draft(shown.fact, shown.causes))
        return replace(proposal, text=text)

    def look(self, at: Callable[[SessionProjection], T]) -> T:
        """Call `at` with the record, which does not change meanwhile; return its result."""
        with self._lock:
            return at(self._record)

    def seat_view(self, seat: SeatId) -> Any:
        """Return the game as that seat may see it, including the seat's own secrets."""
        with self._lock:
            return self.game.view(self._record.state, seat)

    def legal(self) -> tuple[Fact, ...]:
        """Return the facts that the rules allow now."""
        with self._lock:
            return self.game.legal(self._record.state)

    # -- what a person does

    def tap(self, device: Device, tap: Tap) -> TapAnswer:
        """Do what a page of a role asks, once for each id. The answer says what became of it, for the
        page to show; wait for its entry before the page reads it."""
        with self._lock:
            answer = self._taps.answered(device, tap)
            if answer is not None:
                return answer
            try:
                answer = self._tapped(device, tap)
            except GameStopped as stopped:
                answer = TapAnswer(Outcome.REFUSED, f"{stopped} {STOPPED}")
            except Refused as refusal:
                answer = TapAnswer(Outcome.REFUSED, self._refusal_of_tap(refusal))
            except (NotDone, JournalError) as problem:
                answer = TapAnswer(Outcome.REFUSED, on_page(spoken(str(problem))))
            self._taps.keep_answer(device, tap, answer)
        self.publish()
        return answer

    def _is_action(self, action_id: str) -> bool:
        """Return whether there is such an action; a game need not expect any other."""
        return any(action.id == action_id for action in self.actions)

    def _tapped(self, device: Device, tap: Tap) -> TapAnswer:
        if self._parts.closed:
            raise NotDone(CLOSED)
        recorded = self._journal.entry_with_key(key_of(device, tap))
        if recorded is not None:
            return recorded_answer(self._record, recorded)
        if doing_of(tap.wish) not in device.role.may:
            raise NotDone(f"The page of the role {device.role.title} cannot do this.")
        if isinstance(tap.wish, Step) and not self._is_action(tap.wish.action):
            raise NotDone(f"There is no such button here. {LOOK}")
        with aborted_as_stopped():
            now = self._key_context._replace(waiting=None)
            same = self._taps.checked(device, tap, now)
            if same is not None:
                return same

            def meaning(at: key_meanings.KeyContext) -> object:
                with suppress(NotDone, Refused):
                    return meant(self._record, tap.wish, at)
                return None

            if self._guard.must_wait(self._host_us(), now, meaning, device.id):
                raise TooSoon(f"This has just changed, so nothing was done. {LOOK}")
        return self.apply_tap(device, tap)

    def apply_tap(self, device: Device, tap: Tap) -> TapAnswer:
        """Do what a tap asks, which was checked before; raise `Refused`, `NotDone` or
        `JournalError`."""
        with self._lock:
            asked_before, notice_before = self._consent.asked, self._notices.last
            observed = self._observer.observe("apply_tap", device.fields, tap.fields)
            with observed, self._guarding_keys(device.id), aborted_as_stopped():
                self._acting = TapInProgress(
                    device, tap, max(TAP_ERROR_US, self._host_us() - tap.heard_us)
                )
                self._consent.device = device.id
                try:
                    self._apply_wish(device, tap.wish)
                finally:
                    made, self._acting = self._acting.made, None
                    self._consent.device = LAPTOP
            asked = self._consent.asked
            if asked is not None and asked is not asked_before:
                return TapAnswer(Outcome.ASKED, on_page(asked.text), len(self._record.entries))
            told = "; ".join(without_clauses(self._record.text(n)) for n in made)
            notice = self._notices.last
            if notice is not None and notice is not notice_before:
                told = self._notices.on_page
            return TapAnswer(Outcome.DONE, spoken(told or "Done"), len(self._record.entries))

    def _apply_wish(self, device: Device, wish: Wish) -> None:
        """Do what is wished; raise what a person reads."""
        match wish:
            case Answer(question=question, agreed=agreed):
                self._answer_on_page(device, question, agreed=agreed)
                return
            case Decide(proposal=proposal, accepted=accepted):
                self._decide(proposal, accepted=accepted)
                return
            case Step(action=action) if action != key_meanings.PAUSE.id:
                self._act(action)
                return
        planned = planned_by(self._record, wish, self._key_context)
        if isinstance(planned, Fact):
            why, who = reason_of(wish)
            self._enter(planned, why, who)
        else:
            self._notices.say(self._consent.commit(planned))

    def _answer_on_page(self, device: Device, question: str, *, agreed: bool) -> None:
        asked = self._question
        if asked is None or asked.id != question:
            raise NotDone(f"This was answered already. {LOOK}")
        by = asked.by if isinstance(asked, Asked) else LAPTOP
        is_alone = len(self._record.common.playing) == 1
        is_own = have_same_code(by, device.id)
        if agreed and is_own and not (device.speaks_for_table or is_alone):
            where = "on the laptop or on another page" if self.has_laptop else "on another page"
            raise NotDone(f"Somebody else has to agree, {where}.")
        self._notices.say(self._answer(agreed=agreed))

    def _decide(self, proposal: str, *, accepted: bool) -> None:
        shown = self._interpreter.proposals.shown
        if shown is None or shown.id != proposal:
            raise NotDone(f"This was decided already. {LOOK}")
        if accepted:
            self._notices.say(self._consent.accept(self._interpreter.acceptance(self._now)))
        else:
            self._interpreter.drop()

    def _refusal_of_tap(self, refusal: Refused) -> str:
        """Return what the page shows for a refusal. What depends on a secret is shown on the
        laptop alone, if it has a screen."""
        if not refusal.hidden:
            sentence = refusal.spoken([seat.name for seat in self._record.common.setup.seats])
            return on_page(sentence)
        self._refused(refusal)
        return "This cannot be done now, for a reason that is still secret."

    def do(self, action_id: str) -> None:
        """Do what a key means, unless that just changed without a key."""
        self._by_hand(self._observer.observe("do", action_id), lambda: self._press(action_id))

    def agree(self) -> None:
        """Answer the open question with yes, for a program that asked it: no key means it, so none is guarded."""
        observed = self._observer.observe("agree")
        self._by_hand(observed, lambda: self._notices.say(self._answer(agreed=True)))

    def undo(self) -> None:
        """Take back the last step, for a program: no key means it, so none is guarded. The program says itself why."""
        observed = self._observer.observe("undo")

        def undo() -> None:
            self._consent.commit(lambda: corrections.step(self._record, back=True)())
            self._notices.withdraw()

        self._by_hand(observed, undo)

    def note_seen(self, page: str) -> None:
        """Record that a page which a lesson asks for was opened, by the id of its action."""
        observed = self._observer.observe("note_seen", page)
        draft = Draft(Layer.CONTROL, Control.LESSON, {"seen": page})
        self._by_hand(observed, lambda: self._append(draft))

    def take_back(self, n: int, why: str = "", who: str = "") -> None:
        """Take back the fact or correction `n`, whatever came later, or bring it back."""
        observed = self._observer.observe("take_back", n, why, who)
        self._commit(observed, partial(corrections.take_back, self._record, n, why, who), of=n)

    def enter(self, kind: str, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """Record a fact by hand now, stamped like a key press unless `body` has a time."""
        secret = kind in secret_kinds(self.game.facts)
        observed = self._observer.observe("enter", kind, dict(body), why=why, who=who)
        self._by_hand(
            observed,
            lambda: self._enter(self.game.parse(kind, body, self._record.common.setup), why, who),
            secret=secret,
        )

    def note(self, seat: SeatId, note: SeatNote) -> int:
        """Record what a seat notes, proposes or enters on its own phone, once for each id; return the
        number of its entry, for `wait`. Raise `Refused`, `NotDone` or `JournalError`, for the phone
        to show; a refusal that depends on a secret is also shown at the table."""
        try:
            with self._lock:
                n, is_new = self._noted_once(seat, note)
        except Refused:
            if note.enter:  # a refusal that depends on a secret is also shown at the table
                self.publish()
            raise
        if is_new:
            self.publish()
        return n

    def _noted_once(self, seat: SeatId, note: SeatNote) -> tuple[int, bool]:
        """Return the number of a note's entry, and whether it is recorded just now."""
        if self._parts.closed:
            raise NotDone(CLOSED)
        sent = self._journal.entry_with_key(note.key(seat))
        if sent is not None:
            n = seat_notes.checked_number(sent, note)
            if note.enter:
                seat_entries.check_stands(self._record, sent)
            return n, False
        with self._observer.observe("note", seat, asdict(note)):
            return self._noted(seat, note), True

    def _noted(self, seat: SeatId, note: SeatNote) -> int:
        if note.enter:
            return self._entered(seat, note)
        if not note.propose:
            return self._append(seat_notes.note_draft(self._record, seat, note, self._now())).last_n
        draft, fact = seat_notes.proposal_draft(
            self._record, seat, note, self._now(), self._interpreter.proposals.of_seat(seat)
        )
        n = self._append(draft).last_n
        with self._guarding_keys():
            try:
                with aborted_as_stopped():
                    self._interpreter.propose(fact, n, seat)
            except GameStopped as stopped:
                self._say_stopped(stopped)
        return n

    def _entered(self, seat: SeatId, note: SeatNote) -> int:
        now = seat_entries.phone_moment(self._now(), note.waited_ms)
        with self._guarding_keys():
            try:
                with aborted_as_stopped():
                    entered = seat_entries.entered(self._record, seat, note, now)
                    appended = self._append(*entered.drafts)
            except Refused as refusal:
                if not refusal.hidden:
                    raise
                # The reason depends on a secret: show it to the whole table, not to this phone alone.
                self._refused(refusal)
                raise Refused(
                    "PHONE", "this cannot be entered on a phone", do="Type it at the table."
                ) from refusal
            except GameStopped as stopped:
                self._say_stopped(stopped)
                raise Refused(
                    "PHONE", "the table could not record this", do="Say it aloud."
                ) from stopped
            self._notices.say(entered.notice)
        return appended.last_n

    def take_note_back(self, seat: SeatId) -> str:
        """Take back the last standing note of `seat`; return why that is impossible, or an empty
        text."""
        last = self.look(seat_notes.last_notes).get(seat)
        if last is None:
            return "You have no note to undo."
        try:
            self.note(seat, SeatNote(f"take-back-{last.entry}", back=last.entry))
        except Refused as refusal:
            return refusal.spoken()
        except (NotDone, JournalError) as refusal:
            return str(refusal)
        return ""

    def take_proposals(self, wanted: bool) -> None:
        """Set whether players may propose from their phones from now on."""
        observed = self._observer.observe("take_proposals", wanted)
        self._by_hand(
            observed,
            lambda: self._append(Draft(Layer.CONTROL, Control.PHONES, {"propose": wanted})),
        )

    def allow_entries(self, wanted: bool) -> None:
        """Set whether players may enter their own numbers and draws on their phones from now on."""
        observed = self._observer.observe("allow_entries", wanted)
        self._by_hand(
            observed,
            lambda: self._append(Draft(Layer.CONTROL, Control.ENTRIES_ALLOWED, {"enter": wanted})),
        )

    def wait(self, n: int, timeout_s: float) -> None:
        """Return once entry `n` is on the disk; raise `NotSaved` after `timeout_s` seconds or if
        the journal is closed."""
        self._journal.wait(n, timeout_s)

    def unsaved(self, timeout_s: float = 0.0) -> Unsaved:
        """Return what is not on the disk; a slow disk gets `timeout_s` seconds to catch up."""
        if self._journal.saved.problem is None:
            with suppress(NotSaved):
                self._journal.wait(len(self._journal.entries), timeout_s)
        saved = self._journal.saved
        if saved.durable_n >= saved.total_n:
            return Unsaved(saved_n=saved.durable_n)
        with self._lock:
            count = self._record.number(saved.total_n) - self._record.number(saved.durable_n)
        return Unsaved(
            max(count, 1),
            saved.problem or "The disk is slow: it has not taken them yet.",
            saved.durable_n,
        )

    def amend(self, n: int, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """Replace the body of fact `n`, keeping its time."""
        observed = self._observer.observe("amend", n, dict(body), why=why, who=who)
        self._commit(observed, partial(corrections.amend, self._record, n, body, why, who), of=n)

    def insert(
        self, kind: str, body: Mapping[str, Any], *, after: int, why: str = "", who: str = ""
    ) -> None:
        """Insert a missed fact directly after entry `after`, 0 for before all others."""
        observed = self._observer.observe("insert", kind, dict(body), after=after, why=why, who=who)
        self._commit(
            observed, partial(corrections.insert, self._record, kind, body, after, why, who)
        )

    def correct(
        self, changes: Sequence[Mapping[str, Any]], *, why: str = "", who: str = ""
    ) -> None:
        """Make several corrections as one step; each has the fields of `corrections.Change`.
        Nothing changes if a standing fact would no longer make sense."""
        made = [corrections.Change(**change) for change in changes]
        hand = self._observer.observe(
            "correct", [dict(change) for change in changes], why=why, who=who
        )
        self._commit(hand, partial(corrections.together, self._record, made, why, who))

    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None:
        """Append the changes of a rereading as one step, and read with its settings from now on."""
        if rereading.read_to != len(self._journal.entries):
            rereading = self.inspection.reread(rereading.settings)
        observed = self._observer.observe("accept", asdict(rereading.settings), why=why, who=who)
        plan = partial(corrections.reread, self._record, rereading, why, who)
        self._by_hand(
            observed, lambda: self._notices.say(self._consent.commit(plan, may_change_end=True))
        )

    def set_level(self, step: str, level: str) -> None:
        """Set whether a kind of step is automatic, proposed first, or entered by hand only, from
        now on."""
        observed = self._observer.observe("set_level", step, str(level))
        self._by_hand(
            observed, lambda: self._append(corrections.level_draft(self._record, step, level))
        )

    def set_board(self, fields: Mapping[str, int], *, why: str = "", who: str = "") -> None:
        """Set these settings on the board, by their names in `Config`, and the board's defaults for
        all others."""
        observed = self._observer.observe("set_board", dict(fields), why=why, who=who)
        self._by_hand(
            observed,
            lambda: self._set_board(corrections.board_draft(self._record, fields, why, who)),
        )

    def _set_board(self, draft: Draft) -> None:
        self._append(draft)
        self.board.configure()

    def cue(self, output: int, ms: int) -> bool:
        """Switch the board's lamp (0) or buzzer (1) on for `ms`; return False if no connected board
        can."""
        return self.board.cue(output, ms)

    def tell(self, sentence: str) -> None:
        """Show a sentence of the program as the view's notice; it is not recorded."""
        with self._lock:
            self._notices.say(sentence)
        self.publish()

    def withdraw_notice(self) -> None:
        """Show no answer to the last action any more."""
        with self._lock:
            self._notices.withdraw()
        self.publish()

    def refuse(self, why: Refused) -> None:
        """Show why a screen of the table cannot enter something for somebody."""
        with self._lock:
            self._refused(why)
        self.publish()

    def _say_stopped(self, stopped: GameStopped) -> None:
        self._notices.say(f"{stopped} {STOPPED}", refused=True)

    def _say_key_stopped(self, stopped: GameStopped) -> None:
        """Show that a game was stopped while a screen asked about a key; the view of that screen
        does not have the notice yet."""
        self._say_stopped(stopped)
        self.publish()

    def _say_done(self, done: str) -> None:
        self._notices.say(done, logged=self._consent.done)

    def _refused(self, why: NotDone | Refused | JournalError, *, secret: bool = False) -> None:
        self._notices.refuse(
            why, self._now(), len(self._journal.entries), self._record.awaiting, secret=secret
        )

    def _by_hand(
        self,
        observed: AbstractContextManager[None],
        action: Callable[[], object],
        *,
        secret: bool = False,
    ) -> None:
        """Do what a person wants; a refusal becomes the notice. The keys of a new question or
        proposal are guarded."""
        with self._lock:
            context, before = self._key_context, self._waiting
            try:
                if self._parts.closed:
                    raise NotDone(CLOSED)
                with observed, aborted_as_stopped():
                    action()
            except GameStopped as stopped:
                self._refused(NotDone(f"{stopped} {STOPPED}"), secret=secret)
            except (NotDone, Refused, JournalError) as refusal:
                self._refused(refusal, secret=secret)
            now = self._key_context
            if now.waiting is not None and now.waiting != before:
                self._guard.note_change(self._host_us(), now._replace(waiting=before), now)
            self._note_change(context, now, LAPTOP)
        self.publish()

    @contextmanager
    def _unattended(self) -> Iterator[None]:
        """Run what the board or the clock does, as `_guarding_keys` does. Nobody waits for an answer, so
        a failing disk becomes the notice, and so does what the board reports from before the end."""
        before = self._record.state
        with self._guarding_keys():
            try:
                with aborted_as_stopped():
                    yield
            except GameStopped as stopped:
                self._say_stopped(stopped)
            except JournalError as problem:
                self._notices.say(str(problem), refused=True)
            ended = None if before is self._record.state else self._record.ending_at(before)
            if ended is not None:
                became = spoken(outcome(ended, self._record.ending))
                self._notices.say(
                    f"The board reported something from before the end, late. {became}"
                )

    @contextmanager
    def _guarding_keys(self, device: str | None = None) -> Iterator[None]:
        """Run what changes the game without a key of the laptop: by the board, the clock, a phone, or
        a page on `device`. The keys whose meaning it changes are guarded."""
        before = self._key_context
        yield
        self._note_change(before, self._key_context, device)

    def _note_change(
        self, before: key_meanings.KeyContext, now: key_meanings.KeyContext, device: str | None
    ) -> None:
        # States are compared by identity: they are immutable, and comparing large ones is slow.
        if before.state is not now.state or before[1:] != now[1:]:
            self._guard.note_change(self._host_us(), before, now, device)

    @property
    def _waiting(self) -> key_meanings.Waiting:
        return self._question or self._interpreter.proposals.shown

    @property
    def _question(self) -> key_meanings.Question | None:
        """The unanswered question. One about a board waits until the people have answered what they
        started themselves."""
        return self._consent.asked or self.board.asked

    @property
    def _key_context(self) -> key_meanings.KeyContext:
        return key_meanings.key_context(self._record, self._waiting, self._intake.last_run)

    def _commit(self, observed: AbstractContextManager[None], plan: Plan, of: int = 0) -> None:
        """Do what a person wants, about entry `of` if it is about one; nothing is shown about a
        private entry."""
        private = self._record.is_private(of)

        def commit() -> None:
            done = self._consent.commit(plan)
            if not private:
                self._say_done(done)

        self._by_hand(observed, commit, secret=private)

    def _press(self, action_id: str) -> None:
        action = Action(action_id, (), "", "", "")
        for known in self.actions:
            if known.id == action_id:
                action = known
        now, means = self._key_context, partial(key_meanings.meaning, self._record, action)
        if self._guard.must_wait(self._host_us(), now, means, LAPTOP):
            meant = key_meanings.in_words(self._record, action, now)
            raise TooSoon(f"{key_meanings.TOO_SOON}{key_meanings.AGAIN}{meant}")
        match action_id:
            case key_meanings.UNDO.id | key_meanings.REDO.id:
                plan = self._step(back=action_id == key_meanings.UNDO.id)
                self._say_done(self._consent.commit(plan))
            case key_meanings.PAUSE.id:
                self._enter(
                    self.game.parse(key_meanings.pause_kind(self.game, self._record.state), {})
                )
            case key_meanings.ACCEPT.id:
                self._notices.say(self._consent.accept(self._interpreter.acceptance(self._now)))
            case key_meanings.DISMISS.id:
                self._interpreter.drop()
            case key_meanings.UNDO_RUN.id:
                self._say_done(self._consent.commit(self._interpreter.undo_of_run()))
            case key_meanings.AGREE.id | key_meanings.DISAGREE.id:
                self._say_done(self._answer(agreed=action_id == key_meanings.AGREE.id))
            case _:
                self._act(action_id)

    def _step(self, *, back: bool) -> Plan:
        """Return the plan of the key of undo (`back`) or redo; raise `NotDone`. The key of redo, y, is also pressed for
        yes: while a yes-or-no question is asked, the refusal names the keys that answer it."""
        if back:
            return corrections.step(self._record, back=True)
        answers = key_meanings.yes_and_no(self._waiting, self.actions, self._works())
        if self._question is not None:
            raise NotDone(f"answer the question first. {answers}")
        try:
            return corrections.step(self._record, back=False)
        except NotDone as nothing:
            raise NotDone(f"{nothing}. {answers}" if answers else str(nothing)) from None

    def _answer(self, *, agreed: bool) -> str:
        if self._consent.asked is None:
            return self.board.answer(agreed=agreed)
        return self._consent.agree() if agreed else self._consent.disagree()

    def _act(self, action_id: str) -> None:
        try:
            with aborted_as_stopped():
                answer = self.game.pressed(self._record.state, action_id)
        except GameStopped:
            self._hung_keys.add(action_id, self._record.state)
            raise
        if isinstance(answer, Retraction):
            self._say_done(self._consent.commit(partial(corrections.retract, self._record, answer)))
        else:
            self._enter(answer)

    def _enter(self, fact: Fact, why: str = "", who: str = "") -> None:
        fact = self.game.about(self._record.state, fact)
        at, done = corrections.moment(self._record, fact, self._now())
        stamped = fact.model_copy(update={"at": at})
        self._notices.say(
            self._consent.commit(partial(corrections.enter, self._record, stamped, why, who, done))
        )

    def _now(self) -> Moment:
        return self._observer.stamped(self._hand_moment())

    def _hand_moment(self) -> Moment:
        """Return the moment of a key press now, or of the tap that is being done: somewhere in the time
        since its page last heard the table.

        In a lesson a tap is a key press: nothing counts there, and the table would be asked about shots of its others.
        """
        press = self._key_press()
        if self._acting is None or self._record.is_lesson:
            return press
        return press.model_copy(update={"pm": press.pm + self._acting.within_us, "tapped": True})

    def _key_press(self) -> Moment:
        """Return the moment of a key press now: by the board's clock if one is live, and always
        with the finger's error."""
        board = self.board.now()
        if board is None:
            return self._host_now()
        return board.model_copy(update={"pm": board.pm + KEY_ERROR_US})

    def _host_now(self) -> Moment:
        return Moment(us=self._host_us(), pm=0, clock=self._host_clock)

    def _append(self, *drafts: Draft) -> Appended:
        if any(draft.layer is Layer.FACT or draft.kind == Control.VOID for draft in drafts):
            # In the same append as the change: neither a crash nor a second reading may give a
            # waiting press another meaning.
            drafts = (*drafts, *self._intake.meanings(self._interpreter.proposals.causes))
        if self._acting is not None:
            drafts = self._acting.with_tap(drafts, len(self._journal.entries) + 1)
        # Before anything is recorded: a foreign game that hangs is stopped here.
        self._record.dry_run(drafts)
        appended = self._journal.append(*drafts)
        self._record.extend(appended.added)
        if self._acting is not None:
            self._acting.note_made(appended.added)
            self._taps.remember_made(self._acting.device, self._acting.made)
        return appended

    def _on_saved(self, status: SaveStatus) -> None:
        if status.note != self._last_note:
            self._last_note = status.note
            self.tell(status.note)
        self.publish()

    def close(self, clean: bool = True) -> None:
        """Close the table in order: send STANDBY to the board, write what is in memory to the disk,
        close the record.

        Without `clean`, nothing is sent: the board continues to fill its ring, so that a resumed
        session gets what the players did meanwhile. The same is done if the disk fails: then the
        ring has what the record lacks.
        """
        self.board.close(clean and not self.unsaved(SLOW_DISK_S).count)
        with self._lock:
            if not self._parts.closed:
                self._say_ended()
            self._parts.closed = True
            self._keep_fold()
        self._journal.close()
        self._observer.closed()

    def _say_ended(self) -> None:
        with suppress(GameStopped), aborted_as_stopped():
            if self.game.ended(self._record.state):
                self._append(Draft(Layer.CONTROL, Control.ENDED))

    def close_record(self) -> None:
        """Save what is in memory and close the record, while a hanging game holds the table's lock;
        raise `JournalError`."""
        self._journal.close()

    def _keep_fold(self) -> None:
        """Store the fold of a long session; if that fails, it is folded once more when resumed."""
        if len(self._journal.entries) < LONG:
            return
        with suppress(JournalError, NoText, OSError):
            start = self._record.fold_start()
            if start is not None:
                keep(start, self.path, self._journal.entries)
