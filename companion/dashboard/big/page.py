"""The big page: it shows the table as the main page does, in letters that are read from two meters away."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.big.board import big_rows
from companion.dashboard.elapsed import Elapsed, Seconds
from companion.dashboard.game_screen import GameScreen
from companion.dashboard.registry import BACK, BIG, key_of
from companion.dashboard.screens.page import TextPage
from companion.dashboard.source import Clock, Source
from companion.dashboard.widgets.static import Static
from companion.rules.spans import clock_time
from companion.session.views import TableView


class BigPage(TextPage):
    """Clock, scores and whose turn it is. Every key of the game works here as on the main page."""

    CLOSE = f"{key_of(BACK)} back to the table   {key_of(BIG)} big or small"
    AUTO_FOCUS = ""

    def __init__(self, source: Source, clock: Clock, game_screen: GameScreen, elapsed: Elapsed) -> None:
        """`elapsed` is the main page's, so that both show the same time."""
        super().__init__(source, clock)
        self._game_screen = game_screen
        self._elapsed = elapsed
        self._seconds = Seconds(self, elapsed, self._tick)
        self._shown = ""

    def body(self) -> ComposeResult:
        yield Static(id="text")

    def on_mount(self) -> None:
        """Show what stands, now and once it is known how much room there is."""
        super().on_mount()
        self.call_after_refresh(lambda: self.show(self._source()))

    def show_body(self, view: TableView) -> None:
        title = "   ".join(filter(None, (self._game_screen.title(view), self._game_screen.where(view))))
        self.query_one("#where", Static).update(Content(title))
        super().show_body(view)
        self._seconds.wind()

    def text(self, view: TableView) -> Content:
        self._shown = self._words()
        columns, rows = self.query_one("#text", Static).content_size
        if not columns or not rows:
            return Content("")
        return Content("\n").join(big_rows(self._game_screen.big(view), self._shown, columns, rows)[:rows])

    def _words(self) -> str:
        seconds = self._elapsed.seconds()
        return "" if seconds is None else clock_time(seconds)

    def _tick(self) -> None:
        if self.stands and self._words() != self._shown:
            self.show_body(self._source())
