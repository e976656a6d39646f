"""Draws stacks of cards in cells, each from above with the newest card on top.

┌────────────────────────┐
│ 3 ■ C Cleo     +42.052 │
├────────────────────────┤
│ 2 ● A Ada      +31.859 │
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.cells import QUIET, STRONG, Line, Pen, Run, beside
from companion.display.pictures import Stack, Stacks
from companion.rules.columns import fit, width

_LEAST_COLUMNS, _LEAST_ROWS = 10, 4
"""The smallest stack: its edges, one card, and the line that counts those below it."""
_LEAST = 22
"""Minimum width of a stack side by side with others, in cells."""
_MOST = 40
"""Maximum width of a stack, in cells."""


def stack_lines(stack: Stack, columns: int, rows: int) -> list[Line]:
    """Return the cards of a stack in `columns` by at most `rows` cells.

    Cards are separated by edges if that fits. If not all cards fit, the last line counts the rest.
    """
    count = len(stack.cards)
    if not count or rows < _LEAST_ROWS or columns < _LEAST_COLUMNS:
        return []
    edged = 2 * count + 1 <= rows
    shown = count if count + 2 <= rows else rows - 3  # two edges and the line that counts the rest
    lines: list[Line] = [_edge("┌", "┐", columns)]
    for place in range(count, count - shown, -1):
        if edged and place < count:
            lines.append(_edge("├", "┤", columns))
        lines.append(_card(stack, place, columns))
    if shown < count:
        lines.append(_between((Run(fit(f"{count - shown} more below", columns - 4), QUIET),)))
    return [*lines, _edge("└", "┘", columns)]


def _card(stack: Stack, place: int, columns: int) -> Line:
    card, room = stack.cards[place - 1], columns - 4
    note = f" {card.note}" if card.note else ""
    owner = fit(card.who, max(1, room - 3 - width(note)))
    return _between((Run(f"{place:>2} ", Pen()), Run(owner, Pen(ink=card.ink)), Run(note, QUIET)))


def _between(line: Line) -> Line:
    return (Run("│ ", QUIET), *line, Run(" │", QUIET))


def _edge(left: str, right: str, columns: int) -> Line:
    return (Run(f"{left}{'─' * (columns - 2)}{right}", QUIET),)


def stacks_lines(stacks: Stacks, columns: int) -> Iterator[Line]:
    """Yield all stacks in full, side by side where they fit in `columns`."""
    abreast = max(1, min(len(stacks.stacks), (columns + 2) // (_LEAST + 2)))
    wide = min(_MOST, (columns + 2) // abreast - 2)
    for first in range(0, len(stacks.stacks), abreast):
        blocks: list[list[Line]] = []
        for stack in stacks.stacks[first : first + abreast]:
            head = [(Run(fit(stack.title, wide), STRONG),), (Run(fit(stack.note, wide), QUIET),)]
            blocks.append([*head, *stack_lines(stack, wide, 2 * len(stack.cards) + 1)])
        yield from beside(blocks, wide)
        yield ()
