"""Parts of SkyFire's screen: seats and zones above, as rows or cards; more facts beside the log."""

from __future__ import annotations

from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.widgets.cards import AROUND, EDGES, LEAST_CARD, CardRow
from companion.dashboard.widgets.labels import box_rows, labelled
from companion.dashboard.widgets.page import key_for_more, keys_of
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.static import Static
from companion.games.skyfire.rules.keys import CARDS_FORM, CARDS_KEY
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.rows import (
    LEAST,
    SkyFireKeys,
    misfire_row,
    ranked,
    rows,
    rows_of_zone,
    seat_text,
    zone_rows,
)
from companion.games.skyfire.screen.words import missing_backs, target, verdict
from companion.rules.actions import Action, named, with_keys
from companion.rules.columns import plural
from companion.rules.replacing import replace
from companion.session.views import TableView

LEAST_ZONE_ROWS = 9
"""Rows of a zone's panel that show two cards or three."""
MOST_CARD_ROWS = 7
"""Rows of a seat's card, at most: its zones need the rest."""
LEAST_PANELS = 8
"""Rows that the panels below keep if there are cards that would take them."""
LABEL = 5
WIDE_LABEL = 10


class TopPart(ScreenPart):
    """Seats in order, zones with who placed what when, and what launches and a misfire score."""

    DEFAULT_CSS = """
    TopPart { padding: 0 1; }
    TopPart #sf-zones { height: 9; }
    TopPart .sf-zone { width: 1fr; height: 1fr; padding: 0 1; margin: 0 1 0 0; }
    TopPart .sf-zone { background: $surface; border-title-style: bold; }
    TopPart #sf-misfire { height: 1; padding: 0 2; text-wrap: nowrap; }
    """

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__()
        self._keys = SkyFireKeys(actions)

    def compose(self) -> ComposeResult:
        """Lay out rows and cards; one of them is shown."""
        yield Static(id="seat-rows")
        yield CardRow()
        with Horizontal(id="sf-zones"):
            for _ in range(self._keys.count("launch")):
                yield Static(classes="sf-zone")
        yield Static(id="sf-misfire")

    def on_resize(self) -> None:
        """Redraw for the new size once the cards have theirs."""
        self.call_after_refresh(self.fill)

    def draw(self, view: TableView) -> None:
        game, width = _shown(view, self.app), self.content_size.width
        seats, zones = self.query_one("#seat-rows", Static), self.query_one("#sf-zones")
        cards, below = self.query_one(CardRow), self.query_one("#sf-misfire", Static)
        seats.display = not self.roomy
        for part in (cards, zones, below):
            part.display = self.roomy
        if not self.roomy:
            seats.update(rows(game, self._keys, max(LEAST, width), self.rows_left))
            return
        if not width:  # not laid out yet
            return
        shown, more = shown_and_more(ranked(game), width // LEAST_CARD)
        texts = [seat_text(seat) for seat in shown]
        cards.show(texts, MOST_CARD_ROWS, and_more(more) if more else "")
        below.update(misfire_row(game, self._keys, min(width - 4, LEAST)))
        most = self.rows_left - cards.rows - len(("misfire",)) - LEAST_PANELS
        self._zones(game, zones, most)

    def _zones(self, game: SkyFireView, place: Widget, most: int) -> None:
        """Show the zones in at most `most` rows, but no fewer than `LEAST_ZONE_ROWS`."""
        panels = list(self.query(".sf-zone").results(Static))
        for number, panel in enumerate(panels, start=1):
            panel.display = number <= len(game.zones)
        room = self.content_size.width // max(1, len(game.zones)) - AROUND
        wanted = max((rows_of_zone(zone, room) for zone in game.zones), default=0) + EDGES
        height = max(LEAST_ZONE_ROWS, min(wanted, most))
        place.styles.height = height
        for panel, zone in zip(panels, game.zones, strict=False):
            style = "accent" if zone.asked else "quiet"
            panel.styles.border = ("round", self.app.theme_variables.get(style, style))
            panel.border_title = f"Zone {zone.number}: {plural(len(zone.cards), 'card')}"
            panel.border_subtitle = verdict(game, zone)
            panel.update(zone_rows(game, zone, self._keys, room, height - EDGES))


class SkyFireSide(ScreenPart, Static):
    """Target, stack and left-over cards on a large screen, and the box everywhere."""

    def draw(self, view: TableView) -> None:
        if width := self.content_size.width:
            key = with_keys(named(CARDS_FORM, CARDS_KEY), keys_of(self.app))
            lines = wide_rows(_shown(view, self.app), key, width) if self.roomy else []
            lines += box_rows(
                view, WIDE_LABEL if self.roomy else LABEL, width, key_for_more(self.app)
            )
            self.display = bool(lines)
            self.update(Content("\n").join(lines))


def _shown(view: TableView, app: App[Any]) -> SkyFireView:
    """Return the view with or without odds, as this person chose."""
    game: SkyFireView = view.game
    return game if getattr(app, "odds", True) else replace(game, odds=None)


def wide_rows(game: SkyFireView, key: str, width: int) -> list[Content]:
    """Return the lines of a large screen; `key` opens the form for visible cards."""
    lines = labelled("Target", [Content.assemble((target(game), "bold"))], WIDE_LABEL, width)
    if game.left_over:
        text = plural(game.left_over, "card")
        if game.left_over_backs:
            text += f", backs: {', '.join(back or '?' for back in game.left_over_backs)}"
        lines += labelled("Left over", [text], WIDE_LABEL, width)
    if missing := missing_backs(game, key):
        lines += labelled("Odds", [missing], WIDE_LABEL, width)
    if game.result:
        lines += labelled("Ended", [game.result], WIDE_LABEL, width)
    if game.phase in ("open", "question") and not game.target.finale:
        known = {card.name for card in game.deck.targets if card.symbols is not None}
        stack = ", ".join(name for name in game.target.stack if name in known)
        if stack:
            lines += labelled("Stack", [f"may hold {stack}"], WIDE_LABEL, width)
    return lines
