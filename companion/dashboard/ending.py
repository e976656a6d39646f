"""How the program ends while a screen is shown: in order after a signal, with one sentence after a
fault."""

from __future__ import annotations

import asyncio
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from companion.journal.disk import make_private, write_private
from companion.rules.columns import clean
from companion.system.signals import ENDING

if TYPE_CHECKING:
    from companion.dashboard.source import TableLike


@contextmanager
def between_messages(
    leave: Callable[[], object], at_once: Callable[[], object] = lambda: None
) -> Iterator[Callable[[int], None]]:
    """Make the signals that end the program call `leave` on the event loop.

    Afterwards raise `SystemExit(128 + number)`. `at_once` is called in the signal handler, whatever
    the loop is doing. Yields a function that ends the program the same way from the event loop,
    with an exit code.

    An exception that a signal raises wherever the program happens to be would end the task of one
    widget, and whatever waits for that widget would hang. Signals that are ignored or have the
    default action are left alone; a second signal ends the program at once.
    """
    codes: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one ends the process at once
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # the screen is not there yet, or gone
            raise SystemExit(128 + number) from None
        at_once()
        loop.call_soon_threadsafe(end_with, 128 + number)

    def end_with(code: int) -> None:
        codes.append(code)
        leave()

    handlers = {number: signal.getsignal(number) for number in ENDING}
    before = {number: handler for number, handler in handlers.items() if callable(handler)}
    try:
        with suppress(ValueError):  # outside the main thread, whose owner has its own handlers
            for number in before:
                signal.signal(number, end)
        yield end_with
    finally:
        with suppress(ValueError):
            for number, handler in before.items():
                if signal.getsignal(number) is end:
                    signal.signal(number, handler)
    if codes:
        raise SystemExit(codes[0])


def crash_sentence(
    error: Exception, table: TableLike | None, crash_file: Path | None, who: str = "The dashboard"
) -> str:
    """Write the traceback to `crash_file`, if given; return what failed, what is safe, what to do."""
    fault = f"{who} stopped by a fault of its own ({_first_line(error)})"
    return f"{fault}; {_record(table)}{details_written(error, crash_file)}."


def fault_sentence(error: Exception, crash_file: Path | None) -> str:
    """Write the traceback to `crash_file`, if given; return what failed while the game continues."""
    problem = f"this cannot be shown because of a fault of the program ({_first_line(error)})"
    return f"{problem}; the game continues{details_written(error, crash_file)}"


def _first_line(error: Exception) -> str:
    return clean(f"{type(error).__name__}: {error}".split("\n")[0].rstrip(": "))


def _record(table: TableLike | None) -> str:
    if table is None:
        return "a session that was started is kept, start the companion again to resume"
    try:
        saved = table.view().saved
    except Exception:
        return "start the companion again to resume the session"
    return f"the session is kept ({saved.text}), start the companion again to resume"


def details_written(error: Exception, crash_file: Path | None) -> str:
    """Write the traceback to `crash_file`, if given; return where it is, to follow the sentence about the fault."""
    if crash_file is None:
        return ""
    try:
        make_private(crash_file.parent)
        write_private(
            crash_file, "".join(traceback.format_exception(error)).encode(errors="backslashreplace")
        )
    except OSError as problem:
        return f"; the details could not be written to {crash_file} ({problem.strerror})"
    return f"; the details are in {crash_file}"
