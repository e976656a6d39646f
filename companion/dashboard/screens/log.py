"""The whole log, every line in full, with a cursor that chooses one."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import ClassVar

from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message

from companion.dashboard.registry import BACK, TAKE_BACK, key_of
from companion.dashboard.screens.page import MARGIN, Scroll, TextPage, keys_of
from companion.dashboard.source import Clock, Source
from companion.dashboard.widgets.clickable import sayings
from companion.dashboard.widgets.log import CURSOR, log_rows, pointed
from companion.dashboard.widgets.static import Static
from companion.session.views import TableView


class LogPage(TextPage):
    """The log from its first line to its newest; it opens at the newest.

    The cursor stays on its entry while lines come in, so that no key acts on a line that has just arrived. End, or
    going on below the newest line, takes the cursor away: then the page follows the log again.
    """

    TITLE_TEXT: ClassVar[str] = "Log"
    CLOSE = f"{key_of(BACK)} back   arrow and page keys choose a line"
    WHY = "   Enter why"
    TAKE_BACK = f"   {key_of(TAKE_BACK)} takes it back"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "first", show=False),
        Binding("end", "newest", show=False),
        Binding("enter", "why", show=False),
    ]

    class Why(Message):
        """Somebody asks why the line of entry `n` is there."""

        def __init__(self, n: int) -> None:
            super().__init__()
            self.n = n

    def __init__(self, source: Source, clock: Clock, *, looking: bool = False) -> None:
        """`looking` at a session of another companion, nothing can be taken back."""
        super().__init__(source, clock)
        self._of_a_line = self.WHY if looking else f"{self.WHY}{self.TAKE_BACK}"
        self.chosen: int | None = None
        """The entry that the cursor is on; None until somebody moves it."""
        self._numbers: list[int] = []
        self._starts: list[int] = []  # the first row of each line, then the number of rows

    def on_mount(self) -> None:
        """Stay at the newest line until somebody moves the cursor."""
        super().on_mount()
        scroll = self.query_one(Scroll)
        scroll.can_focus = False  # or a click would take the cursor's keys away
        scroll.anchor()

    def show(self, view: TableView) -> None:
        """Show a view, the cursor's line in sight."""
        super().show(view)
        said = f"{self.CLOSE}{self._of_a_line if self.chosen is not None else ''}"
        self.query_one("#close", Static).update(sayings(said, keys_of(self.app)))
        if self.chosen is not None:
            self.call_after_refresh(self._keep_in_sight)

    def text(self, view: TableView) -> Content:
        """Return every line of the view's log."""
        width = max(20, self.app.size.width - MARGIN - len(CURSOR))
        self._numbers = [line.n for line in view.log]
        if self.chosen not in self._numbers:
            self.chosen = None
        blocks = [pointed(log_rows(line, width), here=line.n == self.chosen) for line in view.log]
        self._starts = list(accumulate(map(len, blocks), initial=0))
        return Content("\n").join(row for block in blocks for row in block)

    def action_step(self, by: int) -> None:
        """Move the cursor by so many lines; the first move puts it on the newest, below which there is none."""
        if self.chosen is not None and self._place() + by >= len(self._numbers):
            self.action_newest()
        else:
            self._choose(len(self._numbers) - 1 if self.chosen is None else self._place() + by)

    def action_page(self, by: int) -> None:
        """Move the cursor by so many screens."""
        row = self._starts[self._place()] + by * self.query_one(Scroll).size.height
        self._choose(bisect_right(self._starts, max(0, row)) - 1)

    def action_first(self) -> None:
        """Move the cursor to the oldest line."""
        self._choose(0)

    def action_newest(self) -> None:
        """Follow the newest line, the cursor on none."""
        self.chosen = None
        self.query_one(Scroll).anchor()
        self.show(self._source())

    def action_why(self) -> None:
        """Open the reasons of the chosen line. Enter is the game's as long as no line is chosen, or an answer waits."""
        if self.chosen is None or "enter" in self._source().overrides:
            raise SkipAction
        self.post_message(self.Why(self.chosen))

    def _place(self) -> int:
        return len(self._numbers) - 1 if self.chosen is None else self._numbers.index(self.chosen)

    def _choose(self, place: int) -> None:
        if self._numbers:
            self.chosen = self._numbers[max(0, min(place, len(self._numbers) - 1))]
            self.query_one(Scroll).anchor(False)
            self.show(self._source())

    def _keep_in_sight(self) -> None:
        if self.chosen is None:
            return
        place = self._place()
        first, height = self._starts[place], self._starts[place + 1] - self._starts[place]
        self.query_one(Scroll).scroll_to_region(Region(0, first, 1, height), animate=False, force=True)
