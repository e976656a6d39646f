"""An address as a QR code, for a terminal and for a page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from companion.errors import CommandError

if TYPE_CHECKING:
    import segno

QUIET_ZONE = 4  # modules of white around the code (ISO/IEC 18004)
_HALVES = {(1, 1): " ", (0, 1): "▀", (1, 0): "▄", (0, 0): "█"}


def qr_lines(address: str) -> list[str]:
    """Return the code of `address` as lines of text of equal length, two rows of modules in each.

    White modules are drawn and black ones are blank, so the background has to be dark.
    """
    rows = [list(row) for row in _code(address).matrix_iter(border=QUIET_ZONE)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        lines.append("".join(_HALVES[pair] for pair in zip(upper, lower, strict=True)))
    return lines


def qr_svg(address: str) -> str:
    """Return the code of `address` as an unstyled SVG on white; raise `CommandError` if it is too
    long."""
    out = io.BytesIO()
    _code(address).save(
        out, kind="svg", border=QUIET_ZONE, xmldecl=False, light="#fff", omitsize=True, nl=False
    )
    return out.getvalue().decode()


def _code(address: str) -> segno.QRCode:
    import segno  # imported late: it takes 36 ms

    try:
        return segno.make(address, error="l", boost_error=False, micro=False)
    except segno.DataOverflowError as error:  # only a play's link is ever that long
        raise CommandError("The play is too long for a QR code: use its link instead.") from error
