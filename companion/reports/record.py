"""A session's record as reports read it: its setup, its facts in fold order with their sentences, the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.exits import Exit
from companion.games import open_game
from companion.games.base import Fact, Game, Refused, Seat, Setup
from companion.journal.entries import Control, Entry, Layer
from companion.journal.errors import JournalError, SessionDeniedError, SessionMissingError
from companion.journal.store import read_entries
from companion.journal.timeline import Timeline


class ReportError(Exception):
    """Something that cannot be reported: one sentence, and the exit code that goes with it."""

    def __init__(self, sentence: str, exit_code: Exit = Exit.DATA) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class FactLine:
    """A fact of the record with its public sentence.

    `fact` is None when no game reads it; `void` is the entry that took it back, if one stands; `problem` is why it
    makes no sense where it stands.
    """

    entry: Entry
    fact: Fact | None
    text: str
    void: Entry | None = None
    problem: Refused | None = None

    @property
    def counts(self) -> bool:
        """Whether it is part of the state."""
        return self.void is None and self.problem is None


@dataclass(frozen=True, slots=True)
class Record:
    """A session: all its entries, and what the game makes of them. `facts` are in fold order, `undo` is what undo would
    take back."""

    name: str
    entries: Sequence[Entry]
    setup: Setup
    game: Game[Any]
    state: Any
    facts: tuple[FactLine, ...]
    undo: Entry | None

    @property
    def begun_wall(self) -> str:
        """The wall clock of the first entry."""
        return self.entries[0].wall

    @property
    def played_wall(self) -> tuple[str, str]:
        """The wall clocks of the first and the last fact; those of the record when there is none."""
        walls = sorted(line.entry.wall for line in self.facts if line.counts)
        return (walls[0], walls[-1]) if walls else (self.begun_wall, self.entries[-1].wall)


def read_record(path: Path) -> Record:
    """Read a session file, also while another process writes it; raise `ReportError`."""
    try:
        entries = read_entries(path)
    except JournalError as problem:
        raise ReportError(str(problem), _exit_code(problem)) from problem
    return record_of(entries, path.stem)


def record_of(entries: Sequence[Entry], stem: str) -> Record:
    """Fold `entries`, the first of which is the header; raise `ReportError` when no game here can."""
    body = entries[0].body
    try:
        setup = setup_of(body)
        game = open_game(setup.game)
        timeline = Timeline(game.start(setup), _folder(game), Refused)
    except (KeyError, TypeError, ValueError, Refused) as problem:
        raise ReportError(f"{stem}: its first entry names no game that can be read here: {problem}.") from problem
    timeline.extend(entries)
    facts = tuple(_lines(game, timeline, _standing_voids(timeline, entries)))
    return Record(str(body.get("name") or stem), entries, setup, game, timeline.state, facts, timeline.undo_target)


def setup_of(body: Mapping[str, Any]) -> Setup:
    """Read the setup in a session's first entry; raise `KeyError` or `TypeError` when there is none."""
    seats = tuple(Seat(**seat) for seat in body["seats"])
    return Setup(body["game"], body["rules"], seats, dict(body["options"]))


def _exit_code(problem: JournalError) -> Exit:
    absent = isinstance(problem, (SessionMissingError, SessionDeniedError))
    return Exit.NO_INPUT if absent else Exit.DATA


def _folder(game: Game[Any]) -> Callable[[Any, Entry], Any]:
    return lambda state, entry: game.apply(state, game.parse(entry.kind, entry.body), entry.n)


def _standing_voids(timeline: Timeline[Any], entries: Sequence[Entry]) -> dict[int, Entry]:
    voids = (entry for entry in entries if entry.layer is Layer.CONTROL and entry.kind == Control.VOID)
    return {entry.body["entry"]: entry for entry in voids if timeline.stands(entry.n)}


def _lines(game: Game[Any], timeline: Timeline[Any], voids: Mapping[int, Entry]) -> Iterator[FactLine]:
    for entry, before in timeline.history():
        problem = timeline.problems.get(entry.n)
        fact: Fact | None = None
        try:
            fact = game.parse(entry.kind, entry.body)
            text = game.describe(before, fact)
        except Refused as refusal:
            text = f"{entry.kind}: {refusal.reason}"
        yield FactLine(entry, fact, text, voids.get(entry.n), problem if isinstance(problem, Refused) else None)
