"""A page as a few blocks of markup; a block is sent again only when it changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from companion.display.panels import NO_NOTES, Panels, SeatLine, open_facts, panels_of
from companion.display.tables import PanelTable, Shown
from companion.reports.markup import Markup, cells, element, join, paragraph, text
from companion.reports.tables import UNTITLED, shown_html
from companion.reports.tones import seat_mark, tone
from companion.rules.actions import without_keys
from companion.rules.columns import unit_for
from companion.rules.facts import Seat
from companion.rules.game import beside_scores
from companion.session.views import LogLine, TableView
from companion.web.rules_pages import line_link
from companion.web.tabs import TITLE, tab_title

Blocks = dict[str, Markup]
"""Maps the id of a part of the page to its content."""

ORDER = ("state", "turn", "own", "note", "seats", "game", "log")
"""Ids of all parts, from top to bottom."""
UNDER_WAY = "The game is under way: watch the table."
LINES = 25
"""Newest lines of the log: about two screens of a phone."""


def table_blocks(
    view: TableView, title: str, lines: Sequence[LogLine], *, closed: bool, odds: bool = True
) -> Blocks:
    """Return the blocks that everybody may see; `closed`: the session has ended. The block `game` has the `odds`, then
    the game's tables, or without any, its view in plain lines; scores are in `seats`."""
    panels = panels_of(view.setup.game)
    where = panels.stands(view.game, abandoned=view.abandoned)
    tables = panels.tables_or(
        view.game, lambda: beside_scores(view.summary(), view.setup, view.standings)
    )
    outcome = panels.on_table(view.game)
    news = () if outcome is None else outcome.on_screen
    races = panels.races(view.game)
    # what ended just now comes first, and then how far everybody is
    shown_tables = [*news, *races, *(shown for shown in tables if shown not in news)]
    shown_tables.append(open_facts(view.game))
    if odds:
        shown_tables = [*panels.odds(view.game), *shown_tables]
    # a table that the screen shows as news stays unfolded
    sections = []
    for shown in shown_tables:
        table = shown.without_card_columns() if isinstance(shown, PanelTable) else shown
        sections.append(_section(table, folds=shown not in news))
    return {
        TITLE: tab_title(title, where),
        "state": _state(view, title, where, closed=closed),
        "seats": _seats(panels.unit, view.players),
        "game": join(sections),
        "log": _log(lines),
    }


def own_block(panels: Panels, seat: Seat, secrets: Any) -> Blocks:
    """Return the block that `seat` alone may see; `secrets` is the game's view for it."""
    heading = element("h2", text("For "), seat_mark(seat), text(f" {seat.name} alone"))
    own = panels.own(secrets, seat.id)
    if own:
        return {"own": join((heading, *map(_section, own)))}
    nothing = f"{NO_NOTES} Everything below is what the whole table sees."
    if own is None:
        nothing = "This page shows what the whole table sees, and nothing else."
    return {"own": join((heading, paragraph(nothing, "soft")))}


def _section(shown: Shown, *, folds: bool = True) -> Markup:
    """Return a table or picture below its title, folded if it `folds` and is long; empty if it has no rows."""
    title, content = shown.title or UNTITLED, shown_html(shown)
    if not content:
        return content
    if not folds or not shown.long or not isinstance(shown, PanelTable):
        return element("section", element("h2", text(title)), content)
    anchor = re.sub(r"\W+", "-", title.casefold())
    return element("details", element("summary", text(title)), content, id=f"table-{anchor}")


def _state(view: TableView, title: str, where: str, *, closed: bool) -> Markup:
    parts = [element("h1", text(title)), paragraph(where, "soft")]
    if view.paused and not view.ended:
        parts.append(paragraph("PAUSED: the clock is stopped, and nobody can play.", "alarm"))
    if view.testing and not closed:
        parts.append(paragraph(view.testing, "alarm"))
    if closed:
        parts.append(paragraph("The session has ended.", "alarm"))
    headline = without_keys(view.awaiting)
    if view.ending is not None and view.question is None:
        headline = view.ending.headline
    parts.append(element("p", text(headline or UNDER_WAY), class_="awaiting", role="status"))
    if view.ending is not None and view.ending.decided:
        parts.append(paragraph(view.ending.decided))
    if not view.saved.ok:
        parts.append(
            paragraph(f"The record cannot be read just now: {view.saved.problem}", "alarm")
        )
    elif not closed:
        parts.append(paragraph("Live", "soft"))
    return join(parts)


def _seats(unit: str, lines: Sequence[SeatLine]) -> Markup:
    cards = []
    for line in lines:
        score = element("span", text(line.score), class_="score")
        of = element("span", text(unit_for(line.score, unit)), class_="soft")
        head = element(
            "p", seat_mark(line), text(" "), element("b", text(line.name)), class_="name"
        )
        words = [line.note.upper(), *line.words]
        if line.turn:
            words.insert(0, "ON TURN")
        kind = f"seat {tone(line.color)}"
        if line.idle:
            kind += " idle"
        body = paragraph(", ".join(word for word in words if word), "words")
        cards.append(element("li", head, element("p", score, text(" "), of), body, class_=kind))
    return element("ul", *cards, class_="seats")


def _log(lines: Sequence[LogLine]) -> Markup:
    rows = []
    for line in reversed(lines[-LINES:]):
        mark = element("abbr", text(line.kind.mark), title=line.kind.means)
        sentence = element("span", text(line.text), class_=line.kind.value)
        linked = line_link(line.number, sentence)
        rows.append(cells((mark, element("time", text(line.time)), linked)))
    return join(
        (
            element("h2", text("What happened, the newest first")),
            element("table", *rows, class_="log"),
        )
    )
