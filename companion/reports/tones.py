"""The colors of seats on pages, always beside a glyph: color alone means nothing."""

from __future__ import annotations

from companion.reports.markup import Markup, element, text
from companion.rules.facts import Seat
from companion.rules.seats import PALETTE

_TONES = {color.casefold(): name for name, color in PALETTE.items()}


def tone(color: str) -> str:
    """Return the CSS class of a seat's color, which has a shade for dark and one for light pages."""
    name = _TONES.get(color.casefold())
    return f"tone-{name}" if name else "tone"


def seat_mark(seat: Seat) -> Markup:
    """Return glyph and initial in the seat's color."""
    return element("span", text(f"{seat.glyph}{seat.initial}"), class_=f"mark {tone(seat.color)}")
