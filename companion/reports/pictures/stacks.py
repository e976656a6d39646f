"""Draws stacks of face-down cards: each in its zone, the newest card on top."""

from __future__ import annotations

from collections.abc import Sequence

from companion.display.pictures import Lying, Stack, Stacks
from companion.reports.markup import Markup, element
from companion.reports.pictures.drawing import scroll_box, svg_of, with_tooltip
from companion.reports.pictures.lettering import (
    LINE,
    cut,
    in_owners_colors,
    line_of_text,
    text_width,
    wrapped,
)
from companion.reports.tones import tone

_NARROW, _WIDE = 172, 288
"""Units across: two narrow stacks fit side by side on a phone, one wide one on any."""
_EDGE = 8  # between the frame of a zone and its cards
_PAD = 14  # between the edge of a card and its text, with the stripe of its owner
_COVERED, _OPEN = 26, 34  # the visible part of a card under another one, and a whole card


def draw_stacks(stacks: Stacks) -> Markup:
    """Return each stack as a drawing of its own, all equally large."""
    wide = _width(stacks.stacks)
    heads = [_head(stack, wide) for stack in stacks.stacks]
    lines = max(map(len, heads))
    most = max((len(stack.cards) for stack in stacks.stacks), default=0)
    drawings = [
        _stack(stack, [*head, *[""] * (lines - len(head))], wide, max(1, most))
        for stack, head in zip(stacks.stacks, heads, strict=True)
    ]
    return scroll_box(stacks.title, "stacks", drawings)


def _width(stacks: Sequence[Stack]) -> float:
    needed = [_NARROW]
    for stack in stacks:
        for number, card in enumerate(stack.cards, start=1):
            words = text_width(f"{number}  {card.who}", bold=True) + text_width(f"  {card.note}")
            needed.append(round(words) + 2 * _EDGE + _PAD + 8)
    return min(_WIDE, max(needed))


def _head(stack: Stack, wide: float) -> list[str]:
    return [cut(stack.title, wide - 4, bold=True), *wrapped(stack.note, wide - 4)]


def _stack(stack: Stack, head: Sequence[str], wide: float, most: int) -> Markup:
    """Return a stack in a zone with room for the `most` cards that any zone has."""
    parts = []
    for row, line in enumerate(head):
        parts.append(line_of_text(2, 13 + LINE * row, line, "" if row else "strong"))
    top = LINE * len(head) + 6
    lowest = top + _EDGE + _COVERED * (most - 1)  # where the lowest card begins
    high = lowest + _OPEN + _EDGE - top
    parts.append(element("rect", x=1, y=top, width=wide - 2, height=high, rx=8, class_="zone"))
    if not stack.cards:
        parts.append(line_of_text(wide / 2, top + high / 2 + 5, "empty", "soft", "middle"))
    # the newest card lies on the others, so it is drawn last
    for number, card in enumerate(stack.cards, start=1):
        parts.append(_card(card, number, lowest - _COVERED * (number - 1), wide))
    return svg_of(wide, top + high + 2, stack.words, parts)


def _card(card: Lying, number: int, y: float, wide: float) -> Markup:
    """Return a card with its place in the stack, the owner with a stripe in their color, and the note."""
    left, right = _EDGE + _PAD, wide - _EDGE - 8
    base = y + _OPEN - 9  # in the part that the next card leaves free
    place = f"{number} "
    room = right - left - text_width(place, bold=True) - text_width(f"  {card.note}")
    owner = cut(card.who, room, bold=True)
    return with_tooltip(
        f"{number} {card.who} {card.note}".rstrip(),
        element("rect", x=_EDGE, y=y, width=wide - 2 * _EDGE, height=_OPEN, rx=5, class_="back"),
        element(
            "rect", x=_EDGE + 3, y=y + 3, width=5, height=_OPEN - 6, rx=2.5,
            class_=f"stripe {tone(card.ink)}",
        ),
        in_owners_colors(left, base, ((place, ""), (owner, card.ink))),
        line_of_text(right, base, card.note, "soft", "end"),
    )  # fmt: skip
