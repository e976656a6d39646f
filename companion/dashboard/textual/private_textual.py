"""What the screens need of Textual that it keeps to itself, here and in `terminal_driver`; tried with one version."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from textual._time import get_time
from textual.app import App, ReturnType
from textual.binding import BindingsMap
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme
from textual.timer import Timer, TimerCallback
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker

from companion.errors import ErrorKind
from companion.session.game_watch import GameStopped
from companion.terminal import write_nowhere

TRIED = "8.2.8"
OPENS_S = 1.0  # seconds that the way back waits for a screen that does not come to open


class KeyGuard(Protocol):
    """What may take a key before the app has it."""

    def took(self, key: str) -> bool:
        """Return whether it takes a key; called by the thread that reads the keys."""

    def quit(self) -> None:
        """End the program, and without what hangs where that cannot be stopped."""


class PrivateApp(App[ReturnType], inherit_bindings=False):
    """An app that filters every line it draws, and that ends by itself after a fault: Textual would print the traceback
    over the screen."""

    _leaves = False
    ended_by: ErrorKind | None = None
    """What ended the app, other than its people."""
    guard: KeyGuard | None = None
    """What takes the keys while a game by others does not come back."""
    terminal_stalled = False
    """Whether the terminal read nothing when it was given back."""

    def begin_in(self, theme: str, themes: Iterable[Theme]) -> None:
        """Have one of these themes from the first paint on. To set it has Textual read every style a second time."""
        for each in themes:
            self.register_theme(each)
        self.set_reactive(App.theme, theme)
        self.set_class(self.current_theme.dark, "-dark-mode", update=False)
        self.set_class(not self.current_theme.dark, "-light-mode", update=False)
        self._refresh_truecolor_filter(self.ansi_theme)
        self.stylesheet.set_variables(self.get_css_variables())

    def in_size(self, screen: Screen[Any]) -> Screen[Any]:
        """Return a screen that has the classes of the window's size before it is first styled. Textual gives them when
        it sends a resize, after the first paint: everything was styled, laid out and painted a second time."""
        columns, rows = self.size
        wide = screen._get_breakpoint_classes(columns, self.HORIZONTAL_BREAKPOINTS or [])
        tall = screen._get_breakpoint_classes(rows, self.VERTICAL_BREAKPOINTS or [])
        screen.add_class(*wide, *tall, update=False)
        return screen

    def filter_lines(self, *filters: LineFilter) -> None:
        self._filters += filters

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        """Call it after so many seconds, once, however late; Textual itself sets one when a window is resized."""
        return never_skip(super().set_timer(delay, callback, name=name, pause=pause))

    async def replace_first(self, screen: Screen[Any]) -> None:
        """Show another screen instead of the one that the app began with. Textual switches only from a screen that was
        pushed, and to another mode only after 50 ms, its style sheet read twice."""
        self.screen._push_result_callback(self.screen, None)
        await self.switch_screen(self.in_size(screen))

    async def _replace_screen(self, screen: Screen[Any]) -> Screen[Any]:
        """Take a screen away once it is open: Textual gives one that closes no parts, and yet has it show them."""
        with suppress(TimeoutError):
            async with asyncio.timeout(OPENS_S):
                await screen._mounted_event.wait()
        return await super()._replace_screen(screen)

    async def _shutdown(self) -> None:
        self._leaves = True
        await super()._shutdown()

    def _handle_exception(self, error: Exception) -> None:
        if (self._exit or self._leaves) and isinstance(error, NoMatches):
            return  # a page loses its parts before it goes, or gets none any more: what it was to show is no fault
        first = self.ended_by is None
        is_stopped = isinstance(error, GameStopped)
        self.ended_by = ErrorKind.UNAVAILABLE if is_stopped else ErrorKind.SOFTWARE
        self._return_code = 1
        self._exception_event.set()
        if first:
            self.panic(self.last_words(error))

    def last_words(self, error: Exception) -> str:
        """Return what is said on the terminal after the first fault, in place of its traceback."""
        raise NotImplementedError

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop of the screen's thread; None before and after it."""
        return self._loop

    @property
    def ends(self) -> bool:
        """Whether the app is to end, and waits for what it began."""
        return self._exit or self._leaves

    def hangs(self, now: bool) -> None:
        """Take note that the app's thread hangs with a game by others, or is back; called from any thread."""

    def write_past_screen(self, text: str) -> None:
        """Write to the terminal past the screen, whose own thread hangs."""
        if self._driver is not None:
            self._driver.write(text)
            self._driver.flush()

    def draw_again(self) -> None:
        """Draw everything: something was written over the screen."""
        self.call_later(partial(self.refresh, layout=True))

    def leave_terminal(self) -> None:
        """Give the terminal back as it was, from any thread; the screen is not drawn any more."""
        if self._driver is not None:
            self._driver.stop_application_mode()
            self._driver.close()
        self.say_no_more_where_nobody_reads()

    def say_no_more_where_nobody_reads(self) -> None:
        """Have what is said after the screen go nowhere where the terminal reads nothing: it would wait for ever."""
        if self.terminal_stalled:
            for stream in (sys.stdout, sys.stderr):
                if stream.isatty():
                    write_nowhere(stream)

    def tell_of_hanging(self, sentence: str) -> None:
        """Say what hangs beside the screen, which goes on."""

    def close_record(self) -> None:
        """Close the record that the app writes, if there is one, from any thread, while its table hangs."""

    def terminal_lost(self) -> None:
        """End the app: the terminal is gone and sent no signal."""
        raise NotImplementedError

    def keys_skipped(self, count: int) -> None:
        """Take note of `count` key reports that could not be read."""
        raise NotImplementedError


def message_time() -> float:
    """Return the time now as messages have it."""
    return get_time()


def never_skip(timer: Timer) -> Timer:
    """Have a timer that comes once come, however late. Textual passes over what is late already when a timer's task
    looks at the time, which is meant for those that come again: on a busy machine one of a few milliseconds never came,
    and a window that was resized stayed as it had been drawn before."""
    timer._skip = False
    return timer


def bind_keys(owner: App[Any] | Screen[Any], keys: BindingsMap) -> None:
    """Have the keys do this, and nothing else, from now on; those of a screen go before the app's while it is open."""
    owner._bindings = keys


class SearchedPalette(CommandPalette):
    """A palette that has its search for what was typed at hand: Textual tells nobody when it ends."""

    search: Worker[Any] | None = None

    def _gather_commands(self, search_value: str) -> Worker[Any]:
        self.search = super()._gather_commands(search_value)
        return self.search


def invalidate_height(widget: Widget) -> None:
    """Have the next layout ask the widget for its height.

    Textual keeps a widget's measured box until its count of layout updates rises, and does not count an update while
    the one before it still waits to be laid out. A layout between the two leaves the height of the first on the screen
    until something else changes: resized at the wrong moment, a page lost its last lines.
    """
    widget._layout_updates += 1
    widget.clear_cached_dimensions()


def reads_markup(widget: Static) -> bool:
    """Whether the widget takes square brackets in a text for markup."""
    return widget._render_markup
