"""A picture of the tower as text: its levels from the ground up, side by side where they fit; no color is needed."""

from __future__ import annotations

from collections.abc import Sequence

from companion.columns import width
from companion.games.sky_rise.model import OPAQUE, SIZES, Level, Placed, State
from companion.games.sky_rise.text import level_name

_GAP = "    "
EMPTY_CORNER, EMPTY_CELL = "·", " "
_SIZE_LETTERS = {"large": "L", "medium": "M", "small": "S"}


def picture(state: State, columns: int = 80) -> tuple[str, ...]:
    """Return the tower in lines of at most `columns`: the letters of the pyramids (`#` opaque) at the corners, the
    signs of the suits between them, and a line that says what they stand for."""
    blocks = [_block(state, level) for level in state.levels]
    side = sum(len(block[0]) for block in blocks) + len(_GAP) * (len(blocks) - 1)
    rows = _beside(blocks) if side <= columns else [line for block in blocks for line in (*block, "")]
    return (*(row.rstrip() for row in rows), legend(state))


def legend(state: State) -> str:
    """`R red ♥, Y yellow ♠, # opaque`."""
    pairs = [
        f"{state.kit.letter(color)} {color} {state.kit.sign(suit)}" for suit, color in state.plan.suits
    ]  # the suit's sign stands beside the color it scores for
    return f"{', '.join(pairs)}, {state.kit.letter(OPAQUE)} {OPAQUE}"


def corner_text(state: State, level: Level, place: str) -> str:
    """What stands at a corner, two characters: `R ` or, on the roof, with the size of the topmost one: `RL`."""
    standing = [placed for placed in level.pyramids if placed.place == place]
    if not standing:
        return f"{EMPTY_CORNER} "
    return _piece(state, standing[-1], sized=level.is_roof or standing[-1].size != SIZES[level.number - 1])


def _piece(state: State, placed: Placed, *, sized: bool) -> str:
    return state.kit.letter(placed.color) + (_SIZE_LETTERS[placed.size] if sized else " ")


def cell_text(state: State, level: Level, cell: str) -> str:
    """The sign of the card on a cell, one character."""
    return next((state.kit.sign(card.suit) for card in level.cards if card.place == cell), EMPTY_CELL)


def _block(state: State, level: Level) -> list[str]:
    """One level: a head, the columns' letters, then rows of corners and rows of cells in turn; all equally wide."""
    grid = state.plan.grid
    letters = "abcd"[: grid.columns + 1]
    lines = ["  " + "    ".join(letters)]
    for row in range(grid.rows + 1):
        lines.append(f"{row + 1} " + "-- ".join(corner_text(state, level, f"{letter}{row + 1}") for letter in letters))
        if row < grid.rows:
            cells = "    ".join(cell_text(state, level, f"{letter}{row + 1}") for letter in letters[:-1])
            lines.append(f"    {cells}")
    wide = max(width(line) for line in lines)
    size = "antennas" if level.is_roof else SIZES[level.number - 1]
    head = f"{level_name(level)} ({size})"
    return [_filled(line, wide) for line in (head, *lines)]


def _filled(line: str, wide: int) -> str:
    return line + " " * (wide - width(line))


def _beside(blocks: Sequence[Sequence[str]]) -> list[str]:
    return [_GAP.join(lines) for lines in zip(*blocks, strict=True)]
