"""A record of Sky Rise for tests: enter facts in turn, or whole floors and towers from a drawing."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from companion.games.sky_rise.rules.facts import Color, Piece, Suit
from companion.games.sky_rise.rules.game import GAME as GAME
from companion.games.sky_rise.rules.model import SIZES, Grid, Placed, State, TowerLevel
from companion.games.sky_rise.rules.options import HOUSE_RULES, NUMBERS
from companion.games.sky_rise.rules.scoring import Group, groups
from companion.games.sky_rise.rules.standings import totals
from companion.games.sky_rise.rules.view import SeatView, SkyRiseView
from companion.rules.facts import TABLE, Moment, SeatId, Setup
from companion.rules.house_rules import read_options
from companion.rules.seats import seats_from_names
from tests.games.random_play import steps
from tests.games.record import GameRecord

NAMES = "ada bo cleo dan eve"
SUITS: dict[str, Suit] = {
    "h": "hearts",
    "s": "spades",
    "d": "diamonds",
    "c": "clubs",
    "r": "royals",
    "f": "fifth",
}
# The first five colors of the component file go with the suits in this order.
PIECES: dict[str, Piece] = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "P": "purple",
    "#": "opaque",
}


def setup(players: int = 2, **options: str) -> Setup:
    return Setup("sky-rise", 3, seats_from_names(NAMES.split()[:players]), options)


@cache
def played(players: int, seed: int) -> tuple[State, ...]:
    """Return every state but the first of a random game; several tests share one game."""
    return tuple(after for _, _, _, after in steps(GAME, setup(players), random.Random(seed)))


def at(us: int, clock: str = "board-1", pm: int = 0) -> Moment:
    return Moment(us=us, pm=pm, clock=clock)


class Record(GameRecord[State]):
    """A tower of Sky Rise."""

    game = GAME

    def __init__(self, players: int = 2, **options: str) -> None:
        super().__init__(setup(players, **options))

    def do(self, kind: str, when: Moment | None = None, **body: Any) -> str:
        """Enter a fact; return its public sentence."""
        return self.say(self.fact(kind, when, **body))

    def floor(self, rows: str = "") -> None:
        """Lay a whole floor from a drawing, row by row: `hsd chs`."""
        grid = self.state.plan.grid
        letters = (rows or ("hsd chs" if grid.rows == 2 else "hsd chs dch")).replace(" ", "")
        for cell, letter in zip(grid.cells, letters, strict=True):
            self.do("card", place=cell, suit=SUITS[letter])

    def pyramids(self, rows: str) -> None:
        """Place pyramids from a drawing, row by row; a dot leaves a corner free."""
        for place, letter in zip(self.state.plan.grid.places, rows.replace(" ", ""), strict=True):
            if letter != ".":
                self.place(place, PIECES[letter])

    def place(self, place: str, color: Piece) -> None:
        """Place a pyramid; opaque ones by any player who may have one."""
        self.do("pyramid", place=place, color=color, reason="drawn" if color == "opaque" else "")

    def build(self, *levels: str, floor: str = "") -> None:
        """Build whole levels from drawings of their pyramids."""
        for rows in levels:
            self.floor(floor)
            self.pyramids(rows)

    def roof(self, rows: str = "") -> None:
        self.floor(rows)

    def pass_roof(self) -> None:
        while self.state.level.stage == "pyramids":
            self.do("pass")

    def goals(self, *pairs: str) -> None:
        """Note the goals of the seats in order: `red blue` is Nest red, Tree blue."""
        for seat, pair in zip(self.state.playing, pairs, strict=True):
            nest, tree = pair.split()
            self.do("goal_noted", seat=seat, nest=nest, tree=tree)

    @property
    def level(self) -> TowerLevel:
        return self.state.level

    @property
    def view(self) -> SkyRiseView:
        view: SkyRiseView = GAME.view(self.state, TABLE)
        return view

    @property
    def points(self) -> dict[SeatId, int]:
        return totals(self.state)

    def seat(self, seat: SeatId) -> SeatView:
        return next(seat_view for seat_view in self.view.seats if seat_view.id == seat)

    def placed(self, place: str) -> int:
        """Return the points of the last pyramid at that corner of the last level built."""
        level = next(
            pyramid
            for pyramid in reversed(self.view.levels)
            if any(corner.pieces for corner in pyramid.corners)
        )
        return next(corner for corner in level.corners if corner.place == place).pieces[-1].points


# Twelve places of three each: two whole levels that score nothing at all for any color.
QUIET = "RYGB GBRY RYGB"
SMALL, LARGE = Grid(3, 2), Grid(3, 3)


def drawn(rows: str, grid: Grid | None = None) -> tuple[Placed, ...]:
    """Return the pyramids in a drawing of one level."""
    letters = rows.replace(" ", "")
    grid = grid or (SMALL if len(letters) == len(SMALL.places) else LARGE)
    pairs = zip(grid.places, letters, strict=True)
    return tuple(
        Placed(2, place, PIECES[letter], SIZES[0], "ada")
        for place, letter in pairs
        if letter != "."
    )


def groups_of(rows: str, color: Color, **options: str) -> tuple[Group, ...]:
    """Return the groups of a color in a drawing."""
    grid = SMALL if len(rows.replace(" ", "")) == len(SMALL.places) else LARGE
    return groups(grid, drawn(rows, grid), color, read_options(options, HOUSE_RULES, NUMBERS))


def scores(rows: str, color: Color, **options: str) -> list[int]:
    """Return the points of each group of a color in a drawing."""
    return [group.points for group in groups_of(rows, color, **options)]
