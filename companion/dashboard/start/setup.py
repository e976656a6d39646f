"""What to lay out on the table before the game begins, step by step."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.screens.page import MARGIN, Scroll
from companion.dashboard.start.plan import checklist_of
from companion.dashboard.start.step import StartStep
from companion.dashboard.widgets.static import Static
from companion.rules.columns import wrap
from companion.rules.registry import GAMES

BOX = "[ ] "


class SetupStep(StartStep):
    """What goes on the table?"""

    KEYS: ClassVar[str] = "up and down move the list   Esc back   Ctrl+Q leave"
    AUTO_FOCUS = "Scroll"

    def title_text(self) -> str:
        return f"{GAMES[self.start.game.game].title}: set up for {len(self.start.game.seats)}"

    def body(self) -> ComposeResult:
        with Scroll():
            yield Static(id="steps")

    def fill(self) -> None:
        """Show the steps as wide as the screen is."""
        columns = max(self.app.size.width - MARGIN, len(BOX) * 2)
        steps = (line for step in checklist_of(self.start.game) for line in wrap(BOX + step, columns, " " * len(BOX)))
        self.query_one("#steps", Static).update(Content("\n".join(steps)))
        self.query_one("#about", Static).display = False

    def on_resize(self) -> None:
        if self.is_mounted:
            self.fill()
