"""The types that all games share: seat, setup, moment, fact, refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.rules.clauses import begins_with_one, spoken

if TYPE_CHECKING:
    from companion.rules.form_fields import FormField

# The text in `Annotated` tells a form what a field holds: it then offers the seats, or the entries, to choose from.
SeatId = Annotated[str, "seat"]
EntryId = Annotated[int, "entry"]
TABLE: Literal["table"] = "table"
"""The viewer for the whole table, which sees only what is public."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table.

    `id` is a stable slug that facts name, `name` the name that people read; `glyph` and `initial` identify the seat
    where there is no color.
    """

    id: SeatId
    name: str
    color: str
    glyph: str
    initial: str

    @property
    def look(self) -> tuple[SeatId, str, str, str, str]:
        """Its fields as a tuple; the view of a seat begins with them."""
        return self.id, self.name, self.color, self.glyph, self.initial


@dataclass(frozen=True, slots=True)
class Setup:
    """How a session was begun: the game, the version of its rules, and the seats, clockwise.

    `options` are the house rules (ruling name -> chosen alternative). A missing one has its default; a session records
    all of them. `components` is the box, which `companion.rules.components.box_of` reads; it is empty in older
    sessions, which use the packaged file of their version of the rules. `columns` are the seats in the order of their
    zone buttons and keys; it is empty until somebody joins late.
    """

    game: str
    rules_version: int
    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    components: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[SeatId, ...] = ()

    def __post_init__(self) -> None:
        """Raise `Refused` for a seat with the id `TABLE`: the whole table would see that seat's secrets."""
        if any(seat.id == TABLE for seat in self.seats):
            reason = f"a seat has the id {TABLE!r}, which stands for the whole table"
            raise Refused("SEATS", reason, "another id")

    @property
    def by_column(self) -> tuple[Seat, ...]:
        """The seats in the order of their zone buttons and keys: as they sit, until somebody joins in between."""
        by_id = {seat.id: seat for seat in self.seats}
        return tuple(by_id[seat] for seat in self.columns) or self.seats

    def name_of(self, seat: SeatId) -> str:
        """Return the name of a seat; an id that is not a seat's is returned as it is."""
        for known in self.seats:
            if known.id == seat:
                return known.name
        return seat


class Moment(BaseModel):
    """When something happened: `us` microseconds on the clock `clock`, plus or minus `pm` microseconds.

    `clock` names the board's boot (`board-5f3a`) or the host's run (`host-...`). There is no interval between moments
    of different clocks.

    `tapped`: it comes from a tap on a page, which nobody timed. `us` is then the latest possible moment, and `pm`
    reaches back to when the page last heard the table. Such a moment decides no order and is no measured time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    us: int = Field(ge=-(2**63), lt=2**64)  # 64 bits, on the board and in the record
    pm: int = Field(default=0, ge=0, lt=2**63)
    clock: str
    tapped: bool = False


ToldAs = Literal["ruling", "draw", "shot", "pause", "round"]
"""The kind of event that the public feed makes of a fact. A `round` begins one; `ruling` is for everything else."""


class Fact(BaseModel):
    """A statement about the game that the rules apply, made from evidence or entered by people.

    Each game derives its kinds: `class Draw(Fact, kind="draw", told_as="draw")`, or with a field `kind` that is a
    `Literal` and has the same default. The arguments of the class:

    - `called`: the name that a form shows for the kind, at most 46 characters.
    - `asks`: what somebody does who enters it, for a button and a heading (`place an Airship`); `called` by default.
    - `told_as`: the kind of event in the public feed.
    - `secret`: the body is for its `seat` alone, or for nobody if it has none (cards that lie face down), until the
      game is over. No shared screen and no export shows it before.
    - `private`: secret, and nobody but its `seat` learns that it was entered: no list shows it, no number counts it,
      and only its seat undoes it.
    - `sets_clock`: it starts or stops a clock, as a round and a pause do. When people undo it and enter it again, its
      time is that of the second entering; any other fact keeps the time of the one that was undone.
    """

    secret: ClassVar[bool] = False
    private: ClassVar[bool] = False
    sets_clock: ClassVar[bool] = False
    called: ClassVar[str] = ""
    asks: ClassVar[str] = ""
    told_as: ClassVar[ToldAs] = "ruling"
    unasked: ClassVar[tuple[str, ...]] = ()
    """Fields that no form asks for: the program fills them in, and a change of the fact keeps them."""

    # A game has some thirty kinds: pydantic builds the validator of one when its first fact comes, not on import.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    kind: str = ""
    at: Moment | None = None

    def __init_subclass__(
        cls,
        kind: str | None = None,
        called: str | None = None,
        asks: str | None = None,
        told_as: ToldAs | None = None,
        secret: bool | None = None,
        private: bool | None = None,
        sets_clock: bool | None = None,
        **settings: Any,
    ) -> None:
        super().__init_subclass__(**settings)
        if kind is not None:
            # Possible here because pydantic collects the fields of the class only after this method.
            cls.__annotations__["kind"], cls.kind = Literal[kind], kind
        if sets_clock is None and told_as is not None:
            sets_clock = told_as in ("round", "pause")
        if private:
            secret = True
        arguments = {
            "called": called,
            "asks": asks,
            "told_as": told_as,
            "secret": secret,
            "private": private,
            "sets_clock": sets_clock,
        }
        for name, value in arguments.items():
            if value is not None:  # a missing argument is inherited
                setattr(cls, name, value)

    @classmethod
    def asked(cls, field: FormField, setup: Setup) -> FormField:  # noqa: ARG003  a game's own may look at it
        """Return the form's question for a field; override it if the type of the field does not say everything."""
        return field

    @classmethod
    def entered(cls, body: dict[str, Any], setup: Setup) -> dict[str, Any]:  # noqa: ARG003  as above
        """Return the body to record for what people entered; raise `Refused` for values that are allowed in older
        records only, such as a name with `=`."""
        return body

    @classmethod
    def successor(cls, body: dict[str, Any], n: int) -> dict[str, Any]:  # noqa: ARG003  as above
        """Return the body to record for a changed version of entry `n`."""
        return body


