"""Plain text in columns: what a terminal or a printer shows of any string, and how wide it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+")


def clean(text: str) -> str:
    """Return `text` without control codes, turns of the reading direction and lone surrogates."""
    return _CONTROLS.sub(" ", text)


def width(text: str) -> int:
    """Return how many columns `text` takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def fit(text: str, columns: int) -> str:
    """Return `text` cut or filled to `columns`; what was cut ends in `~`."""
    text = clean(text)
    if width(text) > columns:
        while width(text) > columns - 1:
            text = text[:-1]
        text += "~"
    return text + " " * (columns - width(text))


def row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return the cells in columns of these widths."""
    return " ".join(fit(cell, columns) for cell, columns in zip(cells, widths, strict=True)).rstrip()


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Return `text` in lines of at most `columns`, those after the first indented; a longer word is divided."""
    lines: list[str] = []
    line = ""
    for word in clean(text).split():
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns or not line.strip():
            line = joined
        else:
            lines.append(line)
            line = indent + word
        while width(line) > columns:
            cut = _most(line, columns)
            lines.append(line[:cut])
            line = indent + line[cut:]
    return [*lines, line]


def _most(text: str, columns: int) -> int:
    """How many characters of `text` fit into `columns`."""
    return max(count for count in range(len(text)) if width(text[:count]) <= columns)


@lru_cache(maxsize=1024)
def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
