"""Reading the evidence again with other settings: what would change in facts and scores, and what
to append. Pure.

The record is replayed once in its order. What people entered and took back comes at its own place,
and evidence is read where the record first read it. So the same settings give the same facts, and
with other settings a fact changes only if the evidence or the state it met is different. Undecided
evidence (a pressed button, an open window) is left alone.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.journal.entries import Control, Draft, Entry, Layer, as_entry, is_control
from companion.journal.fold import one_step
from companion.journal.timeline import Timeline
from companion.rules.facts import Fact, Refused, SeatId, Setup
from companion.rules.game import Game
from companion.rules.gestures import HIT, TRIGGER, Gesture, GestureKind, GestureSettings
from companion.session.board_tests import BoardTests
from companion.session.intake import NUMBERED, Intake, read_draft
from companion.session.readings import READ_WITH, Readings, is_press, timeline_of
from companion.session.recognizer import SECOND_PRESS_US, Unread
from companion.session.views import Level

BY_LEVEL = "the table does this kind of step by hand"
BY_HAND = "the table has ruled on it by hand"


@dataclass(frozen=True, slots=True)
class RereadFact:
    """A fact of the new reading, the state it met, and the entry after which to insert it if it is
    new."""

    fact: Fact
    evidence: tuple[int, ...]
    state: Any
    anchor: int
    asked: bool = False
    """The table is asked even if such steps are automatic."""


def _tests_in(entries: Sequence[Entry]) -> BoardTests:
    tests = BoardTests()
    tests.read(entries)
    return tests


class SecondReading:
    """Replays a record entry by entry with a fold of its own; `take` is called with each entry in
    turn."""

    def __init__(
        self, game: Game[Any], setup: Setup, past: Readings, settings: GestureSettings
    ) -> None:
        self._game = game
        self._past = past
        self._settings = settings
        self._table: Timeline[Any] = timeline_of(game, setup)
        self._intake = Intake(settings, tests=_tests_in(past.entries))
        self._intake.remember(
            [entry for entry in past.entries if is_control(entry, Control.READ_AS)]
        )
        self._pieces = _by_boot(entry for entry in past.entries if self._is_to_read(entry))
        # Numbers for entries that only this fold has.
        self._numbers = itertools.count(len(past.entries) + 1)
        self._steps = {kind: step.name for step in game.steps for kind in step.kinds}
        self._levels: dict[str, str] = {}
        self._read: set[int] = set()
        self._active: set[str] = set()
        # Gestures recognized before their place in the record: entry made of them -> gestures.
        self._later: dict[int, list[Gesture]] = defaultdict(list)
        # Boot -> the latest stamp that the record has used so far.
        self._until_us: dict[int, int] = defaultdict(int)
        self._last_us = _last_stamps(past.entries)
        self._at = 0
        self._anchor = 1  # the entry of the record after which a new fact would be inserted
        self._tail = 1  # the same in this fold's own order
        self.found: dict[str, RereadFact] = {}
        """The facts of the new reading, by name."""
        self.reasons: dict[int, str] = {}
        """Evidence that is not a fact in the new reading -> the reason."""
        # Facts that stay as they are, because the record ends before the new hold time is up.
        self._as_lived: set[int] = set()
        self.blocked: list[RereadFact] = []
        """Facts of the new reading from evidence that people already ruled on."""
        self._feed()

    def take(self, entry: Entry) -> None:
        """Replay the next entry of the record."""
        self._at = entry.n
        if entry.layer is Layer.EVIDENCE:
            if entry.kind == "boot":
                self._finish(entry.body["previous"])
                self._feed()
        elif is_control(entry, Control.IGNORED):
            self._read_up_to(entry)
        elif is_control(entry, Control.LEVELS):
            self._levels.update(entry.body)
        elif entry.n in self._past.names:
            self._settle(entry)
        elif entry.layer is Layer.FACT or (
            is_control(entry, Control.VOID) and entry.n not in self._past.again
        ):
            self._table.add(entry)
        if entry.layer is not Layer.FACT or entry.after is None:
            self._anchor = self._tail = entry.n

    def has(self, fact: Entry) -> bool:
        """Return whether a fact that the record read counts in the new reading too."""
        return (
            self._past.names[fact.n] in self.found
            or fact.n in self._past.pinned
            or fact.n in self._as_lived
        )

    def _is_to_read(self, entry: Entry) -> bool:
        """Return whether to read an entry. Undecided pulls and hits are left alone. A second press
        of a zone shows that the release of the first was lost, so it is read, and its own meaning
        is left alone."""
        if entry.layer is not Layer.EVIDENCE:
            return False
        if entry.n in self._past.readers or not is_press(entry):
            return True
        return not self._settings.gun or entry.body["channel"] not in (TRIGGER, HIT)

    def _feed(self) -> None:
        """Read the evidence of the boot that begins here."""
        if self._pieces:
            for unread in self._intake.take(self._pieces.pop(0)):
                self._unread(unread)

    def _finish(self, boot_id: int) -> None:
        """For a boot that is over, read gestures that were proposed in time and accepted only
        later."""
        awaited: set[int] = set()
        for n, reader in self._past.readers.items():
            entry = self._past.entries[n - 1]
            is_late = reader.n > self._at and reader.layer is Layer.FACT
            if is_late and is_press(entry) and entry.body["boot"] == boot_id:
                awaited.add(n)
        self._read_on(boot_id, self._last_us.get(boot_id, 0) + self._patience_us, awaited)

    def _settle(self, entry: Entry) -> None:
        """Replay a fact that the record read: it stays at its place if the new reading has it too,
        otherwise it is taken back."""
        if entry.n not in self._past.again:
            self._read_up_to(entry)
        if self._past.names[entry.n] in self._active:
            return
        if not self.has(entry):
            void = {"entry": entry.n, "reason": "", READ_WITH: {}}
            self._table.add(self._entry(Draft(Layer.CONTROL, Control.VOID, void)))
        self._table.add(entry)

    def _read_up_to(self, reader: Entry) -> None:
        """Read on until all evidence is read from which the record made `reader`."""
        for gesture in self._later.pop(reader.n, ()):
            self._interpret(gesture)
        causes = [self._past.entries[n - 1] for n in reader.causes]
        presses = [entry for entry in causes if is_press(entry)]
        for boot_id in {entry.body["boot"]: None for entry in presses}:
            stamps = [entry.t_us or 0 for entry in causes if entry.body.get("boot") == boot_id]
            self._until_us[boot_id] = max(self._until_us[boot_id], *stamps)
            awaited = {entry.n for entry in presses if entry.body["boot"] == boot_id}
            self._read_on(boot_id, max(stamps) + self._patience_us, awaited)

    @property
    def _patience_us(self) -> int:
        """The time after which everything is decided."""
        return max(self._settings.hold_us, 2 * self._settings.window_us) + SECOND_PRESS_US

    def _read_on(self, boot_id: int, settled_us: int, awaited: set[int]) -> None:
        while not awaited <= self._read:
            item = next(self._intake.advance(boot_id, settled_us, self._hold_means), None)
            if item is None:
                break
            if isinstance(item, Unread):
                self._unread(item)
            else:
                self._place(item, boot_id)

    def _hold_means(self, channel: str) -> bool:
        return self._game.hold_means(self._table.state, channel)

    def _unread(self, unread: Unread) -> None:
        self._read.update(unread.evidence)
        self._ignore(unread.evidence, unread.reason)

    def _place(self, gesture: Gesture, boot_id: int) -> None:
        """Interpret a gesture now, or later at the place of its evidence in the record."""
        self._read.update(gesture.evidence)
        readers = [self._past.readers[n] for n in gesture.evidence if n in self._past.readers]
        places = [reader.n for reader in readers]
        if not places:
            return
        # If the record made one fact of exactly this evidence, the gesture belongs at its place.
        same = set(readers[0].causes) == set(gesture.evidence)
        if gesture.kind is GestureKind.HOLD and self._decided_us(gesture) > self._last_us[boot_id]:
            self._as_lived.update(places)
        elif min(places) > self._at and (
            same or self._decided_us(gesture) > self._until_us[boot_id]
        ):
            self._later[min(places)].append(gesture)
        else:
            self._interpret(gesture)

    def _decided_us(self, gesture: Gesture) -> int:
        last_us = max(self._past.entries[n - 1].t_us or 0 for n in gesture.evidence)
        if gesture.kind is GestureKind.HOLD:
            return last_us + self._settings.hold_us
        unpaired = gesture.kind in (GestureKind.DRY_PULL, GestureKind.KNOCK) or gesture.doubt
        return last_us + (self._settings.window_us if unpaired else 0)

    def _interpret(self, gesture: Gesture) -> None:
        state = self._table.state
        try:
            fact = self._game.gestured(state, gesture)
            self._game.advance(state, fact, self._at)
        except Refused as refusal:
            self._ignore(gesture.evidence, refusal.reason)
            return
        asked = gesture.run_from is not None or bool(gesture.doubt)
        self._add_fact(RereadFact(fact, gesture.evidence, state, self._anchor, asked))

    def _add_fact(self, fact: RereadFact) -> None:
        name = self._past.name(fact.fact.kind, fact.evidence)
        twin = self._past.twins.get(name)
        if twin is None and not self._past.by_hand.isdisjoint(fact.evidence):
            self.blocked.append(fact)
            self._ignore(fact.evidence, BY_HAND)
        elif twin is None and not self._may_be_automatic(fact):
            self._ignore(fact.evidence, BY_LEVEL)
        else:
            self.found[name] = fact
            self._record(name, fact, twin)

    def _record(self, name: str, fact: RereadFact, twin: Entry | None) -> None:
        if twin is None:
            entry = self._entry(read_draft(fact.fact, fact.evidence, self._tail))
        elif twin.n in self._past.again:
            entry = twin._replace(after=self._tail)
            self._anchor = twin.n
        else:
            return  # `take` adds it at its own place in the record
        self._active.add(name)
        self._table.add(entry)
        self._tail = entry.n

    def _may_be_automatic(self, fact: RereadFact) -> bool:
        """Return whether a fact may count without anybody's action: not if the table did such steps
        by hand; and if the table was asked, only if it said yes to this evidence."""
        level = self._levels.get(self._steps.get(fact.fact.kind, ""), Level.AUTOMATIC)
        was_asked = level == Level.PROPOSED or (fact.asked and level == Level.AUTOMATIC)
        if not was_asked:
            return level == Level.AUTOMATIC
        readers = (self._past.readers[n] for n in fact.evidence if n in self._past.readers)
        return any(reader.layer is Layer.FACT for reader in readers)

    def _ignore(self, evidence: tuple[int, ...], reason: str) -> None:
        self.reasons.update(dict.fromkeys(evidence, reason))

    def _entry(self, draft: Draft) -> Entry:
        return as_entry(draft, next(self._numbers))


def _by_boot(evidence: Iterable[Entry]) -> list[list[Entry]]:
    """Return the evidence in pieces: each but the first begins where the board restarted after a
    power loss."""
    pieces: list[list[Entry]] = [[]]
    for entry in evidence:
        if entry.kind == "boot":
            pieces.append([])
        pieces[-1].append(entry)
    return pieces


def _last_stamps(entries: Iterable[Entry]) -> dict[int, int]:
    """Return the last stamp of each boot; the record cannot know anything later, such as the
    release of a pressed button."""
    last_us: dict[int, int] = {}
    for entry in entries:
        if entry.kind in NUMBERED:
            boot_id, t_us = entry.body["boot"], entry.t_us or 0
            last_us[boot_id] = max(last_us.get(boot_id, t_us), t_us)
    return last_us


LOST, FOUND, KEPT = "lost", "found", "kept"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference as a sentence, based on these entries: a fact that would be `lost` or `found`;
    or one that is found and yet `kept` out, because people took it back or ruled on its evidence.
    """

    sign: str
    text: str
    causes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rereading:
    """The changes of another reading: facts, scores before and after, and facts that would no
    longer make sense (entry -> why). `drafts` is what to append, as one step; `read_to` is the last
    entry it knows."""

    settings: GestureSettings
    changes: tuple[Change, ...]
    before: Mapping[SeatId, int]
    after: Mapping[SeatId, int]
    broken: Mapping[int, str]
    drafts: tuple[Draft, ...]
    read_to: int


