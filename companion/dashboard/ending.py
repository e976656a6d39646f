"""Signals that end the program while a screen is shown: the screen goes first, and in order."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def between_messages(leave: Callable[[], object]) -> Iterator[None]:
    """Have the signals that end the program call `leave` on the event loop; raise `SystemExit(128 + number)` behind it.

    An exception that a signal raises wherever the program happens to be ends the task of one widget, and those that
    wait for that widget wait for ever. Signals that are ignored, or end the process by themselves, stay as they are; a
    second signal ends it at once.
    """
    came: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # the screen is not there yet, or gone
            raise SystemExit(128 + number) from None
        came.append(number)
        loop.call_soon_threadsafe(leave)

    before = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    try:
        with suppress(ValueError):  # not in the main thread: whoever runs this one has handlers of its own
            for number in before:
                signal.signal(number, end)
        yield
    finally:
        with suppress(ValueError):
            for number, handler in before.items():
                if signal.getsignal(number) is end:
                    signal.signal(number, handler)
    if came:
        raise SystemExit(128 + came[0])
