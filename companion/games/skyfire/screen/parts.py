"""Parts of SkyFire's screen: seats and zones above, as rows or cards; more facts beside the log."""

from __future__ import annotations

from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.themes import edge, seat_style
from companion.dashboard.widgets.labels import box_rows, labelled
from companion.dashboard.widgets.page import key_for_more, keys_of
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.static import Static
from companion.games.skyfire.panels import IDLE
from companion.games.skyfire.rules.keys import CARDS_FORM, CARDS_KEY
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.rows import (
    LEAST,
    SkyFireKeys,
    misfire_row,
    ranked,
    rows,
    seat_card,
    zone_card,
)
from companion.games.skyfire.screen.words import missing_backs, target
from companion.rules.actions import Action, named, with_keys
from companion.rules.columns import plural
from companion.rules.replacing import replace
from companion.rules.seats import GLYPHS
from companion.session.views import TableView

ZONE_ROWS = (9, 14)
"""Rows of a zone's card on a tall screen, and on a very tall one."""
VERY_TALL = 46
LEAST_CARD = 18  # cells of a seat's card: a narrower one wraps what it says
LABEL = 5
WIDE_LABEL = 10


class TopPart(ScreenPart):
    """Seats in order, zones with who placed what when, and what launches and a misfire score."""

    DEFAULT_CSS = """
    TopPart #sf-misfire { height: 1; padding: 0 4; text-wrap: nowrap; }
    TopPart .cards { margin: 0 0 1 0; }
    TopPart .sf-seat { height: 4; }
    """

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__()
        self._keys = SkyFireKeys(actions)

    def compose(self) -> ComposeResult:
        """Lay out both forms; the style sheet shows the one that fits."""
        yield Static(id="seat-rows")
        with Horizontal(classes="cards"):
            for _ in GLYPHS:
                yield Static(classes="sf-seat")
        with Horizontal(classes="cards"):
            for _ in range(self._keys.count("launch")):
                yield Static(classes="sf-zone")
        yield Static(id="sf-misfire")

    def on_resize(self) -> None:
        """Redraw for the new size once the cards have theirs."""
        for card in self.query(".sf-zone").results(Static):
            card.styles.height = ZONE_ROWS[self.screen.size.height >= VERY_TALL]
        self.call_after_refresh(self.fill)

    def draw(self, view: TableView) -> None:
        game = _shown(view, self.app)
        self.query_one("#seat-rows", Static).update(
            rows(game, self._keys, max(LEAST, self.size.width - 2), self.rows_left)
        )
        below = self.query_one("#sf-misfire", Static)
        below.display = self.roomy
        below.update(misfire_row(game, self._keys, min(self.size.width - 8, LEAST)))
        self._seats(game)
        self._zones(game)

    def _seats(self, game: SkyFireView) -> None:
        cards = list(self.query(".sf-seat").results(Static))
        shown, more = shown_and_more(ranked(game), min(len(cards), self.size.width // LEAST_CARD))
        for place, card in enumerate(cards):
            card.display = place < len(shown) + bool(more)
        if more:
            cards[len(shown)].update(Content.assemble((and_more(more), "$quiet")))
        for card, seat in zip(cards, shown, strict=False):
            edge(card, "$quiet" if seat.status in IDLE else seat_style(seat.color))
            if width := card.content_size.width:
                card.update(seat_card(seat, width))

    def _zones(self, game: SkyFireView) -> None:
        zones = list(self.query(".sf-zone").results(Static))
        for number, card in enumerate(zones, start=1):
            card.display = number <= len(game.zones)
        for card, zone in zip(zones, game.zones, strict=False):
            edge(card, "$accent" if zone.asked else "$panel")
            width, height = card.content_size
            if width:
                card.update(zone_card(game, zone, self._keys, width, height))


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
