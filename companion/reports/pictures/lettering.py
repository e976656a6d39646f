"""Text in drawings: how wide it is, where it is cut, and how it becomes markup.

A server knows no fonts, so widths are estimates for DejaVu Sans, the widest usual font of pages; a
test compares them with what a browser draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from companion.reports.markup import Markup, element, text
from companion.reports.tones import tone
from companion.rules.columns import clean, width

SIZE = 13
"""Height of text in units of a drawing; a unit is a pixel at least."""
SMALL = 12
"""The smallest text of a drawing."""
LINE = 16
"""From one line of text to the next."""
_BOLD = 1.14
_BY_CHARACTER = (
    ("iljI.,:;'|!", 0.34),
    (" ftr()[]/\\-", 0.42),
    ("wM+=<>~^#&", 0.86),
    ("mW@%…", 1.0),
)
_UPPER, _OTHER, _SYMBOL, _WIDE = 0.74, 0.64, 0.9, 1.1


def text_width(words: str, size: float = SIZE, *, bold: bool = False) -> float:
    """Return how wide a line of text is at most, in units of the drawing."""
    em = sum(map(_em, clean(words)))
    return em * size * (_BOLD if bold else 1)


@cache
def _em(char: str) -> float:
    for characters, wide in _BY_CHARACTER:
        if char in characters:
            return wide
    if width(char) != 1:
        return _WIDE * width(char) / 2
    if char.isalpha() or char.isdigit():
        return _UPPER if char.isupper() else _OTHER
    return _OTHER if char.isascii() else _SYMBOL


def cut(words: str, most: float, size: float = SIZE, *, bold: bool = False) -> str:
    """Return a line of text that is at most so wide, with an ellipsis if it was cut."""
    words = clean(words)
    if text_width(words, size, bold=bold) <= most:
        return words
    while words and text_width(f"{words}…", size, bold=bold) > most:
        words = words[:-1]
    return f"{words.rstrip()}…"


def wrapped(words: str, most: float, size: float = SIZE, *, bold: bool = False) -> list[str]:
    """Return text in lines that are at most so wide; a longer word is cut."""
    lines: list[str] = []
    for word in clean(words).split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, size, bold=bold) <= most:
            lines[-1] = joined
        else:
            lines.append(cut(word, most, size, bold=bold))
    return lines


def line_of_text(
    x: float, y: float, words: str, kind: str = "", anchor: str = "start", **attributes: float
) -> Markup:
    """Return a line of text at a place of the drawing, of a CSS class."""
    return element("text", text(words), x=x, y=y, **_looks(kind, anchor), **attributes)


def in_owners_colors(
    x: float, y: float, parts: Iterable[tuple[str, str]], kind: str = ""
) -> Markup:
    """Return a line of text from parts, each with the color of its owner, or "" for nobody's."""
    spans = []
    for part, ink in parts:
        shown = text(part)
        spans.append(element("tspan", shown, class_=f"owner {tone(ink)}") if ink else shown)
    return element("text", *spans, x=x, y=y, **_looks(kind, "start"))


def _looks(kind: str, anchor: str) -> dict[str, str]:
    looks = {}
    if kind:
        looks["class_"] = kind
    if anchor != "start":
        looks["text_anchor"] = anchor
    return looks
