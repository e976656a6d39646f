"""The keys of the grid. A suit and its color share one, so that the hand learns as many keys as there are colors.

They stand in a row instead of for the names: the first letters of half the colors are keys of the table.
"""

from __future__ import annotations

from companion.games.sky_rise.rules.facts import Size
from companion.games.sky_rise.rules.keys import PREFIX as GAME
from companion.games.sky_rise.rules.model import SIZES
from companion.rules.actions import Action

PREFIX = f"{GAME}grid."
MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
KINDS = ("a", "s", "d", "f", "g")
"""The key of each color and its suit, in their order in the game."""
OPAQUE = "o"
SIZE_KEYS: dict[Size, str] = dict(zip(SIZES, ("q", "w", "e"), strict=True))
PIECES = Action(
    f"{GAME}pieces",
    ("p",),
    "pieces",
    "Who has which opaque pyramids (SR-1), which suit belongs to which color (SR-2), who starts, whose turn it is.",
    "game",
)
PIECE_KINDS = {
    "opaque": "opaque pyramids of a player",
    "assign": "a suit and its color",
    "start_token": "the Start token",
    "turn": "whose turn it is",
}
_GROUP = "grid"
_NUMBERS = ("first", "second", "third", "fourth", "fifth")

KIND_IDS = tuple(f"{PREFIX}kind.{place}" for place in range(len(KINDS)))
OPAQUE_ID = f"{PREFIX}opaque"
SIZE_IDS: dict[Size, str] = {size: f"{PREFIX}size.{size}" for size in SIZES}

ACTIONS = (
    PIECES,
    *(Action(f"{PREFIX}move.{way}", (way,), way, f"Move the cursor over the grid: {way}.", _GROUP) for way in MOVES),
    *(
        Action(
            KIND_IDS[place],
            (key,),
            f"{_NUMBERS[place]} color",
            f"At the cursor: a card of the {_NUMBERS[place]} suit, or a pyramid of its color (SR-5, SR-7).",
            _GROUP,
        )
        for place, key in enumerate(KINDS)
    ),
    Action(OPAQUE_ID, (OPAQUE,), "opaque", "At the cursor: an opaque pyramid of the player who is due (SR-9).", _GROUP),
    *(
        Action(SIZE_IDS[size], (key,), size, f"The antenna that is chosen is {size} (SR-13).", _GROUP)
        for size, key in SIZE_KEYS.items()
    ),
)
