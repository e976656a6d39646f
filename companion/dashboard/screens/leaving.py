"""The question before leaving the table while entries are not on the disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from companion.dashboard.registry import BACK, key_of
from companion.dashboard.widgets.page import TextPage
from companion.dashboard.widgets.static import Static
from companion.rules.columns import plural
from companion.session.views import TableView, Unsaved, not_saved_lines

WAIT_S = 1.0
"""Seconds that a slow disk gets before anybody is asked."""
YES = "y"


class LeavePage(TextPage):
    """What is not saved and why, and that leaving loses it. Once all is saved, it calls `leave` by
    itself."""

    QUESTIONS_ONLY = True
    CLOSE = f"{key_of(BACK)} stay   {YES} quit without them"
    BINDINGS: ClassVar[list[BindingType]] = [(YES, "leave")]

    def __init__(self, leave: Callable[[], object]) -> None:
        super().__init__()
        self._leave = leave

    def action_leave(self) -> None:
        self._leave()

    def show_body(self, view: TableView) -> None:
        """Show what is not saved now."""
        unsaved = self.at.table.unsaved()
        if not unsaved.count:
            self._leave()
            return
        self.query_one("#where", Static).update(Content(_asks(unsaved)))
        self.query_one("#text", Static).update(
            Content("\n").join(map(Content, _lines(view, unsaved)))
        )


def _asks(unsaved: Unsaved) -> str:
    return f"Quit and lose {plural(unsaved.count, 'entry', 'entries')}?"


def _lines(view: TableView, unsaved: Unsaved) -> list[str]:
    again = "Wait here: once everything is saved, the companion quits by itself."
    lines = [unsaved.why, "", again]
    lost = not_saved_lines(view, unsaved)
    if lost:
        lines += ["", "Not saved:", *lost]
    return lines
