"""The help page: every action with its keys, made from the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.content import Content

from companion.dashboard.registry import grouped, key_names
from companion.dashboard.screens.page import MARGIN, TextPage
from companion.dashboard.source import Clock, Source
from companion.dashboard.widgets.labels import labelled
from companion.rules.actions import Action
from companion.session.plain import MARKS, MEANINGS
from companion.session.views import TableView


class HelpPage(TextPage):
    """Every key and what it does, by group, and what the signs of the log mean."""

    TITLE_TEXT: ClassVar[str] = "Keys"

    def __init__(self, source: Source, clock: Clock, actions: Callable[[], tuple[Action, ...]]) -> None:
        super().__init__(source, clock)
        self._actions = actions

    def text(self, _view: TableView) -> Content:
        """Return the help; it changes only with the people at the table."""
        return help_text(self._actions(), max(20, self.app.size.width - MARGIN))


def help_text(actions: tuple[Action, ...], width: int) -> Content:
    """Return what each key does, in groups, then the signs of the log, in lines of `width` cells."""
    blocks = [
        (group[:1].upper() + group[1:], [(key_names(action), action.help) for action in members if action.keys])
        for group, members in grouped(actions).items()
    ]
    blocks += [("Signs of the log", [(MARKS[kind], MEANINGS[kind]) for kind in MARKS])]
    cells = max(len(key_names(action)) for action in actions) + 4
    lines: list[Content] = []
    for title, rows in blocks:
        lines += [Content.assemble((title, "bold"))]
        lines += [
            line for key, text in rows for line in labelled(f"  {key}", [text], cells, width, style="bold $primary")
        ]
        lines += [Content("")]
    return Content("\n").join(lines[:-1])
