"""The statistics of the session, in the game's own words."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from companion.dashboard.face import Face
from companion.dashboard.screens.page import Page
from companion.dashboard.source import Clock, Source
from companion.views import TableView


class StatisticsPage(Page):
    """Whatever the game counts."""

    TITLE_TEXT: ClassVar[str] = "Statistics"

    def __init__(self, source: Source, clock: Clock, face: Face) -> None:
        super().__init__(source, clock)
        self._face = face

    def text(self, view: TableView) -> Content:
        """Return the game's statistics."""
        return self._face.statistics(view)
