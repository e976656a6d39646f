"""Line filters between the screens and the terminal: no control codes, and optionally only ASCII."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_SIGNS = {
    **dict(zip("●▲■◆★✚⬟▼◗✖►§○◇", "o^#%*+@vDx>$&<", strict=True)),
    **dict(zip("♠♥♦♣♔♕♛★", "SHDCKQQ*", strict=True)),
    **dict(zip("·•…±µ×÷→←↑↓–—’‘“”°", ".*.~ux/><^v--''\"\"o", strict=True)),
    **dict.fromkeys("█▉▊▋▓▇▆▅▄▃▀", "#"),
    "▌": "-",  # the half cell at the end of a bar
    **dict.fromkeys("▐▍▎▏▕│┃╎╏┆┇┊┋", "|"),
    **dict.fromkeys("─━╌╍┄┅┈┉▔▁▂⎺⎽", "-"),
    **dict(zip("═║", '="', strict=True)),
    **dict.fromkeys("░▒", ":"),
    **dict.fromkeys("╱", "/"),
    **dict.fromkeys("╲", "\\"),
}
"""Replacements that keep the seats' glyphs distinct, and double lines distinct from single ones."""
_BOXES = range(0x2500, 0x2580)  # the box-drawing block of Unicode; its corners become +


@lru_cache(maxsize=4096)
def ascii_sign(sign: str) -> str:
    """Return an ASCII replacement for one character, equally wide; `?` if there is none."""
    if sign.isascii():
        return sign
    if sign in _SIGNS:
        plain = _SIGNS[sign]
    elif ord(sign) in _BOXES:
        plain = "+"
    else:
        # A letter without its accents.
        plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    # Not our own table of widths: Textual laid the line out by this one, perhaps of a newer Unicode.
    cells = cell_len(sign)
    return plain[:cells].ljust(cells, "?")


_CUT = re.compile("[ -~]{2}…")  # the end of a text that was cut


class OnlyAscii(LineFilter):
    """Replaces every character outside ASCII; nothing moves."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  textual's signature
        filtered = []
        for text, style, control in segments:
            plain = text
            if not text.isascii():
                plain = "".join(map(ascii_sign, _CUT.sub("...", text)))
            filtered.append(Segment(plain, style, control))
        return filtered


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # C0, DEL and C1


class NoControls(LineFilter):
    """Removes control codes from every line, wherever its text came from.

    They take no cells, so nothing moves.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  textual's signature
        if all(segment.text.isprintable() for segment in segments):  # nearly every line
            return segments
        return [
            Segment(_CONTROLS.sub("", text), style, control) for text, style, control in segments
        ]
