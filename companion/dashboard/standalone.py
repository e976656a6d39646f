"""What the apps beside the dashboard share: the themes, the filters, and an end in one sentence after a fault."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ReturnType
from textual.binding import BindingType

from companion.dashboard.filters import NoControls, OnlyAscii
from companion.dashboard.key_queue import KeyQueue
from companion.dashboard.themes import DARK, LIGHT, THEMES


class StandaloneApp(KeyQueue[ReturnType], inherit_bindings=False):
    """An app without a table: it looks as the settings say, and a fault of its own is told by who runs it."""

    BINDINGS: ClassVar[list[BindingType]] = []
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Table companion"

    def __init__(self, *, theme: str, ascii_only: bool, animation: bool) -> None:
        super().__init__()
        self.animation_level = "full" if animation else "none"
        self.begin_in(f"table-{theme}", THEMES)
        self.filter_lines(NoControls(), *([OnlyAscii()] if ascii_only else []))
        self.failure: Exception | None = None
        """What went wrong with the screens themselves; None while all is well."""

    def action_leave(self) -> None:
        self.exit(None)

    def action_change_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK

    def last_words(self, error: Exception) -> str:
        """None: who runs the app tells of it."""
        self.failure = error
        return ""
