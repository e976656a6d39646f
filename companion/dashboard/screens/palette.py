"""The command palette: the registry, searched by name."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.command import CommandList, CommandPalette
from textual.widgets import Input
from textual.worker import Worker, WorkerCancelled


class Palette(CommandPalette):
    """Textual's palette with a cursor that does not blink, and one Enter for what stands first.

    Textual's own takes a first Enter only to highlight that, and an Enter typed faster than the search for nothing.
    """

    _search: Worker[Any] | None = None

    def on_mount(self) -> None:
        """Still the cursor."""
        self.query_one(Input).cursor_blink = False

    def _gather_commands(self, search_value: str) -> Worker[Any]:
        self._search = super()._gather_commands(search_value)
        return self._search

    @on(Input.Submitted)
    def _take_first(self, event: Input.Submitted) -> None:
        """Select what is highlighted, else the first, once all that fits what was typed has been found."""
        event.prevent_default()
        event.stop()
        if self._search is not None:
            self.run_worker(self._select_of(self._search), group="select", exclusive=True)

    async def _select_of(self, search: Worker[Any]) -> None:
        try:
            await search.wait()
        except WorkerCancelled:  # more was typed
            return
        found = self.query_one(CommandList)
        if found.highlighted is None and found.option_count:
            found.highlighted = 0
        found.action_select()
