"""What a game is: a record of data and pure functions; and the words all games share: seat, setup, fact, refusal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_json

from companion.rules.actions import Action
from companion.rules.clauses import begins_with_one, spoken
from companion.rules.gestures import Gesture, GestureSettings

if TYPE_CHECKING:
    from companion.rules.common import Common
    from companion.rules.continuing import Continuation
    from companion.rules.ending import GameResult
    from companion.rules.forms import FormField
    from companion.rules.house_rules import HouseRule, Number

# What a field of a fact names: a form offers the seats, or the entries, instead of an empty line.
SeatId = Annotated[str, "seat"]
EntryId = Annotated[int, "entry"]
TABLE: Literal["table"] = "table"  # the viewer that is the whole table: sees what is public


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. `id` is a stable slug that facts name; `name` is what the table calls it; `glyph` and
    `initial` stand for the color where there is none."""

    id: SeatId
    name: str
    color: str
    glyph: str
    initial: str

    @property
    def look(self) -> tuple[SeatId, str, str, str, str]:
        """Its fields, with which the view of a seat begins."""
        return self.id, self.name, self.color, self.glyph, self.initial


@dataclass(frozen=True, slots=True)
class Setup:
    """How a session was begun: the game, the version of its rules, the seats in order (clockwise), the house rules
    (ruling name -> chosen alternative; one that is absent has its default, and a session records all of them), and
    the box (`companion.rules.components.box_of` reads it; empty, as in older sessions: the packaged file of that
    version of the rules). `columns` are the seats in the order of their zone buttons and keys, once somebody joined
    late."""

    game: str
    rules_version: int
    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    components: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[SeatId, ...] = ()

    def __post_init__(self) -> None:
        """Raise `Refused` for a seat that would see what only the whole table is shown, or the other way round."""
        if any(seat.id == TABLE for seat in self.seats):
            raise Refused(
                "SEATS",
                f"a seat has the id {TABLE!r}, which stands for the whole table",
                "another id",
            )

    @property
    def by_column(self) -> tuple[Seat, ...]:
        """The seats in the order of their zone buttons and keys: as they sit, until somebody joined in between."""
        by_id = {seat.id: seat for seat in self.seats}
        return tuple(by_id[seat] for seat in self.columns) or self.seats

    def name_of(self, seat: SeatId) -> str:
        """Return what the table calls that seat; what is no seat is called as it is."""
        return next((each.name for each in self.seats if each.id == seat), seat)


class Moment(BaseModel):
    """When something happened: `us` microseconds on the clock `clock`, give or take `pm` microseconds.

    `clock` names the board's boot (`board-5f3a`) or the host's run (`host-...`); moments of different clocks have no
    interval between them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    us: int = Field(ge=-(2**63), lt=2**64)  # 64 bits, on the board and in the record
    pm: int = Field(default=0, ge=0, lt=2**63)
    clock: str


ToldAs = Literal["ruling", "draw", "shot", "pause", "round"]
"""What the public feed calls a fact: that of a `round` begins one; what is none of the others is a `ruling`."""


class Fact(BaseModel):
    """What the game made of the evidence. Each game derives its kinds: `class Draw(Fact, kind="draw", told_as="draw")`,
    or with `kind` as a field that is a `Literal` and has it as its default. The body of a
    `secret` one is for its `seat` alone, or for nobody where it has none (cards that lie face down), until the game is
    over: no shared screen and no export shows it before. Of one that is `private` too, nobody but its `seat` hears that
    it was entered: no list has it, no number counts it, and only its seat takes it back. A form says `called`, at most
    46 letters, for its kind; `told_as` is what the public feed calls it. What `sets_clock` starts or stops a clock, as
    a round and a pause do: entered again after an undo it is of that moment, where any other takes the time of what it
    replaces."""

    secret: ClassVar[bool] = False
    private: ClassVar[bool] = False
    sets_clock: ClassVar[bool] = False
    called: ClassVar[str] = ""
    told_as: ClassVar[ToldAs] = "ruling"

    # A game has some thirty kinds: what checks one is built when the first of it comes, not when the game is opened.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    kind: str = ""
    at: Moment | None = None

    def __init_subclass__(
        cls,
        kind: str | None = None,
        called: str | None = None,
        told_as: ToldAs | None = None,
        secret: bool | None = None,
        private: bool | None = None,
        sets_clock: bool | None = None,
        **settings: Any,
    ) -> None:
        super().__init_subclass__(**settings)
        if kind is not None:  # pydantic collects the fields of the class after this
            cls.__annotations__["kind"], cls.kind = Literal[kind], kind
        if sets_clock is None and told_as is not None:
            sets_clock = told_as in ("round", "pause")
        if private:
            secret = True
        told = (("called", called), ("told_as", told_as))
        named = (*told, ("secret", secret), ("private", private), ("sets_clock", sets_clock))
        for name, said in named:
            if said is not None:
                setattr(cls, name, said)

    @classmethod
    def asked(cls, field: FormField, setup: Setup) -> FormField:  # noqa: ARG003  a game's own may look at it
        """Return what a form asks for a field in a session, where that is not said by its type alone."""
        return field

    @classmethod
    def entered(cls, body: dict[str, Any], setup: Setup) -> dict[str, Any]:  # noqa: ARG003  as above
        """Return the body to record of what people entered now; raise `Refused` for what only older records have."""
        return body


def body_of(fact: Fact) -> dict[str, Any]:
    """Return the fact's body as plain JSON values, without `kind` and without what has its default."""
    return fact.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)


