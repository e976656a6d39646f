"""The last gate before the terminal: no text on the screen carries control codes."""

from __future__ import annotations

import re

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class NoControls(LineFilter):
    """Takes control codes out of every line, wherever its text came from; they are no cells wide, so nothing moves."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  textual's signature
        """Return the segments without control codes."""
        return [Segment(_CONTROLS.sub("", text), style, control) for text, style, control in segments]
