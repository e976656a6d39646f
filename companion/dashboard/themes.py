"""The two themes, and the colors of the seats in them.

The seats' colors and those of success, warning and error were found by search: each is legible on
its background (contrast at least 4.5), and all nine differ by at least 20 (CIE 1976) for normal
eyes and for those without one kind of cone. Glyph, initial, name and sign say the same without any
color.
"""

from __future__ import annotations

from textual.theme import Theme
from textual.widget import Widget

DARK = "table-dark"
LIGHT = "table-light"

# Name, color (Okabe and Ito's palette), and the color's shade in the dark and in the light theme.
_SEATS = (
    ("red", "#d55e00", "#fb9a79", "#d81465"),
    ("blue", "#56b4e9", "#afb8fb", "#186be1"),
    ("green", "#009e73", "#98ffe2", "#085f46"),
    ("yellow", "#f0e442", "#f8d711", "#706a00"),
    ("purple", "#cc79a7", "#cc4cfb", "#080ce0"),
    ("orange", "#e69f00", "#a9800f", "#503600"),
)
_NAMES = {color: name for name, color, _, _ in _SEATS}
GRAY = "#808080"
"""The color of a player whose pieces are black. On a screen gray says that somebody is out, so text is used instead."""


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
        variables={"quiet": "#a3adb8"} | {f"seat-{name}": shade for name, _, shade, _ in _SEATS},
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
        variables={"quiet": "#4f5963"} | {f"seat-{name}": shade for name, _, _, shade in _SEATS},
    ),
)


def seat_style(color: str) -> str:
    """Return the style of a seat's color: the theme's shade of a known color, that of text for gray, any other
    color unchanged."""
    if color == GRAY:
        return "$foreground"
    name = _NAMES.get(color.casefold())
    return f"$seat-{name}" if name else color


def edge(card: Widget, style: str) -> None:
    """Color the left edge of a card with a style."""
    card.styles.border_left = (
        "thick",
        card.app.theme_variables.get(style.removeprefix("$"), style),
    )


def on_ink(ink: str) -> str:
    """Return the style of letters on the color `ink`: black or white, whichever is more legible.

    Without a color, the screen's own colors are swapped.
    """
    if not ink:
        return "$background on $foreground"
    # At this luminance black and white have the same contrast (WCAG 2).
    letters = "#000000" if _luminance(ink) > 0.18 else "#ffffff"
    return f"{letters} on {ink}"


def _luminance(ink: str) -> float:
    """Return the relative luminance of `#rrggbb` as WCAG 2 defines it, from 0 to 1."""
    luminance = 0.0
    for place, weight in ((1, 0.2126), (3, 0.7152), (5, 0.0722)):
        part = int(ink[place : place + 2], 16) / 255
        linear = part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        luminance += weight * linear
    return luminance