def called(kind: str, fact: type[Fact]) -> str:
    """Return what a person calls a kind of fact."""
    return fact.called or kind.replace("_", " ")


def by_kind(*classes: type[Fact]) -> dict[str, type[Fact]]:
    """Return the classes of facts by their kind, in this order."""
    return {str(fact.model_fields["kind"].default): fact for fact in classes}


def secret_kinds(facts: Mapping[str, type[Fact]]) -> frozenset[str]:
    """Return the kinds of facts that are not for everybody."""
    return frozenset(kind for kind, fact in facts.items() if fact.secret)


def private_kinds(facts: Mapping[str, type[Fact]]) -> frozenset[str]:
    """Return the kinds of facts of which nobody but their seat hears that they were entered."""
    return frozenset(kind for kind, fact in facts.items() if fact.private)


class Refused(Exception):  # noqa: N818  it is an answer of the rules, not a failure of the program
    """The rules refuse a fact: the clause, why, and what to do instead.

    `do` is the sentence that says what to do next. Where there is something to choose from, `expected` names that in
    its place, or in what form it has to be. Both: `do` speaks of what is in front of the table, such as keys, and
    `expected` is for who writes a record. `hidden` where it rests on what not everybody may know, so that nobody may
    see beforehand that it would be refused.
    """

    def __init__(
        self, clause: str, reason: str, expected: str = "", do: str = "", *, hidden: bool = False
    ) -> None:
        super().__init__(
            f"{clause}: {reason}; expected {expected}" if expected else f"{clause}: {reason}. {do}"
        )
        self.clause = clause
        self.reason = reason
        self.expected = expected
        self.do = do
        self.hidden = hidden

    def spoken(self, names: Iterable[str] = ()) -> str:
        """Return two sentences for people, without the clause: what is true, and what to do next. A reason that begins
        with one of `names` keeps its first letter."""
        begun = begins_with_one(names, self.reason)
        verb = "It takes" if self.clause in _OF_FORM else "Choose"
        return f"{spoken(self.reason, named=begun)} {self.do or f'{verb} {self.expected}.'}"


_OF_FORM: Final = ("FORMAT", "OPTION")


def ended_early() -> Refused:
    """Return the refusal of what comes after the table has ended the game early."""
    return Refused("ENDED", "the table has ended the game early", do="Undo that to play on.")


def after_the_end(clause: str, reason: str = "the game is over") -> Refused:
    """Return the refusal of what comes after the end of a game, by the clause that ends it."""
    return Refused(clause, reason, do="Begin a new game, or undo to play on.")


