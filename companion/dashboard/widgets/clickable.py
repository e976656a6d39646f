"""Lines that name keys: a click on one does what the key does."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.reactive import Reactive
from textual.style import Style

from companion.dashboard.registry import first_key
from companion.dashboard.widgets.static import Static
from companion.rules.actions import Action, KeyMap, first_named, with_keys

GAP = "   "
"""Between two sayings of a line."""


class Clickable(Static):
    """Text with `clickable` words in it, which look like the others: the keys are what people go by."""

    auto_links: Reactive[bool] = Reactive(False)


def clickable(action: str, words: Content) -> Content:
    """Return the words so that a click on them does the action of the registry with that id."""
    return words.stylize(Style.from_meta({"@click": f"app.perform({action!r})"}))


def sayings(text: str, keys: KeyMap) -> Content:
    """Return a line of sayings: one that names a key by `actions.named` does on a click what the key does."""
    said = []
    for saying in text.split(GAP):
        action, words = first_named(saying), Content(with_keys(saying, keys))
        said.append(words if action is None else clickable(action, words))
    return Content(GAP).join(said)


def keys_of(actions: Iterable[Action]) -> Content:
    """Return the keys of these actions in a line, each with its label."""
    return Content("  ").join(
        clickable(action.id, Content.assemble((first_key(action), "bold $primary"), f" {action.label}"))
        for action in actions
    )
