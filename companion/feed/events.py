"""Events of the public feed: what anybody may know of a game, as data for other programs. FEED.md describes them.

An entry of the record yields at most one event of each kind, so an event's number is computed from the two: the same
record gives the same numbers in every run, and a kind that is added later renumbers nothing.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from companion.rules.feed_kinds import KINDS
from companion.rules.once import once

VERSION: Final = 1
"""Version of the schema. A later version may add kinds and fields; a changed meaning gets a new number."""
PLACES: Final = 16
"""Numbers reserved for each entry; more than there are kinds."""


def number_of(entry: int, kind: str) -> int:
    """Return the number of the event of `kind` that entry `entry` of the record yields."""
    return entry * PLACES + KINDS.index(kind)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Moment(_Part):
    """When something happened: `us` microseconds on the clock `clock`, plus or minus `pm` microseconds.

    For a tap on a page, `us` is when it arrived, and `pm` reaches back to when its page last heard the table.
    """

    us: int = Field(ge=-(2**63), lt=2**64)
    pm: int = Field(default=0, ge=0, lt=2**63)
    clock: str


class Player(_Part):
    """A player as the table sees them, in the order of the table, AI players included."""

    id: str
    name: str
    color: str = Field(description="`#rrggbb`")
    glyph: str = Field(description="identifies the player where no color can be shown")
    score: int | None = Field(description="null if nobody can know it")
    left: bool = Field(default=False, description="has left the game")
    out: bool = Field(default=False, description="eliminated from the current round")


class RoundClockNow(_Part):
    """The reading of the round's clock at the event's `wall`; while it `runs`, it goes on from there."""

    ran_s: float = Field(ge=0, description="seconds, without pauses")
    runs: bool


class TableNow(_Part):
    """The table right after the event: enough for a reader of no other event."""

    where: str = Field(description="the state of the game in a few words; may be empty")
    players: tuple[Player, ...]
    turn: tuple[str, ...] = Field(description="the ids of those whose turn it is")
    paused: bool
    ended: bool
    unit: str = Field(
        default="",
        description="what the scores count, such as `points`; empty if an older record does not say",
    )
    unit_of_one: str = Field(default="", description="the `unit` of a score of 1, such as `point`")
    clock: RoundClockNow | None = Field(
        default=None,
        description="null if no clock runs, and after a break until the game's clock is heard again",
    )


class ScoreChange(_Part):
    """A player's score before and after; null if it was unknown, or there was no such player."""

    player: str
    before: int | None
    after: int | None


class RoundScores(_Part):
    """A round that is over, with the scores after it."""

    name: str = Field(description="`3`, `roof`")
    scores: dict[str, int]


class _Event(_Part):
    """Fields of all events. `session` and `number` together are unique; `text` is a sentence for people."""

    version: Literal[1] = VERSION
    session: str = Field(
        description="16 hexadecimal digits; the same as long as the session exists"
    )
    number: int = Field(
        ge=1, description="rises, with gaps; drop an event whose number you had before"
    )
    entry: int = Field(ge=1, description="the entry of the session's record that caused it")
    wall: str = Field(description="when it was recorded: ISO 8601, UTC")
    text: str
    table: TableNow


Happened = Literal["begun", "resumed", "renamed", "closed"]


class SessionEvent(_Event):
    """The session was begun, resumed, renamed, or left after the end of its game."""

    kind: Literal["session"] = "session"
    what: Happened
    game: str
    title: str
    name: str


Correction = Literal["taken back", "brought back", "put in", "put right", "overruled"]


class CorrectionEvent(_Event):
    """The past was corrected, or a later ruling changed what was reported before (`overruled`: a Shield shown late
    brings a player back, a photo finish reopens a game). `corrects` has the numbers of the events that no longer hold
    as they were reported, or hold again; `changed` is the difference in the scores, and `table` has the rest."""

    kind: Literal["correction"] = "correction"
    what: Correction
    corrects: tuple[int, ...]
    changed: tuple[ScoreChange, ...]