@dataclass(frozen=True, slots=True)
class Retraction:
    """An action that takes entries of the record back, with the sentence that says what is mended."""

    entries: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """A kind of step that evidence can lead to, and that a table may want to do by hand: its name (`draws`), what it is
    called on a screen, and the kinds of facts it stands for."""

    name: str
    label: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fix:
    """A mistake that a table makes often, and what puts it right.

    `label` is the table's word (`missed draw`). A fact of one of `kinds` is entered or, with `amends`, the newest
    of them is offered to be changed. A field that names an entry offers those of the kinds in `about`; empty: all.
    """

    label: str
    kinds: tuple[str, ...]
    amends: bool = False
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """What comes by itself: `act` is the id of what is then done, as `Game.act` takes it; it needs no key.

    It comes once the game's clock has run `us` microseconds since `since`, pauses left out; where no clock can tell
    (`since` is None) since the table first saw that it is due. What began in another run of the companion goes on from
    the last moment that is known of it. What it comes to is
    stamped at that instant. With `lamp` the board's lamp is lit then, and the fact has the stamp of its light; where
    there is no lamp the table's screen is the signal: `unlit` is done, or `act` where that is empty, at the time it is.
    Where it only goes on with what somebody began, `of` is the entry of that: an undo takes both back at once.
    """

    act: str
    us: int
    since: Moment | None = None
    lamp: bool = False
    unlit: str = ""
    of: int | None = None


S = TypeVar("S")
Orders = Callable[[int], Sequence[int]]
"""Draws the numbers from 1 to a number in random order."""


def _no_keys(_state: object, _action_id: str) -> Fact | Retraction:
    raise Refused("KEY", "that key does nothing in this game", do="Press another key.")


