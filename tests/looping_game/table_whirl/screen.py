"""The part of the dashboard that Whirl has of its own."""

from __future__ import annotations

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.widgets.static import Static
from companion.session.views import TableView

from .loops import whirl


class Top(ScreenPart, Static):
    """How often the top was turned."""

    def draw(self, view: TableView) -> None:
        whirl("draw", view.game["turns"])
        self.update(f"turned {view.game['turns']} times")


class Screen(GameScreen):
    """The default screen, but for one part."""

    def side(self) -> ScreenPart:
        return Top()


SCREEN = Screen
