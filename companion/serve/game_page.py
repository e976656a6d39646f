"""What a game brings to the page; a game that brings nothing is told by seats, scores and the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from companion.reports.markup import Markup, element, join, text
from companion.rules.actions import with_keys
from companion.rules.registry import part_of
from companion.rules.seats import PALETTE
from companion.session.views import TableView

_TONES = {color.casefold(): name for name, color in PALETTE.items()}


class Marked(Protocol):
    """Somebody who is told by a color, a glyph and an initial: a seat, or a game's view of one."""

    @property
    def color(self) -> str:
        """The color, `#rrggbb`."""

    @property
    def glyph(self) -> str:
        """The sign that stands for the color."""

    @property
    def initial(self) -> str:
        """The letter that stands for the name."""


class GamePage:
    """The page of a game that brings none: what its rules say of it to the whole table. A game's own overrides what it
    can say better."""

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return what lies on the table."""
        return (titled("How it stands", items(map(with_keys, view.summary()))),)

    def own(self, _secrets: Any) -> Sequence[Markup]:
        """Return what only the seat of this view may see; nothing: it has no secrets now."""
        return (paragraph("This page shows what the whole table sees, and nothing else.", "soft"),)


def game_page_of(game: str) -> GamePage:
    """Return the page of the game with the id `game`."""
    game_page: GamePage = (part_of(game, "page") or GamePage)()
    return game_page


def tone(color: str) -> str:
    """Return the class of a seat's color, of which the page has a shade for a dark and one for a light ground."""
    name = _TONES.get(color.casefold())
    return f"tone-{name}" if name else "tone"


def seat_mark(seat: Marked) -> Markup:
    """Return glyph and initial in the seat's color."""
    return element("span", text(f"{seat.glyph}{seat.initial}"), class_=f"mark {tone(seat.color)}")


def paragraph(words: str, kind: str = "") -> Markup:
    """Return plain words as a paragraph of that class; nothing for no words."""
    return element("p", text(words), class_=kind) if words else Markup("")


def titled(title: str, *parts: Markup) -> Markup:
    """Return parts below a title; nothing for no parts."""
    said = join(parts)
    return element("section", element("h2", text(title)), said) if said else Markup("")


def items(lines: Iterable[str]) -> Markup:
    """Return plain lines as a list."""
    said = [element("li", text(line)) for line in lines]
    return element("ul", *said, class_="lines") if said else Markup("")


def rows(cells: Iterable[Sequence[Markup]], kind: str, head: Sequence[str] = ()) -> Markup:
    """Return rows of cells as a table of that class."""
    body = [element("tr", *(element("td", cell) for cell in row)) for row in cells]
    top = element("tr", *(element("th", text(word), scope="col") for word in head)) if head else Markup("")
    return element("table", top, *body, class_=kind)
