"""What a record says of its readings: what was read from evidence, and by which reading; and people's word. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from companion.journal.entries import REDO, UNDO, Control, Entry, Layer, is_control
from companion.journal.fold import FoldOrder
from companion.journal.timeline import Timeline
from companion.rules.facts import Refused, Setup
from companion.rules.game import Game
from firmware_protocol.messages import MASKED, PRESSED

READ_WITH = "read_with"
"""The field of a void that a rereading made: the settings it read with."""
PROPOSED = "proposed, "
"""The reason why evidence did not count begins with it where the table was asked: its answer, or that none came."""


def fact_key(kind: str, causes: Iterable[int]) -> str:
    """Return the key of a fact that was read from evidence, or of the answer that it counts for nothing (`ignored`):
    the same where the same evidence is read again as the same kind."""
    return f"{kind}:{','.join(map(str, causes))}"


def is_press(entry: Entry) -> bool:
    """Return whether an entry is a press, a pull or a hit; an echo is none."""
    return entry.kind == "event" and entry.body["flags"] & (PRESSED | MASKED) == PRESSED


def timeline_of(game: Game[Any], setup: Setup) -> Timeline[Any]:
    """Return an empty fold of a game's facts."""

    def after(state: Any, entry: Entry) -> Any:
        return game.advance(state, game.parse(entry.kind, entry.body), entry.n)

    return Timeline(game.start(setup), after, Refused)


class Readings:
    """What the record says of its readings: the one that was lived, those made again since, and people's word."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.order = FoldOrder()
        self.names: dict[int, str] = {}
        """Facts read from evidence: entry -> what makes it the same fact in another reading."""
        self.twins: dict[str, Entry] = {}
        """The same facts by that name."""
        self.readers: dict[int, Entry] = {}
        """Which fact or answer was first made of a piece of evidence."""
        self.again: set[int] = set()
        """Facts and voids that rereadings made, and the undo and redo of them: no word of people on a fact."""
        for entry in entries:
            self.order.add(entry)
            self._note(entry)
        self.pinned = {fact.n for fact in self.twins.values() if self._is_pinned(fact)}
        """Facts that people brought back against a rereading."""
        self.by_hand = {
            cause for entry in entries if self._is_peoples_ruling(entry) for cause in entry.causes
        }
        """Evidence that people made a fact of themselves, or said of it that it does not count."""

    def name(self, kind: str, causes: Iterable[int]) -> str:
        """Return what makes two readings the same fact: the kind, and the presses and hits it rests on. Whether a tap
        counted on the press or waited for the release makes no difference."""
        return fact_key(kind, (n for n in causes if is_press(self.entries[n - 1])))

    def _note(self, entry: Entry) -> None:
        # A fact that was read from evidence, and not put in by hand.
        is_read = (
            entry.layer is Layer.FACT
            and entry.causes
            and entry.key == fact_key(entry.kind, entry.causes)
        )
        if is_read:
            self.names[entry.n] = name = self.name(entry.kind, entry.causes)
            self.twins[name] = entry
        if (is_read and entry.after is None) or is_control(entry, Control.IGNORED):
            for cause in entry.causes:
                self.readers.setdefault(cause, entry)
        elif is_read:
            self.again.add(entry.n)
        elif is_control(entry, Control.VOID):
            is_step = entry.body.get("reason") in (UNDO, REDO)
            if READ_WITH in entry.body or (is_step and entry.body["entry"] in self.again):
                self.again.add(entry.n)

    def standing_voids(self, n: int) -> list[Entry]:
        """The voids that take entry `n` back now."""
        return [
            self.entries[void - 1] for void in self.order.voids_of(n) if self.order.stands(void)
        ]

    def taken_back_by_hand(self, fact: Entry) -> bool:
        """Whether people took a fact back, and not only a rereading."""
        return any(void.n not in self.again for void in self.standing_voids(fact.n))

    def _is_pinned(self, fact: Entry) -> bool:
        fallen = [
            void for void in self.order.voids_of(fact.n) if READ_WITH in self.entries[void - 1].body
        ]
        voids = itertools.chain.from_iterable(map(self.standing_voids, fallen))
        return self.order.stands(fact.n) and any(
            void.n not in self.again and void.body.get("reason") not in (UNDO, REDO)
            for void in voids
        )

    def _is_peoples_ruling(self, entry: Entry) -> bool:
        if is_control(entry, Control.IGNORED):
            return str(entry.body["reason"]).startswith(PROPOSED)
        if entry.layer is not Layer.FACT or not self.order.stands(entry.n):
            return False
        return entry.n in self.pinned or entry.n not in self.names
