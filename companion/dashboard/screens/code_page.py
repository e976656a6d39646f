"""A page with a code to scan, which needs all rows of a small screen."""

from __future__ import annotations

from companion.dashboard.widgets.lines import NoticeLine
from companion.dashboard.widgets.page import TextPage
from companion.session.views import TableView

ALONE = "No network: only this computer can open the page. Join one, and a code appears here."


class CodePage(TextPage):
    """Shows a code, and beside it what its last key did."""

    QUESTIONS_ONLY = True

    def __init__(self) -> None:
        super().__init__()
        self._result = ""

    def show(self, view: TableView) -> None:
        """Show the page; a notice appears beside the code, since a line below it would cut the code off."""
        super().show(view)
        if not self.stands:
            return
        line = self.query_one(NoticeLine)
        if view.notice is not None and line.shows_table_notice:
            self._result = view.notice.text
            line.display = False
            self.show_body(view)
