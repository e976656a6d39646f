"""Where text leaves for a terminal: what could steer it is taken out of everything that commands print.

Names, reasons and paths come from files that somebody else may have made. A terminal obeys what stands in them: it sets
titles, moves the cursor, writes to the clipboard, and shows letters in another order.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TextIO, cast

from companion.rules.columns import without_codes

LOOK_S = 0.5
"""Seconds between two looks whether a terminal reads what is said at the end of the program."""


class CleanedStream:
    """A text stream that writes to another one without control codes and invisible characters."""

    def __init__(self, stream: TextIO) -> None:
        self.beneath = stream

    def write(self, text: str) -> int:
        """Write `text` as a person may see it."""
        self.beneath.write(without_codes(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


class ErrorStream(CleanedStream):
    """The same for sentences beside the output. One that cannot be written is lost: nobody is there to be told, and the
    exit code still says how the command ended."""

    def write(self, text: str) -> int:
        """Write `text`, or from now on nowhere."""
        try:
            return super().write(text)
        except OSError:
            write_nowhere(self.beneath)
            return len(text)


def write_nowhere(stream: TextIO) -> None:
    """Have all that a stream is given go nowhere, what waits in its buffer too: the interpreter tries it once more at
    its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def write_nowhere_unread() -> None:
    """Have what is printed from now on go nowhere where the terminal reads nothing: the program is to end, and printing
    would wait for ever."""
    if sys.platform == "win32":  # it cannot say
        return
    for stream in (sys.stdout, sys.stderr):
        if stream.isatty() and not select.select([], [stream], [], 0)[1]:
            write_nowhere(stream)
            _interrupt_other_threads()


def _interrupt_other_threads() -> None:
    """Have a thread that waits in a write begin it again: what it writes to is another file by now, but a write that
    has begun goes on where it was. Nobody else uses this signal, and its handler has nothing to do."""
    if sys.platform != "win32":
        signal.signal(signal.SIGURG, lambda _number, _frame: None)
        for thread in threading.enumerate():
            if thread is not threading.main_thread() and thread.ident is not None:
                signal.pthread_kill(thread.ident, signal.SIGURG)


def end_unread() -> None:
    """Have what is said at the end of the program wait for no terminal that reads nothing. One that has room for a part
    of it is looked at again, in the middle of the write. Called by the main thread, in the handler of a signal."""
    write_nowhere_unread()
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, lambda _number, _frame: write_nowhere_unread())
        signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)


def can_ask() -> bool:
    """Return whether somebody is there who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def shows_screens() -> bool:
    """Return whether a person is there who can see a screen and press keys."""
    return can_ask() and os.environ.get("TERM") != "dumb"


def unfiltered(stream: TextIO) -> TextIO:
    """Return the stream for text that no stranger wrote, such as codes of our own."""
    return cast("TextIO", getattr(stream, "beneath", stream))


def data_stream() -> TextIO:
    """Return standard output for what a format defines: from now on it writes UTF-8 and leaves line ends as they are,
    whatever the console's encoding. Only for a terminal is the text cleaned."""
    out = unfiltered(sys.stdout)
    if isinstance(out, TextIOWrapper):
        out.reconfigure(encoding="utf-8", errors="replace", newline="")
    return sys.stdout if out.isatty() else out


@contextmanager
def cleaned_output() -> Iterator[None]:
    """Have all that is printed inside the block leave cleaned, with a question mark for each sign that the output's
    encoding does not have."""
    before = sys.stdout, sys.stderr
    if isinstance(out := unfiltered(sys.stdout), TextIOWrapper):
        out.reconfigure(errors="replace")
    sys.stdout = cast("TextIO", CleanedStream(unfiltered(sys.stdout)))
    sys.stderr = cast("TextIO", ErrorStream(unfiltered(sys.stderr)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
