"""The one controller: owns link, journal and game, knows no widget, and publishes immutable views."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from companion.journal.entries import CLOCK, Control, Draft, Layer
from companion.journal.errors import JournalError
from companion.journal.journal import Appended, Journal, SaveStatus
from companion.rules.actions import OWN_KEYS, Action, KeyMap
from companion.rules.game import Due, Fact, Game, Moment, Refused, Retraction, SeatId, Setup, secret_kinds
from companion.rules.state_text import NoText
from companion.session import corrections, phone_proposals, seat_notes
from companion.session.alarm import Alarm
from companion.session.board_side import CLOSED, BoardSide, TableParts
from companion.session.consent import Consent
from companion.session.corrections import NotDone, Plan
from companion.session.inspection import Inspection
from companion.session.intake import Intake, fact_draft
from companion.session.interpreter import UNANSWERED, Interpreter
from companion.session.kept_fold import LONG, FoldStart, keep
from companion.session.key_debounce import AGAIN, GUARD_US, TOO_SOON, KeyDebounce
from companion.session.key_meanings import (
    ACCEPT,
    AGREE,
    DISAGREE,
    DISMISS,
    PAUSE,
    REDO,
    UNDO,
    Keyboard,
    KeyContext,
    Waiting,
    in_words,
    meaning,
    overrides,
    standing,
    working,
)
from companion.session.lamp import LAMP, LAMP_MS
from companion.session.notices import Notices, of_one_seat
from companion.session.projection import EntryObserver, SessionProjection
from companion.session.seat_notes import SeatNote
from companion.session.status_views import NO_BOARD, saved_view
from companion.session.subscribers import Subscribers
from companion.session.views import Question, TableView

if TYPE_CHECKING:
    from companion.session.rereading import Rereading


T = TypeVar("T")
PROPOSAL_LOOK_S = 0.25
_LOOKED_AT = 1_000  # of the newest entries, for the last moment of a clock
"""How often a proposal is looked at, which counts its seconds down."""
"""Who does what comes about by itself, in the record."""


class TooSoon(NotDone):
    """What a key means changed just now, so that nothing was done."""


class Witness:
    """Sees what people do at a table. This one sees nothing; another writes it down, or has it done again."""

    def hand(self, what: str, *args: Any, **named: Any) -> AbstractContextManager[None]:  # noqa: ARG002  it sees nothing
        """Stand by while method `what` of the table does its work, the table locked; `TooSoon` leaves the block where
        the guard of the keys held it back."""
        return nullcontext()

    def stamped(self, now: Moment) -> Moment:
        """Return the moment at which something is done by hand that is done `now`."""
        return now

    def closed(self) -> None:
        """The table is closed, all is on the disk."""


class Table:
    """A session in play. Every method may be called from any thread; none raises for what a person did.

    `host_us` is the host's monotonic clock in microseconds; it stamps what comes from the keyboard while no board is
    live. `keys` take the place of the actions' own; `typed`: their names are typed; `beside` and `start`: see
    `SessionProjection`.
    `guard_us`: see `KeyDebounce`. The caller closes the table. `who` is free text: a seat's id, or empty for the whole
    table.
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
        beside: tuple[EntryObserver, ...] = (),
        start: FoldStart | None = None,
        witness: Witness | None = None,
        guard_us: int = GUARD_US,
    ) -> None:
        self.game = game
        """The rules that are played by."""
        self._journal = journal
        self._witness = Witness() if witness is None else witness
        self._host_us = host_us
        self._host_clock = f"host-{len(journal.entries)}"  # moments of two runs of the companion have no interval
        self._lock = threading.RLock()
        self._subscribers = Subscribers()
        self._intake = Intake(game.settings(setup))
        self._record = SessionProjection(game, setup, journal.entries, self._intake.remember, *beside, start=start)
        self._intake.readings = self._record.readings
        self._interpreter = Interpreter(self._record, self._append, self._intake, host_us)
        self._consent = Consent(self._record, self._append)
        self._guard: KeyDebounce[KeyContext] = KeyDebounce(guard_us)
        self._keyboard = Keyboard(game, setup, keys, typed=typed)
        self._notices = Notices(
            self._keyboard.sentence, lambda: [seat.name for seat in self._record.common.setup.seats]
        )
        self._seconds_left = 0
        self._refused_due: Due | None = None
        parts = (self._lock, journal, self._record, self._intake, self._interpreter, self._notices)
        self._parts = TableParts(*parts, self._by_itself, lambda: self._waiting, self._publish, self._lit)
        self.board = BoardSide(self._parts)
        """What the link tells, and what it is told."""
        self._alarm = Alarm(self._host_now, lambda: self.board.now(), self._latest)
        self.inspection = Inspection(self._record, self._lock)
        """The record looked at whole."""
        self.readers: Callable[[], tuple[tuple[str, str], ...]] = tuple
        """Says who is told of the game elsewhere, and how that goes."""
        self.behind: Callable[[], str] = str
        """Says in a few words what the table's hub lacks; empty where it lacks nothing, or there is none."""
        self._interpreter.read(entry for entry in journal.entries if entry.layer is Layer.EVIDENCE)
        self._befell = journal.saved.note
        journal.on_status = self._on_saved

    @property
    def path(self) -> Path:
        """The session's file."""
        return self._journal.path

    @property
    def durable_n(self) -> int:
        """How many entries of the record are on the disk."""
        return self._journal.saved.durable_n

    # -- what a screen asks for

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the keyboard can do with the seats as they are now; those without keys are reached by `overrides`."""
        with self._lock:
            return self._keyboard.actions(self._record.common.setup)

    def view(self) -> TableView:
        """Return what a screen of the whole table shows now."""
        with self._lock:
            asked = self._consent.asked
            view = self._record.view(self.board.view, saved_view(self._journal.saved), self._notices.last)
            return replace(
                view,
                awaiting=self._keyboard.sentence(view.awaiting, board=self.board.view.state != NO_BOARD.state),
                proposal=self._interpreter.view(),
                question=None if asked is None else Question(asked.text),
                overrides=overrides(self._waiting),
                works=working(self._record, self.actions, self._standing),
                refusals=self._notices.refusals,
                readers=self.readers(),
                behind=self.behind(),
            )

    def look(self, at: Callable[[SessionProjection], T]) -> T:
        """Return what `at` takes from the record, which stands still meanwhile."""
        with self._lock:
            return at(self._record)

    def seat_view(self, seat: SeatId) -> Any:
        """Return the game as that seat may see it, with the seat's own secrets."""
        with self._lock:
            return self.game.view(self._record.state, seat)

    def allows(self, kind: str, body: Mapping[str, Any]) -> bool:
        """Return whether the rules allow that fact now."""
        with self._lock:
            return self.game.allows(self._record.state, self.game.parse(kind, body))

    def legal(self) -> tuple[Fact, ...]:
        """Return the facts that the rules allow now."""
        with self._lock:
            return self.game.legal(self._record.state)

    def summary(self) -> tuple[str, ...]:
        """Return the result so far as plain lines."""
        with self._lock:
            return tuple(map(self._keyboard.sentence, self.game.summary(self._record.state)))

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called, from any thread, at changes but of the link's timings; return what ends that."""
        return self._subscribers.add(callback)

    # -- what a person does

    def do(self, action_id: str) -> None:
        """Do what a key stands for, unless that changed just now without the keyboard's doing."""
        self._by_hand(self._witness.hand("do", action_id), lambda: self._press(action_id))

    def take_back(self, n: int, why: str = "", who: str = "") -> None:
        """Take back fact or correction `n` whatever came later, or bring it back."""
        hand = self._witness.hand("take_back", n, why, who)
        self._commit(hand, partial(corrections.take_back, self._record, n, why, who))

    def enter(self, kind: str, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """Record a fact by hand now, stamped as keys are unless `body` says when it was."""
        told = of_one_seat(kind in secret_kinds(self.game.facts))
        hand = self._witness.hand("enter", kind, dict(body), why=why, who=who)
        self._by_hand(hand, told(lambda: self._enter(self.game.parse(kind, body), why, who)))

    def note(self, seat: SeatId, note: SeatNote) -> int:
        """Record what a seat notes or proposes on its own phone, once for each id; return the number of its entry,
        which `wait` waits for. Raise `Refused`, `NotDone` or `JournalError`: no screen of the table shows why."""
        with self._lock:
            if self._parts.closed:
                raise NotDone(CLOSED)
            standing = self._journal.keyed(note.key(seat))
            if standing is not None:
                return seat_notes.same(standing, note)
            with self._witness.hand("note", seat, asdict(note)):
                n = self._noted(seat, note)
        self._publish()
        return n

    def _noted(self, seat: SeatId, note: SeatNote) -> int:
        if not note.propose:
            return self._append(seat_notes.drafted(self._record, seat, note, self._now())).last_n
        draft, fact = phone_proposals.drafted(self._record, seat, note, self._now(), self._interpreter.waiting_of(seat))
        n = self._append(draft).last_n
        with self._by_itself():
            self._interpreter.propose(fact, n, seat)
        return n

    def take_proposals(self, wanted: bool) -> None:
        """Let players propose from their phones from now on, or no more."""
        hand = self._witness.hand("take_proposals", wanted)
        self._by_hand(hand, lambda: self._append(Draft(Layer.CONTROL, Control.PHONES, {"propose": wanted})))

    def wait(self, n: int, timeout_s: float) -> None:
        """Return when entry `n` is on the disk; raise `NotSaved` after `timeout_s` or a close."""
        self._journal.wait(n, timeout_s)

    def amend(self, n: int, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """Put `body` in the place of that of fact `n`; its time is kept."""
        hand = self._witness.hand("amend", n, dict(body), why=why, who=who)
        self._commit(hand, partial(corrections.amend, self._record, n, body, why, who))

    def insert(self, kind: str, body: Mapping[str, Any], *, after: int, why: str = "", who: str = "") -> None:
        """Put a missed fact right behind entry `after`, 0 for before all others."""
        hand = self._witness.hand("insert", kind, dict(body), after=after, why=why, who=who)
        self._commit(hand, partial(corrections.insert, self._record, kind, body, after, why, who))

    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None:
        """Append what a rereading found as one step, and read with its settings from now on."""
        if rereading.read_to != len(self._journal.entries):
            rereading = self.inspection.reread(rereading.settings)
        hand = self._witness.hand("accept", asdict(rereading.settings), why=why, who=who)
        self._commit(hand, partial(corrections.reread, self._record, rereading, why, who))

    def set_level(self, step: str, level: str) -> None:
        """Have a kind of step done automatically, proposed first, or by hand only, from now on."""
        hand = self._witness.hand("set_level", step, str(level))
        self._by_hand(hand, lambda: self._append(corrections.level_draft(self._record, step, level)))

    def set_board(self, fields: Mapping[str, int], *, why: str = "", who: str = "") -> None:
        """Have these settings on the board, by their names in `Config`, and the board's default for all others."""
        hand = self._witness.hand("set_board", dict(fields), why=why, who=who)
        self._by_hand(hand, lambda: self._set_board(corrections.board_draft(self._record, fields, why, who)))

    def _set_board(self, draft: Draft) -> None:
        self._append(draft)
        self.board.configure()

    def cue(self, output: int, ms: int) -> bool:
        """Switch an output of the board on; return False when no board is there that can."""
        return self.board.cue(output, ms)

    def connect(self, port: str, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """See `BoardSide.connect`."""
        self.board.connect(port, clock_ns)

    def tell(self, sentence: str) -> None:
        """Show a sentence of the program as the view's notice; it is no part of the record."""
        with self._lock:
            self._notices.say(sentence)
        self._publish()

    def refuse(self, why: Refused) -> None:
        """Answer what a screen of the table cannot enter for somebody."""
        with self._lock:
            self._refused(why)
        self._publish()

    def _refused(self, why: NotDone | Refused | JournalError) -> None:
        awaiting = self.game.awaiting(self._record.state)
        self._notices.refuse(why, self._now(), len(self._journal.entries), awaiting)

    def tick(self) -> None:
        """Let time pass: a proposal that nobody answers is dropped, what is due comes about. Called as `next_look_s`
        says."""
        with self._lock:
            entries = len(self._journal.entries)
            if not self._parts.closed and self._interpreter.expired():
                self.expire()
            due = self._due
            if due is not None and self._alarm.left_us(due, self._record.common.pauses) <= 0:
                unlit = due.lamp and not self._alarm.waits_for_lamp(due)
                self.come_due(unlit and self.cue(LAMP, LAMP_MS))
            proposal, before = self._interpreter.view(), self._seconds_left
            self._seconds_left = 0 if proposal is None else ceil(proposal.left_s)
            changed = self._seconds_left != before or len(self._journal.entries) != entries
        if changed:
            self._publish()

    def next_look_s(self) -> float | None:
        """Return in how many seconds `tick` has something to do; None while nothing waits for the time."""
        with self._lock:
            due = self._due
            left_us = None if due is None else self._alarm.left_us(due, self._record.common.pauses)
            looks = [] if self._interpreter.proposed is None else [PROPOSAL_LOOK_S]
            looks += [] if left_us is None else [max(0.0, left_us / 1e6)]
        return min(looks, default=None)

    def come_due(self, lit: bool = False) -> None:
        """Have what is due come about now; `lit`: the lamp was told to light for it, whose stamp it waits for. Raise
        `NotDone` where nothing is due. Nobody is told: `tick` does that."""
        with self._lock, self._by_itself(), self._witness.hand("come_due", lit):
            due = self._due
            if due is None:
                raise NotDone("nothing is due")
            if lit:
                self._alarm.light(due)
            else:
                self._come_about(due, self._witness.stamped(self._alarm.at(due, self._record.common.pauses)))

    def _lit(self, at: Moment, cue: int) -> None:
        """The lamp was lit at that moment, as entry `cue` says."""
        due = self._due
        if due is not None and self._alarm.waits_for_lamp(due):
            self._come_about(due, at, (cue,))

    def _come_about(self, due: Due, at: Moment, causes: tuple[int, ...] = ()) -> None:
        try:
            fact = self.game.act(self._record.state, due.act if causes else due.unlit or due.act)
            if not isinstance(fact, Fact):
                raise TypeError(f"{due.act} takes something back, and nothing is taken back by itself")
            stamped = fact.model_copy(update={"at": at})
            self._record.tried(stamped)
        except Refused as why:
            self._refused_due = due  # it is the game's own fault, and would be refused at each look
            self._refused(why)
        else:
            begun = () if due.of is None else (due.of,)
            self._append(fact_draft(stamped, CLOCK, (*causes, *begun)))

    @property
    def _due(self) -> Due | None:
        """What is due, while the game's clock runs and nothing asks the people; what came about and was taken back
        does not come again by itself."""
        if self._parts.closed or self._record.common.paused or self._waiting is not None:
            return None
        undone = self._record.timeline.redo_target
        if self.game.ended(self._record.state) or (undone and self._journal.entries[undone - 1].actor == CLOCK):
            return None
        due = self.game.due(self._record.state)
        return None if due == self._refused_due else due

    def expire(self) -> None:
        """Drop what is proposed, for nobody answered it in time; raise `NotDone` where nothing is."""
        with self._lock, self._by_itself(), self._witness.hand("expire"):
            self._interpreter.drop(UNANSWERED)

    def _by_hand(self, hand: AbstractContextManager[None], what: Callable[[], object]) -> None:
        """Do what a person wants; a refusal becomes the notice. What is asked or proposed by it guards its keys."""
        with self._lock:
            before = self._waiting
            try:
                if self._parts.closed:
                    raise NotDone(CLOSED)
                with hand:
                    what()
            except (NotDone, Refused, JournalError) as why:
                self._refused(why)
            now = self._standing
            if now.waiting is not None and now.waiting != before:
                self._guard.turned(self._host_us(), now._replace(waiting=before), now)
        self._publish()

    @contextmanager
    def _by_itself(self) -> Iterator[None]:
        """What board or clock does: keys that mean something else after it are guarded; a disk in its way is noted."""
        before = self._standing
        with self._notices.of_the_disk():
            yield
        now = self._standing
        if before.state is not now.state or before[1:] != now[1:]:
            self._guard.turned(self._host_us(), before, now)

    @property
    def _waiting(self) -> Waiting:
        return self._consent.asked or self._interpreter.proposed

    @property
    def _standing(self) -> KeyContext:
        return standing(self._record, self._waiting)

    def _commit(self, hand: AbstractContextManager[None], plan: Plan) -> None:
        self._by_hand(hand, lambda: self._notices.say(self._consent.commit(plan)))

    def _press(self, action_id: str) -> None:
        action = next((each for each in self.actions if each.id == action_id), Action(action_id, (), "", "", ""))
        now, means = self._standing, partial(meaning, self._record, action)
        if self._guard.holds(self._host_us(), now, means):
            raise TooSoon(f"{TOO_SOON}{AGAIN}{in_words(self._record, action, now)}")
        match action_id:
            case UNDO.id | REDO.id:
                plan = corrections.undo if action_id == UNDO.id else corrections.redo
                self._notices.say(self._consent.commit(plan(self._record)))
            case PAUSE.id:
                self._enter(self.game.parse("unpause" if self._record.common.paused else "pause", {}))
            case ACCEPT.id:
                self._interpreter.accept(self._now)
            case DISMISS.id:
                self._interpreter.drop()
            case AGREE.id:
                self._notices.say(self._consent.agree())
            case DISAGREE.id:
                self._notices.say(self._consent.disagree())
            case _:
                self._act(action_id)

    def _act(self, action_id: str) -> None:
        answer = self.game.act(self._record.state, action_id)
        if isinstance(answer, Retraction):
            self._notices.say(self._consent.commit(partial(corrections.retract, self._record, answer)))
        else:
            self._enter(answer)

    def _enter(self, fact: Fact, why: str = "", who: str = "") -> None:
        at, done = corrections.moment(self._record, fact, self._now())
        stamped = fact.model_copy(update={"at": at})
        self._notices.say(self._consent.commit(partial(corrections.enter, self._record, stamped, why, who, done)))

    def _now(self) -> Moment:
        return self._witness.stamped(self.board.now() or self._host_now())

    def _latest(self, clock: str) -> Moment | None:
        """The last moment that the newest entries tell of a clock."""
        for entry in islice(reversed(self._journal.entries), _LOOKED_AT):
            at = entry.body.get("at") if entry.layer is Layer.FACT else None
            if isinstance(at, dict) and at.get("clock") == clock:
                return Moment.model_validate(at)
        return None

    def _host_now(self) -> Moment:
        return Moment(us=self._host_us(), pm=0, clock=self._host_clock)

    def _append(self, *drafts: Draft) -> Appended:
        if any(draft.layer is Layer.FACT or draft.kind == Control.VOID for draft in drafts):
            drafts = (*drafts, *self._intake.meanings(self._interpreter.awaited))
        appended = self._journal.append(*drafts)
        self._record.extend(appended.added)
        return appended

    def _on_saved(self, status: SaveStatus) -> None:
        if status.note != self._befell:
            self._befell = status.note
            self.tell(status.note)
        self._publish()

    def _publish(self, *_: object) -> None:
        self._subscribers.call()

    def close(self) -> None:
        """End in order: the board is sent STANDBY, what is in memory goes to disk, the record is closed."""
        self.board.close()
        with self._lock:
            if not self._parts.closed and self.game.ended(self._record.state):
                self._append(Draft(Layer.CONTROL, Control.ENDED))
            self._parts.closed = True
            self._keep_fold()
        self._journal.close()
        self._witness.closed()

    def _keep_fold(self) -> None:
        """A long session is folded once more only where this fails."""
        if len(self._journal.entries) < LONG:
            return
        with suppress(JournalError, NoText, OSError):
            start = self._record.fold_start()
            if start is not None:
                keep(start, self.path, self._journal.entries)
