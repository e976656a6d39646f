"""What every game offers, and the words all games share: seat, setup, moment, fact, refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from companion.rules.actions import Action
from companion.rules.gestures import Gesture, Settings

if TYPE_CHECKING:
    from companion.rules.common import Common
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


@dataclass(frozen=True, slots=True)
class Setup:
    """How a session was begun: the game, the version of its rules, the seats in order (clockwise), the house rules
    (ruling name -> chosen alternative; one that is absent has its default, and a session records all of them), and
    what the owner's component file made of the box (`companion.rules.components.box_of` reads it; empty: the packaged
    file). `columns` are the seats in the order of their zone buttons and keys, once somebody joined late."""

    game: str
    rules_version: int
    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    components: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[SeatId, ...] = ()

    def __post_init__(self) -> None:
        """Raise `Refused` for a seat that would see what only the whole table is shown, or the other way round."""
        if any(seat.id == TABLE for seat in self.seats):
            raise Refused("SEATS", f"a seat has the id {TABLE!r}, which stands for the whole table", "another id")

    @property
    def by_column(self) -> tuple[Seat, ...]:
        """The seats in the order of their zone buttons and keys: as they sit, until somebody joined in between."""
        by_id = {seat.id: seat for seat in self.seats}
        return tuple(by_id[seat] for seat in self.columns) or self.seats


class Moment(BaseModel):
    """When something happened: `us` microseconds on the clock `clock`, give or take `pm` microseconds.

    `clock` names the board's boot (`board-5f3a`) or the host's run (`host-...`); moments of different clocks have no
    interval between them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    us: int = Field(ge=-(2**63), lt=2**64)  # 64 bits, on the board and in the record
    pm: int = Field(default=0, ge=0, lt=2**63)
    clock: str


class Fact(BaseModel):
    """What the game made of the evidence. Each game derives its kinds; `kind` is a `Literal` in each. The body of a
    `secret` one is for its `seat` alone, or for nobody where it has none (cards that lie face down), until the game is
    over: no shared screen and no export shows it before."""

    secret: ClassVar[bool] = False

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: str
    at: Moment | None = None


def body_of(fact: Fact) -> dict[str, Any]:
    """Return the fact's body as plain JSON values, without `kind` and without what has its default."""
    return fact.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)


def secret_kinds(facts: Mapping[str, type[Fact]]) -> frozenset[str]:
    """Return the kinds of facts that are not for everybody."""
    return frozenset(kind for kind, fact in facts.items() if fact.secret)


class Refused(Exception):  # noqa: N818  it is an answer of the rules, not a failure of the program
    """The rules refuse a fact: the clause, why, and what was expected instead."""

    def __init__(self, clause: str, reason: str, expected: str) -> None:
        super().__init__(f"{clause}: {reason}; expected {expected}")
        self.clause = clause
        self.reason = reason
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Ignored:
    """A gesture that means nothing in this state, with the reason for the log (`dry pull: no hit within 30 ms`)."""

    reason: str
    clause: str | None = None


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


S = TypeVar("S")


class Game(Protocol[S]):
    """The rules of one game over an immutable state `S`. A class that derives from it need not say what it has nothing
    to say about: house rules, a board, hidden things and keys have plain defaults."""

    id: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    seat_counts: ClassVar[range]  # how many may sit down
    house_rules: ClassVar[tuple[HouseRule, ...]] = ()  # the default of each comes first
    numbers: ClassVar[tuple[Number, ...]] = ()
    facts: ClassVar[Mapping[str, type[Fact]]]  # every kind of fact, those common to all games included
    steps: ClassVar[tuple[Step, ...]] = ()  # what evidence can lead to

    def settings(self, setup: Setup) -> Settings:  # noqa: ARG002  a default that is the same for everybody
        """Return how the board's edges are read where the session says nothing else."""
        return Settings()

    def start(self, setup: Setup) -> S:
        """Return the state before anything happened; raise `Refused` for a setup the rules do not allow."""

    def parse(self, kind: str, body: Mapping[str, Any]) -> Fact:
        """Return the fact that `kind` and `body` describe; raise `Refused` (clause `FORMAT`) for anything else."""
        from companion.rules.parsing import parse  # it needs the words of this module

        return parse(self.facts, kind, body)

    def apply(self, state: S, fact: Fact, entry: int) -> S:
        """Return the state after `fact`, which is entry number `entry` of the record; raise `Refused`."""

    def legal(self, state: S) -> tuple[Fact, ...]:
        """Return the facts the rules allow now, sorted, each once (without `at`)."""

    def describe(self, state: S, fact: Fact, viewer: SeatId = TABLE) -> str:
        """Return the sentence for the log, the undo label and transcripts as `viewer` may read it; `state` is the one
        before `fact`. What only another seat may know is in no sentence."""

    def reveals(self, state: S, fact: Fact) -> str | None:  # noqa: ARG002
        """Return what `fact` showed to whom and cannot be unseen (`the cards of zone 2, to everybody`), or None;
        `state` is the one before `fact`."""
        return None

    def follows(self, before: S, after: S) -> str:  # noqa: ARG002
        """Return what a correction of the past, which led from one state to the other, made of what waits now (`AI
        black decides again: ...`); empty where that stays as it was."""
        return ""

    def common(self, state: S) -> Common:
        """Return the people as they are now, what the table set by hand, and whether the clock stands still."""

    def awaiting(self, state: S) -> str:
        """Return in words what the companion waits for now, and which tap or key answers it: `actions.named` names a
        key, and `actions.PRESS` what is done with it, so that
        whoever shows the sentence puts the key that a person has for it."""

    def hold_means(self, state: S, channel: str) -> bool:  # noqa: ARG002
        """Return whether holding that channel means something now; where it does not, a tap fires on press."""
        return False

    def interpret(self, state: S, gesture: Gesture) -> Fact | Ignored:  # noqa: ARG002
        """Return the fact a gesture stands for in this state."""
        return Ignored("this game is played without a board")

    def actions(self, setup: Setup) -> tuple[Action, ...]:  # noqa: ARG002
        """Return what the keyboard can do in this game with these seats."""
        return ()

    def act(self, state: S, action_id: str) -> Fact | Retraction:  # noqa: ARG002
        """Return what an action stands for in this state; raise `Refused` when it means nothing now."""
        raise Refused("KEY", "that key does nothing in this game", "another key")

    def view(self, state: S, viewer: SeatId) -> Any:
        """Return the immutable view of one seat, or of `TABLE`; nothing of another seat's secrets is in it."""

    def over(self, state: S) -> bool:
        """Return whether the game has its result."""

    def summary(self, state: S) -> tuple[str, ...]:
        """Return the result so far as plain lines: the standings, then what is open, with keys as in `awaiting`."""
        scores = self.standings(state)
        return tuple(f"{seat.name}: {scores[seat.id]}" for seat in self.common(state).setup.seats)

    def standings(self, state: S) -> Mapping[SeatId, int]:
        """Return the score of each seat so far, in the order of the seats."""

    def report(self, state: S) -> Mapping[str, Any]:
        """Return what `summary` says as plain JSON values."""
        return {"standings": dict(self.standings(state))}
