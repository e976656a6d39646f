"""The part of the dashboard that Whirl has of its own."""

from __future__ import annotations

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.widgets.static import Static
from companion.session.views import TableView
from table_whirl.loops import whirl


class Top(ScreenPart, Static):
    def draw(self, view: TableView) -> None:
        whirl("draw", view.game["turns"])
        self.update(f"turned {view.game['turns']} times")


class Screen(GameScreen):
    def side(self) -> ScreenPart:
        return Top()


SCREEN = Screen()
