"""Pages of text about the whole record, which is read behind the screen; the statistics of the session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.content import Content

from companion.dashboard.game_screen import GameScreen
from companion.dashboard.plots import score_plot, shot_plot
from companion.dashboard.screens.page import MARGIN, TextPage, behind
from companion.dashboard.source import Clock, TableLike
from companion.dashboard.tables import table_rows
from companion.rules.clauses import without_clauses
from companion.rules.tables import Table
from companion.session.marshal_view import MarshalView
from companion.session.score_history import Course
from companion.session.views import TableView

Read = tuple[MarshalView, Course]


class RecordPage(TextPage):
    """Shows what is known at once, and reads the record anew where it has grown; nobody waits for that."""

    def __init__(self, table: TableLike, clock: Clock, game_screen: GameScreen) -> None:
        super().__init__(table.view, clock)
        self._inspection = table.inspection
        self._game_screen = game_screen
        self._read: Read | None = None
        self._shown: object = None
        self._reading = False

    def show_body(self, view: TableView) -> None:
        super().show_body(view)
        if not self._reading and self._shown != view.log:
            self._shown, self._reading = view.log, True
            behind(self, lambda: (self._inspection.marshal(), self._inspection.course()), self._take, self._rested)

    def _take(self, read: Read) -> None:
        self._read = read
        self._rested()

    def _rested(self) -> None:
        self._reading = False
        if self.is_mounted:
            self.show(self._source())


class StatisticsPage(RecordPage):
    """Whatever the game counts."""

    TITLE_TEXT: ClassVar[str] = "Statistics"

    def text(self, view: TableView) -> Content:
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
