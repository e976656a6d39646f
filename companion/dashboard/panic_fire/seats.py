"""The seats: a card each where there is room, a row each where there is not."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.css.query import NoMatches
from textual.widgets import Static

from companion.actions import Action
from companion.dashboard.face import Part
from companion.dashboard.panic_fire.keys import seat_keys
from companion.dashboard.panic_fire.seat_text import CARD_LINES, SeatLine, card, heading, row
from companion.dashboard.themes import seat_style
from companion.games.panic_fire.view import PanicFireView, SeatView
from companion.views import TableView


class SeatCard(Static):
    """One seat with everything it has, its color along the left edge."""

    def __init__(self, number: int) -> None:
        super().__init__(id=f"seat-{number}", classes="seat-card")

    def show(self, line: SeatLine) -> None:
        """Show the seat; the edge is quiet once it is out."""
        variables = self.app.theme_variables
        style = "$quiet" if line.seat.status == "out" else seat_style(line.seat.color)
        self.styles.border_left = ("thick", variables.get(style.removeprefix("$"), style))
        self.styles.height = CARD_LINES
        self.update(card(line, self.content_size.width or 20))


class SeatsPart(Part):
    """All seats, in their order around the table."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__(id="top")
        self._actions = actions
        self._game: PanicFireView | None = None

    def compose(self) -> ComposeResult:
        """Lay out both forms; the style sheet shows the one that fits."""
        yield Static(id="seat-rows")
        yield Horizontal(id="seat-cards")

    def on_mount(self) -> None:
        """Follow a change of the theme: the cards' edges are set in its colors."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self._fill())

    def on_resize(self) -> None:
        """Fit the texts into the new width, once the cards have theirs."""
        self.call_after_refresh(self._fill)

    def show(self, view: TableView) -> None:
        """Show the seats of a view."""
        new = self._game is None
        self._game = view.game
        if new:
            self.query_one("#seat-cards").mount(*(SeatCard(place + 1) for place in range(len(view.game.seats))))
            self.call_after_refresh(self._fill)
        else:
            self._fill()

    def _fill(self) -> None:
        if self._game is None:
            return
        lines = [self._line(self._game, place, seat) for place, seat in enumerate(self._game.seats, start=1)]
        width = max(20, self.size.width - 2)
        rows = [heading(width), *(row(line, width) for line in lines)]
        self.query_one("#seat-rows", Static).update(Content("\n").join(rows))
        for place, line in enumerate(lines, start=1):
            self._card(place, line)

    def _card(self, place: int, line: SeatLine) -> None:
        try:
            self.query_one(f"#seat-{place}", SeatCard).show(line)
        except NoMatches:  # not mounted yet: `show` comes back after the refresh
            return

    def _line(self, game: PanicFireView, place: int, seat: SeatView) -> SeatLine:
        return SeatLine(seat, game.fire, game.phase == "ready", seat.id == game.dealer, seat_keys(self._actions, place))
