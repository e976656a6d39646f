"""A picture of the tower as text: its levels from the ground up, side by side where they fit; no color is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.sky_rise.rules.model import OPAQUE, SIZES, State, TowerLevel
from companion.rules.columns import width

_GAP = "   "
_EMPTY_CORNER, _EMPTY_CELL = "·", " "
_SIZE_LETTERS = {"large": "L", "medium": "M", "small": "S"}


def picture(state: State, columns: int = 80) -> tuple[str, ...]:
    """Return the tower in lines of `columns` where one level fits: the letters of the pyramids (`#` opaque) at the
    corners, the signs of the suits between them, and a line that says what they stand for."""
    blocks = [_block(state, level) for level in state.levels]
    wide = max(width(line) for block in blocks for line in block)
    abreast = max(1, (columns + len(_GAP)) // (wide + len(_GAP)))
    lines = [
        line for first in range(0, len(blocks), abreast) for line in _beside(blocks[first : first + abreast], wide)
    ]
    return (*lines, legend(state))


def legend(state: State) -> str:
    """What the letters and signs stand for: `R red ♥, Y yellow ♠, # opaque`."""
    kit = state.kit
    pairs = [f"{kit.letter(color)} {color} {kit.sign(suit)}" for suit, color in state.plan.suits]
    return f"{', '.join(pairs)}, {kit.letter(OPAQUE)} {OPAQUE}"


def level_title(level: TowerLevel) -> str:
    """`level 1 (large)`, or `roof (antennas)`."""
    return title_of(level.number)


def title_of(number: int) -> str:
    """The same for the number of a level; the roof has the number after the last one."""
    return f"level {number} ({SIZES[number - 1]})" if number <= len(SIZES) else "roof (antennas)"


def corner_text(state: State, level: TowerLevel, place: str) -> str:
    """What stands at a corner, two characters: `R `; with the size where that is not the level's: `RL`."""
    standing = [placed for placed in level.pyramids if placed.place == place]
    if not standing:
        return f"{_EMPTY_CORNER} "
    last = standing[-1]
    sized = level.is_roof or last.size != SIZES[level.number - 1]
    return state.kit.letter(last.color) + (_SIZE_LETTERS[last.size] if sized else " ")


def _cell_text(state: State, level: TowerLevel, cell: str) -> str:
    return next((state.kit.sign(card.suit) for card in level.cards if card.place == cell), _EMPTY_CELL)


def _block(state: State, level: TowerLevel) -> list[str]:
    """One level: a head, the columns' letters, then rows of corners and rows of cells in turn."""
    grid = state.plan.grid
    letters = "abcd"[: grid.columns + 1]
    lines = [level_title(level), "  " + "   ".join(letters)]
    for row in range(1, grid.rows + 2):
        lines.append(f"{row} " + "- ".join(corner_text(state, level, f"{letter}{row}") for letter in letters))
        if row <= grid.rows:
            cells = "   ".join(_cell_text(state, level, f"{letter}{row}") for letter in letters[:-1])
            lines.append(f"    {cells}")
    return lines


def _beside(blocks: Sequence[Sequence[str]], wide: int) -> Iterator[str]:
    for row in zip(*blocks, strict=True):
        yield _GAP.join(line + " " * (wide - width(line)) for line in row).rstrip()
    yield ""
