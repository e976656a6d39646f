"""The end of a round as it is told: each step with its clause (FS-21 to FS-28)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.public import PlayerId

Tier = Literal["starfalls", "both", "one", "nothing", "out"]


@dataclass(frozen=True, slots=True)
class Explained:
    """A step in words, with its clause."""

    clause: str
    text: str


@dataclass(frozen=True, slots=True)
class RegionShare:
    """A player in a region: the power's parts, the rank it takes, what that gives.

    `chip` is the number under the Airships, None without one; `penalty` what FS-11 takes off; `markets` the extra
    resources of FS-14; `tied` says that the turn slots decided (FS-26).
    """

    player: PlayerId
    chip: int | None
    penalty: int
    fortresses: int
    skimmers: int
    power: int
    tier: Tier
    markets: int
    tied: bool = False
    starfalls: int = 0


@dataclass(frozen=True, slots=True)
class RegionResult:
    """A region as it resolves: the players strongest first, the Starfalls that stay, and the steps in words."""

    region: RegionId
    starfalls: int
    standings: tuple[RegionShare, ...]
    left: int
    steps: tuple[Explained, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """A round's end: the regions from left to right, Starfalls gained by each player (Objective and trades included),
    what stays on the board, and what is on each Market card then."""

    regions: tuple[RegionResult, ...]
    gains: Mapping[PlayerId, int]
    left: Mapping[RegionId, int]
    market_cards: Mapping[PlayerId, int]
    steps: tuple[Explained, ...]
