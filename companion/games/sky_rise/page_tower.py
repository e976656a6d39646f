"""The tower of Sky Rise as an inline drawing: levels lifted apart, the highest on top. A pyramid is told by its letter,
a card by the sign of its suit; nothing by color alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.sky_rise.rules.view import CellView, ColorView, LevelView, PieceView
from companion.reports.markup import Markup, element, text

_WIDTH = 400  # user units; a phone shows them nearly one to one
_LEFT, _TOP = 76.0, 40.0
_ACROSS, _BACK, _SLANT = 70.0, 30.0, 22.0  # a card: its width, its depth on paper, how far a row is shifted
_LIFT = 50.0  # from one level to the next, for the pyramids between
_HEIGHTS = {"large": 36.0, "medium": 30.0, "small": 24.0}
_LETTERS = "abcd"


def legend(colors: Sequence[ColorView]) -> str:
    """Return what the letters and signs stand for."""
    return ", ".join(f"{color.letter} {color.name} {color.sign}" for color in colors) + ", # opaque"


def tower(levels: Sequence[LevelView]) -> Markup:
    """Return the tower as SVG; its title says the same in words."""
    deep = max(int(corner.place[1]) for corner in levels[0].corners) - 1
    step = _BACK * deep + _LIFT
    drawn = [part for place, level in enumerate(reversed(levels)) for part in _level(level, _TOP + step * place, deep)]
    said = _in_words(levels)
    height = _TOP + step * len(levels)
    return element(
        "svg",
        element("title", text(said)),
        *drawn,
        viewBox=f"0 0 {_WIDTH} {height:g}",
        role="img",
        aria_label=said,
        class_="tower",
    )


def _in_words(levels: Sequence[LevelView]) -> str:
    told = []
    for level in levels:
        pieces = ", ".join(f"{piece.place} {piece.color}" for corner in level.corners for piece in corner.pieces)
        cards = ", ".join(f"{cell.place} {cell.suit}" for cell in level.cells if cell.suit)
        told.append(f"{level.name}: {cards or 'no cards'}; {pieces or 'no pyramids'}")
    return f"The tower from the ground up. {'. '.join(told)}."


def _level(level: LevelView, top: float, deep: int) -> Iterator[Markup]:
    """A level: its cards row by row from behind, its pyramids in the same order, its name on the left."""
    name, _, rest = level.name.partition(" (")
    yield _words(4, top + 12, name, "start")
    if rest:
        yield _words(4, top + 28, f"({rest}", "start")
    for cell in level.cells:
        yield _card(cell, top, deep)
    for corner in level.corners:
        for high, piece in enumerate(corner.pieces):
            yield _pyramid(piece, top - 14 * high, deep)


def _place(place: str, top: float, deep: int) -> tuple[float, float]:
    """Where a corner lies on paper; rows go from behind to the front."""
    x, y = _LETTERS.index(place[0]), int(place[1]) - 1
    return _LEFT + _ACROSS * x + _SLANT * (deep - y), top + _BACK * y


def _card(cell: CellView, top: float, deep: int) -> Markup:
    letter, number = cell.place[0], int(cell.place[1])
    right = _LETTERS[_LETTERS.index(letter) + 1]
    around = (cell.place, f"{right}{number}", f"{right}{number + 1}", f"{letter}{number + 1}")
    corners = [_place(corner, top, deep) for corner in around]
    outline = element("polygon", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in corners), class_="cell")
    if cell.suit is None:
        return outline
    x, y = (sum(values) / 4 for values in zip(*corners, strict=True))
    return element("g", outline, _words(x, y + 5, cell.sign))


def _pyramid(piece: PieceView, top: float, deep: int) -> Markup:
    x, y = _place(piece.place, top, deep)
    high = _HEIGHTS.get(piece.size, 30.0)
    half = high * 0.42
    outline = element(
        "polygon",
        points=f"{x - half:.4g},{y + 5:.4g} {x:.4g},{y + 5 - high:.4g} {x + half:.4g},{y + 5:.4g}",
        fill=piece.ink,
        class_="piece",
    )
    letter = element("text", text(piece.letter), x=x, y=y + 2, text_anchor="middle", class_="letter")
    return element("g", outline, letter)


def _words(x: float, y: float, words: str, anchor: str = "middle") -> Markup:
    return element("text", text(words), x=x, y=y, text_anchor=anchor)