def reread(
    game: Game[Any], setup: Setup, entries: Sequence[Entry], settings: GestureSettings
) -> Rereading:
    """Return what reading the evidence of `entries` with `settings` would change. Facts entered by
    hand, and what people took back or amended, stay as they are."""
    past = Readings(entries)
    reading = SecondReading(game, setup, past, settings)
    for entry in entries:
        reading.take(entry)
    timeline = timeline_of(game, setup)
    timeline.extend(entries)
    difference = _Difference(game, past, reading, timeline)
    changes, drafts = difference.changes(), difference.drafts(settings)
    before, problems = game.standings(timeline.state), set(timeline.problems)
    timeline.extend(as_entry(draft, n) for n, draft in enumerate(drafts, start=len(entries) + 1))
    broken: dict[int, str] = {}
    for n, problem in timeline.problems.items():
        if n not in problems and n <= len(entries):
            broken[n] = str(problem)
    after = game.standings(timeline.state)
    return Rereading(settings, changes, before, after, broken, drafts, len(entries))


class _Difference:
    """The difference between a record and another reading of it; `timeline` is the record's fold."""

    def __init__(
        self, game: Game[Any], past: Readings, reading: SecondReading, timeline: Timeline[Any]
    ) -> None:
        self._game = game
        self._past = past
        self._reading = reading
        self._timeline = timeline
        self._kept: list[Entry] = []
        self._back: list[Entry] = []
        self._lost: list[Entry] = []
        for fact in past.twins.values():
            stands, is_read = past.order.stands(fact.n), reading.has(fact)
            if stands and not is_read:
                self._lost.append(fact)
            elif is_read and not stands:
                if past.taken_back_by_hand(fact):
                    self._kept.append(fact)
                else:
                    self._back.append(fact)
        self._new = [fact for name, fact in reading.found.items() if name not in past.twins]

    def changes(self) -> tuple[Change, ...]:
        """Return the changes in the order of the evidence, and the facts kept out that use the same
        evidence."""
        if not (self._lost or self._back or self._new):
            return ()
        wanted = {fact.n for fact in (*self._lost, *self._back, *self._kept)}
        texts: dict[int, str] = {}
        for entry, state in self._timeline.history():
            if entry.n in wanted:
                texts[entry.n] = self._text(state, entry)
        changes = [*self._losses(texts), *self._finds(texts)]
        touched = {cause for change in changes for cause in change.causes}
        changes += [
            change for change in self._kept_out(texts) if not touched.isdisjoint(change.causes)
        ]
        return tuple(sorted(changes, key=lambda change: (min(change.causes), change.sign != LOST)))

    def drafts(self, settings: GestureSettings) -> tuple[Draft, ...]:
        """Return one step: the voids of lost facts, the voids of what took back facts found again,
        then the new facts in reverse order, because of two facts inserted after one entry the later
        is nearer to it."""
        back = [void for fact in self._back for void in self._past.standing_voids(fact.n)]
        voids = [_void(entry, settings) for entry in (*self._lost, *back)]
        return one_step(
            *voids, *(read_draft(new.fact, new.evidence, new.anchor) for new in reversed(self._new))
        )

    def _losses(self, texts: Mapping[int, str]) -> Iterator[Change]:
        reasons = self._reading.reasons
        for fact in self._lost:
            why = dict.fromkeys(reasons[n] for n in fact.causes if n in reasons)
            yield Change(LOST, "; now not counted: ".join((texts[fact.n], *why)), fact.causes)

    def _finds(self, texts: Mapping[int, str]) -> Iterator[Change]:
        for fact in self._back:
            yield Change(FOUND, texts[fact.n], fact.causes)
        for new in self._new:
            text = self._game.describe(new.state, new.fact)
            reasons: dict[str, None] = {}  # an ordered set
            for n in new.evidence:
                reader = self._past.readers.get(n)
                if reader is not None and is_control(reader, Control.IGNORED):
                    reasons[reader.body["reason"]] = None
            yield Change(FOUND, "; was not counted: ".join((text, *reasons)), new.evidence)

    def _kept_out(self, texts: Mapping[int, str]) -> Iterator[Change]:
        for fact in self._kept:
            yield Change(KEPT, f"stays deleted: {texts[fact.n]}", fact.causes)
        for blocked in self._reading.blocked:
            text = self._game.describe(blocked.state, blocked.fact)
            yield Change(KEPT, f"{BY_HAND}, so it is not: {text}", blocked.evidence)

    def _text(self, state: Any, entry: Entry) -> str:
        try:
            return self._game.describe(state, self._game.parse(entry.kind, entry.body))
        except Refused as refusal:
            return f"{entry.kind}: {refusal}"


def _void(entry: Entry, settings: GestureSettings) -> Draft:
    peak = "the board's threshold"
    if settings.min_peak is not None:
        peak = f"threshold {settings.min_peak}"
    reason = f"re-read: hold {settings.hold_us // 1000} ms, window {settings.window_us // 1000} ms, {peak}"
    if settings.lock_us is not None:
        reason += f", lock {settings.lock_us // 1000} ms"
    body = {"entry": entry.n, "reason": reason, READ_WITH: settings.chosen}
    return Draft(Layer.CONTROL, Control.VOID, body, causes=(entry.n,))