def body_of(fact: Fact) -> dict[str, Any]:
    """Return the fact's body as plain JSON values, without `kind` and without fields at their defaults."""
    return fact.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)


def called(kind: str, fact: type[Fact]) -> str:
    """Return the name of a kind of fact for people."""
    return fact.called or kind.replace("_", " ")


def asked_as(kind: str, fact: type[Fact]) -> str:
    """Return what somebody does who enters a kind of fact, as a page asks for it."""
    return fact.asks or called(kind, fact)


def by_kind(*classes: type[Fact]) -> dict[str, type[Fact]]:
    """Return the classes of facts by their kind, in this order."""
    return {str(fact.model_fields["kind"].default): fact for fact in classes}


def secret_kinds(facts: Mapping[str, type[Fact]]) -> frozenset[str]:
    """Return the kinds of facts whose body is not for everybody."""
    return frozenset(kind for kind, fact in facts.items() if fact.secret)


def private_kinds(facts: Mapping[str, type[Fact]]) -> frozenset[str]:
    """Return the kinds of facts of which only their seat learns that they were entered."""
    return frozenset(kind for kind, fact in facts.items() if fact.private)


class Refused(Exception):
    """The rules refuse a fact: the clause, why, and what to do instead.

    `do` is a sentence that says what to do next. `expected` names the choices, or the form that a value needs, and
    is used if there is no `do`. With both, people at a table read `do`, which may name keys, and the author of a
    transcript reads `expected`. `hidden`: the refusal depends on a secret, so nobody may be shown in advance that
    the fact would be refused. `correcting` is what to do where a change of the past is refused, if it is not `do`.
    """

    def __init__(
        self,
        clause: str,
        reason: str,
        expected: str = "",
        do: str = "",
        *,
        hidden: bool = False,
        correcting: str = "",
    ) -> None:
        advice = f"; expected {expected}" if expected else f". {do}"
        super().__init__(f"{clause}: {reason}{advice}")
        self.clause = clause
        self.reason = reason
        self.expected = expected
        self.do = do
        self.hidden = hidden
        self.correcting = correcting

    def of_correction(self) -> Refused:
        """Return the refusal as it is said of a change of the past."""
        if not self.correcting:
            return self
        return Refused(self.clause, self.reason, do=self.correcting, hidden=self.hidden)

    def spoken(self, names: Iterable[str] = ()) -> str:
        """Return two sentences for people, without the clause: what is true, and what to do next.

        The reason begins with a capital letter, unless it begins with one of `names`, which stay as people write them.
        """
        reason = spoken(self.reason, named=begins_with_one(names, self.reason))
        if self.do:
            return f"{reason} {self.do}"
        verb = "It takes" if self.clause in _ABOUT_FORM else "Choose"
        return f"{reason} {verb} {self.expected}."


_ABOUT_FORM: Final = ("FORMAT", "OPTION")
"""Clauses for values of the wrong form; the others are about choices in the game."""


def ended_early() -> Refused:
    """Return the refusal of everything after the table ended the game early."""
    return Refused("ENDED", "the table has ended the game early", do="Undo that to play on.")


def after_the_end(clause: str, reason: str = "the game is over") -> Refused:
    """Return the refusal of everything after the end of a game, with the clause that ends it."""
    return Refused(clause, reason, do="Start a new game, or undo to play on.")
