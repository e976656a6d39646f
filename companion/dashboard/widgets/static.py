"""Text that is painted again only when it says something else, as high as it says; and words in it to be clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from textual import widgets
from textual.content import Content
from textual.reactive import Reactive
from textual.style import Style
from textual.visual import VisualType, visualize

from companion.dashboard.registry import first_key
from companion.dashboard.textual.private_textual import invalidate_height, reads_markup
from companion.rules.actions import Action, KeyMap, first_named, with_keys

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
            invalidate_height(self)
        # what is hidden is laid out when it is shown
        super().update(content, layout=layout and self.display)

    def _says(self, content: VisualType) -> bool:
        """Whether this is what stands there already, styles included."""
        before = self.content
        if isinstance(content, Content):
            return isinstance(before, Content) and content.is_same(before)
        return isinstance(content, str) and isinstance(before, str) and content == before

    def _fits(self, content: VisualType) -> bool:
        """Whether the content takes just the room that is there: then nothing around it has to move."""
        # as Textual itself calls a visual
        room, rules = self.content_size, cast("RulesMap", self.styles)
        if not room.width or not room.height:
            return False
        visual = visualize(self, content, markup=reads_markup(self))
        if self.styles.is_auto_width and visual.get_optimal_width(rules, room.width) != room.width:
            return False
        return visual.get_height(rules, room.width) == room.height


class Fitted(Static):
    """A text that is filled anew whenever its place has another size: a notice above the keys takes a row."""

    def __init__(self, fill: Callable[[], None], id: str) -> None:  # noqa: A002  textual's own word
        super().__init__(id=id)
        self._fit = fill

    def on_resize(self) -> None:
        self._fit()


GAP = "   "  # between two sayings of a line


class Clickable(Static):
    """Text with `clickable` words in it, which look like the others: the keys are what people go by."""

    auto_links: Reactive[bool] = Reactive(False)


def clickable(action: str, words: Content) -> Content:
    """Return the words so that a click on them does the action of the registry with that id."""
    return words.stylize(Style.from_meta({"@click": f"app.perform({action!r})"}))


def key_hints(text: str, keys: KeyMap) -> Content:
    """Return a line of sayings: one that names a key by `actions.named` does on a click what the key does."""
    parts = []
    for saying in text.split(GAP):
        action, words = first_named(saying), Content(with_keys(saying, keys))
        parts.append(words if action is None else clickable(action, words))
    return Content(GAP).join(parts)


def key_line(actions: Iterable[Action]) -> Content:
    """Return the keys of these actions in a line, each with its label."""
    return Content("  ").join(
        clickable(
            action.id, Content.assemble((first_key(action), "bold $primary"), f" {action.label}")
        )
        for action in actions
    )
