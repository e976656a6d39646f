"""From evidence to rulings: the meaning of a gesture is recorded at once, after somebody's yes, or
never, as the table wants."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.journal import Appended
from companion.rules.facts import TABLE, Fact, Moment, Refused, SeatId
from companion.rules.game import Step
from companion.rules.gestures import Gesture
from companion.session.corrections import Correction, NotDone, Plan, closings, contact_of, undo_run
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.intake import Intake, clash_draft, read_draft
from companion.session.projection import SessionProjection
from companion.session.readings import PROPOSED, fact_key
from companion.session.recognizer import Unread
from companion.session.seat_notes import accepted
from companion.session.views import Level, Proposal

PROPOSAL_US = 10_000_000  # long enough to look up from the cards and read a line


@dataclass(frozen=True, slots=True)
class Proposed:
    """A fact that is proposed, the entries it is based on, which no other fact uses, and its public
    sentence. `seat` proposed it on its phone; None: it was read from evidence. `run_from`: see
    `Gesture`. `id` tells it from all others of this run."""

    fact: Fact
    causes: tuple[int, ...]
    text: str
    seat: SeatId | None = None
    run_from: int | None = None
    id: str = ""


class Proposals:
    """The queue of proposals. The ten seconds of a proposal start when it is first in the queue and
    shown."""

    def __init__(self, host_us: Callable[[], int]) -> None:
        self._host_us = host_us
        self._waiting: deque[Proposed] = deque()
        self._shown_us = 0
        self._count = 0

    @property
    def shown(self) -> Proposed | None:
        """The proposal that can be answered now."""
        return self._waiting[0] if self._waiting else None

    def run_of(self, first: int) -> tuple[Proposed, ...]:
        """Return the proposals at the front of the queue that belong to the run that began with
        entry `first`."""
        return tuple(
            itertools.takewhile(lambda proposed: proposed.run_from == first, self._waiting)
        )

    @property
    def causes(self) -> tuple[int, ...]:
        """The entries that the pending proposals are based on."""
        return tuple(n for proposed in self._waiting for n in proposed.causes)

    def of_seat(self, seat: SeatId) -> int:
        """Return how many proposals from this seat's phone are pending."""
        return sum(proposed.seat == seat for proposed in self._waiting)

    def restarted(self) -> Proposed:
        """Return the proposal shown, and restart its ten seconds; raise `NotDone` if there is none."""
        if not self._waiting:
            raise NotDone(NOT_PROPOSED)
        self._shown_us = self._host_us()
        return self._waiting[0]

    def put(
        self,
        fact: Fact,
        causes: tuple[int, ...],
        text: str,
        seat: SeatId | None = None,
        run_from: int | None = None,
    ) -> None:
        """Add a proposal."""
        if not self._waiting:
            self._shown_us = self._host_us()
        self._count += 1
        self._waiting.append(Proposed(fact, causes, text, seat, run_from, f"step-{self._count}"))

    def take(self) -> Proposed:
        """Remove and return the proposal shown, answered or not; raise `NotDone` if there is none."""
        if not self._waiting:
            raise NotDone(NOT_PROPOSED)
        self._shown_us = self._host_us()
        return self._waiting.popleft()

    def take_run(self) -> tuple[Proposed, ...]:
        """Remove and return the proposal shown and those of the same run directly after it; raise
        `NotDone` if there is none."""
        first = self.take()
        taken = [first]
        if first.run_from is not None:
            while self._waiting and self._waiting[0].run_from == first.run_from:
                taken.append(self._waiting.popleft())
        return tuple(taken)

    def view(self) -> Proposal | None:
        """Return what a screen shows of the queue."""
        if not self._waiting:
            return None
        left_us = max(0, self._shown_us + PROPOSAL_US - self._host_us())
        first = self._waiting[0]
        return Proposal(first.text, left_us / 1e6, len(self._waiting) - 1, first.id)


NOT_PROPOSED = "nothing is proposed any more"
NO_RUN = "No contact has flickered, or everything it did is undone already."
BY_HAND = "entered by hand here"  # follows the name of a step that the table does by hand
BOUNCES = "flickers: check its wire and contact"
UNANSWERED = "nobody accepted it within 10 s"
DROPPED = "dropped"
HUNG = "the table stopped the game, which did not come back: "
RUN_UNDONE = "undone with its run"


