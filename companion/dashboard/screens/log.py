"""The whole log, every line in full."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from companion.dashboard.screens.page import MARGIN, Page, Scroll
from companion.dashboard.widgets.log import all_rows
from companion.views import TableView


class LogPage(Page):
    """The log from its first line to its newest; it opens at the newest."""

    TITLE_TEXT: ClassVar[str] = "Log"

    def on_mount(self) -> None:
        """Stay at the newest line until somebody scrolls up."""
        super().on_mount()
        self.query_one(Scroll).anchor()

    def text(self, view: TableView) -> Content:
        """Return every line of the view's log."""
        return all_rows(view.log, max(20, self.app.size.width - MARGIN))
