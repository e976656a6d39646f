"""The Textual app: one table, one registry of actions, one paint for any number of changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen

from companion.actions import OWN_KEYS, KeyMap, with_keys
from companion.dashboard import registry as own
from companion.dashboard.ascii import OnlyAscii
from companion.dashboard.big.page import BigPage
from companion.dashboard.clean import NoControls
from companion.dashboard.correcting.behind import Fault
from companion.dashboard.correcting.facts import sentence
from companion.dashboard.correcting.form import Form
from companion.dashboard.correcting.page import MarshalPage
from companion.dashboard.correcting.verbs import Verbs
from companion.dashboard.crash import crash_sentence, fault_sentence
from companion.dashboard.curtain import Curtain
from companion.dashboard.face import Part, face_of
from companion.dashboard.keys import bindings
from companion.dashboard.pace import Pace
from companion.dashboard.reasons.page import ReasonsPage
from companion.dashboard.screens.details import BoardForm, DetailsPage
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
from companion.games.base import Refused
from companion.sound import Sound, signals
from companion.views import TableView

TICK_S = 0.25
"""Seconds between two looks at what waits for an answer: a proposal counts its seconds down."""

VERBS = frozenset(each.id for each in own.VERBS)


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
        keys: KeyMap = OWN_KEYS,
        ascii: bool = False,  # noqa: A002  the word of the option
        animation: bool = False,
        sound: bool = False,
        crash_file: Path | None = None,
    ) -> None:
        super().__init__()
        self.animation_level = "full" if animation else "none"
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme
        self._filters += [NoControls(), OnlyAscii()] if ascii else [NoControls()]
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
        view = table.view()
        self._face = face_of(view.setup.game)
        self._of_table = table.actions
        self.keys = keys
        """Action id -> the keys that a person gave it."""
        self.actions = own.registry(self._of_table, self._face.actions(), keys)
        self._overrides = dict(view.overrides)
        self._bindings = bindings(self.actions, self._overrides)
        self.sound = Sound(self.bell, table.cue, on=sound)
        self._heard = view
        self._painted: object = None
        self._verbs = Verbs(self, table, clock, self._face, self._refuse)

    # -- the screen

    def get_default_screen(self) -> Screen[None]:
        """Return the main page."""
        return TableScreen(self._table.view, self._face, self.actions, self._clock)

    def on_mount(self) -> None:
        """Listen for changes; every page shows by itself what stands when it opens."""
        self._unsubscribe = self._table.subscribe(self._table_changed)
        self.set_interval(TICK_S, self._tick)

    def on_unmount(self) -> None:
        """Stop listening."""
        self._unsubscribe()

    def get_system_commands(self, _screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every action of the registry in the palette: what it is called, what it does, its key."""
        for action in self.actions:
            title = f"{action.label}: {action.help.rstrip('.')}"
            keys = own.key_names(action)
            yield SystemCommand(title, f"key {keys}" if keys else "no key", partial(self.perform, action.id))

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

    def _tick(self) -> None:
        """Let time pass at the table; what counts its seconds down is painted again."""
        self._table.tick()
        if self._table.view().proposal is not None:
            self._paint()

    def _paint(self) -> None:
        self._pace.begin()
        view = self._table.view()
        seen = (view if isinstance(self.screen, DetailsPage) else without_details(view), tuple(self.screen_stack))
        if seen == self._painted:
            self._pace.end()
            return
        self._painted = seen
        self.paints += 1
        self._take_keys(view)
        self._give_signals(view)
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen | Page | Form | Curtain) and screen.is_mounted:
                screen.show(view)
        self.call_after_refresh(self._pace.end)

    def _give_signals(self, view: TableView) -> None:
        """Sound what has happened since the last paint."""
        before, self._heard = self._heard, view
        for signal in signals(before, view, (self._face.started(before.game), self._face.started(view.game))):
            self.sound.give(signal)

    def _take_keys(self, view: TableView) -> None:
        """Bind the keys anew when people came or went, or when a key means something else for the time being."""
        of_table, overrides = self._table.actions, dict(view.overrides)
        people = of_table != self._of_table
        if people or overrides != self._overrides:
            self._of_table, self._overrides = of_table, overrides
            self.actions = own.registry(of_table, self._face.actions(), self.keys)
            self._bindings = bindings(self.actions, overrides)
        if people:
            for screen in self.screen_stack:
                if isinstance(screen, TableScreen):
                    self.call_next(screen.take, self.actions)

    # -- actions

    def action_perform(self, action_id: str) -> None:
        """Do the action of a key."""
        self.perform(action_id)

    def perform(self, action_id: str) -> None:
        """Do an action of the registry by its id."""
        does = self._own.get(action_id)
        if does is None or action_id in VERBS:
            self._dismiss_notices()
        if does is None:
            self._table.do(action_id)
        else:
            does()

    def _dismiss_notices(self) -> None:
        for screen in self.screen_stack:
            for line in screen.query(NoticeLine):
                line.dismiss()

    @property
    def _own(self) -> dict[str, Callable[[], object]]:
        return {
            own.HELP.id: lambda: self._open(HelpPage(self._table.view, self._clock, lambda: self.actions)),
            own.LOG.id: lambda: self._open(LogPage(self._table.view, self._clock, looking=not self._of_table)),
            own.STATISTICS.id: lambda: self._open(StatisticsPage(self._table, self._clock, self._face)),
            own.DETAILS.id: lambda: self._open(DetailsPage(self._table.view, self._clock)),
            own.MARSHAL.id: lambda: self._open(MarshalPage(self._table, self._clock, self._face)),
            own.TAKE_BACK.id: self._verbs.take_back,
            own.AMEND.id: self._verbs.amend,
            own.INSERT.id: self._verbs.insert,
            own.REREAD.id: self._verbs.reread,
            own.LEVELS.id: self._verbs.levels,
            own.PEOPLE.id: self._verbs.people,
            own.BOARD.id: lambda: self.push_screen(BoardForm(self._table)),
            own.WHY.id: lambda: self._open(ReasonsPage(self._table, self._clock, self._face)),
            own.BIG.id: self._open_big,
            own.SOUND.id: self._change_sound,
            own.CURTAIN.id: self._verbs.curtain,
            own.PALETTE.id: self.action_command_palette,
            own.THEME.id: self._change_theme,
            own.BACK.id: self._close_page,
            own.QUIT.id: lambda: self.exit(),
            **{each.id: partial(self._do_for_game, each.id) for each in self._face.actions()},
        }

    def _do_for_game(self, action_id: str) -> None:
        self._dismiss_notices()
        try:
            form = self._face.form(action_id, self._table)
        except Refused as refusal:
            self._refuse(sentence(refusal))
            return
        if form is not None:
            self.push_screen(form)
        elif isinstance(self.screen, TableScreen):
            self.screen.perform(action_id)
        else:
            self._refuse(f"this key works on the table's own page: {own.key_of(own.BACK)} goes back to it")

    def on_part_entered(self, event: Part.Entered) -> None:
        """Give the table what was entered on the main page; a refusal becomes the notice."""
        self._dismiss_notices()
        self._table.enter(event.kind, event.body)

    def _open(self, page: Page) -> None:
        """Open a page instead of the one that is open; the key of the open page closes it."""
        already = type(self.screen) is type(page)
        self._close_page()
        if not already:
            self.push_screen(page)

    def _open_big(self) -> None:
        main = next(screen for screen in self.screen_stack if isinstance(screen, TableScreen))
        self._open(BigPage(self._table.view, self._clock, self._face, main.elapsed))

    def on_log_page_why(self, event: LogPage.Why) -> None:
        """Show why a line of the log is there, over the log; Esc goes back to its cursor."""
        self.push_screen(ReasonsPage(self._table, self._clock, self._face, event.n))

    def _change_sound(self) -> None:
        self.sound.on = not self.sound.on
        self._say(f"sound is {'on' if self.sound.on else 'off'}")

    def _say(self, text: str) -> None:
        view = self._table.view()
        for line in self.screen.query(NoticeLine):
            line.say(text, view)

    def _close_page(self) -> None:
        if isinstance(self.screen, Page):
            self.pop_screen()

    def _refuse(self, text: str) -> None:
        view = self._table.view()
        for line in self.screen.query(NoticeLine):
            line.refuse(with_keys(text, self.keys), view)

    def _change_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK

    def action_command_palette(self) -> None:
        """Open the palette."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    # -- when something fails, and when everything does

    def on_fault(self, event: Fault) -> None:
        """Tell of what failed behind the screen; the game goes on."""
        text = fault_sentence(event.error, self._crash_file)
        if isinstance(self.screen, Form):
            self.screen.refuse(text)
        else:
            self._refuse(text)

    def _handle_exception(self, error: Exception) -> None:
        """End with one sentence and exit code 70; the traceback goes to the crash file, never to the screen."""
        if self._return_code == Exit.SOFTWARE:
            return
        self._return_code = Exit.SOFTWARE
        self._exception_event.set()
        self.crash = crash_sentence(error, self._table, self._crash_file)
        self.panic(self.crash)


def without_details(view: TableView) -> TableView:
    """Return the view without what only the page of details shows: an idle board says something new each second."""
    return replace(view, link=replace(view.link, uncertainty_us=None, rtt_us=None, details=()))


def run_dashboard(
    table: TableLike,
    *,
    clock: Clock = time.monotonic,
    theme: str = DARK,
    keys: KeyMap = OWN_KEYS,
    ascii: bool = False,  # noqa: A002  the word of the option
    animation: bool = False,
    sound: bool = False,
    crash_file: Path | None = None,
) -> int:
    """Show the table until the user leaves; return the exit code: 0, or 70 after a failure of the dashboard itself.

    The caller closes the table. `theme` is `table-dark` or `table-light`; `keys` take the place of the actions' own; a
    crash leaves its traceback in `crash_file`.
    """
    app = Dashboard(
        table,
        clock=clock,
        theme=theme,
        keys=keys,
        ascii=ascii,
        animation=animation,
        sound=sound,
        crash_file=crash_file,
    )
    app.run()
    return app.return_code or 0
