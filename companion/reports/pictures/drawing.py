"""What every drawing has: its size, its text alternative, and an owner's sign."""

from __future__ import annotations

from collections.abc import Iterable

from companion.reports.markup import Markup, element, join, scrolled, text
from companion.reports.pictures.lettering import SMALL, line_of_text
from companion.reports.tones import tone

_UNITS_IN_EM = 16
BADGE = 7.5
"""The radius of an owner's sign."""


def svg_of(
    width: float, height: float, words: str, parts: Iterable[Markup], kind: str = ""
) -> Markup:
    """Return a drawing of that many units; `words` say to a screen reader what it shows.

    Its size is in ems, so that it is as large as the text around it.
    """
    return element(
        "svg",
        *parts,
        viewBox=f"0 0 {width:.6g} {height:.6g}",
        width=f"{width / _UNITS_IN_EM:.6g}em",
        height=f"{height / _UNITS_IN_EM:.6g}em",
        role="img",
        aria_label=words,
        class_=f"picture {kind}".rstrip(),
    )


def scroll_box(title: str, kind: str, drawings: Iterable[Markup]) -> Markup:
    """Return the drawings of a picture side by side; a reader scrolls to what a narrow page lacks room for."""
    inside = element("div", *drawings, class_="drawings")
    return scrolled(title, element("div", inside, class_=f"picture-box {kind}"))


def with_tooltip(words: str, *parts: Markup, kind: str = "") -> Markup:
    """Return the parts of one thing with a tooltip, as a group of that CSS class."""
    attributes = {"class_": kind} if kind else {}
    return element("g", element("title", text(words)), *parts, **attributes)


def badge(x: float, y: float, glyph: str, ink: str) -> Markup:
    """Return an owner's sign in their color, on the page's own ground."""
    disc = element("circle", cx=x, cy=y, r=BADGE, class_="badge")
    sign = line_of_text(x, y + 0.36 * SMALL, glyph, f"owner small {tone(ink)}", "middle")
    return join((disc, sign))
