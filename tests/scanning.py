"""A scanner for our QR codes, as a phone's camera reads them: from lines of a terminal, or an SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence

import zxingcpp

MODULE = 4
"""Pixels on a side of each module of the picture that is read."""
_LOWER, _UPPER = {"▄", "█"}, {"▀", "█"}


def scanned(light: Sequence[Sequence[bool]], *, inverted: bool = False) -> str:
    """Return the content of modules that are light or dark, also of `inverted` codes."""
    wide, high = len(light[0]) + 4, len(light) + 4
    dark = [False] * wide
    rows = [dark, dark, *([False, False, *row, False, False] for row in light), dark, dark]
    pixels = bytes(
        255 * on for row in rows for _ in range(MODULE) for on in row for _ in range(MODULE)
    )
    picture = memoryview(pixels).cast("B", (high * MODULE, wide * MODULE))
    codes = zxingcpp.read_barcodes(picture, try_invert=inverted, try_downscale=False)
    assert len(codes) == 1, f"{len(codes)} codes are read"
    return str(codes[0].text)


def of_terminal(lines: Sequence[str], *, ink_is_light: bool) -> list[list[bool]]:
    """Return the modules of lines of half blocks, whose ink is light, or dark on a light background."""
    rows = []
    for line in lines:
        signs = re.sub(r"\x1b\[[\d;]*m", "", line)
        rows += [[(sign in half) is ink_is_light for sign in signs] for half in (_UPPER, _LOWER)]
    return rows


def of_svg(svg: str) -> list[list[bool]]:
    """Return the modules of an SVG of strokes, one unit wide, on a white background."""
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    strokes = re.search(r'stroke="#000"[^>]* d="([^"]*)"', svg)
    assert size is not None
    assert strokes is not None
    rows = [[True] * int(size[1]) for _ in range(int(size[2]))]
    x = y = 0.0
    for what, numbers in re.findall(r"([Mmh])([-\d. ]+)", strokes[1]):
        by = [float(each) for each in re.findall(r"-?\.?\d[\d.]*", numbers)]
        if what == "h":
            rows[int(y)][int(x) : int(x + by[0])] = [False] * int(by[0])
            x += by[0]
        else:
            x, y = (by[0], by[1]) if what == "M" else (x + by[0], y + by[1])
    return rows
