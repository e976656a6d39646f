"""The result of a part of the game, such as a round: a page that opens by itself over the table."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.registry import BACK, key_of
from companion.dashboard.widgets.page import MARGIN, Scroll, TextPage, keys_of
from companion.dashboard.widgets.static import Clickable, Static, key_hints
from companion.dashboard.widgets.tables import table_rows
from companion.display.panels import Outcome, panels_of
from companion.session.views import TableView

_MOVES = "arrow and page keys scroll"
TO_TABLE = f"{key_of(BACK)} to the table   {_MOVES}"


class OutcomePage(TextPage):
    """The newest outcome. Once its part has ended, closing the page clears it from the screen.

    Nothing is recorded. `title` and `none_yet` are shown before any part has ended.
    """

    LIKE_TABLE = True  # it opens by itself, and the prompt says what comes next

    def __init__(self, title: str = "Result", none_yet: str = "Nothing is over yet.") -> None:
        super().__init__()
        self.title = title
        self._none_yet = none_yet
        self._shown: Outcome | None = None

    def show_body(self, view: TableView) -> None:
        """Show the newest outcome, scrolled to its top if it changed."""
        outcomes = panels_of(view.setup.game).outcomes(view.game)
        outcome, title, close = None, self.title or "", self.CLOSE
        if outcomes:
            outcome = outcomes[-1]
            title = outcome.title
            if outcome.on_table and outcome.entry is not None:
                close = TO_TABLE
        self.query_one("#where", Static).update(title)
        self.query_one("#close", Clickable).update(key_hints(close, keys_of(self.app)))
        self.query_one("#text", Static).update(self._text(outcome))
        if outcome != self._shown:
            self._shown = outcome
            self.query_one(Scroll).scroll_home(animate=False)

    def _text(self, outcome: Outcome | None) -> Content:
        if outcome is None:
            return Content(self._none_yet)
        return Content("\n").join(
            table_rows(outcome.on_screen, max(20, self.app.size.width - MARGIN))
        )
