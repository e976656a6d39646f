"""Parts of SkyFire's screen: seats and zones above, as rows or cards; more facts beside the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from companion.dashboard.game_screen import MANY_ROWS, ScreenPart
from companion.dashboard.widgets.cards import AROUND, EDGES, LEAST_CARD, CardRow
from companion.dashboard.widgets.labels import box_rows, labelled
from companion.dashboard.widgets.page import key_for_more
from companion.dashboard.widgets.rounds import round_rows
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.static import Static
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.rows import (
    LEAST,
    SkyFireKeys,
    misfire_row,
    ranked,
    rows,
    rows_of_zone,
    seat_text,
    shares_rows,
    target_row,
    zone_rows,
)
from companion.games.skyfire.screen.words import verdict
from companion.rules.actions import Action
from companion.rules.columns import plural
from companion.rules.replacing import replace
from companion.session.views import TableView

LEAST_ZONE_ROWS = 7
"""Rows of a zone's panel that name the owners of five cards or six."""
MOST_CARD_ROWS = 7
"""Rows of a seat's card, at most: its zones need the rest."""
LEAST_PANELS = 9
"""Rows that the panels below keep if there are cards that would take them."""
LEAST_ROUNDS = 4
"""Rows of the rounds with one of them."""
WIDEST = 120
"""Cells of the widest row: its ends are read together."""
LABEL = 5
WIDE_LABEL = 10


class TopPart(ScreenPart):
    """Seats in order, zones with who placed what when, and what launches and a misfire score."""

    DEFAULT_CSS = """
    TopPart { padding: 0 1; }
    TopPart #sf-zones { height: 9; }
    TopPart .sf-zone { width: 1fr; height: 1fr; padding: 0 1; margin: 0 1 0 0; }
    TopPart .sf-zone { background: $surface; border-title-style: bold; }
    TopPart #sf-target { height: 1; padding: 0 2; text-wrap: nowrap; }
    TopPart #sf-misfire { height: 1; padding: 0 2; text-wrap: nowrap; }
    """

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__()
        self._own = actions

    def compose(self) -> ComposeResult:
        """Lay out rows and cards; one of them is shown."""
        yield Static(id="seat-rows")
        yield CardRow()
        yield Static(id="sf-target")
        with Horizontal(id="sf-zones"):
            for _ in range(SkyFireKeys(self._own).count("launch")):
                yield Static(classes="sf-zone")
        yield Static(id="sf-misfire")

    def on_resize(self) -> None:
        """Redraw for the new size once the cards have theirs."""
        self.call_after_refresh(self.fill)

    def draw(self, view: TableView) -> None:
        game, width = _shown(view, self.app), self.content_size.width
        seats, zones = self.query_one("#seat-rows", Static), self.query_one("#sf-zones")
        cards, below = self.query_one(CardRow), self.query_one("#sf-misfire", Static)
        above = self.query_one("#sf-target", Static)
        keys = SkyFireKeys(action for action in self._own if self.works(action))
        seats.display = not self.roomy
        for part in (cards, above, zones, below):
            part.display = self.roomy
        if not self.roomy:
            seats.update(rows(game, keys, max(LEAST, width), self.rows_left))
            return
        if not width:  # not laid out yet
            return
        shown, more = shown_and_more(ranked(game), width // LEAST_CARD)
        texts = [seat_text(seat) for seat in shown]
        cards.show(texts, MOST_CARD_ROWS, and_more(more) if more else "")
        above.update(target_row(game, keys, min(width - 4, WIDEST)))
        below.update(misfire_row(game, keys, min(width - 4, WIDEST)))
        most = self.rows_left - cards.rows - len(("target", "misfire")) - LEAST_PANELS
        self._zones(game, keys, zones, most)

    def _zones(self, game: SkyFireView, keys: SkyFireKeys, place: Widget, most: int) -> None:
        """Show the zones in at most `most` rows, but no fewer than `LEAST_ZONE_ROWS`."""
        panels = list(self.query(".sf-zone").results(Static))
        for number, panel in enumerate(panels, start=1):
            panel.display = number <= len(game.zones)
        room = self.content_size.width // max(1, len(game.zones)) - AROUND
        wanted = max((rows_of_zone(zone, room) for zone in game.zones), default=0) + EDGES
        height = max(LEAST_ZONE_ROWS, min(wanted, most))
        place.styles.height = height
        # all in one layout, so that equal facts look alike
        packed = any(shares_rows(zone, room, height - EDGES) for zone in game.zones)
        for panel, zone in zip(panels, game.zones, strict=False):
            style = "accent" if zone.asked else "quiet"
            panel.styles.border = ("round", self.app.theme_variables.get(style, style))
            panel.border_title = f"Zone {zone.number}: {plural(len(zone.cards), 'card')}"
            panel.border_subtitle = verdict(game, zone)
            drawn = zone_rows(game, zone, keys, room, height - EDGES, all_packed=packed)
            panel.update(drawn)


class SkyFireSide(ScreenPart, Static):
    """The rounds, left-over cards and the stack on a large screen, and the box everywhere; absent if there is nothing
    to say."""

    def draw(self, view: TableView) -> None:
        # a part that is absent has no width: it gets one as soon as it has something to say
        width = self.content_size.width or self.screen.size.width // 3
        label = WIDE_LABEL if self.roomy else LABEL
        box = box_rows(view, label, width, key_for_more(self.app))
        lines = self._wide_rows(view, box, width) if self.roomy else box
        self.display = bool(lines)
        self.update(Content("\n").join(lines))

    def _wide_rows(self, view: TableView, box: Sequence[Content], width: int) -> Sequence[Content]:
        """Return those texts that fit, the most important first."""
        game, room = _shown(view, self.app), self.content_size.height or MANY_ROWS
        lines: list[Content] = []
        for block in (box, ended(game, width), left_over(game, width)):
            if len(lines) + len(block) <= room:
                lines += block
        targets = possible_targets(game, width)
        word, rounds = view.rounds()
        left = room - len(lines) - len(targets) - 1
        added = round_rows(rounds, word, view.players, width, max(LEAST_ROUNDS, left))
        if added and len(lines) + 1 + len(added) <= room:
            lines += [Content(""), *added] if lines else added
        if len(lines) + len(targets) <= room:
            lines[:0] = targets
        return lines


def _shown(view: TableView, app: App[Any]) -> SkyFireView:
    """Return the view with or without odds, as this person chose."""
    game: SkyFireView = view.game
    return game if getattr(app, "odds", True) else replace(game, odds=None)


def ended(game: SkyFireView, width: int) -> list[Content]:
    """Return how the last round ended."""
    return labelled("Ended", [game.result], WIDE_LABEL, width) if game.result else []


def left_over(game: SkyFireView, width: int) -> list[Content]:
    """Return how many cards were left over by the deal, and what their backs show (SF-7)."""
    if not game.left_over:
        return []
    text = f"{plural(game.left_over, 'card')} of the deal, backs up"
    if game.left_over_backs:
        shown = (back or "one not entered" for back in game.left_over_backs)
        text = f"{plural(game.left_over, 'card')} of the deal, their backs show: {', '.join(shown)}"
    return labelled("Left over", [text], WIDE_LABEL, width)


def possible_targets(game: SkyFireView, width: int) -> list[Content]:
    """Return the targets that the stack may still hold."""
    if game.phase not in ("open", "question") or game.target.finale:
        return []
    known = {card.name for card in game.deck.targets if card.symbols is not None}
    stack = ", ".join(name for name in game.target.stack if name in known)
    if not stack:
        return []
    return labelled("Stack", [f"{stack} are still possible"], WIDE_LABEL, width)
