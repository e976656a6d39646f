"""Output to a terminal: control codes are removed from everything that commands print.

Names, reasons and paths come from files that somebody else may have made. A terminal obeys control codes in them: it
sets titles, moves the cursor, writes to the clipboard, and shows letters in another order.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Any, TextIO, cast

from companion.rules.columns import hung, without_codes
from companion.system.signals import call_every, interrupt_other_threads
from companion.system.terminals import reads_nothing

LOOK_S = 0.5
"""Seconds between checks whether the terminal still reads, while the program ends."""


class CleanedStream:
    """A text stream that writes to another one without control codes and invisible characters."""

    def __init__(self, stream: TextIO) -> None:
        self.beneath = stream

    def write(self, text: str) -> int:
        """Write `text` without control codes. Return the length of the whole text, as a stream must."""
        self.beneath.write(without_codes(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


class ErrorStream(CleanedStream):
    """A cleaned stream for messages beside the output, on a terminal wrapped at their words. A message that cannot be
    written is lost: nobody could be told, and the exit code still reports the outcome."""

    def write(self, text: str) -> int:
        """Write `text`; after an error, write everything to the null device."""
        try:
            super().write(wrapped_for(self.beneath, text))
            return len(text)
        except OSError:
            write_nowhere(self.beneath)
            return len(text)


def wrapped_for(stream: TextIO, text: str) -> str:
    """Return `text` with its lines wrapped at their words if `stream` is a terminal that is narrower."""
    if not stream.isatty():
        return text
    columns = shutil.get_terminal_size().columns
    lines = without_codes(text).split("\n")
    return "\n".join(row for line in lines for row in hung(line, columns))


def tell(text: str) -> None:
    """Print sentences for people, on a terminal wrapped at their words."""
    print(wrapped_for(unfiltered(sys.stdout), text))


def write_nowhere(stream: TextIO) -> None:
    """Redirect a stream to the null device, with what its buffer holds: the interpreter flushes that once more when it
    exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def write_nowhere_unread() -> None:
    """Redirect standard output and errors to the null device if the terminal does not read: a blocked print would keep
    the program from ending."""
    for stream in (sys.stdout, sys.stderr):
        if reads_nothing(stream):
            write_nowhere(stream)
            interrupt_other_threads()


def end_unread() -> None:
    """Never wait for a terminal that does not read while the program ends. A timer checks again, for a terminal that
    takes part of the output and then stops. Call it from the main thread, in a signal handler."""
    write_nowhere_unread()
    call_every(LOOK_S, write_nowhere_unread)
    atexit.register(_write_the_rest)  # the last registered is called first: the timer still runs


def _write_the_rest() -> None:
    """Write what the buffers hold, and nothing more: without the timer, the interpreter's own flush could wait for the
    terminal."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # the reader is gone, or the stream is closed
            stream.flush()
            write_nowhere(stream)


def can_ask() -> bool:
    """Return whether a person can be asked: input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def shows_screens() -> bool:
    """Return whether a person sees a full screen and can press keys."""
    return can_ask() and os.environ.get("TERM") != "dumb"


def unfiltered(stream: TextIO) -> TextIO:
    """Return the stream beneath the cleaned one, for text that only the program wrote, such as its own codes."""
    return cast("TextIO", getattr(stream, "beneath", stream))


def data_stream() -> TextIO:
    """Return standard output for a format that defines its bytes: UTF-8, line ends unchanged, whatever the console's
    encoding. The text is cleaned for a terminal only."""
    out = unfiltered(sys.stdout)
    if isinstance(out, TextIOWrapper):
        out.reconfigure(encoding="utf-8", errors="replace", newline="")
    return sys.stdout if out.isatty() else out


@contextmanager
def cleaned_output() -> Iterator[None]:
    """Clean everything that is printed inside the block. Characters that the output's encoding lacks become question
    marks."""
    before = sys.stdout, sys.stderr
    if isinstance(out := unfiltered(sys.stdout), TextIOWrapper):
        out.reconfigure(errors="replace")
    sys.stdout = cast("TextIO", CleanedStream(unfiltered(sys.stdout)))
    sys.stderr = cast("TextIO", ErrorStream(unfiltered(sys.stderr)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
