"""State of a game of Sky Rise: levels as ordered records, and rulings. All immutable; points are derived."""

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
    """A floor of `columns` x `rows` cards, with one more corner each way (SR-5, SR-6)."""

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
        """Return the cells that a corner touches, one to four (SR-8)."""
        return _touching(place, self.columns, self.rows)

    def next_to(self, place: str) -> tuple[str, ...]:
        """Return the corners beside a corner: left, right, behind, in front; never diagonally (SR-10)."""
        return _beside(place, self.columns + 1, self.rows + 1)

    def cells_beside(self, cell: str) -> tuple[str, ...]:
        """Return the cells that share an edge with a cell."""
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
    """What follows from the number of players: the grid, the color of each suit, and the deck (SR-1, SR-2).

    `cards_of_suit` and `deck` are None if the number of cards in a suit is unknown.
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
        """The number of cards in the deck, or None."""
        return None if self.cards_of_suit is None else self.cards_of_suit * len(self.suits)

    def color_of(self, suit: Suit) -> Color | None:
        """Return the color of a suit, or None if the suit is not in play."""
        for (
            known,
            color,
        ) in self.suits:  # asked for each card at each corner: no dictionary is made for it
            if known == suit:
                return color
        return None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on a floor or the roof."""

    place: str
    suit: Suit
    rank: Rank | None
    seat: SeatId


@dataclass(frozen=True, slots=True)
class Placed:
    """A pyramid, recorded as entry `entry`."""

    entry: int
    place: str
    color: Piece
    size: Size
    seat: SeatId


@dataclass(frozen=True, slots=True)
class TowerLevel:
    """A level, or the roof (number 4): who began it, and its cards and pyramids in the order of entry.

    `turn` is whose turn it is at the table. `closed` are seats whose turns their buttons ended earlier, but whose
    cards or pyramids are not entered yet (SR-T6). `tried` are the seats that had their one chance on the roof
    (SR-13). `skipped` are those whose turns just passed automatically.

    `entries` are all entries that its cards, pyramids and turns depend on (SR-T8).
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
        """True for the roof, whose pyramids are antennas (SR-13)."""
        return self.number == ROOF

    @property
    def size(self) -> Size | None:
        """The size of its pyramids (SR-6), or None on the roof, which takes any."""
        return None if self.is_roof else SIZES[self.number - 1]

    def pyramid(self, place: str) -> Placed | None:
        """Return the first pyramid at a corner, or None."""
        return next((placed for placed in self.pyramids if placed.place == place), None)


@dataclass(frozen=True, slots=True)
class TowerShowdown:
    """The Tower Showdown (SR-17): its contenders, when it began, and who is done.

    `ruling` is the winner by the players' ruling, empty if they share the victory, None without a ruling.
    """

    contenders: tuple[SeatId, ...]
    begun: Moment | None
    stops: tuple[ShowdownStop, ...] = ()
    ruling: tuple[SeatId, ...] | None = None


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A game of Sky Rise.

    `seated` are the seats that were in when the first card was laid, empty before that. `hands` counts each
    seat's cards, `pile` those of the draw pile (None if unknown). `given` are the opaque pyramids as entered:
    large, medium, small. `goals` are those noted or dealt; `undealt` are the Nests and Trees left of a deal by
    the companion, None if it dealt none.
    """

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
        """The level being built, or the last one."""
        return self.levels[-1]

    def with_level(self, level: TowerLevel) -> State:
        """Return the state with the level being built replaced."""
        return replace(self, levels=(*self.levels[:-1], level))

    def hand(self, seat: SeatId) -> int:
        """Return the number of cards the seat holds."""
        return dict(self.hands).get(seat, 0)

    def replanned(self, plan: Plan) -> State:
        """Return the state with another plan; if its colors differ, goals must be dealt or noted again."""
        if set(plan.colors) == set(self.plan.colors):
            return replace(self, plan=plan)
        return replace(self, plan=plan, goals=(), undealt=None)

    def goals_of(self, seat: SeatId) -> GoalNoted | None:
        """Return the seat's goals, or None. They are secret until revealed."""
        return next((goals for goals in self.goals if goals.seat == seat), None)
