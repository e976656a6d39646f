"""The command palette: the registry, searched by name."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.command import CommandList
from textual.widgets import Input
from textual.worker import Worker, WorkerCancelled

from companion.dashboard.private_textual import SearchedPalette


class Palette(SearchedPalette):
    """Textual's palette with a cursor that does not blink, and one Enter for what stands first.

    Textual's own takes a first Enter only to highlight that, and an Enter typed faster than the search for nothing.
    """

    def on_mount(self) -> None:
        """Still the cursor."""
        self.query_one(Input).cursor_blink = False

    @on(Input.Submitted)
    def _take_first(self, event: Input.Submitted) -> None:
        """Select what is highlighted, else the first, once all that fits what was typed has been found."""
        event.prevent_default()
        event.stop()
        if self.search is not None:
            self.run_worker(self._select_of(self.search), group="select", exclusive=True)

    async def _select_of(self, search: Worker[Any]) -> None:
        try:
            await search.wait()
        except WorkerCancelled:  # more was typed
            return
        found = self.query_one(CommandList)
        if found.highlighted is None and found.option_count:
            found.highlighted = 0
        found.action_select()
