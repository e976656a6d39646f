"""The page with the whole tower: level by level from above, and from the side."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.widgets.page import MARGIN, Scroll, TextPage
from companion.dashboard.widgets.tables import drawn_line
from companion.display.towers import view_lines
from companion.games.sky_rise.rules.picture import tower
from companion.session.views import TableView

LEAST_COLUMNS = 30


class TowerPage(TextPage):
    """The tower, as large as the screen allows; in a small one, two levels beside each other."""

    def __init__(self) -> None:
        super().__init__()
        self.title = "The tower"

    def text(self, view: TableView) -> Content:
        """Return the picture for the room on the screen."""
        columns = max(LEAST_COLUMNS, self.app.size.width - MARGIN)
        lines = view_lines(tower(view.game), columns, self.query_one(Scroll).size.height)
        return Content("\n").join(map(drawn_line, lines))
