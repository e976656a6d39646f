"""The grid for entering cards and pyramids: its keys, its cursor, and the chips of pyramids.

A suit and its color share a key, so there are as many keys to learn as colors. The keys are a row of the
keyboard, not initials: the first letters of half the colors are other keys.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.themes import on_ink
from companion.display.towers import TowerCursor
from companion.games.sky_rise.forms import PIECES
from companion.games.sky_rise.rules.controls import (
    GRID,
    KIND_IDS,
    KIND_KEYS,
    OPAQUE_ID,
    OPAQUE_KEY,
    PREFIX as GAME,
    SIZE_IDS,
    SIZE_KEYS,
)
from companion.games.sky_rise.rules.model import OPAQUE, place_name
from companion.games.sky_rise.rules.view import SkyRiseView
from companion.rules.actions import Action

MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
TOWER = Action(
    f"{GAME}tower",
    ("t",),
    "tower",
    "Show the tower, level by level from above, and from the side.",
    "game",
    footer=True,
)
_GROUP = "grid"
_NUMBERS = ("first", "second", "third", "fourth", "fifth")
_KIND = "Enter at the cursor a card of the {} suit, or a pyramid of its color (SR-5, SR-7)."
_OPAQUE = "Enter at the cursor an opaque pyramid of the player who is asked for (SR-9)."

ACTIONS = (
    PIECES,
    TOWER,
    *(Action(f"{GRID}move.{way}", (way,), way, f"Move the cursor {way}.", _GROUP) for way in MOVES),
    *(
        Action(kind, (key,), f"{number} color", _KIND.format(number), _GROUP)
        for kind, key, number in zip(KIND_IDS, KIND_KEYS, _NUMBERS, strict=True)
    ),
    Action(OPAQUE_ID, (OPAQUE_KEY,), "opaque", _OPAQUE, _GROUP),
    *(
        Action(size_id, (key,), size, f"The antenna at the cursor is {size} (SR-13).", _GROUP)
        for (size, size_id), key in zip(SIZE_IDS.items(), SIZE_KEYS, strict=True)
    ),
)
CARDS = ("floor", "roof")
PYRAMIDS = ("pyramids", "antennas")


@dataclass(slots=True)
class GridCursor:
    """A column and a row on cells or corners, as `on` says; None if nothing is to be entered on the grid."""

    x: int = 0
    y: int = 0
    on: str | None = None
    most: tuple[int, int] = (0, 0)

    def take(self, game: SkyRiseView) -> None:
        """Move to what is entered now, within the grid."""
        grid = game.levels[-1].grid
        self.on, self.most = None, (grid.columns, grid.rows)
        if game.phase in CARDS:
            self.on, self.most = "cell", (grid.columns - 1, grid.rows - 1)
        elif game.phase in PYRAMIDS:
            self.on = "corner"
        # The old place may be outside of the new grid.
        self.go(self.x, self.y)

    def go(self, x: int, y: int) -> None:
        """Move to a place, or to the nearest one within the grid."""
        columns, rows = self.most
        self.x, self.y = max(0, min(x, columns)), max(0, min(y, rows))

    @property
    def marked(self) -> TowerCursor | None:
        """What a picture of the level marks."""
        return (
            None if self.on is None else TowerCursor((self.x, self.y), on_field=self.on == "cell")
        )

    @property
    def place(self) -> str:
        return place_name(self.x, self.y)


def chip(letter: str, color: str, ink: str) -> Content:
    """Return a pyramid as its letter on its ink."""
    return Content.assemble((f" {letter} ", f"bold {on_ink('' if color == OPAQUE else ink)}"))
