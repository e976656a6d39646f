"""The words that all games share: seat, setup, moment, fact, refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.rules.clauses import begins_with_one, spoken

if TYPE_CHECKING:
    from companion.rules.form_fields import FormField

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


class Refused(Exception):
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
