"""The page with the whole tower: level by level from above, and from the side."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.widgets.page import MARGIN, TextPage
from companion.dashboard.widgets.tables import drawn_line
from companion.display.towers import view_lines
from companion.games.sky_rise.rules.picture import tower
from companion.session.views import TableView

LEAST_COLUMNS = 30


class TowerPage(TextPage):
    """The tower as it stands, as large as two levels beside each other allow."""

    def __init__(self) -> None:
        super().__init__()
        self.title = "The tower"

    def text(self, view: TableView) -> Content:
        """Return the picture for the width of the screen."""
        columns = max(LEAST_COLUMNS, self.app.size.width - MARGIN)
        return Content("\n").join(map(drawn_line, view_lines(tower(view.game), columns)))
