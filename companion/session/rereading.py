"""The evidence read again with other settings: what would change in facts and score, and what to append. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.journal.entries import Control, Draft, Entry, Layer, is_control
from companion.journal.fold import one_step
from companion.journal.timeline import Timeline
from companion.rules.game import Game, Refused, SeatId, Setup
from companion.rules.gestures import GestureSettings
from companion.session.intake import read_draft
from companion.session.readings import READ_WITH, Readings, timeline_of
from companion.session.second_reading import BY_HAND, SecondReading, as_entry

LOST, FOUND, KEPT = "lost", "found", "kept"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference in a sentence, resting on these entries: a fact that would be `lost` or `found`, or one that is
    found again and yet `kept` out, because people took it back or ruled on its evidence themselves."""

    sign: str
    text: str
    causes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rereading:
    """What another reading would change: facts, scores before and after, and facts that would make no sense any more
    (entry -> why). `drafts` is what to append, as one step; `read_to` is the number of the last entry it knows of."""

    settings: GestureSettings
    changes: tuple[Change, ...]
    before: Mapping[SeatId, int]
    after: Mapping[SeatId, int]
    broken: Mapping[int, str]
    drafts: tuple[Draft, ...]
    read_to: int


def reread(game: Game[Any], setup: Setup, entries: Sequence[Entry], settings: GestureSettings) -> Rereading:
    """Return what reading the evidence of `entries` with `settings` would change. Facts entered by hand, and what
    people took back or amended, stay as they are."""
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
    broken = {n: str(why) for n, why in timeline.problems.items() if n not in problems and n <= len(entries)}
    return Rereading(settings, changes, before, game.standings(timeline.state), broken, drafts, len(entries))


class _Difference:
    """Between the record and another reading of it; `timeline` is the record's fold."""

    def __init__(self, game: Game[Any], past: Readings, reading: SecondReading, timeline: Timeline[Any]) -> None:
        self._game = game
        self._past = past
        self._reading = reading
        self._timeline = timeline
        read_again = [fact for fact in past.twins.values() if reading.has(fact)]
        fallen = [fact for fact in read_again if not past.order.stands(fact.n)]
        self._kept = [fact for fact in fallen if past.taken_back_by_hand(fact)]
        self._back = [fact for fact in fallen if not past.taken_back_by_hand(fact)]
        self._new = [found for name, found in reading.found.items() if name not in past.twins]
        self._lost = [fact for fact in past.twins.values() if past.order.stands(fact.n) and not reading.has(fact)]

    def changes(self) -> tuple[Change, ...]:
        """Return what changes, in the order of the evidence, with what is kept out of the same evidence."""
        if not (self._lost or self._back or self._new):
            return ()
        texts = self._texts({fact.n for fact in (*self._lost, *self._back, *self._kept)})
        changes = [*self._losses(texts), *self._finds(texts)]
        touched = {cause for change in changes for cause in change.causes}
        changes += [change for change in self._kept_out(texts) if not touched.isdisjoint(change.causes)]
        return tuple(sorted(changes, key=lambda change: (min(change.causes), change.sign != LOST)))

    def drafts(self, settings: GestureSettings) -> tuple[Draft, ...]:
        """Return, as one step, the voids of what is lost and of what took back what is found again; then what is new,
        from its end: of two facts put behind the same entry the later stands nearer to it."""
        back = [void for fact in self._back for void in self._past.standing_voids(fact.n)]
        voids = [_void(entry, settings) for entry in (*self._lost, *back)]
        return one_step(*voids, *(read_draft(new.fact, new.evidence, new.anchor) for new in reversed(self._new)))

    def _losses(self, texts: Mapping[int, str]) -> Iterator[Change]:
        reasons = self._reading.reasons
        for fact in self._lost:
            why = dict.fromkeys(reasons[n] for n in fact.causes if n in reasons)
            yield Change(LOST, "; now not counted: ".join((texts[fact.n], *why)), fact.causes)

    def _finds(self, texts: Mapping[int, str]) -> Iterator[Change]:
        for fact in self._back:
            yield Change(FOUND, texts[fact.n], fact.causes)
        for found in self._new:
            readers = (self._past.readers[n] for n in found.evidence if n in self._past.readers)
            why = dict.fromkeys(reader.body["reason"] for reader in readers if is_control(reader, Control.IGNORED))
            said = self._game.describe(found.state, found.fact)
            yield Change(FOUND, "; was not counted: ".join((said, *why)), found.evidence)

    def _kept_out(self, texts: Mapping[int, str]) -> Iterator[Change]:
        for fact in self._kept:
            yield Change(KEPT, f"stays taken back: {texts[fact.n]}", fact.causes)
        for found in self._reading.blocked:
            said = self._game.describe(found.state, found.fact)
            yield Change(KEPT, f"{BY_HAND}, so it is not: {said}", found.evidence)

    def _texts(self, wanted: set[int]) -> dict[int, str]:
        """The public sentences of facts where they stand in the record."""
        return {entry.n: self._text(state, entry) for entry, state in self._timeline.history() if entry.n in wanted}

    def _text(self, state: Any, entry: Entry) -> str:
        try:
            return self._game.describe(state, self._game.parse(entry.kind, entry.body))
        except Refused as refusal:
            return f"{entry.kind}: {refusal}"


def _void(entry: Entry, settings: GestureSettings) -> Draft:
    peak = "the board's threshold" if settings.min_peak is None else f"threshold {settings.min_peak}"
    reason = f"read again: hold {settings.hold_us // 1000} ms, window {settings.window_us // 1000} ms, {peak}"
    body = {"entry": entry.n, "reason": reason, READ_WITH: settings.chosen}
    return Draft(Layer.CONTROL, Control.VOID, body, causes=(entry.n,))
