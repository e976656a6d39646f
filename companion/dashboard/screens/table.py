"""The main page: everything the table looks at while it plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from companion.dashboard.game_screen import LEAVING, MANY_ROWS, ScreenPart
from companion.dashboard.screens.log import RunningLog
from companion.dashboard.widgets.elapsed import Elapsed
from companion.dashboard.widgets.lesson import LessonLines
from companion.dashboard.widgets.lines import (
    Alarms,
    Awaiting,
    FooterLine,
    HeaderLine,
    NoticeLine,
    UndoLine,
)
from companion.dashboard.widgets.page import OverTable
from companion.dashboard.widgets.static import Static
from companion.display.panels import panels_of
from companion.rules.actions import Action
from companion.session.views import TableView

if TYPE_CHECKING:
    from companion.dashboard.table_app import AtTableLike

COLUMNS, ROWS = 80, 24  # the smallest terminal that has room for a game
_NO_COLUMNS, _TINY_ROWS = 40, 7  # below these only the most important lines remain
# Minimum rows of the log and the part beside it, however many seats there are.
LEAST_LOG = 4


class TableScreen(OverTable, inherit_bindings=False):
    """Header, seats, prompt, game part, log, answer to the last key, undo, keys."""

    AUTO_FOCUS = ""

    def __init__(self, at: AtTableLike) -> None:
        super().__init__()
        self.set_class(at.game_screen.dense, "-dense")
        self.elapsed = Elapsed(at.clock)  # the clock of the header
        self.top_rows = MANY_ROWS
        """Rows for the part above the log, see `ScreenPart.rows_left`."""

    def compose(self) -> ComposeResult:
        own = self.at.game_screen
        yield HeaderLine(self.elapsed)
        yield Static(id="room")
        yield Alarms(id="alarms")
        yield own.top(self.at.actions).placed("top")
        yield LessonLines()
        yield Awaiting(id="awaiting")
        with Container(id="below", classes="-stacked" if own.stacked else "") as below:
            side, aside = own.side().placed("side"), own.aside()
            side.border_title = own.side_title
            yield side
            if aside is not None:
                below.add_class("-with-aside")
                beside_log = aside.placed("aside")
                beside_log.border_title = own.aside_title
                yield beside_log
            yield RunningLog(own.steps, own.counts_from, own.alike)
        yield NoticeLine(self.at.clock)
        yield UndoLine(self.at.actions)
        yield FooterLine(self._footer(), own.works, own.spare_in_footer)

    def on_resize(self, event: events.Resize) -> None:
        """Ask for a larger window if it is too small; the prompt is the last thing to go."""
        columns, rows = event.size
        small = columns < COLUMNS or rows < ROWS
        self.set_class(rows < ROWS or columns < _NO_COLUMNS, "-cramped")
        self.set_class(rows < _TINY_ROWS, "-tiny")
        room = self.query_one("#room", Static)
        room.display = small
        self.call_after_refresh(self._fill)
        self.call_after_refresh(self._leave_room)
        room.update(
            f"Please make this window larger: {COLUMNS} x {ROWS} at least, it is {columns} x {rows}."
        )

    def _leave_room(self) -> None:
        """Limit the part above the log so that prompt and keys stay on the screen."""
        if not self.is_current or self.has_class("-cramped"):
            return
        tops, belows, lasts = self.query("#top"), self.query("#below"), self.query(FooterLine)
        if not (tops and belows and lasts):  # being replaced, or closing
            return
        top, below, last = tops.first(), belows.first(), lasts.first()
        bottom = last.region.bottom + last.styles.margin.bottom
        room = self.size.height - (bottom - top.region.height - below.region.height)
        top.styles.max_height = max(1, room)
        rows = max(1, room - self._least_log())
        if rows != self.top_rows:
            self.top_rows = rows
            self._fill()

    def _least_log(self) -> int:
        # a lesson and the seats are read now, what happened before is not
        return LEAST_LOG if self.now().lesson is None else 1

    def _fill(self) -> None:
        """Fit the parts once their room is known."""
        for part in self.query(ScreenPart):
            part.fill()

    def on_mount(self) -> None:
        self.show(self.now())

    def perform(self, action_id: str) -> None:
        """Pass a game's action to the part that it belongs to."""
        for part in self.query(ScreenPart):
            part.perform(action_id)

    async def take_actions(self) -> None:
        """Update the keys after people joined or left."""
        self.query_one(FooterLine).actions = self._footer()
        top = self.query_one("#top")
        top.add_class(LEAVING)
        await top.remove()
        await self.mount(self.at.game_screen.top(self.at.actions).placed("top"), before="#lesson")
        self.show(self.now())

    def _footer(self) -> tuple[Action, ...]:
        return tuple(
            action for action in self.at.actions if not self.at.game_screen.shows_key(action)
        )

    def show(self, view: TableView) -> None:
        game, own = view.game, self.at.game_screen
        clock = None if view.ended else panels_of(view.setup.game).clock(game)
        started, pauses = clock or (None, ())
        self.elapsed.watch(started, own.latest(game), pauses, paused=view.paused)
        self.query_one(HeaderLine).show(view, own.title(view), own.where(view), own.since)
        for part in self.query(ScreenPart):
            part.show(view)
        self.query_one(Alarms).show(view)
        self.show_awaiting(view)
        self.query_one(RunningLog).show(view)
        self.query_one(NoticeLine).show(view)
        self.query_one(UndoLine).show(view)
        self.query_one(FooterLine).show(view)
        self.call_after_refresh(self._leave_room)
