"""The two themes, and the colors of the seats in them.

Seat colors are readable on their background (contrast 4.5 and more) and differ in lightness as well as in hue, so that the usual
kinds of color blindness keep them apart; glyph, initial and name say the same without any color.
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
    "white": "#f4f4f4",
    "black": "#98a2ad",
    "grey": "#98a2ad",
    "pink": "#ffb9cb",
    "cyan": "#93e4f2",
    "brown": "#c39a6b",
}
_SEATS_LIGHT = {
    "red": "#b3310c",
    "blue": "#004f86",
    "green": "#00694e",
    "yellow": "#746000",
    "purple": "#8a336d",
    "orange": "#8b5000",
    "white": "#59626c",
    "black": "#16191d",
    "grey": "#59626c",
    "pink": "#a8325c",
    "cyan": "#00636f",
    "brown": "#6f4a1f",
}


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
    """Return the style of a seat's color: the theme's for a known name, a hex color as it is, else the plain text color."""
    if color.lower() in _SEATS_DARK:
        return f"$seat-{color.lower()}"
    return color if color.startswith("#") and len(color) == 7 else "$foreground"
