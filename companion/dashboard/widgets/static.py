"""Text that is repainted only when it changes and is as high as its content, and clickable words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from textual import widgets
from textual.content import Content
from textual.reactive import Reactive
from textual.style import Style
from textual.visual import VisualType, visualize

from companion.dashboard.registry import first_key
from companion.dashboard.textual.private_textual import invalidate_height, never_skip, reads_markup
from companion.rules.actions import Action, KeyMap, first_named, with_keys

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.timer import Timer


class Static(widgets.Static):
    """Textual's Static, except that it is laid out again only if its size changes, and repainted
    only if its text does."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show the content, laid out again if it needs other room."""
        if self._says(content):
            return
        layout = layout and not self._fits(content)
        if layout:
            invalidate_height(self)
        # A hidden widget is laid out once it is shown.
        super().update(content, layout=layout and self.display)

    def _says(self, content: VisualType) -> bool:
        """Return whether the content is what is shown already, styles included."""
        before = self.content
        if isinstance(content, Content):
            return isinstance(before, Content) and content.is_same(before)
        return isinstance(content, str) and isinstance(before, str) and content == before

    def _fits(self, content: VisualType) -> bool:
        """Return whether the content needs exactly the present room, so that nothing around it has
        to move."""
        # As Textual itself calls a visual.
        room, rules = self.content_size, cast("RulesMap", self.styles)
        if not room.width or not room.height:
            return False
        visual = visualize(self, content, markup=reads_markup(self))
        if self.styles.is_auto_width and visual.get_optimal_width(rules, room.width) != room.width:
            return False
        return visual.get_height(rules, room.width) == room.height


class Fitted(Static):
    """Text filled in again whenever its size changes, such as by a notice that takes a row."""

    def __init__(self, fill: Callable[[], None], id: str) -> None:  # noqa: A002  textual's own word
        super().__init__(id=id)
        self._fit = fill

    def on_resize(self) -> None:
        self._fit()


GAP = "   "  # between two hints of a line
BRIEF_S = 1.0  # seconds for which a line shows what it does only briefly


class Clickable(Static):
    """Text with `clickable` words in it. They look like the rest: the keys are what people use."""

    auto_links: Reactive[bool] = Reactive(False)
    _brief: Timer | None = None
    _lasting: VisualType = ""  # the content that a brief one covers

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show the content, at once or once a brief one has gone."""
        if self._brief is not None:
            self._lasting = content
            return
        super().update(content, layout=layout)

    def show_briefly(self, content: Content) -> None:
        """Show other content in the same rows for `BRIEF_S`."""
        if self._brief is None:
            self._lasting = self.content
        else:
            self._brief.stop()
        rows = max(1, self.content_size.height)
        super().update(Content.assemble(content, "\n" * (rows - 1)))
        self._brief = never_skip(self.set_timer(BRIEF_S, self._end_brief))

    def _end_brief(self) -> None:
        self._brief = None
        self.update(self._lasting)


def clickable(action: str, words: Content) -> Content:
    """Return the words such that a click performs the registry's action with that id."""
    return words.stylize(Style.from_meta({"@click": f"app.perform({action!r})"}))


def key_hints(text: str, keys: KeyMap) -> Content:
    """Return a line of hints; a click on one that names a key (`actions.named`) does what the key
    does."""
    parts = []
    for saying in text.split(GAP):
        action, words = first_named(saying), Content(with_keys(saying, keys))
        parts.append(words if action is None else clickable(action, words))
    return Content(GAP).join(parts)


def key_line(actions: Iterable[Action]) -> Content:
    """Return the keys of these actions in a line, each with its label."""
    return Content("  ").join(keys_with_labels(actions))


def keys_with_labels(actions: Iterable[Action]) -> list[Content]:
    """Return the key of each of these actions with its label, to be clicked."""
    parts = []
    for action in actions:
        text = Content.assemble((first_key(action), "bold $primary"), f" {action.label}")
        parts.append(clickable(action.id, text))
    return parts
