"""The seats: a card each where there is room, a row each where there is not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.static import Static
from companion.games.panic_fire.rules.view import PanicFireView, SeatView
from companion.games.panic_fire.screen.keys import seat_keys
from companion.games.panic_fire.screen.seat_text import (
    IDLE,
    LEAST_ROW,
    SeatText,
    card_rows,
    columns_for,
    heading,
    last_draw,
    row,
)
from companion.rules.actions import Action
from companion.rules.columns import width as cells_of
from companion.session.views import TableView


class SeatCard(Static):
    """One seat with everything it has, its color along the left edge."""

    def __init__(self) -> None:
        super().__init__(classes="seat-card")
        self._line: SeatText | None = None

    def show(self, line: SeatText) -> None:
        """Show the seat; the edge is quiet once it is out."""
        self._line = line
        variables = self.app.theme_variables
        style = "$quiet" if line.seat.status in IDLE else seat_style(line.seat.color)
        self.styles.border_left = ("thick", variables.get(style.removeprefix("$"), style))
        self.on_resize()

    def on_resize(self) -> None:
        """Fit the text into the card's width; a card without any is not on the screen."""
        width = self.content_size.width
        if self._line is not None and width:
            self.update(card_rows(self._line, width))


class SeatsPart(ScreenPart):
    """All seats, in their order around the table."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__(id="top")
        self._actions = actions

    def compose(self) -> ComposeResult:
        """Lay out both forms; the style sheet shows the one that fits."""
        yield Static(id="seat-rows")
        yield Horizontal(id="seat-cards")

    def draw(self, view: TableView) -> None:
        if not self.query("#seat-rows"):  # on the way out the rows go before their part
            return
        game: PanicFireView = view.game
        lines = [self._line(game, place, seat) for place, seat in enumerate(game.seats, start=1)]
        width = max(LEAST_ROW, self.size.width - 2)
        columns = columns_for(max(cells_of(seat.name) for seat in game.seats), width)
        rows = [heading(width, columns), *(row(line, width, columns) for line in lines)]
        self.query_one("#seat-rows", Static).update(Content("\n").join(rows))
        for card, line in zip_longest(self._cards(len(lines)), lines):
            card.display = line is not None
            if line is not None:
                card.show(line)

    def _cards(self, count: int) -> list[SeatCard]:
        """Return at least so many cards; somebody whose joining was undone leaves one behind."""
        cards = list(self.query(SeatCard))
        new = [SeatCard() for _ in range(count - len(cards))]
        self.query_one("#seat-cards").mount_all(new)
        return [*cards, *new]

    def _line(self, game: PanicFireView, place: int, seat: SeatView) -> SeatText:
        hits, hit_by = game.kill_matrix[place - 1], [row[place - 1] for row in game.kill_matrix]
        return SeatText(
            seat,
            last_draw(seat, game),
            seat.id == game.dealer,
            seat_keys(self._actions, place),
            victims=_counted(game, hits),
            shooters=_counted(game, hit_by),
        )


def _counted(game: PanicFireView, counts: Sequence[int]) -> str:
    """Names with how often, once left out: `Red, Blue 2`."""
    named = zip(game.seats, counts, strict=True)
    return ", ".join(f"{seat.name}{f' {count}' if count > 1 else ''}" for seat, count in named if count)
