"""The two themes, and the colors of the seats in them.

Seat colors are readable on their background (contrast 4.5 and more) and differ in lightness as well as in hue, so that
the usual kinds of color blindness keep them apart; glyph, initial and name say the same without any color.
"""

from __future__ import annotations

from textual.theme import Theme

DARK = "table-dark"
LIGHT = "table-light"

_SEATS_DARK = {
    "red": "#ff7f5c",
    "blue": "#5fb0f0",
    "green": "#1fb589",
    "yellow": "#f4e65a",
    "purple": "#d18fc6",
    "orange": "#e69f00",
}
_SEATS_LIGHT = {
    "red": "#c4160a",
    "blue": "#00559c",
    "green": "#00694e",
    "yellow": "#5f5800",
    "purple": "#8a336d",
    "orange": "#4f2b00",
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
        warning="#ffb547",
        error="#ff8a70",
        success="#4fd1a5",
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
        warning="#8b5000",
        error="#b3310c",
        success="#00694e",
        foreground="#1b1f24",
        background="#fbfaf7",
        surface="#f0eee8",
        panel="#dfe7ee",
        dark=False,
        variables=_variables(_SEATS_LIGHT, "#4f5963"),
    ),
)


def seat_style(color: str) -> str:
    """Return the style of a seat's color: the theme's own shade of a color it knows, any other color as it is."""
    name = _NAMES.get(color.casefold())
    return f"$seat-{name}" if name else color
