"""A terminal driver for Linux and macOS that survives what Textual's own does not.

That is: a terminal that disappears or reads nothing, an invalid key report, and `fg`.
"""

from __future__ import annotations

import codecs
import os
import re
import selectors
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO, cast

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import Keys
from textual.message import Message

from companion.system.signals import stop_this_process
from companion.system.terminals import has_room, open_without_waiting

if TYPE_CHECKING:
    from companion.dashboard.textual.private_textual import PrivateApp

POLL_S = 0.1
"""Seconds between checks whether the screen is being closed, as in Textual's driver."""
STALLED_S = 0.5
"""Seconds in which a terminal must read something of what it is sent, or nothing more is sent."""
CANCEL = "\x18"
"""Cancels a control sequence of which the terminal has only the beginning."""
READ_AT_MOST = 4096  # bytes a read
_KEY_REPORT = re.compile(
    r"\x1b\[(?P<code>\d+):\d*(?::(?P<position>\d+))?(?P<rest>(?:;[\d:]*){0,2})u"
)
_CTRL = 4  # the bit of Ctrl in a report's modifiers
REPORT_POSITIONS = "\x1b[=4;2u"
"""Requests the position of a key besides its letter.

See https://sw.kovidgoyal.net/kitty/keyboard-protocol/#key-codes. Mode 2 adds this to what Textual
has requested; both end with the entry that Textual pops from the terminal's stack.
"""


def by_position(report: str) -> str:
    """Return a key report with a single code, as Textual (8.2) can read it.

    It is the letter, or if Ctrl is held the key's position on a US keyboard, so that Ctrl+Q is the
    same key on every layout.
    """
    match = _KEY_REPORT.fullmatch(report)
    if match is None:
        return report
    code, rest = match["code"], match["rest"]
    if match["position"] and _modifiers(rest) & _CTRL:
        code = match["position"]
    return f"\x1b[{code}{rest}u"


def _modifiers(rest: str) -> int:
    field = rest.removeprefix(";").split(";")[0].split(":")[0]
    if not field:
        return 0
    return int(field) - 1


class KeyReports(XTermParser):
    """Parses what a terminal sends, skipping reports that Textual cannot read.

    They are counted in `skipped`. An exception would end the program, since the parser is a
    generator.
    """

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self.skipped = 0

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = tuple(super()._sequence_to_key_events(by_position(sequence), alt))
            for key in keys:
                # Raises for a lone surrogate, which no screen can show.
                (key.character or "").encode()
        except (ValueError, OverflowError):
            self.skipped += 1
            return (events.Key(Keys.Ignore, sequence),)
        return keys

    def parse_mouse_code(self, code: str) -> Message | None:
        """Return the mouse event of a report, None for an invalid one, as from a window of no
        pixels."""
        try:
            return super().parse_mouse_code(code)
        except (ValueError, ArithmeticError):
            self.skipped += 1
            return None


