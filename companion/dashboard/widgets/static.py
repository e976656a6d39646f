"""Text on the screen that is always as high as it says."""

from __future__ import annotations

from textual import widgets
from textual.visual import VisualType


class Static(widgets.Static):
    """Textual's own, measured anew after every update.

    Textual (8.2) keeps a widget's measured box until its count of layout updates rises, and does not count an update
    while the one before it still waits to be laid out. A layout between the two leaves the height of the first on the
    screen until something else changes: resized at the wrong moment, a page lost its last lines.
    """

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show the content; unless told otherwise, with the room it takes now."""
        if layout:
            self._layout_updates += 1
        super().update(content, layout=layout)
