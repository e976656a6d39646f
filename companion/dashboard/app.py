"""The Textual app: its look and its end. Everything at a table is in `at_table`, imported once
there is one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.screen import Screen

from companion.dashboard import registry
from companion.dashboard.ending import crash_sentence, fault_sentence
from companion.dashboard.screens.reading import ReadingScreen
from companion.dashboard.table_app import TableApp
from companion.dashboard.textual.key_queue import ENTER_AFTER_NUMBER_S, TALL, WIDE
from companion.dashboard.textual.private_textual import bind_keys
from companion.dashboard.themes import DARK
from companion.errors import ErrorKind
from companion.journal.collector import collect_again
from companion.journal.errors import JournalError
from companion.rules.actions import OWN_KEYS, Action, KeyMap, remapped, with_keys
from companion.rules.clauses import without_clauses
from companion.rules.columns import plural
from companion.session.game_watch import GameStopped, aborted_as_stopped

if TYPE_CHECKING:
    from companion.dashboard.at_table import AtTable
    from companion.dashboard.reading import SessionReading
    from companion.dashboard.source import Clock, Offers, Phones, TableLike

NO_OFFERS: Offers = MappingProxyType({})
AT_ONCE_S = 0.5
"""Seconds that a new table may take before a page shows that it is awaited.

A page that goes sooner is read by nobody, and painting it takes a tenth of the time to the table.
"""
HELD_S = 0.3
"""Seconds for which keys do nothing on a table that has just appeared: a person's reaction time."""
JUST_COME = "the table has only just opened: press the key again"
TOO_EARLY = "Keys pressed before the table opened did nothing."


