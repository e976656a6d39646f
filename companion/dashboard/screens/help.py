"""The help page: every action with its keys, made from the registry."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from companion.actions import Action
from companion.dashboard.registry import grouped, key_names
from companion.dashboard.screens.page import Page
from companion.dashboard.source import Clock, Source
from companion.plain import MARKS, MEANINGS
from companion.views import TableView


class HelpPage(Page):
    """Every key and what it does, by group, and what the signs of the log mean."""

    TITLE_TEXT: ClassVar[str] = "Keys"

    def __init__(self, source: Source, clock: Clock, actions: tuple[Action, ...]) -> None:
        super().__init__(source, clock)
        self._actions = actions

    def text(self, _view: TableView) -> Content:
        """Return the help; it is the same for every view."""
        return help_text(self._actions)


def help_text(actions: tuple[Action, ...]) -> Content:
    """Return one line per action, in groups, then the signs of the log."""
    width = max(len(key_names(action)) for action in actions)
    lines: list[Content] = []
    for group, members in grouped(actions).items():
        lines += [Content.assemble((group[:1].upper() + group[1:], "bold"))]
        lines += [
            Content.assemble("  ", (f"{key_names(action):<{width}}", "bold $primary"), f"  {action.help}")
            for action in members
        ]
        lines += [Content("")]
    lines += [Content.assemble(("Signs of the log", "bold"))]
    lines += [
        Content.assemble("  ", (f"{MARKS[kind]:<{width}}", "bold $primary"), f"  {MEANINGS[kind]}") for kind in MARKS
    ]
    return Content("\n").join(lines)
