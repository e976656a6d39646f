"""The two themes, and the colors of the seats in them.

The seats' colors, and those of success, warning and error, were found by search: each is readable on its background
(contrast 4.5 and more), and all nine are apart by a difference of 20 and more (CIE 1976) for normal eyes and for those
without one kind of cone. Glyph, initial, name and sign say the same without any color.
"""

from __future__ import annotations

from textual.theme import Theme

DARK = "table-dark"
LIGHT = "table-light"

_SEATS_DARK = {
    "red": "#fb9a79",
    "blue": "#afb8fb",
    "green": "#98ffe2",
    "yellow": "#f8d711",
    "purple": "#cc4cfb",
    "orange": "#a9800f",
}
_SEATS_LIGHT = {
    "red": "#d81465",
    "blue": "#186be1",
    "green": "#085f46",
    "yellow": "#706a00",
    "purple": "#080ce0",
    "orange": "#503600",
}
_NAMES = {
    "#d55e00": "red",
    "#56b4e9": "blue",
    "#009e73": "green",
    "#f0e442": "yellow",
    "#cc79a7": "purple",
    "#e69f00": "orange",
}
"""The seats' colors (Okabe and Ito's palette) by the name of the shade that each theme has of them."""


def _variables(seats: dict[str, str], quiet: str) -> dict[str, str]:
    return {"quiet": quiet} | {f"seat-{name}": color for name, color in seats.items()}


THEMES = (
    Theme(
        name=DARK,
        primary="#7cc4ff",
        secondary="#9fb3c8",
        accent="#ffd166",
        warning="#ffffae",
        error="#f44882",
        success="#0abcac",
        foreground="#e6e9ed",
        background="#12161b",
        surface="#1a2027",
        panel="#263340",
        dark=True,
        variables=_variables(_SEATS_DARK, "#a3adb8"),
    ),
    Theme(
        name=LIGHT,
        primary="#00568f",
        secondary="#44525f",
        accent="#7a5200",
        warning="#1d1600",
        error="#90036f",
        success="#002a33",
        foreground="#1b1f24",
        background="#fbfaf7",
        surface="#f6f4ef",
        panel="#dfe7ee",
        dark=False,
        variables=_variables(_SEATS_LIGHT, "#4f5963"),
    ),
)


def seat_style(color: str) -> str:
    """Return the style of a seat's color: the theme's own shade of a color it knows, any other color as it is."""
    name = _NAMES.get(color.casefold())
    return f"$seat-{name}" if name else color


def on_ink(ink: str) -> str:
    """Return the style of letters on a ground of the color `ink`: black or white, whichever is easier to read; without
    a color, those of the screen the other way round."""
    if not ink:
        return "$background on $foreground"
    return f"{'#000000' if _luminance(ink) > 0.18 else '#ffffff'} on {ink}"


def _luminance(ink: str) -> float:
    """The relative luminance of `#rrggbb` as WCAG 2 defines it, from 0 to 1."""
    parts = [int(ink[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
