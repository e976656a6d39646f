"""A page of text about the whole record, which is read behind the screen."""

from __future__ import annotations

from companion.dashboard.correcting.behind import behind
from companion.dashboard.game_screen import GameScreen
from companion.dashboard.screens.page import TextPage
from companion.dashboard.source import Clock, TableLike
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
        """Show what is known, and read the record where it has grown."""
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
