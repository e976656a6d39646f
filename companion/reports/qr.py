"""An address as a QR code, for a terminal and for a page."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from companion.exits import CommandError

if TYPE_CHECKING:
    import segno

QUIET_ZONE = 4  # modules of white around the code (ISO/IEC 18004)
_BLACK_ON_WHITE, _PLAIN = "\x1b[30;107m", "\x1b[0m"  # SGR codes (ECMA-48): whatever the terminal's own colors are
_SGR = re.compile(r"\x1b\[[\d;]*m")
_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def qr_lines(address: str, *, color: bool) -> list[str]:
    """Return the code of `address` in lines of text, two rows of it in each.

    Without `color` the white is drawn and the black left out, which reads on a dark terminal.
    """
    rows = [list(row) for row in _code(address).matrix_iter(border=QUIET_ZONE)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        pairs = zip(upper, lower, strict=True)
        if color:
            lines.append(_BLACK_ON_WHITE + "".join(_HALVES[a, b] for a, b in pairs) + _PLAIN)
        else:
            lines.append("".join(_HALVES[1 - a, 1 - b] for a, b in pairs))
    return lines


def qr_size(lines: list[str]) -> tuple[int, int]:
    """Return how many columns and rows of a terminal the lines of a code take."""
    return len(_SGR.sub("", lines[0])), len(lines)


def qr_svg(address: str) -> str:
    """Return the code of `address` as an SVG on white ground, without a style of its own; raise `CommandError` when it
    is too long for one."""
    out = io.BytesIO()
    _code(address).save(out, kind="svg", border=QUIET_ZONE, xmldecl=False, light="#fff", omitsize=True, nl=False)
    return out.getvalue().decode()


def _code(address: str) -> segno.QRCode:
    import segno  # 36 ms that only a code needs

    try:
        return segno.make(address, error="l", boost_error=False, micro=False)
    except segno.DataOverflowError as error:  # only a play's link is ever that long
        raise CommandError("The play is too long for a QR code: use its link instead.") from error
