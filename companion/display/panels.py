"""What a game shows to the whole table and to a seat, and what a seat can note for itself or propose, declared once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.display.grids import NumberGrid
from companion.display.tables import PanelTable, Shown
from companion.rules.actions import with_keys
from companion.rules.clauses import without_clauses
from companion.rules.facts import Fact, Moment, Refused, Seat, SeatId, Setup
from companion.rules.pauses import Pauses
from companion.rules.registry import part_of

Answers = Mapping[str, str]
"""The name of a field -> what was typed or chosen in it."""


@dataclass(frozen=True, slots=True)
class NoteField:
    """One answer of a note: chosen among `choices` (value, label), or typed where there are none."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A note that a seat can make now. Its `id` is unique in the form; it makes facts of the `kind`.

    `takes` is a sentence that says what it takes. `read` returns the body of the fact for the answers, with the seat in
    it, or raises `Refused`; `words` says how they are read so far, or raises it too. Both know what the seat's own view
    knows, and nothing more.
    """

    id: str
    label: str
    kind: str
    takes: str
    fields: tuple[NoteField, ...]
    read: Callable[[Answers], dict[str, Any]]
    words: Callable[[Answers], str] = lambda _answers: ""

    def body(self, answers: Answers) -> dict[str, Any]:
        """Return the body of the fact; raise `Refused` for what the line does not ask, and for what is left open."""
        for field in self.fields:
            word = answers.get(field.name, "").strip()
            if not word or (field.choices and word not in dict(field.choices)):
                raise Refused("FORMAT", f"{field.label} is missing", do="Enter it first.")
        if set(answers) - {field.name for field in self.fields}:
            raise Refused(
                "FORMAT", f"{self.label} has no such field", do=f"{self.label} takes {self.takes}."
            )
        return self.read(answers)


def line_of(lines: tuple[NoteLine, ...], line_id: str) -> NoteLine:
    """Return the line with that id; raise `Refused` where it cannot be noted now."""
    found = next((line for line in lines if line.id == line_id), None)
    if found is None:
        raise Refused("FORMAT", "this cannot be noted now", do="Look at the page again.")
    return found


NO_NOTES = "You have no private notes yet."
"""Said to a seat that could know something for itself alone, and does not."""


def is_note_of(fact: Fact, seat: SeatId) -> bool:
    """Return whether the fact is for that seat alone."""
    return fact.secret and getattr(fact, "seat", None) == seat


@dataclass(frozen=True, slots=True)
class PhoneProposal:
    """A fact of the `kind` with that `body`, which the table records if it says yes. `label` is what the player says
    with it; `id` is unique among those of a seat."""

    id: str
    label: str
    kind: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SeatLine(Seat):
    """A player and the score. `turn`: it is their turn; `idle`: they take no part now; `out`: they were eliminated
    from the round; `note`: what they are, in a word or two, such as `out`; `words`: what else is told of them where
    there is room."""

    score: str
    turn: bool = False
    idle: bool = False
    out: bool = False
    note: str = ""
    words: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, seat: Seat, score: object, words: Iterable[str] = (), *, turn: bool, left: bool
    ) -> SeatLine:
        """Return the line of a player who takes part until they leave the game."""
        note = "left the game" if left else ""
        return cls(*seat.look, str(score), turn=turn, idle=left, note=note, words=tuple(words))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a part of a game came to, such as a round, for people to read before they clear the table, and what they do
    then. `entry` is the entry of the record that ended it, None before; `on_table` until the next fact of the game."""

    title: str
    tables: tuple[PanelTable, ...]
    then: tuple[PanelTable, ...] = ()
    entry: int | None = None
    on_table: bool = False

    @property
    def on_screen(self) -> tuple[PanelTable, ...]:
        """The tables as a screen shows them: what to do comes first, the rest has been read by then."""
        return (*self.then, *self.tables)


