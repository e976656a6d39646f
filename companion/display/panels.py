"""What a game shows to the table and to each seat, and what seats can note or propose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.display.grids import NumberGrid
from companion.display.tables import PanelTable, Shown
from companion.rules.actions import Action, with_keys
from companion.rules.clauses import without_clauses
from companion.rules.facts import Fact, Moment, Refused, Seat, SeatId, Setup
from companion.rules.pauses import Pauses
from companion.rules.registry import GAMES, part_of

if TYPE_CHECKING:  # a game without pictures does not load them
    from companion.display.pictures import Race

Answers = Mapping[str, str]
"""Field name -> the value typed or chosen."""


@dataclass(frozen=True, slots=True)
class NoteField:
    """One field of a note: one of `choices` (value, label), or free text if there are none."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A private note that a seat can make now, recorded as a fact of `kind`.

    `id` is unique in the form; `takes` describes the expected input. `read` returns the fact's
    body, the seat included, or raises `Refused`; `words` paraphrases the answers so far, or raises
    it too. Both see only the seat's own view.
    """

    id: str
    label: str
    kind: str
    takes: str
    fields: tuple[NoteField, ...]
    read: Callable[[Answers], dict[str, Any]]
    words: Callable[[Answers], str] = lambda _answers: ""

    def body(self, answers: Answers) -> dict[str, Any]:
        """Return the body of the fact.

        Raises `Refused` for unknown fields and for missing or invalid answers.
        """
        for field in self.fields:
            answer = answers.get(field.name, "").strip()
            if not answer or (field.choices and answer not in dict(field.choices)):
                raise Refused("FORMAT", f"{field.label} is missing", do="Enter it first.")
        if set(answers) - {field.name for field in self.fields}:
            raise Refused(
                "FORMAT", f"{self.label} has no such field", do=f"{self.label} takes {self.takes}."
            )
        return self.read(answers)


def line_of(lines: tuple[NoteLine, ...], line_id: str) -> NoteLine:
    """Return the line with that id; raise `Refused` if it is not offered now."""
    for line in lines:
        if line.id == line_id:
            return line
    raise Refused("FORMAT", "this cannot be noted now", do="Look at the page again.")


NO_NOTES = "You have no private notes yet."
"""Shown to a seat that has made no private note yet."""


def is_note_of(fact: Fact, seat: SeatId) -> bool:
    """Return whether the fact is private to that seat."""
    return fact.secret and getattr(fact, "seat", None) == seat


@dataclass(frozen=True, slots=True)
class PhoneProposal:
    """A fact that a player proposes from a phone; recorded if the table agrees.

    `id` is unique among the proposals of a seat; `label` is the button's text. `at_once`: a table
    that lets players enter their own steps does not ask first. `during` names the part of the game
    that it belongs to, such as a round: one that arrives later is refused. `so_far` is how often it
    was recorded for this player in that part, so that what a phone sends late is not counted again
    after the table has recorded it.
    """

    id: str
    label: str
    kind: str
    body: Mapping[str, Any]
    at_once: bool = False
    during: str = ""
    so_far: int = 0


@dataclass(frozen=True, slots=True)
class SeatLine(Seat):
    """A player with their score.

    `turn`: it is their turn; `idle`: they take no part at the moment; `out`: they were eliminated
    from the round; `note`: a word or two, such as `out`; `words`: details for where there is room.
    """

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
    """The result of a part of a game, such as a round: read it, then clear the table.

    `then` says what to do next. `entry` is the record's entry that ended the part, None until then.
    `on_table` holds until the game's next fact.
    """

    title: str
    tables: tuple[PanelTable, ...]
    then: tuple[PanelTable, ...] = ()
    entry: int | None = None
    on_table: bool = False

    @property
    def on_screen(self) -> tuple[PanelTable, ...]:
        """The tables in the order of a screen: what to do first, since the rest has been read."""
        return (*self.then, *self.tables)


@dataclass(frozen=True, slots=True)
class GameForm:
    """A form of the game's own screen, which the pages have as well: the action that opens it, and the kinds of facts
    that it enters. `means` returns whether there is something to enter now."""

    action: Action
    kinds: tuple[str, ...]
    means: Callable[[Any], bool] = lambda _game: True


@dataclass(frozen=True, slots=True)
class Panels:
    """Everything a game shows, as functions of a view.

    Each function takes the game's view for the table; `own` and `notes` take a seat's view and that
    seat.

    `unit` names what the scores count. `where` is the state of the game in a few words. `seats` are
    the players in order; without it they are the seats with their standings, and `turn` says whose
    turn it is. `tables` are the state of the game and its counts, the most important first;
    pictures may be among them.

    `own` is what only this seat knows, None in a game without secrets; `notes` are the notes it can
    make. Curtain and phone show `own` and offer exactly `notes`. `proposals` are what a seat can
    propose from its phone, None if the game has none.

    `clock` is the start of the round's clock and the pauses since, None while no clock runs.
    `outcomes` are the results of its parts, oldest first: a screen opens the one that is on the
    table until a key closes it, plain lines print each once.

    `odds` are probabilities computed from public facts; people can turn them off. Screens never
    wait for odds: while a view's `odds` or `own` are incomplete, `work` returns a function that
    completes them, to be run in any thread.

    `grids` are the numbers that people type for each player, None in a game without any. Of them,
    each player's own can be typed on a phone if the table lets players do so; `phone_grids` are
    the same, for games that enter them on a screen of their own.

    `now` says what clauses mean at the moment, by clause, in sentences that the whole table may read; answers to
    questions about the rules show them.

    `title` is the name of the game where its own says too little, such as one with an example map; `signal` is what a
    large page shows in place of the clock, such as `GO`. `forms` are those of the game's own screen; None if only its
    screen declares title, signal and forms.

    `races` are bars for pages, which have no screen of the game's own; they repeat what `tables` say.
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
    races: Callable[[Any], tuple[Race, ...]] = lambda _game: ()
    phone_grids: Callable[[Any], tuple[NumberGrid, ...]] | None = None
    now: Callable[[Any], Mapping[str, str]] = lambda _game: {}
    title: Callable[[Any], str] = lambda _game: ""
    signal: Callable[[Any], str] = lambda _game: ""
    forms: tuple[GameForm, ...] | None = None

    def own_number_grids(self, game: Any) -> tuple[NumberGrid, ...]:
        """Return the grids of which each player may type their own numbers on a phone."""
        grids = self.phone_grids or self.grids
        return () if grids is None else tuple(grids(game))

    def on_table(self, game: Any) -> Outcome | None:
        """Return the result of the part that just ended, None once the game goes on."""
        outcomes = self.outcomes(game)
        if outcomes and outcomes[-1].on_table:
            return outcomes[-1]
        return None

    def stands(self, game: Any, *, abandoned: bool) -> str:
        """Return the state of the game in a few words."""
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
        """Return the players.

        `game` is the view for the table, `left` the seats that have left. If the game has `ended`,
        even abandoned, it is nobody's turn.
        """
        if self.seats is not None:
            lines = tuple(self.seats(game))
            if ended:
                lines = tuple(replace(line, turn=False) for line in lines)
            return lines
        turn = () if ended else self.turn(game)
        return tuple(
            SeatLine.of(
                seat, standings.get(seat.id, "-"), turn=seat.id in turn, left=seat.id in left
            )
            for seat in setup.seats
        )

    def tables_or(self, game: Any, summary: Callable[[], tuple[str, ...]]) -> tuple[Shown, ...]:
        """Return the tables, with the result that is on the table first.

        A game that declares no tables gets the lines of its `summary` as one.
        """
        tables = tuple(self.tables(game))
        outcome = self.on_table(game)
        if outcome is not None:
            tables = (*outcome.on_screen, *tables)
        if tables:
            return tables
        lines = tuple((with_keys(line),) for line in summary())
        return (PanelTable("", (), lines),) if lines else ()


