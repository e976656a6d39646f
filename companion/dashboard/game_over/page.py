"""The page that opens by itself when a game is over; every key of the table still works, undo among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap
from textual.content import Content

from companion.dashboard.correcting.behind import behind
from companion.dashboard.game_over.layout import GameOver, game_over_rows
from companion.dashboard.game_screen import GameScreen
from companion.dashboard.private_textual import bind_screen
from companion.dashboard.registry import AT_THE_END, BACK, BG_STATS, QUIT, REMATCH
from companion.dashboard.screens.page import MARGIN, TextPage, keys_of
from companion.dashboard.source import Clock, TableLike
from companion.dashboard.widgets import clickable
from companion.dashboard.widgets.lines import UNDO, Awaiting, NoticeLine
from companion.dashboard.widgets.static import Static
from companion.rules.actions import Action, remapped
from companion.rules.registry import GAMES
from companion.session.score_history import Course
from companion.session.views import TableView

AROUND = 4
"""Rows of the page above and below its text."""
HELD_S = 1.0
"""Seconds for which the page's own keys do nothing: who pressed one then meant it for the game."""
JUST_OVER = "The game is only just over, so that key did nothing. Press it again."
BUSY = "The key before is still being answered. Press it again."

Offers = Mapping[str, Callable[[], str]]
"""What can be done about a game that is over, by the ids of `registry.AT_THE_END`: each is done behind the screen and
returns what to show of it, a code to scan in lines of blocks. A rematch is noted, and then the dashboard ends."""


class GameOverPage(TextPage):
    """Who won and why, the final table, the chart, and what can be done now."""

    CLOSE = ""

    def __init__(self, table: TableLike, clock: Clock, game_screen: GameScreen, offers: Offers) -> None:
        super().__init__(table.view, clock)
        self._table = table
        self._game_screen = game_screen
        self._offers = offers
        self._opened_s = clock()
        self._answer = ""
        self._asked = False
        self._course: Course | None = None

    def compose(self) -> ComposeResult:
        """Lay out the page; its own keys go before those of the app."""
        own = remapped(AT_THE_END, keys_of(self.app))
        keys = (Binding(key, f"app.perform({each.id!r})", each.label, show=False) for each in own for key in each.keys)
        bind_screen(self, BindingsMap(keys))
        yield from super().compose()

    def on_mount(self) -> None:
        """Show what stands, and how the scores came about once that is read, for a game that does not say it."""
        super().on_mount()
        ending = self._source().ending
        if ending is not None and len(ending.after) < 2:
            behind(self, self._table.inspection.course, self._take_course, lambda: None)

    def _take_course(self, course: Course) -> None:
        self._course = course
        if self.stands:
            self.show(self._source())

    def show(self, view: TableView) -> None:
        """Show the end; what is awaited stands here only where it is a question."""
        if view.ending is None:
            return
        super().show(view)
        where = "ended early" if view.ending.abandoned else "the game is over"
        self.query_one("#where", Static).update(Content(f"{self._game_screen.title(view)}   {where}"))
        self.query_one(Awaiting).display = view.question is not None or view.proposal is not None
        self.query_one("#close", Static).update(clickable.keys_of(self._keys(view)))

    def _keys(self, view: TableView) -> list[Action]:
        """What a key does something for now: the page's own, undo, the way back and the way out."""
        offered = [each for each in remapped(AT_THE_END, keys_of(self.app)) if self._offered(each.id, view)]
        known = {action.id: action for action in getattr(self.app, "actions", ())}
        ways = [(UNDO, "undo")] if view.undo else []
        ways += [(BACK.id, "table"), (QUIT.id, "leave")]
        return [*offered, *(replace(known[each], label=label) for each, label in ways if each in known)]

    def _offered(self, action_id: str, view: TableView) -> bool:
        if action_id not in self._offers or view.ending is None:
            return False
        info = GAMES.get(view.setup.game)
        if action_id == REMATCH.id:
            return info is not None and len(view.setup.seats) - len(view.left) in info.seats
        return action_id != BG_STATS.id or not view.ending.abandoned

    def text(self, view: TableView) -> Content:
        """Return the end of the game in the room there is."""
        if view.ending is None:
            return Content("")
        big, size = self._game_screen.big(view), self.app.size
        over = GameOver(view.ending, big.seats, big.unit, view.left, self._course)
        columns, rows = max(20, size.width - MARGIN), size.height - AROUND
        return Content("\n").join(game_over_rows(over, self._answer, columns, rows))

    def do(self, action_id: str) -> None:
        """Do what one of the page's own keys stands for."""
        view, line = self._source(), self.query_one(NoticeLine)
        if not self._offered(action_id, view):
            return
        if self._asked:
            line.refuse(BUSY, view)
        elif self._clock() - self._opened_s < HELD_S:
            line.refuse(JUST_OVER, view)
        elif action_id == REMATCH.id:
            self._offers[action_id]()
            self.app.exit()
        else:
            self._asked = True
            behind(self, self._offers[action_id], self._take_answer, lambda: self._take_answer(""))

    def _take_answer(self, answer: str) -> None:
        self._asked, self._answer = False, answer
        if self.stands:
            self.show(self._source())
