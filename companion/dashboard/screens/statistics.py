"""The statistics of the session, in the game's own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.content import Content

from companion.dashboard.face import Face
from companion.dashboard.screens.page import Page
from companion.views import TableView


class StatisticsPage(Page):
    """Whatever the game counts."""

    TITLE_TEXT: ClassVar[str] = "Statistics"

    def __init__(self, source: Callable[[], TableView], face: Face) -> None:
        super().__init__(source)
        self._face = face

    def text(self, view: TableView) -> Content:
        """Return the game's statistics."""
        return self._face.statistics(view)
