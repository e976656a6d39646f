"""What a game brings to the page; a game that brings nothing is told by seats, scores and the log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from companion.reports.markup import Markup, element, join, paragraph, text
from companion.reports.tables import drawn
from companion.rules.game import beside_scores
from companion.rules.panels import panels_of
from companion.rules.registry import part_of
from companion.rules.tables import PanelTable, Picture, Shown
from companion.session.views import TableView


class GamePage:
    """The page of a game that brings none: what its rules say of it to the whole table. A game's own overrides what it
    can say better."""

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return what lies on the table: the tables of the game, or else how it stands in plain lines; the scores stand
        above."""
        tables = panels_of(view.setup.game).tables_or(
            view.game, lambda: beside_scores(view.summary(), view.setup, view.standings)
        )
        return map(section, tables)

    def own(self, _secrets: Any) -> Sequence[Markup]:
        """Return what only the seat of this view may see; nothing: it has no secrets now."""
        return (paragraph("This page shows what the whole table sees, and nothing else.", "soft"),)


def game_page_of(game: str) -> GamePage:
    """Return the page of the game with the id `game`."""
    game_page: GamePage = (part_of(game, "page") or GamePage)()
    return game_page


def titled(title: str, *parts: Markup) -> Markup:
    """Return parts below a title; nothing for no parts."""
    said = join(parts)
    return element("section", element("h2", text(title)), said) if said else Markup("")


def section(shown: Shown) -> Markup:
    """Return a table or picture below its title, a long table folded; nothing for one without rows."""
    title = shown.title or "How it stands"
    if not shown.long or not shown.rows or not isinstance(shown, PanelTable | Picture):
        return titled(title, drawn(shown))
    folded = re.sub(r"\W+", "-", title.casefold())
    return element("details", element("summary", text(title)), drawn(shown), id=f"table-{folded}")


def items(lines: Iterable[str]) -> Markup:
    """Return plain lines as a list."""
    said = [element("li", text(line)) for line in lines]
    return element("ul", *said, class_="lines") if said else Markup("")


def rows(cells: Iterable[Sequence[Markup]], kind: str) -> Markup:
    """Return rows of cells as a table of that class."""
    return element("table", *(element("tr", *(element("td", cell) for cell in row)) for row in cells), class_=kind)