def _no_board(_state: object, _gesture: Gesture) -> Fact:
    raise Refused(
        "BOARD", "this game is played without a board", do="Press a key, or enter what happened."
    )


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S]):
    """The rules of one game over an immutable state `S`: plain data and pure functions. What has a default may be left
    out by a game that has nothing of the kind."""

    id: str
    title: str
    rules_version: int
    older_versions: tuple[int, ...] = ()
    """Those before whose sessions it still folds, each as it was played."""
    seat_counts: range
    """How many may sit down."""
    house_rules: tuple[HouseRule, ...] = ()
    """The default of each comes first."""
    numbers: tuple[Number, ...] = ()
    facts: Mapping[str, type[Fact]]
    """Every kind of fact, those common to all games included."""
    steps: tuple[Step, ...] = ()
    """What evidence can lead to."""
    fixes: tuple[Fix, ...] = ()
    """The mistakes made most often, likeliest first, at most eight."""

    start: Callable[[Setup], S]
    """Returns the state before anything happened; raises `Refused` for a setup the rules do not allow."""
    apply: Callable[[S, Fact, int], S]
    """Returns the state after a fact, which is the entry of the record with that number; raises `Refused`."""
    candidates: Callable[[S], Iterable[Fact]] = lambda _: ()
    """Returns facts that the rules may allow now (without `at`); `legal` leaves out what `apply` refuses."""

    sentence: Callable[[S, S, Fact, SeatId], str]
    """Returns the sentence of a fact for the log, the undo label and transcripts as that viewer may read it, by the
    states before and after the fact. What only another seat may know is in no sentence."""
    reveals: Callable[[S, Fact], str | None] = lambda _before, _fact: None
    """Returns what a fact showed to whom and cannot be unseen (`the cards of zone 2, to everybody`), or None, by the
    state before it."""
    follows: Callable[[S, S], str] = lambda _before, _after: ""
    """Returns what a correction of the past, which led from one state to the other, made of what waits now (`AI black
    decides again: ...`); empty where that stays as it was."""
    awaiting: Callable[[S], str]
    """Returns in words what the companion waits for now, and which tap or key answers it: `actions.named` names a key,
    and `actions.PRESS` what is done with it; whoever shows the sentence puts the key there that a person has for it."""

    checklist: Callable[[S], Iterable[str]] = lambda _: ()
    """Returns what the table lays out before the first move, one step a plain line, by the state before anything
    happened: the numbers are those of this setup. Empty where a game says nothing of it."""

    settings: Callable[[Setup], GestureSettings] = lambda _: GestureSettings()
    """Returns how the board's edges are read where the session says nothing else."""
    hold_means: Callable[[S, str], bool] = lambda _state, _channel: False
    """Returns whether holding that channel means something now; where it does not, a tap fires on press."""
    interpret: Callable[[S, Gesture], Fact] = _no_board
    """Returns the fact a gesture stands for in this state; raises `Refused` where it stands for none. Whether the rules
    allow that fact is not asked here."""
    actions: Callable[[Setup], tuple[Action, ...]] = lambda _: ()
    """Returns what the keyboard can do in this game with these seats."""
    act: Callable[[S, str], Fact | Retraction] = _no_keys
    """Returns what an action stands for in this state; raises `Refused` where it stands for nothing. Whether the rules
    allow that fact is not asked here: `pressed` does."""
    due: Callable[[S], Due | None] = lambda _: None
    """Returns what happens by itself when the game's clock has run for so long, None for nothing."""
    with_orders: Callable[[Orders], Game[S]] | None = None
    """Returns this game with `orders`; None for one that nobody shuffles for."""
    orders: Orders | None = None
    """Who shuffles for it; while nobody does, what would be shuffled is entered."""

    common: Callable[[S], Common] = attrgetter("common")
    """Returns the people as they are now, what the table set by hand, and whether the clock stands still."""
    view: Callable[[S, SeatId], Any]
    """Returns the immutable view of one seat, or of `TABLE`; nothing of another seat's secrets is in it."""
    glance: Callable[[S], Any] | None = None
    """Returns what the public feed reads of the view of the table, and no more of it: what the panels' `where` and
    `clock` take, and `seats` for a line without its note and words. A long record has many thousand of these. None: the
    feed takes the whole view."""
    over: Callable[[S], bool]
    """Returns whether the game has its result."""
    result: Callable[[S], GameResult] | None = None
    """Returns who won and how the scores came about, as far as everybody may know; None: who has most points wins."""
    standings: Callable[[S], Mapping[SeatId, int]]
    """Returns the score of each seat so far, in the order of the seats."""
    summary: Callable[[S], tuple[str, ...]]
    """Returns the result so far as plain lines: the scores (`score_lines` will do), then what is open, with keys as in
    `awaiting`."""
    report: Callable[[S], Mapping[str, Any]] = lambda _: {}
    """Returns what `summary` says beyond the scores as plain JSON values."""

    continuation: Continuation | None = None
    """How it goes on from what everybody could see, where its record is lost; None: only its scores do."""

    def advance(self, state: S, fact: Fact, entry: int) -> S:
        """Return the state after a fact as `apply` does; raise `Refused` too for all that comes after the table ended
        the game early, and for ending a game early that is over."""
        if self.common(state).abandoned is not None:
            raise ended_early()
        if fact.kind == "abandon" and self.over(state):
            raise after_the_end("ENDED")
        return self.apply(state, fact, entry)

    def pressed(self, state: S, action_id: str) -> Fact | Retraction:
        """Return what an action stands for in this state, as `act` does; raise `Refused` too where the rules refuse
        that fact, and for every action once the table has ended the game early."""
        if self.common(state).abandoned is not None:
            raise ended_early()
        meant = self.act(state, action_id)
        if isinstance(meant, Fact):
            self.advance(state, meant, 1)
        return meant

    def gestured(self, state: S, gesture: Gesture) -> Fact:
        """Return the fact that a gesture stands for, as `interpret` does; raise `Refused` too for every gesture once
        the table has ended the game early."""
        if self.common(state).abandoned is not None:
            raise ended_early()
        return self.interpret(state, gesture)

    def ended(self, state: S) -> bool:
        """Return whether the game has its result, or the table ended it early."""
        return self.over(state) or self.common(state).abandoned is not None

    def legal(self, state: S) -> tuple[Fact, ...]:
        """Return those of the candidates that the rules allow, sorted by kind and body, each once."""
        return in_order(fact for fact in self.candidates(state) if self.allows(state, fact))

    def allows(self, state: S, fact: Fact) -> bool:
        """Return whether the rules allow that fact now."""
        try:
            self.advance(state, fact, 1)
        except Refused:
            return False
        return True

    def parse(self, kind: str, body: Mapping[str, Any], *, to_people: bool = False) -> Fact:
        """Return the fact; raise `Refused` (clause `FORMAT`) for an unknown kind or a body that does not fit it, with a
        field called as in a file or, `to_people`, as in a form."""
        if kind not in self.facts:
            raise Refused("FORMAT", f"there is no fact {kind!r}", f"one of {', '.join(self.facts)}")
        try:
            return self.facts[kind].model_validate_json(
                _as_json({**body, "kind": kind}), strict=True
            )
        except ValidationError as error:
            reason, expected = _unfit(self.facts[kind], error, to_people=to_people)
            raise Refused(
                "FORMAT", reason if to_people else f"{kind}: {reason}", expected
            ) from error
        except (TypeError, ValueError) as error:
            raise Refused("FORMAT", f"{kind}: {error}", _shape(self.facts[kind])) from error

    def shuffled_by(self, orders: Orders) -> Game[S]:
        """Return this game with somebody who shuffles for it where it asks for that; what is drawn stands in facts."""
        return self if self.with_orders is None else self.with_orders(orders)

    def describe(self, before: S, fact: Fact, viewer: SeatId = TABLE) -> str:
        """Return the sentence of a fact that is not applied yet, or no more; of one that the rules refuse, why. Of a
        secret not even its refusal says what it is."""
        try:
            after = self.advance(before, fact, 1)
        except Refused as refusal:
            hidden = fact.secret and viewer != getattr(fact, "seat", None)
            return f"{fact.kind.replace('_', ' ')}: {f'not possible ({refusal.clause})' if hidden else refusal}"
        return self.sentence(before, after, fact, viewer)


