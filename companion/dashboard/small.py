"""What the apps beside the dashboard share: the themes, the filters, and an end in one sentence after a fault."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ReturnType
from textual.binding import BindingType

from companion.dashboard.ascii import OnlyAscii
from companion.dashboard.clean import NoControls
from companion.dashboard.in_turn import InTurn
from companion.dashboard.themes import DARK, LIGHT, THEMES
from companion.exits import Exit


class SmallApp(InTurn[ReturnType], inherit_bindings=False):
    """An app without a table: it looks as the settings say, and a fault of its own is told by who runs it."""

    BINDINGS: ClassVar[list[BindingType]] = []
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Table companion"

    def __init__(self, *, theme: str, ascii_only: bool, animation: bool) -> None:
        super().__init__()
        self.animation_level = "full" if animation else "none"
        for each in THEMES:
            self.register_theme(each)
        self.theme = f"table-{theme}"
        self._filters += [NoControls(), OnlyAscii()] if ascii_only else [NoControls()]
        self.failure: Exception | None = None
        """What went wrong with the screens themselves; None while all is well."""

    def action_leave(self) -> None:
        """End without an answer."""
        self.exit(None)

    def action_change_theme(self) -> None:
        """Change between dark and light."""
        self.theme = LIGHT if self.theme == DARK else DARK

    def _handle_exception(self, error: Exception) -> None:
        """End; who runs the app tells of it."""
        self.failure = self.failure or error
        self._return_code = Exit.SOFTWARE
        self._exception_event.set()
        self.panic("")
