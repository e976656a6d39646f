"""Textual's private parts that the screens need, here and in `terminal_driver`; tried with one
version."""

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
OPEN_TIMEOUT_S = 1.0  # seconds that closing waits for a screen that is still opening


class KeyGuard(Protocol):
    """Can take a key before the app gets it."""

    def takes(self, key: str) -> bool:
        """Return whether it takes a key; called by the thread that reads keys."""

    def quit(self) -> None:
        """End the program, without waiting for what hangs and cannot be stopped."""


class PrivateApp(App[ReturnType], inherit_bindings=False):
    """An app that filters every line it draws and exits cleanly after an exception.

    Textual would print the traceback over the screen.
    """

    _leaves = False
    ended_by: ErrorKind | None = None
    """Why the app ended, if not by its people."""
    guard: KeyGuard | None = None
    """Takes the keys while another author's game hangs."""
    terminal_stalled = False
    """Whether the terminal read nothing when it was given back."""

    def set_first_theme(self, theme: str, themes: Iterable[Theme]) -> None:
        """Use one of these themes from the first paint on.

        Setting `theme` the usual way makes Textual parse every style a second time.
        """
        for available in themes:
            self.register_theme(available)
        self.set_reactive(App.theme, theme)
        self.set_class(self.current_theme.dark, "-dark-mode", update=False)
        self.set_class(not self.current_theme.dark, "-light-mode", update=False)
        self._refresh_truecolor_filter(self.ansi_theme)
        self.stylesheet.set_variables(self.get_css_variables())

    def with_size_classes(self, screen: Screen[Any]) -> Screen[Any]:
        """Return a screen with the classes of the window's size set before it is first styled.

        Textual sets them when it sends a resize, after the first paint, so everything would be
        styled, laid out and painted twice.
        """
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
        """Call `callback` once after `delay` seconds, however late; Textual sets one on every
        resize."""
        return never_skip(super().set_timer(delay, callback, name=name, pause=pause))

    async def replace_first(self, screen: Screen[Any]) -> None:
        """Show another screen instead of the app's first one.

        Textual switches only from a screen that was pushed, and to another mode only after 50 ms
        and with its style sheet read twice.
        """
        self.screen._push_result_callback(self.screen, None)
        await self.switch_screen(self.with_size_classes(screen))

    async def _replace_screen(self, screen: Screen[Any]) -> Screen[Any]:
        """Remove a screen once it is open.

        Textual gives one that closes no children, yet has it show them.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                await screen._mounted_event.wait()
        return await super()._replace_screen(screen)

    async def _shutdown(self) -> None:
        self._leaves = True
        await super()._shutdown()

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """Perform what a key is bound to; report one that nothing on the screen has taken."""
        is_taken = await super()._check_bindings(key, priority=priority)
        if not is_taken and not priority:
            self.key_without_meaning(key)
        return is_taken

    def key_without_meaning(self, key: str) -> None:
        """Note a key that means nothing on the present screen."""

    def _handle_exception(self, error: Exception) -> None:
        if (self._exit or self._leaves) and isinstance(error, NoMatches):
            return  # a closing page loses its parts first: an update that finds none is no fault
        first = self.ended_by is None
        is_stopped = isinstance(error, GameStopped)
        self.ended_by = ErrorKind.UNAVAILABLE if is_stopped else ErrorKind.SOFTWARE
        self._return_code = 1
        self._exception_event.set()
        if first:
            self.panic(self.last_words(error))

    def last_words(self, error: Exception) -> str:
        """Return the text for the terminal after the first exception, in place of its traceback."""
        raise NotImplementedError

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The event loop of the screen's thread; None before and after it."""
        return self._loop

    @property
    def is_ending(self) -> bool:
        """Whether the app is ending and waits for what it started."""
        return self._exit or self._leaves

    def set_hanging(self, now: bool) -> None:
        """Note that the app's thread hangs with a game, or is back; called from any thread."""

    def write_past_screen(self, text: str) -> None:
        """Write to the terminal directly, while the screen's own thread hangs."""
        if self._driver is not None:
            self._driver.write(text)
            self._driver.flush()

    def draw_again(self) -> None:
        """Redraw everything, after something was written over the screen."""
        self.call_later(partial(self.refresh, layout=True))

    def leave_terminal(self) -> None:
        """Restore the terminal, from any thread; the screen is not drawn again."""
        if self._driver is not None:
            self._driver.stop_application_mode()
            self._driver.close()
        self.silence_if_stalled()

    def silence_if_stalled(self) -> None:
        """Discard further output if the terminal reads nothing; writing would block for ever."""
        if not self.terminal_stalled:
            return
        for stream in (sys.stdout, sys.stderr):
            if stream.isatty():
                write_nowhere(stream)

    def notify_hanging(self, sentence: str) -> None:
        """Report what hangs outside the screen's thread."""

    def close_record(self) -> None:
        """Close the record that the app writes, if any, while its table hangs; from any thread."""

    def terminal_lost(self) -> None:
        """End the app: the terminal is gone and sent no signal."""
        raise NotImplementedError

    def keys_skipped(self, count: int) -> None:
        """Note `count` key reports that could not be read."""
        raise NotImplementedError


def message_time() -> float:
    """Return the present time as messages have it."""
    return get_time()


def never_skip(timer: Timer) -> Timer:
    """Make a one-shot timer fire however late.

    Textual skips a timer that is already late when its task first looks at the time, which is meant
    for repeating ones: on a busy machine one of a few milliseconds never fired, and a resized
    window stayed as it had been drawn before.
    """
    timer._skip = False
    return timer


def bind_keys(owner: App[Any] | Screen[Any], keys: BindingsMap) -> None:
    """Replace the key bindings of an app or a screen; a screen's come before the app's while it is
    open."""
    owner._bindings = keys


class SearchedPalette(CommandPalette):
    """A command palette that exposes its search: Textual does not announce its end."""

    search: Worker[Any] | None = None

    def _gather_commands(self, search_value: str) -> Worker[Any]:
        self.search = super()._gather_commands(search_value)
        return self.search


def invalidate_height(widget: Widget) -> None:
    """Make the next layout measure the widget's height again.

    Textual caches a widget's measured box until its count of layout updates rises, and does not
    count an update while the previous one still waits to be laid out. A layout between the two
    leaves the first height on the screen until something else changes: resized at the wrong moment,
    a page lost its last lines.
    """
    widget._layout_updates += 1
    widget.clear_cached_dimensions()


def reads_markup(widget: Static) -> bool:
    """Return whether the widget parses square brackets in text as markup."""
    return widget._render_markup