class _Ruling(_Event):
    fact: str = Field(description="the game's own kind of fact, as in its exports")
    player: str | None = Field(description="the first player it names, if any")
    at: Moment | None = Field(
        description="when it happened; a key press is accurate to 0.1 s; null if only the time of recording is known"
    )


class RulingEvent(_Ruling):
    """The rules accepted something that has no kind of its own."""

    kind: Literal["ruling"] = "ruling"


class DrawEvent(_Ruling):
    """Somebody drew a card."""

    kind: Literal["draw"] = "draw"


class ShotEvent(_Ruling):
    """The gun was fired. Who was hit may follow as an elimination."""

    kind: Literal["shot"] = "shot"


class EliminationEvent(_Event):
    """Players were eliminated from the current round."""

    kind: Literal["elimination"] = "elimination"
    players: tuple[str, ...]


class ScoreEvent(_Event):
    """Scores changed."""

    kind: Literal["score"] = "score"
    changed: tuple[ScoreChange, ...]


class RoundEvent(_Event):
    """A round begins, or is over; in that case `rounds` has it, or several that ended at once. `unit` is the game's
    word for a round."""

    kind: Literal["round"] = "round"
    what: Literal["begins", "over"]
    unit: str
    rounds: tuple[RoundScores, ...]


class TurnEvent(_Event):
    """The turn changed; `players` is empty if it is nobody's."""

    kind: Literal["turn"] = "turn"
    players: tuple[str, ...]


class PauseEvent(_Event):
    """The clock was stopped, or started again."""

    kind: Literal["pause"] = "pause"
    paused: bool


class EndEvent(_Event):
    """The game is over: who won, and a sentence on what decided it. A game that was ended early has no winners. If the
    `lowest_wins`, fewer points are better for the others too."""

    kind: Literal["end"] = "end"
    winners: tuple[str, ...]
    decided: str
    early: bool
    lowest_wins: bool


Event = Annotated[
    SessionEvent
    | CorrectionEvent
    | RulingEvent
    | DrawEvent
    | ShotEvent
    | EliminationEvent
    | ScoreEvent
    | RoundEvent
    | TurnEvent
    | PauseEvent
    | EndEvent,
    Field(discriminator="kind"),
]
EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
"""Reads and writes any event."""


# `default=vars` writes a model's fields in their order; `model_dump` first would take three times as long.
_encode = json.JSONEncoder(separators=(",", ":"), default=vars).encode
_SHARED: Final = frozenset(("kind", *_Event.model_fields))


def line_of(event: Event) -> str:
    """Return the event as one line of JSON without a line end, in ASCII, so it reads the same in any encoding."""
    own = {name: value for name, value in vars(event).items() if name not in _SHARED}
    rest = f",{_encode(own)[1:]}" if own else "}"
    table = event.table
    flags = table.turn, table.paused, table.ended
    standing = _standing(table.where, table.players, *flags, table.unit, table.unit_of_one)
    clock = "null" if table.clock is None else _encode(table.clock)
    return (
        f'{{"kind":"{event.kind}","version":{event.version},"session":{_encode(event.session)},'
        f'"number":{event.number},"entry":{event.entry},"wall":{_encode(event.wall)},"text":{_encode(event.text)},'
        f'"table":{standing}{clock}}}{rest}'
    )


@once
def _standing(
    where: str,
    players: tuple[Player, ...],
    turn: tuple[str, ...],
    paused: bool,
    ended: bool,
    unit: str,
    unit_of_one: str,
) -> str:
    """Return a table as JSON up to its clock. Cached: events of one entry share it, and those of the next often do."""
    flags = {"turn": turn, "paused": paused, "ended": ended}
    units = {"unit": unit, "unit_of_one": unit_of_one}
    return f'{{"where":{_encode(where)},"players":{_players(players)},{_encode(flags | units)[1:-1]},"clock":'


@once
def _players(players: tuple[Player, ...]) -> str:
    return _encode(players)


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a written event."""
    event_schema = EVENT.json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event of the public feed",
    } | event_schema
