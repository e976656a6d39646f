"""A code to scan, with words beside it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from textual.content import Content

GAP = "   "
LEAST_BESIDE = 20
"""Cells that words beside a code have at least."""


def fits(code: Sequence[str], columns: int, rows: int) -> bool:
    """Return whether there is room for a code and words beside it."""
    return bool(code) and len(code) <= rows and len(code[0]) + len(GAP) + LEAST_BESIDE <= columns


def beside_code(code: Sequence[str], words: Sequence[str], columns: int) -> list[Content]:
    """Return the code, white on black as it is scanned, and the words beside it."""
    room = columns - len(code[0]) - len(GAP)
    beside = [line for each in words for line in Content(each).wrap(room)]
    return [
        Content.assemble((row or " " * len(code[0]), "#ffffff on #000000" if row else ""), GAP, more or "")
        for row, more in zip_longest(code, beside, fillvalue=None)
    ]
