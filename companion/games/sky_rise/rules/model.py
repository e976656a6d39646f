"""The state of a game of Sky Rise: levels as ordered records, and what the table said. All immutable; points follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from companion.games.sky_rise.rules.box import Kit
from companion.games.sky_rise.rules.facts import (
    Color,
    GoalNoted,
    Piece,
    Rank,
    ShowdownStop,
    Size,
    Suit,
)
from companion.rules.common import GameState
from companion.rules.facts import Moment, SeatId
from companion.rules.house_rules import Options
from companion.rules.replacing import replace

_LETTERS = "abcd"
LEVELS = 3  # SR-5 to SR-12; the roof is the fourth round (SR-13)
ROOF = LEVELS + 1
SIZES: tuple[Size, ...] = ("large", "medium", "small")  # SR-6, by level
EACH = 3  # SR-1: pyramids of one size in each color, and opaque ones
OPAQUE_PYRAMIDS = EACH * len(SIZES)
HAND = 3  # SR-3
OPAQUE: Literal["opaque"] = "opaque"
Stage = Literal["cards", "pyramids", "done"]


@dataclass(frozen=True, slots=True)
class Grid:
    """A floor of `columns` x `rows` cards; it has one corner more each way (SR-5, SR-6)."""

    columns: int
    rows: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the cells, row by row."""
        return _names(self.columns, self.rows)

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the corners, row by row."""
        return _names(self.columns + 1, self.rows + 1)

    def touching(self, place: str) -> tuple[str, ...]:
        """The cells that a corner touches, one to four of them (SR-8)."""
        return _touching(place, self.columns, self.rows)

    def next_to(self, place: str) -> tuple[str, ...]:
        """The corners beside a corner: left, right, behind, in front; never diagonally (SR-10)."""
        return _beside(place, self.columns + 1, self.rows + 1)

    def cells_beside(self, cell: str) -> tuple[str, ...]:
        """The cells that share an edge with a cell."""
        return _beside(cell, self.columns, self.rows)


# Asked again for each color and corner of each view, of a handful of places: what they answer is kept.


@cache
def _touching(place: str, columns: int, rows: int) -> tuple[str, ...]:
    x, y = position(place)
    return _inside(((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)), columns, rows)


@cache
def _beside(name: str, columns: int, rows: int) -> tuple[str, ...]:
    x, y = position(name)
    return _inside(((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)), columns, rows)


@cache
def _names(columns: int, rows: int) -> tuple[str, ...]:
    return tuple(place_name(x, y) for y in range(rows) for x in range(columns))


def _inside(around: Iterable[tuple[int, int]], columns: int, rows: int) -> tuple[str, ...]:
    return tuple(place_name(x, y) for x, y in around if 0 <= x < columns and 0 <= y < rows)


def place_name(x: int, y: int) -> str:
    """Return the name of a cell or corner by its column and row, both from 0."""
    return f"{_LETTERS[x]}{y + 1}"


def position(name: str) -> tuple[int, int]:
    """Return the column and row of a cell or corner, both from 0."""
    return _LETTERS.index(name[0]), int(name[1]) - 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What follows from the number of players: the grid, which suit belongs to which color, and the deck (SR-1, SR-2).

    `cards_of_suit` and `deck` are None where nobody knows how many cards a suit has.
    """

    players: int
    grid: Grid
    suits: tuple[tuple[Suit, Color], ...]
    cards_of_suit: int | None

    @property
    def colors(self) -> tuple[Color, ...]:
        """The translucent colors in play, in the order of their suits."""
        return tuple(color for _, color in self.suits)

    @property
    def deck(self) -> int | None:
        """The cards of the deck."""
        return None if self.cards_of_suit is None else self.cards_of_suit * len(self.suits)

    def color_of(self, suit: Suit) -> Color | None:
        """The color a suit belongs to; None for a suit that is not in play."""
        for (
            one,
            color,
        ) in self.suits:  # asked for each card at each corner: no dictionary is made for it
            if one == suit:
                return color
        return None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card."""

    place: str
    suit: Suit
    rank: Rank | None
    seat: SeatId


@dataclass(frozen=True, slots=True)
class Placed:
    """A pyramid, entered as `entry`."""

    entry: int
    place: str
    color: Piece
    size: Size
    seat: SeatId


@dataclass(frozen=True, slots=True)
class TowerLevel:
    """A level, or the roof (number 4): who began it, the cards and pyramids in the order of their entries.

    `turn` is whose turn it is at the table; `closed` are those whose turns their buttons ended before it, and who have
    not entered their cards or pyramids yet (SR-T6). `tried` are the seats that had their one chance on the roof
    (SR-13); `skipped` those whose turns passed by themselves just now.
    `entries` are all that its cards, pyramids and turns rest on (SR-T8).
    """

    number: int
    starter: SeatId
    turn: SeatId
    stage: Stage = "cards"
    cards: tuple[Laid, ...] = ()
    pyramids: tuple[Placed, ...] = ()
    closed: tuple[SeatId, ...] = ()
    tried: tuple[SeatId, ...] = ()
    skipped: tuple[SeatId, ...] = ()
    entries: tuple[int, ...] = ()

    @property
    def is_roof(self) -> bool:
        """Whether it is the roof, whose pyramids are antennas (SR-13)."""
        return self.number == ROOF

    @property
    def size(self) -> Size | None:
        """The size of its pyramids (SR-6); None on the roof, where any will do."""
        return None if self.is_roof else SIZES[self.number - 1]

    def pyramid(self, place: str) -> Placed | None:
        """The first pyramid at a corner."""
        return next((placed for placed in self.pyramids if placed.place == place), None)


@dataclass(frozen=True, slots=True)
class TowerShowdown:
    """The Tower Showdown (SR-17): who builds, since when, who is done; the table's word who won it, nobody alone: all
    who are tied."""

    contenders: tuple[SeatId, ...]
    begun: Moment | None
    stops: tuple[ShowdownStop, ...] = ()
    ruling: tuple[SeatId, ...] | None = None


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A game. `seated` are the seats that were in when the first card was laid (none before that); `hands` counts the
    cards of each seat, `pile` those of the draw pile (None: unknown); `given` are the opaque pyramids that the table
    entered: large, medium, small. `goals` are those noted or dealt; `undealt` are the Nests and Trees left of those
    that the companion dealt (None: it dealt none)."""

    options: Options
    kit: Kit
    plan: Plan
    levels: tuple[TowerLevel, ...]
    seated: tuple[SeatId, ...] = ()
    assigned: tuple[tuple[Suit, Color], ...] = ()
    given: tuple[tuple[SeatId, tuple[int, int, int]], ...] = ()
    hands: tuple[tuple[SeatId, int], ...] = ()
    pile: int | None = None
    goals: tuple[GoalNoted, ...] = ()
    undealt: tuple[tuple[Color, Color], ...] | None = None
    revealed: bool = False
    showdown: TowerShowdown | None = None

    @property
    def level(self) -> TowerLevel:
        """The level that is being built, or the last one."""
        return self.levels[-1]

    def with_level(self, level: TowerLevel) -> State:
        """The state with another level in the place of the one that is being built."""
        return replace(self, levels=(*self.levels[:-1], level))

    def hand(self, seat: SeatId) -> int:
        """How many cards that seat holds."""
        return dict(self.hands).get(seat, 0)

    def replanned(self, plan: Plan) -> State:
        """The state with another plan; goals of other colors are to be dealt, or noted, anew."""
        if set(plan.colors) == set(self.plan.colors):
            return replace(self, plan=plan)
        return replace(self, plan=plan, goals=(), undealt=None)

    def goals_of(self, seat: SeatId) -> GoalNoted | None:
        """The goals that seat noted; for that seat's own eyes until they are revealed."""
        return next((goals for goals in self.goals if goals.seat == seat), None)
