"""Keys handled one at a time, each by the screen that the previous one opened; apps without a
table."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import App, ReturnType
from textual.binding import BindingType
from textual.driver import Driver
from textual.message import Message

from companion.config.schema import Preferences
from companion.dashboard.ending import between_messages
from companion.dashboard.textual.filters import NoControls, OnlyAscii
from companion.dashboard.textual.hanging import HangGuard, guarded
from companion.dashboard.textual.private_textual import PrivateApp, message_time
from companion.dashboard.themes import DARK, LIGHT, THEMES

KEY_TIMEOUT_S = 1.0
"""Seconds that a key waits at most for the previous one, which may read a long record or hang."""

ENTER_AFTER_NUMBER_S = 1.5
"""Seconds in which Enter right after a number only confirms it, as lists elsewhere require.

Typing both takes up to a second; reading the new screen and answering it takes longer.
"""

WIDE, TALL = 110, 32
"""Columns and rows from which a screen is made of panels."""

HUNG_UP = 128 + 1
"""Exit code of a program ended by SIGHUP, as a shell reports it; Windows has no such signal."""


def has_room_for_panels(app: App[Any]) -> bool:
    """Return whether the terminal is large enough for screens made of panels."""
    return app.size.width >= WIDE and app.size.height >= TALL


@dataclass
class KeyDone(Message):
    """Follows key `number` through the widgets, right after it."""

    number: int


class KeyQueue(PrivateApp[ReturnType], inherit_bindings=False):
    """An app that handles a key once the previous one is done and the fields of a new screen exist.

    Textual (8.2) sends a key to the widget that has the focus when it arrives, and looks for its
    binding only after the widget let it pass. Of keys typed in one go, those after the one that
    opens a form went to the page below and were lost, or were taken as keys of the form before it
    had its fields.
    """

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[events.Key] = deque()
        self._dropped_until = -math.inf  # keys pressed before this time are dropped
        self._taken = 0  # the number of the last key taken
        self._busy = False
        self._opening = 0
        self._overdue: asyncio.TimerHandle | None = None
        self._end_with: Callable[[int], None] = lambda _code: self.exit()
        self.skipped_keys = 0  # key reports of the terminal that could not be read

    def get_driver_class(self) -> type[Driver]:
        """Return our driver in place of Textual's for Linux and macOS."""
        chosen = super().get_driver_class()
        if chosen.__module__ != "textual.drivers.linux_driver":
            return chosen
        # Imported late: it needs termios, which Windows lacks.
        from companion.dashboard.textual.terminal_driver import TerminalDriver

        return TerminalDriver

    def set_look(self, theme: str, *, ascii_only: bool, animation: bool) -> None:
        """Set theme (a name in `THEMES`), characters and animation before the first paint."""
        self.animation_level = "full" if animation else "none"
        self.set_first_theme(theme, THEMES)
        self.filter_lines(NoControls())
        if ascii_only:
            self.filter_lines(OnlyAscii())

    def action_change_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK

    def run(self, **options: Any) -> ReturnType | None:
        """Run the app as Textual does; a signal that ends the program closes the screen first."""
        self.guard = HangGuard(self)
        with between_messages(self.exit, self.guard.quit) as self._end_with, guarded(self.guard):
            try:
                return super().run(**options)
            finally:
                self.silence_if_stalled()

    def set_hanging(self, now: bool) -> None:
        """Drop keys pressed while their effect could not be seen; called from any thread."""
        self._waiting.clear()
        self._dropped_until = math.inf if now else message_time()

    def drop_keys_until_there(self) -> None:
        """Drop keys until `is_there` is called, also those read before that and handled later."""
        self._dropped_until = math.inf

    def is_there(self) -> None:
        """Take the keys that are read from now on."""
        self._dropped_until = message_time()

    def key_dropped(self) -> None:
        """Note that a key did nothing because its effect could not have been seen."""

    def terminal_lost(self) -> None:
        """End as by SIGHUP, which the terminal did not send."""
        self._end_with(HUNG_UP)

    def keys_skipped(self, count: int) -> None:
        """Count key reports that could not be read."""
        self.skipped_keys += count

    def opening(self) -> Callable[[], None]:
        """Make the next key wait for a screen that opens in the background.

        Returns a function to call once it is open, or will not open.
        """
        self._opening += 1

        def opened() -> None:
            self._opening -= 1
            # The key's own message came while the screen was still opening, and was ignored.
            self.on_key_done(KeyDone(self._taken))

        return opened

    async def on_event(self, event: events.Event) -> None:
        """Handle a key, or queue it until its turn.

        A key forwarded to the focused widget when the app began to hang comes back here and is
        dropped.
        """
        if not isinstance(event, events.Key):
            await super().on_event(event)
        elif event.time < self._dropped_until:
            self.key_dropped()
        elif event.is_forwarded:
            await super().on_event(event)
        elif self._busy:
            self._waiting.append(event)
        else:
            await self._hand_over(event)

    def takes(self, _key: events.Key) -> bool:
        """Return whether a key whose turn it is does anything."""
        return True

    async def _hand_over(self, key: events.Key) -> None:
        while not self.takes(key):  # a key that does nothing has no turn to wait for
            if not self._waiting:
                return
            key = self._waiting.popleft()
        self._busy = True
        self._taken += 1
        self._overdue = asyncio.get_running_loop().call_later(
            KEY_TIMEOUT_S, self._go_on, self._taken
        )
        receiver = self.focused or self.screen
        await super().on_event(key)
        # Sent the same way, so that it is handled after the key.
        if not receiver.post_message(KeyDone(self._taken)):
            self.on_key_done(KeyDone(self._taken))

    def on_key_done(self, event: KeyDone) -> None:
        """Wait until the screen that is now open has settled, then handle the next key."""
        if not self._opening and not self.screen.call_later(self._go_on, event.number):
            self._go_on(event.number)

    def _go_on(self, number: int) -> None:
        self.call_later(self._next_turn, number)

    async def _next_turn(self, number: int) -> None:
        if number != self._taken or not self._busy:  # its timeout, or its message, came first
            return
        if self._overdue is not None:
            self._overdue.cancel()
        self._busy = False
        if self._waiting:
            await self._hand_over(self._waiting.popleft())


class StandaloneApp(KeyQueue[ReturnType], inherit_bindings=False):
    """An app without a table. It looks as configured; its caller reports its failures."""

    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q,ctrl+c", "leave"), ("ctrl+t", "change_theme")]
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(WIDE, "-wide")]  # noqa: RUF012  textual's own declaration
    TITLE = "Table companion"

    def __init__(self, wanted: Preferences) -> None:
        super().__init__()
        self.set_look(f"table-{wanted.theme}", ascii_only=wanted.ascii, animation=wanted.animation)
        # An exception of the screens themselves, raised by `run`.
        self.failure: Exception | None = None

    def run(self, *args: Any, **kwargs: Any) -> ReturnType | None:
        """Show it until it is left and return its result; raise what its screens failed with."""
        came_to = super().run(*args, **kwargs)
        if self.failure is not None:
            raise self.failure
        return came_to

    def action_leave(self) -> None:
        self.exit(None)

    def last_words(self, error: Exception) -> str:
        """Return nothing: the caller reports the failure."""
        self.failure = error
        return ""