class Interpreter:
    """Reads the evidence of a session, and records the result. Evidence that becomes no fact is
    recorded as such, with the reason. Only a pending proposal is not in the record, so that it is
    proposed again after a crash. `append`: see `Consent`."""

    def __init__(
        self,
        record: SessionProjection,
        append: Callable[..., Appended],
        intake: Intake,
        host_us: Callable[[], int],
    ) -> None:
        self._record = record
        self._append = append
        self._intake = intake
        self.proposals = Proposals(host_us)
        """The facts that wait for somebody's yes."""
        # Recognized but not recorded yet: the disk may fail for a while, and each item is tried again.
        self._due: deque[Gesture | Unread] = deque()

    def take_in(self, *drafts: Draft) -> int:
        """Record evidence and interpret it; return the number up to which the record must be on the
        disk for all of it to be. Raise `JournalError`; evidence recorded before the error is
        interpreted with the next evidence at the latest."""
        appended = self._append(*drafts)
        try:
            clash_drafts: list[Draft] = []
            for draft, standing in zip(drafts, appended.entries, strict=True):
                clash = clash_draft(draft, standing)
                if clash is not None:
                    clash_drafts.append(clash)
            clashes = self._append(*clash_drafts)
        finally:
            self.read(appended.added)
        return max(appended.last_n, clashes.last_n)

    def read(self, evidence: Iterable[Entry]) -> None:
        """Take recorded evidence; `advance` decides its meaning."""
        self._due.extend(self._intake.take(evidence))
        self._settle()

    def advance(self, boot_id: int, settled_us: int) -> None:
        """Decide the meaning of the evidence up to `settled_us`."""
        self._settle()
        for item in self._intake.advance(boot_id, settled_us, self._hold_means):
            self._due.append(item)
            self._settle()

    def propose(self, fact: Fact, entry: int, seat: SeatId) -> None:
        """Propose what `seat` sent from its phone, which `entry` records."""
        name = self._record.common.setup.name_of(seat)
        state, after = self._record.state, self._record.tried(fact)
        text = f"{name}'s phone: {self._record.game.sentence(state, after, fact, TABLE)}"
        self.proposals.put(fact, (entry,), text, seat)

    def acceptance(self, now: Callable[[], Moment]) -> Plan:
        """Return the plan that records the fact proposed now; raise `NotDone`.

        The plan raises `NotDone` once the fact is no longer proposed, and `Refused` if the rules no
        longer allow it. It calls `now` for the moment of a fact without a stamp from evidence.
        """
        proposed = self.proposals.restarted()

        def plan() -> Correction:
            if self.proposals.shown is not proposed:
                raise NotDone(NOT_PROPOSED)
            try:
                return Correction(self._accepted(proposed, now), begin=self.proposals.take)
            except Refused as refusal:
                self.drop("accepted too late", refusal)
                raise

        return plan

    def _accepted(self, proposed: Proposed, now: Callable[[], Moment]) -> tuple[Draft, ...]:
        if proposed.seat is None:
            self._record.tried(proposed.fact)
            return (read_draft(proposed.fact, proposed.causes),)
        at, n = now(), len(self._record.entries) + 1
        self._record.tried(proposed.fact.model_copy(update={"at": at}))
        return accepted(proposed.fact, proposed.seat, proposed.causes[0], at, n)

    def drop(self, why: str = DROPPED, refusal: Refused | None = None) -> None:
        """Record that the proposal does not count, with the `refusal` if the rules refuse it; raise
        `NotDone`."""
        # A refusal is about one fact; somebody who drops the proposal drops its whole run.
        taken = self.proposals.take_run() if refusal is None else (self.proposals.take(),)
        text = f"{PROPOSED}{why}: {taken[0].text}"
        if len(taken) > 1:
            text += f", and {len(taken) - 1} more of this run"
        if refusal is not None:
            text += f" - {_with_clause(refusal)}"
        causes = tuple(n for proposed in taken for n in proposed.causes)
        self._ignore(text, causes)

    def undo_of_run(self) -> Plan:
        """Return the plan that takes back everything from the run whose closings are proposed now,
        and drops the proposals; without a proposal, everything from the last run. Raise `NotDone`
        if there is nothing. The plan raises `NotDone` once the proposal is gone."""
        proposed = self.proposals.shown
        if proposed is None or proposed.run_from is None:
            return self._undo_of_last_run()
        first = proposed.run_from

        def plan() -> Correction:
            if self.proposals.shown is not proposed:
                raise NotDone(NOT_PROPOSED)
            presses = closings(self._record, first, proposed.causes[0] - 1)
            _, channel = contact_of(self._record, first)
            undone = undo_run(self._record, presses, channel)
            causes = tuple(n for member in self.proposals.run_of(first) for n in member.causes)
            ignored = _ignored(f"{PROPOSED}{RUN_UNDONE}: {proposed.text}", causes)
            return replace(undone, beside=(ignored,), begin=self.proposals.take_run)

        return plan

    def _undo_of_last_run(self) -> Plan:
        if self._intake.last_run is None:
            raise NotDone(NO_RUN)
        first, last = self._intake.last_run
        presses = closings(self._record, first, last)
        _, channel = contact_of(self._record, first)

        def plan() -> Correction:
            undone = undo_run(self._record, presses, channel)
            if not undone.drafts:
                raise NotDone(NO_RUN)
            return undone

        return plan

    def _settle(self) -> None:
        while self._due:
            # Remove it only afterwards: if the disk fails, it is interpreted again later.
            self._interpret(self._due[0])
            self._due.popleft()

    def _hold_means(self, channel: str) -> bool:
        try:
            with aborted_as_stopped():
                return self._record.game.hold_means(self._record.state, channel)
        except GameStopped:  # treat the press as a tap; the game is asked for its meaning next
            return False

    def _interpret(self, item: Gesture | Unread) -> None:
        if isinstance(item, Unread):
            channels = {self._record.entries[n - 1].body["channel"]: None for n in item.evidence}
            self._ignore(f"{', '.join(channels)}: {item.reason}", item.evidence)
            return
        try:
            with aborted_as_stopped():
                fact = self._record.game.gestured(self._record.state, item)
                self._do_as_wanted(fact, item, after_the_end=self._is_after_the_end(item))
        except GameStopped as stopped:
            if not stopped.skips:
                raise
            # A person continued without the answer. Interpreted later, the gesture would come after
            # whatever happens meanwhile, so it is recorded as ignored.
            self._ignore(f"{HUNG}{stopped}", item.evidence)
        except Refused as refusal:
            self._ignore(_with_clause(refusal), item.evidence)

    def _is_after_the_end(self, gesture: Gesture) -> bool:
        """Return whether this happened after the game was over: the stamps differ by more than both
        errors, or no clock can tell."""
        end = self._record.end
        if end is None:
            return False
        if end.at is None or end.at.clock != gesture.clock:
            return True
        return gesture.t_us - gesture.pm_us > end.at.us + end.at.pm

    def _do_as_wanted(self, fact: Fact, gesture: Gesture, *, after_the_end: bool) -> None:
        """Record, propose or ignore a fact that the rules allow now; raise `Refused` otherwise. A
        tap never changes a finished game by itself; a bouncing contact and a doubtful gesture do
        not count by themselves either. They are proposed."""
        causes = gesture.evidence
        state, after = self._record.state, self._record.tried(fact)
        step = self._step_of(fact)
        level = Level.AUTOMATIC if step is None else self._record.levels[step.name]
        is_asked = level is Level.PROPOSED or after_the_end
        if level is Level.MANUAL and step is not None:
            self._ignore(f"{step.label}: {BY_HAND}", causes)
            return
        if not (is_asked or gesture.doubt or gesture.run_from is not None):
            self._append(read_draft(fact, causes))
            return
        # Only a proposal needs the sentence: facts that count at once get theirs when they are folded.
        sentence = self._record.game.sentence(state, after, fact, TABLE)
        if gesture.run_from is not None:
            text = f"{gesture.channel} {BOUNCES}: {sentence}"
            self.proposals.put(fact, causes, text, run_from=gesture.run_from)
        elif gesture.doubt:
            self.proposals.put(fact, causes, f"{gesture.doubt}: {sentence}")
        else:
            self.proposals.put(fact, causes, sentence)

    def _step_of(self, fact: Fact) -> Step | None:
        for step in self._record.game.steps:
            if fact.kind in step.kinds:
                return step
        return None

    def _ignore(self, reason: str, causes: tuple[int, ...]) -> None:
        self._append(_ignored(reason, causes))


def _ignored(reason: str, causes: tuple[int, ...]) -> Draft:
    key = fact_key(Control.IGNORED, causes)
    return Draft(Layer.CONTROL, Control.IGNORED, {"reason": reason}, "companion", causes, key=key)


def _with_clause(refusal: Refused) -> str:
    return f"{refusal.reason} ({refusal.clause})"
