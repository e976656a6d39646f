"""A color of the pyramids in a line of text."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.themes import on_ink
from companion.games.sky_rise.rules.model import OPAQUE


def chip(letter: str, color: str, ink: str) -> Content:
    """Return a pyramid as its letter on its ink."""
    return Content.assemble((f" {letter} ", f"bold {on_ink('' if color == OPAQUE else ink)}"))
