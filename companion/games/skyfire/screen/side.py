"""Beside the log: what is open about the box; where there is room, the target and the round too."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.widgets.labels import labelled
from companion.dashboard.widgets.static import Static
from companion.games.skyfire.rules.text import cards
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.words import box, target
from companion.session.views import TableView

LABEL = 5
WIDE_LABEL = 10


class SkyFireSide(ScreenPart, Static):
    """What is known beyond seats and zones."""

    def __init__(self) -> None:
        super().__init__(id="side")

    def draw(self, view: TableView) -> None:
        """Put what is said of it."""
        game: SkyFireView = view.game
        width = self.content_size.width
        if not width:
            return
        said = box(game, view.setup)
        small = labelled("Box", [said], LABEL, width) if said else []
        rows = wide_rows(game, width) if self.roomy else small
        self.display = bool(rows)
        self.update(Content("\n").join(rows))


def wide_rows(game: SkyFireView, width: int) -> list[Content]:
    """Return the lines of a screen with room."""
    known = {card.name for card in game.deck.targets if card.symbols is not None}
    stack = ", ".join(name for name in game.target.stack if name in known)
    rows = labelled("Target", [Content.assemble((target(game), "bold"))], WIDE_LABEL, width)
    if game.left_over:
        backs = ", ".join(back or "?" for back in game.left_over_backs)
        rows += labelled(
            "Left over", [f"{cards(game.left_over)}{f', backs: {backs}' if backs else ''} (SF-7)"], WIDE_LABEL, width
        )
    rows += labelled("Ended", [game.result], WIDE_LABEL, width) if game.result else []
    rows += labelled("Box", game.notes, WIDE_LABEL, width) if game.notes else []
    if stack and game.phase in ("open", "question") and not game.target.finale:
        rows += labelled("Stack", [f"may hold {stack}"], WIDE_LABEL, width)
    return rows
