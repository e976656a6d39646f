"""A game as its hub showed it last, for a laptop that continues it; HUB.md describes it. It has nothing hidden."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

_LARGEST = 1 << 30
_LARGEST_SCORE = 10**15


class _Part(BaseModel):
    """Fields that a later hub adds are ignored."""

    model_config = ConfigDict(strict=True, frozen=True)


class ShownPlayer(_Part):
    """A player by place, in the order of the table."""

    id: str
    score: int | None = Field(default=None, ge=-_LARGEST_SCORE, le=_LARGEST_SCORE)
    left: bool = False
    out: bool = False


class ShownTable(_Part):
    """The table after the last event."""

    where: str = ""
    players: list[ShownPlayer] = Field(default=[], max_length=99)
    turn: list[str] = []
    ended: bool = False


class ShownGame(_Part):
    """A game of this table: its session, the hub's progress and the number of its entries; its id and title; the time
    of the last event, the name of each place, the number of rounds over, whether one is being played, and the table."""

    session: str = Field(pattern="^[0-9a-f]{64}$")
    n: int = Field(ge=0, le=_LARGEST)
    digest: str
    event: int
    total: int = Field(ge=0, le=_LARGEST)
    game: str
    title: str
    wall: str
    names: dict[str, str]
    rounds: int = Field(ge=0, le=10_000)
    playing: bool
    table: ShownTable
