"""The command palette: the registry, searched by name."""

from __future__ import annotations

from textual.command import CommandPalette
from textual.widgets import Input


class Palette(CommandPalette):
    """Textual's palette with a cursor that does not blink."""

    def on_mount(self) -> None:
        """Still the cursor."""
        self.query_one(Input).cursor_blink = False