class Dashboard(TableApp, inherit_bindings=False):
    """The screen of a table, or of one that is still `reading`.

    `clock` is monotonic, in seconds; `theme` is `table-dark` or `table-light`; `keys`, by action
    id, replace the actions' own. `odds`: probabilities from public facts are shown. `crash_file`
    gets the traceback of a crash. `offers` are actions for a finished game (see `source.Offers`);
    `phones` serves the table's pages for phones. `big`: for an audience, the big page is open,
    stays, and shows the result. `number_s`: when a number on the start screens chose this table,
    by `clock`; -inf if another key chose it, None without start screens. Keys pressed before the
    table is shown do nothing there, nor does an Enter right after the number.
    """

    BINDINGS: ClassVar[list[BindingType]] = []
    CSS_PATH = "dashboard.tcss"
    HORIZONTAL_BREAKPOINTS = [(WIDE, "-wide")]  # noqa: RUF012  textual's own declaration
    VERTICAL_BREAKPOINTS = [(TALL, "-tall")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False  # its key and its contents come from the registry instead
    TITLE = "Table companion"

    def __init__(
        self,
        table: TableLike | None = None,
        *,
        reading: SessionReading[Any] | None = None,
        clock: Clock = time.monotonic,
        theme: str = DARK,
        keys: KeyMap = OWN_KEYS,
        ascii: bool = False,  # noqa: A002  the word of the option
        odds: bool = True,
        animation: bool = False,
        sound: bool = False,
        crash_file: Path | None = None,
        offers: Offers = NO_OFFERS,
        phones: Phones | None = None,
        big: bool = False,
        number_s: float | None = None,
    ) -> None:
        super().__init__()
        self.set_look(theme, ascii_only=ascii, animation=animation)
        self.crash: str | None = None  # the sentence printed after a failure
        self.keys = keys
        self._clock = clock
        self._sound = sound
        self._crash_file = crash_file
        self.offers = offers
        self.phones = phones
        self.big = big
        self.ascii = ascii
        self.odds = odds
        self._unsubscribe: Callable[[], None] = lambda: None
        self._reading = reading
        self._held_until = 0.0
        self._enter_from_s = -math.inf if number_s is None else number_s + ENTER_AFTER_NUMBER_S
        self._opens = number_s is not None and reading is None  # until its first key
        if self._opens:
            self.drop_keys_until_there()
        self._at_table = None
        if table is None:
            bind_keys(self, registry.bindings(self.actions, {}))
        else:
            self._at_table = self._at(table)
            bind_keys(self, self._at_table.bindings)

    def _at(self, table: TableLike) -> AtTable:
        # Imported late: every page and what they need, more than all of Textual.
        from companion.dashboard.at_table import AtTable

        return AtTable(self, table, self._clock, sound=self._sound)

    @property
    def at_table(self) -> AtTable:
        """The dashboard at its table, once there is one."""
        assert self._at_table is not None
        return self._at_table

    # -- the screen

    def on_load(self) -> None:
        """Wait a moment for a new table, before there is a screen."""
        if self._reading is not None and not self._reading.outline.entries:
            self._reading.start(self._reading_done)
            if self._reading.wait(AT_ONCE_S):
                self._come_at_once(self._reading.table)

    def _come_at_once(self, table: TableLike | None) -> None:
        """Show the table as the first page, or exit without one; the caller of `run` says why."""
        self._reading = None
        if table is None:
            self.exit()
        else:
            self._at_table = self._at(table)
            bind_keys(self, self._at_table.bindings)
            self.call_after_refresh(collect_again)

    def get_default_screen(self) -> Screen[None]:
        if self._reading is not None:
            return self.with_size_classes(ReadingScreen(self._reading, self.actions))
        return self.with_size_classes(self.at_table.screen())

    def on_mount(self) -> None:
        if self._reading is None:
            self._listen()
        if self._opens:
            # Not after the first paint: what is pressed once it is seen may be read before that is known.
            self.is_there()

    def on_ready(self) -> None:
        """Read the record once the first page is on the screen."""
        if self._reading is not None and self._reading.outline.entries:
            self.screen.call_later(self._reading.start, self._reading_done)

    def _listen(self) -> None:
        """Listen for changes; every page shows the present state when it opens."""
        self._unsubscribe = self.at_table.table.subscribe(self._table_changed)
        if self.big:
            self.perform(registry.BIG.id)
        self.at_table.begin()
        if self.phones is not None:
            # Imported late: the first paint does without it.
            from companion.dashboard.widgets.page import run_in_background

            self.phones.on_session = self.at_table.do_on_page
            run_in_background(self, self.phones.open_again, self._phones_opened)

    def _phones_opened(self, why_not: str) -> None:
        if why_not:
            self.at_table.refuse(why_not)

    def on_unmount(self) -> None:
        self._unsubscribe()

    def get_system_commands(self, _screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every action of the registry in the palette: its name, what it does, its key."""
        for action in self.actions:
            title = f"{action.label}: {without_clauses(action.help).rstrip('.')}"
            keys = registry.key_names(action)
            words = f"key {keys}" if keys else "no key"
            yield SystemCommand(title, words, partial(self.perform, action.id))

    # -- until there is a table

    def _reading_done(self) -> None:
        with suppress(RuntimeError):  # the loop has just closed
            self.call_later(self._reading_ended)

    async def _reading_ended(self) -> None:
        """Show the table instead of the first page; exit without one: the caller of `run` says why."""
        if self._reading is None:  # the table came at once
            return
        table = self._reading.table
        if table is None:
            self.exit()
            return
        early = isinstance(self.screen, ReadingScreen) and self.screen.early
        self._at_table = self._at(table)
        bind_keys(self, self._at_table.bindings)
        self._listen()
        with self.batch_update():
            await self.replace_first(self._at_table.screen())
        self.call_after_refresh(collect_again)
        if early:
            self.call_after_refresh(self._at_table.refuse, TOO_EARLY)
        if self._reading.outline.entries:  # nobody presses a key before a new table appears
            self._held_until = math.inf
            self.call_after_refresh(self._hold)

    def _hold(self) -> None:
        self._held_until = self._clock() + HELD_S

    # -- what happens at the table

    @property
    def actions(self) -> tuple[Action, ...]:
        if self._at_table is None:
            return remapped((registry.THEME, registry.QUIT), self.keys)
        return self._at_table.actions

    def _table_changed(self) -> None:
        if self.at_table.pace.changed():
            with suppress(RuntimeError):  # the loop has just closed; the table's thread goes on
                self.call_later(self.at_table.show)

    def takes(self, key: events.Key) -> bool:
        """Drop an Enter that confirms the key which chose this table, as the start screens do."""
        self._opens = False
        if self._at_table is None:
            return True
        if key.key == "enter" and self._clock() < self._enter_from_s:
            self._at_table.refuse(JUST_COME)
            return False
        return self._at_table.takes_keys()

    def key_dropped(self) -> None:
        if self._opens and self._at_table is not None:
            self.call_after_refresh(self._at_table.refuse, TOO_EARLY)

    def action_perform(self, action_id: str) -> None:
        """Do the action of a key, unless the table has just appeared."""
        held = self._clock() < self._held_until and action_id not in self.own
        if self._at_table is not None and held:
            self._at_table.refuse(JUST_COME)
        elif self._at_table is None or self._at_table.lets_through(action_id):
            self.perform(action_id)

    def perform(self, action_id: str) -> None:
        if self._at_table is None:
            self.own[action_id]()
            return
        try:
            with aborted_as_stopped():
                self._at_table.perform(action_id)
        except GameStopped as stopped:
            self._at_table.refuse(f"{stopped} It was stopped.")

    @property
    def own(self) -> Mapping[str, Callable[[], object]]:
        """The actions that need no table, by the ids of the registry."""
        return {registry.THEME.id: self.action_change_theme, registry.QUIT.id: self.leave}

    def leave(self) -> None:
        """Exit, after a question if entries are not saved."""
        if self._at_table is None:
            self.exit()
        else:
            self._at_table.leave()

    # -- when something fails, and when everything does

    def keys_skipped(self, count: int) -> None:
        """Count the key reports, and say so at the table."""
        super().keys_skipped(count)
        if self._at_table is not None:
            self._at_table.refuse(
                f"{plural(self.skipped_keys, 'key')} could not be read and did nothing."
            )

    def key_without_meaning(self, key: str) -> None:
        """Report it where the keys are listed; a notice stays."""
        if self._at_table is not None:
            self._at_table.show_unknown_key(key)

    def report_fault(self, error: Exception) -> None:
        self.at_table.report_fault(fault_sentence(error, self._crash_file))

    def notify_hanging(self, sentence: str) -> None:
        """Report it where refusals are shown."""
        if self._at_table is not None:
            self._at_table.refuse(f"{sentence} The table continues.")
        elif isinstance(self.screen, ReadingScreen):
            quits = with_keys(registry.key_of(registry.QUIT), self.keys)
            self.screen.say(f"{sentence} {quits} quits; the session is kept.")

    def close_record(self) -> None:
        # Imported late: the first page does without it.
        from companion.session.table import Table

        table = None if self._at_table is None else self._at_table.table
        if isinstance(table, Table):
            with suppress(JournalError):
                table.close_record()

    def last_words(self, error: Exception) -> str:
        """Return one sentence; the traceback goes to the crash file, never to the screen."""
        if isinstance(error, GameStopped):  # the table cannot be asked for a view
            self.crash = f"{error} The table needs it, so the companion ended. The session is kept."
            return self.crash
        table = None if self._at_table is None else self._at_table.table
        self.crash = crash_sentence(error, table, self._crash_file)
        return self.crash


def run_dashboard(table: TableLike | None = None, **options: Any) -> ErrorKind | None:
    """Show the table until the user leaves.

    Returns `SOFTWARE` after a failure of the dashboard, `UNAVAILABLE` after that of another
    author's game that was stopped. The caller closes the table. One that is still `reading` is
    shown once it is there; the caller ends the reading. `options` are those of `Dashboard`.
    """
    app = Dashboard(table, **options)
    app.run()
    return app.ended_by
