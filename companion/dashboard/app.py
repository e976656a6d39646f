"""The Textual app: one table, one registry of actions, one paint for any number of changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen

from companion.dashboard import registry as own
from companion.dashboard.clean import NoControls
from companion.dashboard.crash import crash_sentence
from companion.dashboard.face import face_of
from companion.dashboard.pace import Pace
from companion.dashboard.screens.details import DetailsPage
from companion.dashboard.screens.help import HelpPage
from companion.dashboard.screens.log import LogPage
from companion.dashboard.screens.page import Page
from companion.dashboard.screens.palette import Palette
from companion.dashboard.screens.statistics import StatisticsPage
from companion.dashboard.screens.table import TableScreen
from companion.dashboard.source import Clock, TableLike
from companion.dashboard.themes import DARK, LIGHT, THEMES
from companion.dashboard.widgets.lines import NoticeLine
from companion.exits import Exit


class Changed(Message):
    """The table's view has changed; at most one of these is under way at any time."""


class Dashboard(App[None], inherit_bindings=False):
    """The screen of a table. `clock` is a monotonic clock in seconds; `crash_file` takes the traceback of a crash."""

    BINDINGS: ClassVar[list[BindingType]] = []
    CSS_PATH = "dashboard.tcss"
    ENABLE_COMMAND_PALETTE = False  # its key and its contents come from the registry instead
    TITLE = "Table companion"

    def __init__(
        self,
        table: TableLike,
        *,
        clock: Clock = time.monotonic,
        theme: str = DARK,
        crash_file: Path | None = None,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme
        self._filters.append(NoControls())
        self.paints = 0
        """How often a view was painted; changes that ride along with one are not counted."""
        self.crash: str | None = None
        """The last words after a failure; None while all is well."""
        self._table = table
        self._clock = clock
        self._crash_file = crash_file
        self._pace = Pace(clock)
        self._held = False
        self._unsubscribe: Callable[[], None] = lambda: None
        self.actions = own.registry(table.actions)
        self._face = face_of(table.view().setup.game)
        for action in self.actions:
            self.bind(",".join(action.keys), f"perform({action.id!r})", description=action.label, show=action.footer)

    # -- the screen

    def get_default_screen(self) -> Screen[None]:
        """Return the main page."""
        return TableScreen(self._table.view, self._face, self.actions, self._clock)

    def on_mount(self) -> None:
        """Listen for changes; every page shows by itself what stands when it opens."""
        self._unsubscribe = self._table.subscribe(self._table_changed)

    def on_unmount(self) -> None:
        """Stop listening."""
        self._unsubscribe()

    def get_system_commands(self, _screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every action of the registry in the palette: what it is called, what it does, its key."""
        for action in self.actions:
            title = f"{action.label}: {action.help.rstrip('.')}"
            yield SystemCommand(title, f"key {own.key_names(action)}", partial(self.perform, action.id))

    # -- changes of the table

    def _table_changed(self) -> None:
        if self._pace.changed():
            with suppress(RuntimeError):  # the loop has just closed: no thread of the table may fail for it
                self.post_message(Changed())

    def on_changed(self, _: Changed) -> None:
        """Paint at once, or at the next frame when the screen is behind."""
        wait = self._pace.wait()
        if wait and not self._held:
            self._held = True
            self.set_timer(wait, self._paint_held)
        elif not wait:
            self._paint()

    def _paint_held(self) -> None:
        self._held = False
        self._paint()

    def _paint(self) -> None:
        self._pace.begin()
        view = self._table.view()
        self.paints += 1
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen | Page) and screen.is_mounted:
                screen.show(view)
        self.call_after_refresh(self._pace.end)

    # -- actions

    def action_perform(self, action_id: str) -> None:
        """Do the action of a key."""
        self.perform(action_id)

    def perform(self, action_id: str) -> None:
        """Do an action of the registry by its id."""
        if action_id in self._own:
            self._own[action_id]()
            return
        self._dismiss_notices()
        self._table.do(action_id)

    def _dismiss_notices(self) -> None:
        for screen in self.screen_stack:
            for line in screen.query(NoticeLine):
                line.dismiss()

    @property
    def _own(self) -> dict[str, Callable[[], object]]:
        return {
            own.HELP.id: lambda: self._open(HelpPage(self._table.view, self._clock, self.actions)),
            own.LOG.id: lambda: self._open(LogPage(self._table.view, self._clock)),
            own.STATISTICS.id: lambda: self._open(StatisticsPage(self._table.view, self._clock, self._face)),
            own.DETAILS.id: lambda: self._open(DetailsPage(self._table.view, self._clock)),
            own.TAKE_BACK.id: self._take_back,
            own.PALETTE.id: self.action_command_palette,
            own.THEME.id: self._change_theme,
            own.BACK.id: self._close_page,
            own.QUIT.id: lambda: self.exit(),
        }

    def _open(self, page: Page) -> None:
        """Open a page instead of the one that is open; the key of the open page closes it."""
        already = type(self.screen) is type(page)
        self._close_page()
        if not already:
            self.push_screen(page)

    def _close_page(self) -> None:
        if isinstance(self.screen, Page):
            self.pop_screen()

    def _take_back(self) -> None:
        self._dismiss_notices()
        page = self.screen
        if not isinstance(page, LogPage):
            key, log = (own.key_name(each.keys[0]) for each in (own.TAKE_BACK, own.LOG))
            self._refuse(f"{key} works in the log: {log} opens it, the arrow keys choose the line")
        elif page.chosen is None:
            self._refuse("the cursor is on no line yet: choose one with the arrow keys")
        else:
            self._table.take_back(page.chosen)

    def _refuse(self, text: str) -> None:
        view = self._table.view()
        for line in self.screen.query(NoticeLine):
            line.refuse(text, view)

    def _change_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK

    def action_command_palette(self) -> None:
        """Open the palette."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    # -- when everything fails

    def _handle_exception(self, error: Exception) -> None:
        """End with one sentence and exit code 70; the traceback goes to the crash file, never to the screen."""
        if self._return_code == Exit.SOFTWARE:
            return
        self._return_code = Exit.SOFTWARE
        self._exception_event.set()
        self.crash = crash_sentence(error, self._table, self._crash_file)
        self.panic(self.crash)


def run_dashboard(
    table: TableLike,
    *,
    clock: Clock = time.monotonic,
    theme: str = DARK,
    crash_file: Path | None = None,
) -> int:
    """Show the table until the user leaves; return the exit code: 0, or 70 after a failure of the dashboard itself.

    The caller closes the table. `theme` is `table-dark` or `table-light`; a crash leaves its traceback in `crash_file`.
    """
    app = Dashboard(table, clock=clock, theme=theme, crash_file=crash_file)
    app.run()
    return app.return_code or 0