def in_round(phase: str, name: str) -> str:
    """Return the state of a game of rounds: `before round 1`, `round 2 is over`, `the game is
    over`."""
    return {
        "ready": f"before {name}",
        "over": f"{name} is over",
        "finished": "the game is over",
    }.get(phase, name)


def open_facts(game: Any) -> PanelTable:
    """Return the component facts that are still unknown, a row for each."""
    notes = tuple((without_clauses(note),) for note in getattr(game, "notes", ()))
    return PanelTable("Good to know", (), notes, long=True)


def panels_of(game_id: str) -> Panels:
    """Return the panels of the game with that id, or the default ones if it declares none."""
    panels: Panels = part_of(game_id, "panels") or Panels()
    return panels


def title_of(game_id: str, game: Any) -> str:
    """Return the name of the game with that id, of which `game` is the view of the table."""
    info = GAMES.get(game_id)
    return panels_of(game_id).title(game) or (game_id if info is None else info.title)


def entered_by(forms: Iterable[GameForm]) -> dict[str, tuple[str, ...]]:
    """Return the kinds of facts that each form enters, by the id of the action that opens it."""
    return {form.action.id: form.kinds for form in forms}


def means_form(forms: Iterable[GameForm], action: Action, game: Any) -> bool:
    """Return whether an action can mean something now as far as these forms tell."""
    return all(form.means(game) for form in forms if form.action.id == action.id)
