"""Beside the log: before the first deal, what the companion does not know; where there is room, the round."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.screens.page import key_for_more
from companion.dashboard.widgets.labels import box_rows, labelled
from companion.dashboard.widgets.static import Static
from companion.games.skyfire.rules.text import cards
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.words import target
from companion.session.views import TableView

LABEL = 5
WIDE_LABEL = 10


class SkyFireSide(ScreenPart, Static):
    """What is known beyond seats and zones."""

    def __init__(self) -> None:
        super().__init__(id="side")

    def draw(self, view: TableView) -> None:
        game: SkyFireView = view.game
        width = self.content_size.width
        if not width:
            return
        rows = wide_rows(game, width) if self.roomy else []
        rows += box_rows(view, WIDE_LABEL if self.roomy else LABEL, width, key_for_more(self.app))
        self.display = bool(rows)
        self.update(Content("\n").join(rows))


def wide_rows(game: SkyFireView, width: int) -> list[Content]:
    """Return the lines of a screen with room."""
    known = {card.name for card in game.deck.targets if card.symbols is not None}
    stack = ", ".join(name for name in game.target.stack if name in known)
    rows = labelled("Target", [Content.assemble((target(game), "bold"))], WIDE_LABEL, width)
    if game.left_over:
        backs = ", ".join(back or "?" for back in game.left_over_backs)
        said = f"{cards(game.left_over)}{f', backs: {backs}' if backs else ''}"
        rows += labelled("Left over", [said], WIDE_LABEL, width)
    rows += labelled("Ended", [game.result], WIDE_LABEL, width) if game.result else []
    if stack and game.phase in ("open", "question") and not game.target.finale:
        rows += labelled("Stack", [f"may hold {stack}"], WIDE_LABEL, width)
    return rows