@dataclass(frozen=True, slots=True)
class Panels:
    """What a game shows. Each function takes the game's own view for the table, and nothing else; `own` and `notes`
    take the view for a seat, and that seat.

    `unit` is what the scores count, `where` where the game stands in a few words, `seats` the players in their order,
    those among them who have no seat; None: the seats with their standings, and it is the `turn` of these. `tables` is
    how the game stands and what was counted, pictures among it, the most wanted first. `own` is what the seat alone
    knows, None in a game that keeps nothing from anybody, and `notes` what it can note for itself: its curtain and its
    phone show the one, and ask for nothing but the other. `proposals` is what a seat can propose from its phone, by the
    view for the table, None where the game has no such thing. `clock` is the moment from which the clock of the round
    counts, and the pauses since; None while no clock runs. `outcomes` are what its parts came to, the oldest first: a
    screen opens the one that is on the table until a key closes it, and lines print each once. `odds` are probabilities
    by what everybody can see; a person can turn them off. No screen waits until odds are worked out: for a view whose
    `odds` or `own` are not complete yet, `work` returns what has to be run first, in any thread. `grids` are the
    numbers that people type for each player, None in a game that has none.
    """

    unit: str = "points"
    where: Callable[[Any], str] = lambda _game: ""
    seats: Callable[[Any], Iterable[SeatLine]] | None = None
    tables: Callable[[Any], tuple[Shown, ...]] = lambda _game: ()
    notes: Callable[[Any, SeatId], tuple[NoteLine, ...]] = lambda _game, _seat: ()
    own: Callable[[Any, SeatId], tuple[PanelTable, ...] | None] = lambda _game, _seat: None
    proposals: Callable[[Any, SeatId], tuple[PhoneProposal, ...]] | None = None
    clock: Callable[[Any], tuple[Moment, Pauses] | None] = lambda _game: None
    turn: Callable[[Any], Collection[SeatId]] = lambda _game: ()
    outcomes: Callable[[Any], tuple[Outcome, ...]] = lambda _game: ()
    odds: Callable[[Any], tuple[PanelTable, ...]] = lambda _game: ()
    grids: Callable[[Any], tuple[NumberGrid, ...]] | None = None
    work: Callable[[Any], Callable[[], None] | None] = lambda _game: None

    def on_table(self, game: Any) -> Outcome | None:
        """Return what the last part of the game came to while it is on the table."""
        last = self.outcomes(game)[-1:]
        return last[0] if last and last[0].on_table else None

    def stands(self, game: Any, *, abandoned: bool) -> str:
        """Return where the game stands in a few words; one that the table ended early stands in no round any more."""
        return "ended early" if abandoned else self.where(game)

    def lines(
        self,
        game: Any,
        setup: Setup,
        standings: Mapping[SeatId, int],
        left: frozenset[SeatId],
        *,
        ended: bool,
    ) -> tuple[SeatLine, ...]:
        """Return the players; `game` is the view for the table, `left` the seats that have left. It is nobody's turn in
        a game that has `ended`, also where the table ended it early."""
        if self.seats is not None:
            return tuple(
                replace(line, turn=False) if line.turn and ended else line
                for line in self.seats(game)
            )
        turn = () if ended else self.turn(game)
        return tuple(
            SeatLine.of(
                seat, standings.get(seat.id, "-"), turn=seat.id in turn, left=seat.id in left
            )
            for seat in setup.seats
        )

    def tables_or(self, game: Any, summary: Callable[[], tuple[str, ...]]) -> tuple[Shown, ...]:
        """Return what is on the table of a part that came to its end, then the tables; of a game that declares none,
        the lines of its `summary` as one."""
        outcome = self.on_table(game)
        tables = (*(() if outcome is None else outcome.on_screen), *self.tables(game))
        if tables:
            return tables
        lines = tuple((with_keys(line),) for line in summary())
        return (PanelTable("", (), lines),) if lines else ()


def in_round(phase: str, name: str) -> str:
    """Return where a game of rounds stands in a few words: `before round 1`, `round 2 is over`, `the game is over`."""
    return {
        "ready": f"before {name}",
        "over": f"{name} is over",
        "finished": "the game is over",
    }.get(phase, name)


def open_facts(game: Any) -> PanelTable:
    """Return what nobody knows of the box, a note a row, by the game's own view."""
    notes = tuple((without_clauses(note),) for note in getattr(game, "notes", ()))
    return PanelTable("Open facts", (), notes, long=True)


def panels_of(game_id: str) -> Panels:
    """Return the panels of the game with that id; of a game that declares none, those of any game."""
    panels: Panels = part_of(game_id, "panels") or Panels()
    return panels
