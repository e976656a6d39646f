"""The statistics of the session, in the game's own words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.content import Content

from companion.dashboard.plots.scores import score_plot
from companion.dashboard.plots.shots import shot_plot
from companion.dashboard.screens.page import MARGIN
from companion.dashboard.screens.record_page import RecordPage
from companion.dashboard.tables import table_rows
from companion.rules.clauses import without_clauses
from companion.rules.tables import Table
from companion.session.marshal_view import MarshalView
from companion.session.score_history import Course
from companion.session.views import TableView


class StatisticsPage(RecordPage):
    """Whatever the game counts."""

    TITLE_TEXT: ClassVar[str] = "Statistics"

    def text(self, view: TableView) -> Content:
        """Return the game's tables and open facts, then the plots."""
        width = max(20, self.app.size.width - MARGIN)
        facts = Table("Open facts", (), tuple((without_clauses(note),) for note in getattr(view.game, "notes", ())))
        rows = table_rows((*self._game_screen.tables(view), facts), width)
        plots = () if self._read is None else self._plots(view, width, *self._read)
        return Content("\n").join([*rows, *plots])

    def _plots(self, view: TableView, width: int, marshal: MarshalView, course: Course) -> Iterator[Content]:
        seats = view.setup.seats
        for title, rows in (
            ("Scores, ruling by ruling", score_plot(course, seats, width)),
            ("Draws and shots of the last round", shot_plot(marshal, seats, self._game_screen.counts_from, width)),
        ):
            if rows:
                yield from (Content(""), Content.assemble((title, "bold")), *rows)
