"""The readings of evidence in a record: what was read from evidence by which reading, and what
people decided. Pure."""

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
"""The field of a rereading's void: the settings it read with."""
PROPOSED = "proposed, "
"""Prefix of the reason why evidence does not count if the table was asked; its answer follows, or
that it gave none."""


def fact_key(kind: str, causes: Iterable[int]) -> str:
    """Return the key of a fact read from evidence, or of the answer that it does not count
    (`ignored`). Reading the same evidence again as the same kind gives the same key."""
    return f"{kind}:{','.join(map(str, causes))}"


def is_press(entry: Entry) -> bool:
    """Return whether an entry is a press, a pull or a hit; an echo is not."""
    return entry.kind == "event" and entry.body["flags"] & (PRESSED | MASKED) == PRESSED


def timeline_of(game: Game[Any], setup: Setup) -> Timeline[Any]:
    """Return an empty fold of a game's facts."""

    def after(state: Any, entry: Entry) -> Any:
        return game.advance(state, game.parse(entry.kind, entry.body), entry.n)

    return Timeline(game.start(setup), after, Refused)


class Readings:
    """The readings in a record: the live one, later rereadings, and the decisions of people."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.order = FoldOrder()
        self.names: dict[int, str] = {}
        """Facts read from evidence: entry -> a name that the same fact has in any reading."""
        self.twins: dict[str, Entry] = {}
        """The same facts by that name."""
        self.readers: dict[int, Entry] = {}
        """Evidence -> the fact or answer that was first made of it."""
        self.again: set[int] = set()
        """Facts and voids of rereadings, and their undo and redo: none of them is a decision of people on a fact."""
        for entry in entries:
            self.order.add(entry)
            self._note(entry)
        self.pinned = {fact.n for fact in self.twins.values() if self._is_pinned(fact)}
        """Facts that people brought back after a rereading removed them."""
        self.by_hand = {
            cause for entry in entries if self._is_peoples_ruling(entry) for cause in entry.causes
        }
        """Evidence that people made a fact of by hand, or decided not to count."""

    def name(self, kind: str, causes: Iterable[int]) -> str:
        """Return the name of a fact, the same in each reading: its kind, and the presses and hits
        it is based on. Releases are left out: a tap may count at the press or at the release."""
        return fact_key(kind, (n for n in causes if is_press(self.entries[n - 1])))

    def _note(self, entry: Entry) -> None:
        # True for a fact that was read from evidence and not entered by hand.
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
        """Return the voids that take entry `n` back now."""
        return [
            self.entries[void - 1] for void in self.order.voids_of(n) if self.order.stands(void)
        ]

    def taken_back_by_hand(self, fact: Entry) -> bool:
        """Return whether people took a fact back, not only a rereading."""
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
