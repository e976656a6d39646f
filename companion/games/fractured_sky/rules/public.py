"""Everything that lies open on the table. The AIs decide by this type alone (FS-46)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.fractured_sky.rules.board import Board, Card, PlatformId, RegionId
from companion.games.fractured_sky.rules.facts import Ai, Building, Resource
from companion.rules.facts import SeatId
from companion.rules.house_rules import Options

PlayerId = SeatId  # a seat, or an AI
SHIPS = 3  # FS-2
TOKENS = 2 * SHIPS  # FS-33: airship tokens of an AI, of which half sit out
CHIPS = (0, 0, *range(1, 11))  # FS-2: the numbers on a player's Power chips
AI_MARK = "@"  # starts an AI's id; no seat's id begins with it


@dataclass(frozen=True, slots=True)
class Ship:
    """An Airship in a region; `explore` marks the first one there, on the Explore slot (FS-8)."""

    player: PlayerId
    region: RegionId
    explore: bool = False


@dataclass(frozen=True, slots=True)
class Built:
    """A Fortress or a Market on a platform."""

    player: PlayerId
    building: Building
    platform: PlatformId


@dataclass(frozen=True, slots=True)
class Flight:
    """A Skimmer in a region."""

    player: PlayerId
    region: RegionId


@dataclass(frozen=True, slots=True)
class PublicMark:
    """A scouting marker on Hidden card number `card`.

    `taken` says whether it counts as a resource (FS-41); an AI does not say which one it took.
    """

    player: PlayerId
    card: int
    taken: bool
    resource: Resource | None = None


@dataclass(frozen=True, slots=True)
class TurnedCard:
    """An action card that an AI turned up this round; `carried_out` is false for one it skipped."""

    ai: PlayerId
    card: Card
    carried_out: bool


@dataclass(frozen=True, slots=True)
class PublicTable:
    """Everything that lies open.

    `starfalls` counts the tokens showing in each region; `hidden` has the region of each Hidden
    card on the tray, None while face down; `turned` is in the order in which the cards were turned
    up.
    """

    board: Board
    options: Options
    public: RegionId | None
    starfalls: Mapping[RegionId, int]
    ships: tuple[Ship, ...]
    buildings: tuple[Built, ...]
    flights: tuple[Flight, ...]
    marks: tuple[PublicMark, ...]
    hidden: tuple[RegionId | None, ...]
    free_slots: tuple[int, ...]
    turned: tuple[TurnedCard, ...]

    def ships_of(self, player: PlayerId) -> tuple[Ship, ...]:
        """Return a player's Airships in the order in which they were placed."""
        return tuple(ship for ship in self.ships if ship.player == player)

    def starfalls_in(self, region: RegionId) -> int:
        """Return how many Starfalls show in a region."""
        return self.starfalls.get(region, 0)

    def built_on(self, platform: PlatformId) -> tuple[Built, ...]:
        """Return the buildings on a platform."""
        return tuple(piece for piece in self.buildings if piece.platform == platform)


def is_ai(player: PlayerId) -> bool:
    """Return whether that player is an AI."""
    return player.startswith(AI_MARK)


def as_ai(player: PlayerId) -> Ai | None:
    """Return the id of an AI with its own type, or None for a seat."""
    if player == "@black":
        return "@black"
    if player == "@orange":
        return "@orange"
    return None


def color_of(ai: PlayerId) -> str:
    """Return an AI's color: `black` for `@black`."""
    return ai.removeprefix(AI_MARK)
