"""Text on the screen that is always as high as it says, and is painted again only when it says something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import widgets
from textual.content import Content
from textual.visual import VisualType, visualize

from companion.dashboard.private_textual import measure_anew, reads_markup

if TYPE_CHECKING:
    from textual.css.styles import RulesMap


class Static(widgets.Static):
    """Textual's own: measured anew after every update that needs other room, left alone by one that says the same."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show the content; unless told otherwise, with the room it takes now."""
        if self._says(content):
            return
        layout = layout and not self._fits(content)
        if layout:
            measure_anew(self)
        super().update(content, layout=layout and self.display)  # what is hidden is laid out when it is shown

    def _says(self, content: VisualType) -> bool:
        """Whether this is what stands there already, styles included."""
        before = self.content
        if isinstance(content, Content):
            return isinstance(before, Content) and content.is_same(before)
        return isinstance(content, str) and isinstance(before, str) and content == before

    def _fits(self, content: VisualType) -> bool:
        """Whether the content takes just the room that is there: then nothing around it has to move."""
        room, rules = self.content_size, cast("RulesMap", self.styles)  # as Textual itself calls a visual
        if not room.width or not room.height:
            return False
        visual = visualize(self, content, markup=reads_markup(self))
        if self.styles.is_auto_width and visual.get_optimal_width(rules, room.width) != room.width:
            return False
        return visual.get_height(rules, room.width) == room.height
