"""The cursor on a level: over the cells while cards are laid, over the corners after that."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.sky_rise.rules.view import LevelView, SkyRiseView
from companion.rules.towers import TowerCursor

LETTERS = "abcd"
CARDS = ("floor", "roof")
PYRAMIDS = ("pyramids", "antennas")


def name(x: int, y: int) -> str:
    """Return the name of a cell or corner by its column and row, both from 0."""
    return f"{LETTERS[x]}{y + 1}"


def position(place: str) -> tuple[int, int]:
    """Return the column and row of a cell or corner, both from 0."""
    return LETTERS.index(place[0]), int(place[1:]) - 1


def level_of(game: SkyRiseView) -> LevelView:
    """Return the level in play, or the roof once all is built."""
    return game.levels[-1]


def size_of(level: LevelView) -> tuple[int, int]:
    """Return how many columns and rows of cells a level has."""
    x, y = position(level.cells[-1].place)
    return x + 1, y + 1


@dataclass(slots=True)
class GridCursor:
    """A column and a row, and what it stands on; None: nothing is to be entered on the grid."""

    x: int = 0
    y: int = 0
    on: str | None = None
    most: tuple[int, int] = (0, 0)

    def take(self, game: SkyRiseView) -> None:
        """Stand on what is entered now, within the grid."""
        level = level_of(game)
        self.on = "cell" if game.phase in CARDS else "corner" if game.phase in PYRAMIDS else None
        columns, rows = size_of(level)
        self.most = (columns - 1, rows - 1) if self.on == "cell" else (columns, rows)
        self.go(self.x, self.y)

    def go(self, x: int, y: int) -> None:
        """Move to a place, or to the one that is nearest to it."""
        self.x, self.y = (max(0, min(at, most)) for at, most in zip((x, y), self.most, strict=True))

    @property
    def marked(self) -> TowerCursor | None:
        """What a picture of the level marks."""
        return None if self.on is None else TowerCursor((self.x, self.y), on_field=self.on == "cell")

    @property
    def place(self) -> str:
        """The name of the cell or corner."""
        return name(self.x, self.y)
