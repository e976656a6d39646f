"""Long records of any game: random play with undo, late corrections and rereadings."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.fold import amend_drafts, one_step, void_draft
from companion.journal.journal import Journal
from companion.journal.record import FIRST_DIGEST, seal
from companion.journal.timeline import Timeline
from companion.rules.facts import Fact, Setup, body_of
from companion.rules.game import Game
from companion.rules.header import header
from companion.session.readings import timeline_of

BEGUN = datetime(2026, 1, 31, 20, tzinfo=UTC)
STEP_US = 400_000
FILLED = 0.5
"""The share of facts that are the table's own, so that the rules' own last longer."""
BURST = 8
"""Undone at most in one go, as by somebody who leans on the key."""
NEAR = 60
"""Most corrections are of something that happened so many facts ago at most."""

Write = Callable[[tuple[Draft, ...]], Sequence[Entry]]


class Evening:
    """A record that grows by random play of one game, with a board's times: one fact every 0.4 s."""

    def __init__(self, game: Game[Any], setup: Setup, write: Write, seed: int) -> None:
        self.entries = list[Entry]()
        self._game = game
        self._write = write
        self._rng = random.Random(seed)
        self._state: Timeline[Any] = timeline_of(game, setup)
        self._us = 1_000_000

    def record(self, *drafts: Draft) -> None:
        """Record and fold facts."""
        entries = self._write(drafts)
        self.entries += entries
        self._state.extend(entries)

    def play(self) -> None:
        """Record a random legal fact; instead of the game's end, a pause or its end."""
        fact = self._chosen()
        self._us += STEP_US
        at = {"us": self._us, "pm": 25, "clock": "board-1"}
        self.record(Draft(Layer.FACT, fact.kind, body_of(fact) | {"at": at}, t_us=self._us))

    def _chosen(self) -> Fact:
        state, game = self._state.state, self._game
        candidates = [] if self._rng.random() < FILLED else list(game.candidates(state))
        self._rng.shuffle(candidates)
        for fact in candidates:
            if fact.kind not in ("pause", "abandon", "seat_leaves") and self._goes_on(state, fact):
                return fact
        seat, score = self._rng.choice(list(game.standings(state).items()))
        body = {"seat": seat, "score": score + self._rng.choice((-1, 1)), "reason": "miscounted"}
        set_by_hand = game.parse("score_set", body)
        if self._rng.random() < 0.95 and self._goes_on(state, set_by_hand):
            return set_by_hand
        return game.parse("unpause" if game.common(state).paused else "pause", {})

    def _goes_on(self, state: Any, fact: Fact) -> bool:
        return self._game.allows(state, fact) and not self._game.over(
            self._game.advance(state, fact, 1)
        )

    def undo(self, count: int) -> int:
        """Undo some facts, one key after the other; return how many there were."""
        for done in range(count):
            drafts = self._state.steps.undo_drafts()
            if not drafts:
                return done
            self.record(*drafts)
        return count

    def redo(self) -> None:
        """Redo the last undo."""
        drafts = self._state.steps.redo_drafts()
        if drafts:
            self.record(*drafts)

    def put_right(self) -> None:
        """Undo an old fact, insert one after it, or amend it, as one step."""
        facts = [n for n in self._state.order.facts[-NEAR:] if self._state.order.stands(n)]
        if not facts:
            return
        entry = self.entries[self._rng.choice(facts) - 1]
        change = self._rng.choice(("void", "insert", "amend"))
        if change == "void":
            self.record(void_draft(entry.n, "miscounted", "Anna"))
        elif change == "insert":
            self.record(
                Draft(
                    Layer.FACT,
                    entry.kind,
                    entry.body,
                    after=entry.n,
                    actor="keyboard",
                    t_us=entry.t_us,
                )
            )
        else:
            self.record(*amend_drafts(entry, entry.body, "misheard"))

    def read_again(self) -> None:
        """Undo the last facts as a rereading does, and insert the same after them, as one step."""
        facts = [n for n in self._state.order.facts[-NEAR:] if self._state.order.stands(n)]
        drafts = list[Draft]()
        for n in facts:
            entry = self.entries[n - 1]
            body = {"entry": n, "reason": "read again", "read_with": {"hold_us": 600_000}}
            drafts.append(Draft(Layer.CONTROL, Control.VOID, body, causes=(n,)))
            drafts.append(Draft(Layer.FACT, entry.kind, entry.body, after=n, t_us=entry.t_us))
        if drafts:
            self.record(*one_step(*drafts))

    def void_a_void(self) -> None:
        """Restore by hand what a void undid."""
        voids = [entry for entry in self.entries[-4 * NEAR :] if entry.kind == Control.VOID]
        if voids:
            void = self._rng.choice(voids)
            self.record(
                Draft(
                    Layer.CONTROL,
                    Control.VOID,
                    {"entry": void.n, "reason": "it counted"},
                    causes=(void.n,),
                )
            )


def fill(
    evening: Evening, entries: int, undone: int, rng: random.Random, *, corrected: bool
) -> None:
    """Play until there are `count` entries, some of them voids of an undo; with `corrected`, some of the rest are
    corrections of every kind."""
    back = 0
    while len(evening.entries) < entries:
        wanted = undone * len(evening.entries) // entries
        if back < wanted and rng.random() < 0.2:
            back += evening.undo(rng.randint(1, BURST))
            if rng.random() < 0.2:
                evening.redo()
        elif corrected and rng.random() < 0.04:
            rng.choice((evening.put_right, evening.put_right, evening.void_a_void))()
        elif corrected and rng.random() < 0.001:
            evening.read_again()
        else:
            evening.play()


def wall_of(n: int) -> str:
    """Return when entry `n` was recorded."""
    return (BEGUN + timedelta(microseconds=n * STEP_US)).isoformat(timespec="milliseconds")


def in_memory(
    game: Game[Any], setup: Setup, entries: int, undone: int, *, corrected: bool, seed: int = 1
) -> list[Entry]:
    """Return a long record in memory."""
    entries_kept = list[Entry]()

    def write(drafts: Iterable[Draft]) -> list[Entry]:
        before = len(entries_kept)
        for draft in drafts:
            digest = entries_kept[-1].digest if entries_kept else FIRST_DIGEST
            n = len(entries_kept) + 1
            entries_kept.append(seal(draft, n, wall_of(n), digest, n.to_bytes(16, "big"))[0])
        return entries_kept[before:]

    _whole(Evening(game, setup, write, seed), game, setup, entries, undone, corrected, seed)
    return entries_kept


def _whole(
    evening: Evening,
    game: Game[Any],
    setup: Setup,
    entries: int,
    undone: int,
    corrected: bool,
    seed: int,
) -> None:
    evening.record(Draft(Layer.CONTROL, Control.SESSION, header(setup, "a long evening")))
    fill(evening, entries, undone, random.Random(seed), corrected=corrected)


def on_disk(path: Path, record: Sequence[Entry]) -> None:
    """Write a record to a new session file, with its times and salts."""
    from companion.journal.entries import draft_of

    clock, salts = (
        iter([entry.wall for entry in record]),
        iter([bytes.fromhex(entry.salt) for entry in record]),
    )
    with Journal.create(
        path, record[0].body, wall=lambda: next(clock), salt=lambda: next(salts)
    ) as journal:
        for at in range(1, len(record)):
            journal.append(draft_of(record[at]))