def in_order(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts sorted by kind and body, each once."""
    return tuple(sorted(set(facts), key=lambda fact: (fact.kind, fact.model_dump_json())))


def score_lines(setup: Setup, scores: Mapping[SeatId, int]) -> tuple[str, ...]:
    """Return a line for each seat with its score."""
    return tuple(f"{seat.name}: {scores[seat.id]}" for seat in setup.seats)


def beside_scores(
    lines: Sequence[str], setup: Setup, scores: Mapping[SeatId, int]
) -> tuple[str, ...]:
    """Return the lines of a summary without those of `score_lines`, for where the scores stand anyway."""
    told = (
        set(score_lines(setup, scores))
        if scores.keys() >= {seat.id for seat in setup.seats}
        else set()
    )
    return tuple(line for line in lines if line not in told)


def _as_json(body: Mapping[str, Any]) -> bytes | str:
    """The text of a body; raises `TypeError` or `ValueError` for what is no JSON."""
    try:
        return to_json(body)  # a quarter of the time, which a long record is long in
    except ValueError:  # half a character, say: the fact says what does not fit
        return json.dumps(body)


def _unfit(fact: type[Fact], error: ValidationError, *, to_people: bool) -> tuple[str, str]:
    """What is wrong with a body in our own words, and what would fit."""
    from companion.rules.forms import asked_for, fields_of  # it imports this module

    first = error.errors()[0]
    name, *within = (str(part) for part in first["loc"] or ("",))
    asked = next((one for one in fields_of(fact, Setup("", 1, ())) if one.name == name), None)
    expected = _shape(fact) if asked is None else asked_for(asked)
    where = asked.label if asked is not None and to_people else ".".join((name, *within))
    if first["type"] == "value_error":  # the game's own sentence
        return ": ".join(filter(None, (where, str(first["ctx"]["error"])))), expected
    if first["type"] == "extra_forbidden" and not within:
        return f"nothing takes {name!r}", expected
    if first["type"] == "missing":
        return f"{where} is missing", expected
    return f"{where}: {_short(first['input'])} does not fit".removeprefix(": "), expected


def _short(value: object, most: int = 40) -> str:
    said = json.dumps(value, ensure_ascii=False, default=str)
    return said if len(said) <= most else f"{said[:most]}..."


def _shape(fact: type[Fact]) -> str:
    kind, fields = fact.model_fields["kind"].default, fact.model_fields
    named = [
        name if field.is_required() else f"[{name}]"
        for name, field in fields.items()
        if name != "kind"
    ]
    return f"{kind} with {', '.join(named)}"
