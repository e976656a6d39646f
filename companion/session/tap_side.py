"""What a table remembers of the taps on pages: what each page saw, which device made which entry, and
the answers given."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from companion.journal.entries import CLOCK, KEYBOARD, Control, Draft, Entry, Layer, is_control
from companion.rules.clauses import without_clauses
from companion.rules.facts import Refused
from companion.session.corrections import NotDone
from companion.session.key_meanings import KeyContext
from companion.session.projection import SessionProjection
from companion.session.tap_meanings import LOOK, Meant, content_of, meant
from companion.session.taps import AddMissed, Device, EnterFact, Outcome, Step, Tap, TapAnswer, Wish

MOST_SHOWN = 64
"""Moments that pages showed; a page that shows an older one is refused."""
MOST_ANSWERS = 1024
"""Answers kept for a page that missed one. What was recorded is found in the record for ever."""
MOST_MADE = 8192
"""Entries of which it is known which device made them."""
TAP_ERROR_US = 100_000
"""The smallest uncertainty of a tap's time. Nobody measures how long the finger, the browser
and the network take; on a good network it is less than that."""
BEHIND = f"This page is out of date. {LOOK}"
_MOST_TOLD = 2  # sentences about what happened meanwhile

K = TypeVar("K")
V = TypeVar("V")


class _Kept(OrderedDict[K, V]):
    """The newest `most` items."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: K, value: V) -> None:
        """Add an item, or replace it, as the newest one."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)


class TapSide:
    """Decides whether a tap still means what its person saw. Used with the table locked."""

    def __init__(self, record: SessionProjection) -> None:
        self._record = record
        self._shown: _Kept[int, KeyContext] = _Kept(MOST_SHOWN)
        self._made: _Kept[int, Device] = _Kept(MOST_MADE)  # entry -> the device that made it
        self._answers: _Kept[str, TapAnswer] = _Kept(MOST_ANSWERS)

    def remember_shown(self, newest: int, context: KeyContext) -> None:
        """Remember what keys meant when the table showed entries up to the number `newest`."""
        self._shown.keep(newest, context._replace(waiting=None))

    def remember_made(self, device: Device, entries: Sequence[int]) -> None:
        """Remember which device made these entries."""
        for n in entries:
            self._made.keep(n, device)

    def answered(self, device: Device, tap: Tap) -> TapAnswer | None:
        """Return the answer that this tap got before, or None if it is new."""
        return self._answers.get(key_of(device, tap))

    def keep_answer(self, device: Device, tap: Tap, answer: TapAnswer) -> None:
        """Keep the answer for a page that sends the same tap again."""
        self._answers.keep(key_of(device, tap), answer)

    def checked(self, device: Device, tap: Tap, now: KeyContext) -> TapAnswer | None:
        """Return `SAME` if another hand has done what is asked since the page was drawn, else None.

        Raise `NotDone` or `Refused` if it cannot be done, or means something else than the page
        showed.
        """
        means = meant(self._record, tap.wish, now)
        if not isinstance(tap.wish, Step | EnterFact | AddMissed):
            return None  # it names what its page showed
        # Who was asked whether to do it again has been told everything up to then.
        seen = max(tap.seen, tap.again)
        since = list(self._since(seen, device))
        for n in since:
            if self._is_same(n, means):
                newest = self._record.number(len(self._record.entries))
                self.remember_shown(newest, now)
                sentence = f"{self._doer(n)} entered this a moment ago. Enter it again?"
                return TapAnswer(Outcome.SAME, sentence, newest)
        is_placed = isinstance(
            tap.wish, AddMissed
        )  # it means the same whatever came after its place
        if since and not is_placed and means != self._meant_then(tap.wish, seen):
            raise NotDone(self._changed(since))
        return None

    def _since(self, seen: int, device: Device) -> Iterator[int]:
        """Yield the public facts and corrections after number `seen` that `device` did not make."""
        shown = self._record.entry_numbered(seen)
        if shown is None:
            raise NotDone(BEHIND)
        for n in range(shown + 1, len(self._record.entries) + 1):
            made_by = self._made.get(n)
            if made_by is not None and made_by.id == device.id:
                continue
            if _is_step(self._record.entries[n - 1]) and not self._record.is_private(n):
                yield n

    def _meant_then(self, wish: Wish, seen: int) -> Meant | None:
        context = self._shown.get(seen)
        if context is None:
            raise NotDone(BEHIND)
        try:
            return meant(self._record, wish, context)
        except (NotDone, Refused):
            return None  # impossible then: no page offered it

    def _is_same(self, n: int, means: Meant) -> bool:
        entry = self._record.entries[n - 1]
        if means.fact is None or entry.layer is not Layer.FACT or not self._record.stands(n):
            return False
        return content_of(self._record.fact_of(entry)) == means.fact

    def _changed(self, since: Sequence[int]) -> str:
        told = [without_clauses(self._record.text(n)) for n in since[-_MOST_TOLD:]]
        return f"The game has changed, so nothing was done. Since then: {'; '.join(told)}."

    def _doer(self, n: int) -> str:
        """Return who made entry `n`, at the beginning of a sentence."""
        device = self._made.get(n)
        if device is not None:
            return device.name
        entry = self._record.entries[n - 1]
        if entry.actor == CLOCK:
            return "The clock"
        causes = [self._record.entries[cause - 1] for cause in entry.causes]
        for cause in causes:
            if is_control(cause, Control.ENTERED):
                return f"{self._record.common.setup.name_of(cause.body['seat'])}'s phone"
        return "The board" if causes and entry.actor != KEYBOARD else "The laptop"


def key_of(device: Device, tap: Tap) -> str:
    """Return the key of a tap in the record; devices cannot take each other's."""
    return f"tap:{hashlib.sha256(f'{device.id} {tap.id}'.encode()).hexdigest()[:32]}"


@dataclass(slots=True)
class TapInProgress:
    """A tap while the table does what it asks. `within_us` is the width of the time in which it was."""

    device: Device
    tap: Tap
    within_us: int
    made: list[int] = field(default_factory=list)
    """The facts and voids recorded so far."""
    _is_recorded: bool = False

    def with_tap(self, drafts: Sequence[Draft], first_n: int) -> tuple[Draft, ...]:
        """Return the drafts, of which the first becomes entry `first_n`, with the one that records the
        tap: in the same append, so that a tap which is sent again after a crash is not done twice."""
        if self._is_recorded:
            return tuple(drafts)
        self._is_recorded = True
        entries = [n for n, draft in enumerate(drafts, start=first_n) if _is_step(draft)]
        body = {
            "device": self.device.name,
            "role": self.device.role.title,
            "entries": entries,
            "within_us": self.within_us,
        }
        key = key_of(self.device, self.tap)
        return (*drafts, Draft(Layer.CONTROL, Control.TAPPED, body, key=key))

    def note_made(self, added: Sequence[Entry]) -> None:
        """Note what was recorded."""
        self.made += [entry.n for entry in added if _is_step(entry)]


def _is_step(item: Draft | Entry) -> bool:
    return item.layer is Layer.FACT or is_control(item, Control.VOID)


def recorded_answer(record: SessionProjection, tapped: Entry) -> TapAnswer:
    """Return the answer to a tap that is in the record already."""
    told = [without_clauses(record.text(n)) for n in tapped.body["entries"]]
    return TapAnswer(Outcome.DONE, f"{'; '.join(told) or 'Done'}.", tapped.n)
