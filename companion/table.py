"""The one controller: owns link, journal and game, knows no widget, and publishes immutable views."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from companion.actions import Action
from companion.games.base import TABLE, Fact, Game, Ignored, Moment, Refused, Retraction, Setup
from companion.gestures import Gesture, Unread
from companion.intake import (
    Intake,
    boot_draft,
    clash_draft,
    clock_name,
    evidence_draft,
    hello_draft,
    last_mark,
    note_draft,
)
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.errors import NotSaved
from companion.journal.fold import one_step, void_draft
from companion.journal.journal import Appended, Journal
from companion.journal.sessions import name_of
from companion.journal.timeline import Timeline
from companion.link import Evidence, Link, LinkState, LinkStatus, NotDurable
from companion.log import KEPT, LogBook
from companion.views import LinkView, Notice, SavedView, TableView
from firmware_protocol.messages import Hello

UNDO = Action("table.undo", ("u",), "undo", "Take back what the line above the keys names.", "record", True)
REDO = Action("table.redo", ("y",), "redo", "Bring back what undo took back.", "record")

TABLES_WORD = "the table's word"
STAYS = "only rulings can be taken back; what the board said and what was done to the record stays"

# How long the link waits for the disk before it tells the board nothing and tries again: well below the 3 s of silence
# after which the board takes its host for gone.
STORE_TIMEOUT_S = 1.0
CLOSED = "The session is closed: open it again to go on."
NO_BOARD = LinkView("no board", "Playing without a board: everything works from the keyboard.", healthy=True)
HEALTHY = (LinkState.LIVE, LinkState.NONE)


class Table:
    """A session in play. Every method may be called from any thread; none raises for what a person did.

    `host_us` is the host's monotonic clock in microseconds; it stamps what comes from the keyboard while no board is
    live. The caller closes the table.
    """

    def __init__(self, game: Game[Any], journal: Journal, setup: Setup, *, host_us: Callable[[], int]) -> None:
        self._game = game
        self._journal = journal
        self._setup = setup
        self._host_us = host_us
        self._host_clock = f"host-{len(journal.entries)}"  # moments of two runs of the companion have no interval
        self._lock = threading.RLock()
        self._subscribers: list[Callable[[], None]] = []
        self._link: Link | None = None
        self._link_view = NO_BOARD
        self._channels: dict[int, str] = {}
        self._notice: Notice | None = None
        self._name = name_of(journal.entries)
        self._closed = False
        self._log = LogBook(self._sentence_of)
        self._timeline = Timeline(game.start(setup), self._apply, Refused)
        self._intake = Intake(game.settings(setup), journal.entries)
        self.actions: tuple[Action, ...] = (*game.actions(setup), UNDO, REDO)
        for entry in journal.entries:
            self._log.add(entry)
        self._fold(journal.entries)
        self._read(entry for entry in journal.entries if entry.layer is Layer.EVIDENCE)
        journal.on_status = self._publish

    @property
    def path(self) -> Path:
        """The session's file."""
        return self._journal.path

    # -- what a screen asks for

    def view(self) -> TableView:
        """Return what a screen of the whole table shows now."""
        with self._lock:
            state = self._timeline.state
            undo, redo = self._timeline.undo_target, self._timeline.redo_target
            return TableView(
                session=self._name,
                setup=self._setup,
                game=self._game.view(state, TABLE),
                awaiting=self._game.awaiting(state),
                log=self._log.lines(self._timeline.problems, self._timeline.stands),
                link=self._link_view,
                saved=_saved(self._journal),
                undo=None if undo is None else self._log.text(undo.n),
                redo=None if redo is None else self._log.text(redo.n),
                notice=self._notice,
                ended=self._game.over(state),
            )

    def summary(self) -> tuple[str, ...]:
        """Return the result so far as plain lines."""
        with self._lock:
            return self._game.summary(self._timeline.state)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called, from any thread, when the view changed; return what ends that."""
        with self._lock:
            self._subscribers.append(callback)

        def unsubscribe() -> None:
            with self._lock:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return unsubscribe

    # -- what a person does

    def tell(self, sentence: str) -> None:
        """Show a sentence of the program as the view's notice; it is no part of the record."""
        with self._lock:
            self._note(sentence, refused=False)
        self._publish()

    def do(self, action_id: str) -> None:
        """Do what a key stands for; a refusal becomes the view's notice."""
        with self._lock:
            if self._closed:
                self._note(CLOSED, refused=True)
            elif action_id == UNDO.id:
                self._take_back()
            elif action_id == REDO.id:
                self._bring_back()
            else:
                self._act(action_id)
        self._publish()

    def take_back(self, n: int) -> None:
        """Take back fact `n` whatever came later, or bring it back; anything else becomes the view's notice."""
        with self._lock:
            if self._closed:
                self._note(CLOSED, refused=True)
            elif not self._is_fact(n):
                self._note(STAYS, refused=True)
            else:
                self._correct(n)
        self._publish()

    def _is_fact(self, n: int) -> bool:
        return 0 < n <= len(self._journal.entries) and self._journal.entries[n - 1].layer is Layer.FACT

    def _correct(self, n: int) -> None:
        stood, before = self._timeline.stands(n), set(self._timeline.problems)
        standing = [void for void in self._log.voids_of(n) if self._timeline.stands(void.n)]
        targets = [self._journal.entries[n - 1]] if stood else standing
        self._append(*one_step(*(void_draft(target, TABLES_WORD) for target in targets)))
        broken = len(set(self._timeline.problems) - before)
        senseless = f"; entries that make no sense now, each marked with its clause: {broken}" if broken else ""
        self._note(f"{'taken' if stood else 'brought'} back: {self._log.text(n)}{senseless}", refused=False)

    def _act(self, action_id: str) -> None:
        try:
            answer = self._game.act(self._timeline.state, action_id)
            if isinstance(answer, Retraction):
                self._retract(answer)
            else:
                stamped = answer.model_copy(update={"at": self._now()})
                self._record(stamped, actor="keyboard", causes=(), key=None)
        except Refused as refusal:
            self._note(f"{refusal.reason}; expected {refusal.expected} ({refusal.clause})", refused=True)

    def _retract(self, answer: Retraction) -> None:
        self._append(*one_step(*(void_draft(self._journal.entries[n - 1], answer.reason) for n in answer.entries)))
        self._note(answer.reason, refused=False)

    def _take_back(self) -> None:
        target = self._timeline.undo_target
        if target is None:
            self._note("there is nothing to undo", refused=True)
            return
        self._append(*self._timeline.undo_drafts())
        self._note(f"undone: {self._log.text(target.n)}", refused=False)

    def _bring_back(self) -> None:
        target = self._timeline.redo_target
        if target is None:
            self._note("there is nothing to bring back", refused=True)
            return
        self._append(*self._timeline.redo_drafts())
        self._note(f"brought back: {self._log.text(target.n)}", refused=False)

    def _now(self) -> Moment:
        device = self._link.device_now() if self._link is not None else None
        if device is not None:
            us, pm_us, boot_id = device
            return Moment(us=us, pm=pm_us, clock=clock_name(boot_id))
        return Moment(us=self._host_us(), pm=0, clock=self._host_clock)

    # -- what the link says (called from the link's thread)

    def connect(self, port: str) -> None:
        """Look for the board at `port` (a path, a URL, `auto`) from now on; closing the table ends that."""
        link = Link(port, self, last=last_mark(self._journal.entries), armed=True)
        with self._lock:
            self._link = link
        link.start()

    def on_status(self, status: LinkStatus) -> None:
        """Show the link's state."""
        with self._lock:
            self._link_view = LinkView(
                str(status.state),
                status.sentence,
                healthy=status.state in HEALTHY,
                uncertainty_us=status.uncertainty_us,
                rtt_us=status.rtt_us,
            )
        self._publish()

    def on_identified(self, hello: Hello, boot_id: int) -> None:
        """Record who the board is, and the unknown interval when it is another boot than before."""
        with self._lock:
            if self._closed:
                return
            self._channels = {channel.id: channel.name for channel in hello.channels}
            before = self._intake.boot_id
            if before is not None and before != boot_id:
                self._take_in(boot_draft(before, boot_id))
            self._take_in(hello_draft(hello, boot_id))
        self._publish()

    def store(self, evidence: list[Evidence]) -> None:
        """Record what the board said and return once it is on disk; raise `NotDurable` when it is not."""
        with self._lock:
            if self._closed:
                raise NotDurable(CLOSED)
            last_n = self._take_in(*(evidence_draft(item, self._channels) for item in evidence))
        try:
            self._journal.wait(last_n, STORE_TIMEOUT_S)
        except NotSaved as problem:
            raise NotDurable(str(problem)) from problem
        self._publish()

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        """Decide what the evidence up to `settled_us` means."""
        with self._lock:
            if self._closed:
                return
            before = len(self._journal.entries)
            for item in self._intake.advance(boot_id, settled_us, self._hold_means):
                self._interpret(item)
            changed = len(self._journal.entries) > before
        if changed:
            self._publish()

    def on_booted(self, previous: int, boot_id: int) -> None:
        """Nothing to do: `on_identified` follows and records the unknown interval, after a restart of ours too."""

    def on_note(self, sentence: str) -> None:
        """Keep and show a sentence of the link: noise, a clash, what the board logged."""
        with self._lock:
            if self._closed:
                return
            self._append(note_draft(sentence))
        self._publish()

    def _take_in(self, *drafts: Draft) -> int:
        """Record evidence and read it; return the number up to which the record must be on disk for all of it to be."""
        appended = self._append(*drafts)
        pairs = zip(drafts, appended.entries, strict=True)
        clashes = self._append(*filter(None, (clash_draft(draft, standing) for draft, standing in pairs)))
        self._read(appended.added)
        return max(appended.last_n, clashes.last_n)

    def _read(self, evidence: Iterable[Entry]) -> None:
        for unread in self._intake.take(evidence):
            self._interpret(unread)

    def _hold_means(self, channel: str) -> bool:
        return self._game.hold_means(self._timeline.state, channel)

    def _interpret(self, item: Gesture | Unread) -> None:
        if isinstance(item, Unread):
            channels = {self._journal.entries[n - 1].body["channel"]: None for n in item.evidence}
            self._ignore(f"{', '.join(channels)}: {item.reason}", item.evidence)
            return
        answer = self._game.interpret(self._timeline.state, item)
        if isinstance(answer, Ignored):
            self._ignore(_with_clause(answer.reason, answer.clause), item.evidence)
            return
        key = f"{answer.kind}:{','.join(map(str, item.evidence))}"
        try:
            self._record(answer, actor="board", causes=item.evidence, key=key)
        except Refused as refusal:
            self._ignore(_with_clause(refusal.reason, refusal.clause), item.evidence)

    def _ignore(self, reason: str, causes: tuple[int, ...]) -> None:
        key = f"ignored:{','.join(map(str, causes))}"
        self._append(Draft(Layer.CONTROL, Control.IGNORED, {"reason": reason}, "companion", causes, key=key))

    # -- the record

    def _record(self, fact: Fact, *, actor: str, causes: tuple[int, ...], key: str | None) -> None:
        """Append a fact that the rules allow now; raise `Refused` otherwise."""
        self._game.apply(self._timeline.state, fact, len(self._journal.entries) + 1)
        body = fact.model_dump(mode="json", exclude={"kind"}, exclude_none=True)
        t_us = fact.at.us if fact.at is not None else None
        self._append(Draft(Layer.FACT, fact.kind, body, actor, causes, t_us=t_us, key=key))

    def _append(self, *drafts: Draft) -> Appended:
        if any(draft.layer is Layer.FACT or draft.kind == Control.VOID for draft in drafts):
            drafts = (*self._intake.meanings(), *drafts)
        appended = self._journal.append(*drafts)
        for entry in appended.added:
            self._log.add(entry)
        self._timeline.extend(appended.added)
        return appended

    def _fold(self, entries: Sequence[Entry]) -> None:
        """Fold a resumed record at once, and its end step by step: so each fact that still has a line in the log is
        described in the state in which it was recorded, also one taken back since."""
        self._timeline.extend(entries[:-KEPT])
        step: list[Entry] = []
        for entry in entries[-KEPT:]:
            if not entry.joined:
                self._timeline.extend(step)
                step = []
            step.append(entry)
        self._timeline.extend(step)

    def _apply(self, state: Any, entry: Entry) -> Any:
        fact = self._game.parse(entry.kind, entry.body)
        after = self._game.apply(state, fact, entry.n)
        self._log.describe(entry.n, self._game.describe(state, fact))
        return after

    def _sentence_of(self, n: int) -> str:
        """What a fact that was taken back before this run of the companion would say where it stands."""
        entry = self._journal.entries[n - 1]
        try:
            fact = self._game.parse(entry.kind, entry.body)
            return self._game.describe(self._timeline.state_before(n), fact)
        except Refused as refusal:
            return f"{entry.kind}: {refusal}"

    def _note(self, text: str, *, refused: bool) -> None:
        number = 1 if self._notice is None else self._notice.number + 1
        self._notice = Notice(number, text, refused)

    def _publish(self, *_: object) -> None:
        for callback in tuple(self._subscribers):
            callback()

    def close(self) -> None:
        """End in order: the board is sent STANDBY, what is in memory goes to disk, the record is closed."""
        if self._link is not None:
            self._link.close(clean=True)
        with self._lock:
            if not self._closed and self._game.over(self._timeline.state):
                self._append(Draft(Layer.CONTROL, Control.ENDED))
            self._closed = True
        self._journal.close()


def _with_clause(reason: str, clause: str | None) -> str:
    return f"{reason} ({clause})" if clause else reason


def _saved(journal: Journal) -> SavedView:
    status = journal.saved
    if status.problem is not None:
        waiting = status.total_n - status.durable_n
        return SavedView(f"NOT SAVED, {waiting} waiting", ok=False, problem=status.problem)
    return SavedView(f"saved, {status.durable_n}", ok=True)
