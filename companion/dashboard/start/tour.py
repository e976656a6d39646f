"""The tour on the dashboard: six steps, each asks for one action and shows its result."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from textual.content import Content
from textual.screen import Screen

from companion.dashboard import registry as own
from companion.dashboard.app import Dashboard
from companion.dashboard.screens.correcting.page import MarshalPage
from companion.dashboard.source import TableLike
from companion.dashboard.widgets.static import Static
from companion.session.views import TableView

LOOK_S = 0.1  # seconds between checks whether a step is done
# The id of an action in braces; its key takes the place, that of the palette if it has none.
_ACTION = re.compile(r"{([a-z0-9._-]+)}")


@dataclass(frozen=True, slots=True)
class TourStep:
    """A step: the request, with actions' keys in braces, when it is done, and the result."""

    asks: str
    done: Callable[[TableView, Screen[Any]], bool]
    result: Callable[[TableView], str]


IN_ANY_GAME = (
    TourStep(
        "Was that wrong? {table.undo} undoes the last thing, named above the keys.",
        lambda view, _: view.redo is not None,
        lambda view: f"Undone. Redo would restore: {view.redo}.",
    ),
    TourStep(
        "One more: {dashboard.marshal} opens Fix mistakes, for anything older.",
        lambda _, screen: isinstance(screen, MarshalPage),
        lambda _: "Left: board reports. Right: rulings. The game continues meanwhile.",
    ),
)
END = "that was it. {dashboard.back} goes back, {dashboard.help} lists all keys, {dashboard.quit} quits."


class TourPanel(Static):
    """The tour's text, above whatever page is open."""

    DEFAULT_CSS = """
    TourPanel { height: auto; padding: 0 1; background: $surface; color: $foreground; }
    """


class TourDashboard(Dashboard):
    """The dashboard with the tour above it: the `steps` of its game, then those of any game.

    Its table has an action `tour.button` that holds a button of the board.
    """

    CSS_PATH = "../dashboard.tcss"

    def __init__(self, table: TableLike, steps: Sequence[TourStep], **look: Any) -> None:
        super().__init__(table, **look)
        self.steps = (*steps, *IN_ANY_GAME)
        self.step = 0  # the number of completed steps
        self._message = "Welcome. Six steps, two minutes, on a simulated board. Nothing is kept."

    def on_mount(self) -> None:
        self.set_interval(LOOK_S, self._look)

    def _look(self) -> None:
        """Advance once a step is done, and show the panel on the open page."""
        view = self.at_table.table.view()
        if self.step < len(self.steps) and self.steps[self.step].done(view, self.screen):
            self._message = self.steps[self.step].result(view)
            self.step += 1
        panels = self.screen.query(TourPanel)
        if panels:
            panels.first().update(self._words())
        elif self.screen.is_mounted and self.screen.children:
            self.screen.mount(TourPanel(self._words()), before=0)

    def _words(self) -> Content:
        keys = {action.id: own.first_key(action) or "^p" for action in self.actions}
        if self.step == len(self.steps):
            head, asks = "Tour, done", END
        else:
            head = f"Tour, step {self.step + 1} of {len(self.steps)}"
            asks = self.steps[self.step].asks
        asks = _ACTION.sub(lambda match: keys[match[1]], asks)
        if self.step == 0 and self.at_table.table.view().link.state != "live":
            asks = "One moment: the virtual board is starting."
        prompt = Content.assemble((f"{head}: ", "bold $accent"), (asks, "bold"))
        return Content("\n").join([Content.assemble((self._message, "$success")), prompt])
