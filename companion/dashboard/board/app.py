"""The app of a board: monitor, calibrate and selftest as pages of one screen. It talks with no board; its desk does."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from companion.dashboard.board.text import (
    asked_text,
    help_text,
    keys_text,
    lines_text,
    outcome_text,
    steps_text,
    wires_text,
)
from companion.dashboard.board.view import BoardPage, BoardView, Desk
from companion.dashboard.screens.page import Scroll
from companion.dashboard.standalone import StandaloneApp
from companion.dashboard.widgets.static import Static

PAINT_S = 0.05
WIDE = 120
"""From this width on the channels stand beside what a page asks."""
WIRES_CELLS = 64
MARGIN = 5


class BoardApp(StandaloneApp[None]):
    """Shows what `desk` says, and tells it what the person wants."""

    CSS_PATH = "board.tcss"

    def __init__(self, desk: Desk, *, theme: str = "dark", ascii_only: bool = False, animation: bool = True) -> None:
        super().__init__(theme=theme, ascii_only=ascii_only, animation=animation)
        self.desk = desk

    def get_default_screen(self) -> Screen[None]:
        return BoardScreen(self.desk)


class BoardScreen(Screen[None], inherit_bindings=False):
    """Title, what is asked, the page's own part beside or above the channels, keys."""

    AUTO_FOCUS = "Scroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "turn('monitor')", show=False),
        Binding("c", "turn('calibrate')", show=False),
        Binding("s", "turn('selftest')", show=False),
        Binding("enter", "begin", show=False),
        Binding("n", "skip", show=False),
        Binding("d", "discard", show=False),
        Binding("w", "store", show=False),
        Binding("escape", "back", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q,ctrl+q,ctrl+c", "app.leave", show=False),
        Binding("ctrl+t", "app.change_theme", show=False),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._painted: BoardView | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="title"):
            yield Static(id="where")
            yield Static(id="board")
        yield Static(id="asked")
        with Horizontal(id="body"):
            with Scroll(id="guide"):
                yield Static(id="text")
            with Scroll(id="live", can_focus=False):
                yield Static(id="wires")
                yield Static(id="lines")
        yield Static(id="notice")
        yield Static(id="close")

    def on_mount(self) -> None:
        self.set_interval(PAINT_S, self.paint)
        self.paint()

    def paint(self) -> None:
        """Show what stands, if it is not shown already."""
        view = self._desk.view()
        if view is not self._painted:
            self._painted = view
            self.show(view)

    def on_resize(self) -> None:
        self.show(self._desk.view())

    def show(self, view: BoardView) -> None:
        """Show a view."""
        width, height = self.app.size
        wide, guided = width >= WIDE, view.part is not BoardPage.MONITOR and bool(view.steps or view.outcome)
        self._put("where", Content(f"Board: {view.part}"))
        self._put("board", Content(view.board))
        self._put("asked", asked_text(view))
        guide = self.query_one("#guide")
        guide.display = guided
        if guided and self.focused is None:
            self.set_focus(guide, scroll_visible=False)
        self.query_one("#live").display = wide or not guided
        self.query_one("#live").set_class(guided, "-beside")
        room = max(3, height - 8)
        self._put("text", self._guide(view, width - MARGIN - (WIRES_CELLS + 3 if wide else 0), room, wide=wide))
        self._put("wires", wires_text(view))
        self._put("lines", lines_text(view, room - len(view.wires) - 2))
        self._put("notice", Content(view.notice))
        self.query_one("#notice").display = bool(view.notice)
        self._put("close", Content(keys_text(view)))

    def _guide(self, view: BoardView, width: int, rows: int, *, wide: bool) -> Content:
        if view.outcome is not None:
            return outcome_text(view, width)
        return steps_text(view, width, rows, with_wave=not wide)  # wide, it stands below the channels

    def _put(self, name: str, content: Content) -> None:
        self.query_one(f"#{name}", Static).update(content)

    # -- what the person wants

    def action_turn(self, part: str) -> None:
        """Show another page; while something is asked for, a letter changes nothing."""
        if not self._desk.view().running:
            self._desk.turn_to(BoardPage(part))
            self.paint()

    def action_begin(self) -> None:
        self._desk.begin()

    def action_discard(self) -> None:
        self._desk.discard()

    def action_skip(self) -> None:
        self._desk.skip()

    def action_store(self) -> None:
        self._desk.store()

    def action_back(self) -> None:
        if self._desk.view().running:
            self._desk.break_off()
        else:
            self.app.exit(None)

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen())


class HelpScreen(Screen[None], inherit_bindings=False):
    """Every key, and the words of the table."""

    AUTO_FOCUS = "Scroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,enter,q", "app.pop_screen", show=False),
        Binding("ctrl+q,ctrl+c", "app.leave", show=False),
        Binding("ctrl+t", "app.change_theme", show=False),
    ]

    def compose(self) -> ComposeResult:
        yield Static("Keys", id="where")
        with Scroll():
            yield Static(id="text")
        yield Static("Esc back   arrow and page keys move the text", id="close")

    def on_resize(self) -> None:
        self.query_one("#text", Static).update(help_text(max(20, self.app.size.width - MARGIN)))