class TerminalStream:
    """A stream to a terminal that may disappear or stop reading.

    From then on output is discarded; if it reads again, output resumes. Textual's writer thread
    would die of the first, and block for ever on the second, and with it everything that draws,
    once its queue is full.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._handle: int | None = None
        self.lost = False
        self.stalled = False  # the terminal reads nothing

        self._torn = False  # what was sent last may end inside a control sequence

    def open(self) -> None:
        """Begin to write."""
        self.close()
        self.stalled = self._torn = False
        self._handle = open_without_waiting(self._stream)

    def close(self) -> None:
        """Undo `open`; the stream itself stays open."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def write(self, text: str) -> int:
        """Write `text`; drop what the terminal does not take."""
        if not self.lost and not self.stalled:
            try:
                self._send(f"{CANCEL}{text}" if self._torn else text)
            except OSError:
                self.lost = True
        return len(text)

    def flush(self) -> None:
        """Flush what was written; if that fails, the stream drops what it still holds."""
        if not self.lost and not self.stalled:
            try:
                self._stream.flush()
            except OSError:
                self.lost = True

    def reads_again(self) -> bool:
        """Return whether a stalled terminal reads again; what it missed has to be redrawn."""
        if self._handle is None or not self.stalled or self.lost or not has_room(self._handle, 0):
            return False
        self.stalled = False
        return True

    def _send(self, text: str) -> None:
        if self._handle is None:
            self._stream.write(text)
            return
        rest = memoryview(text.encode(self._stream.encoding, "backslashreplace"))
        waits_until = time.monotonic() + STALLED_S
        while rest:
            sent = 0
            if has_room(self._handle, STALLED_S):
                with suppress(BlockingIOError):  # room for less than a line end
                    sent = os.write(self._handle, rest)
            if sent:
                rest = rest[sent:]
                waits_until = time.monotonic() + STALLED_S
            elif time.monotonic() >= waits_until:
                self.stalled = self._torn = True
                return
        self._torn = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class TerminalDriver(LinuxDriver):
    """Textual's driver, except for reading input and for continuing after `fg`.

    Textual (8.2) takes the end of input for a pause, so a terminal that closes without SIGHUP costs
    a whole core for ever; any exception in its input thread prints a traceback and exits with 0.
    """

    _app: PrivateApp[Any]

    def __init__(self, app: PrivateApp[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._screen = TerminalStream(cast("TextIO", self._file))
        self._file = cast("Any", self._screen)
        self._stopped_by_us = False

    def start_application_mode(self) -> None:
        """Take the terminal and request key positions if it can report them."""
        self._screen.open()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._writer_thread is not None:
            self.write(REPORT_POSITIONS)
            self.flush()

    def close(self) -> None:
        """Close the terminal as Textual does; note whether it had stopped reading."""
        super().close()
        self._screen.close()
        self._app.terminal_stalled = self._screen.stalled

    # -- input

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as fault:
            self._app.call_later(self._app._handle_exception, fault)

    def run_input_thread(self) -> None:
        """Read keys and hand them to the app, until the screen is closed or the terminal is gone."""
        parser = KeyReports(self._debug)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(POLL_S):
                    received = self._read()
                    if not received:
                        self._end_a_hanging_app()
                        self._app.call_later(self._app.terminal_lost)
                        return
                    self._take(parser, decoder.decode(received))
                for message in parser.tick():
                    self.process_message(message)
                if self._screen.reads_again():
                    self._app.draw_again()

    def process_message(self, message: Message) -> None:
        """Hand a message to the app, except keys pressed while it hangs with a game."""
        guard = self._app.guard
        if guard is not None and isinstance(message, events.Key) and guard.takes(message.key):
            return
        super().process_message(message)

    def _read(self) -> bytes:
        """Return what the terminal sent, nothing if it is gone; a pty without its other end raises
        instead."""
        try:
            return os.read(self.fileno, READ_AT_MOST)
        except OSError:
            return b""

    def _end_a_hanging_app(self) -> None:
        if self._app.guard is not None:
            self._app.guard.quit()

    def _take(self, parser: KeyReports, text: str) -> None:
        if not text:  # part of a character; the parser takes an empty text for the end of input
            return
        before = parser.skipped
        for message in parser.feed(text):
            self.process_message(message)
        if parser.skipped > before:
            self._app.call_later(self._app.keys_skipped, parser.skipped - before)

    # -- stopped and continued: in the event loop, since a signal may interrupt its thread while that
    # holds the lock of the writer's queue

    def _sigtstp_application(self, *_: object) -> None:
        try:
            self._loop.call_soon_threadsafe(self._stop)
        except RuntimeError:  # the screen is gone
            stop_this_process()

    def _stop(self) -> None:
        self._stopped_by_us = True
        super()._sigtstp_application()

    def _sigcont_application(self, *_: FrameType | int | None) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._go_on)

    def _go_on(self) -> None:
        """Take the terminal again after `fg` and redraw everything: the shell has written over it."""
        if not self._auto_restart:
            return
        if not self._stopped_by_us:  # by SIGSTOP, which nobody can catch: the threads still run
            self.suspend_application_mode()
        self._stopped_by_us = False
        self.resume_application_mode()
        self._app.call_later(partial(self._app.refresh, layout=True))
