"""Word that something was committed, for whoever shows it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Final

LEAST_S: Final = 0.25
"""Seconds between two words to the pages: a hundred tables say something in each."""


class News:
    """A number that rises. `tell` may be called from any thread, `wait` by those in the loop alone."""

    def __init__(self) -> None:
        self.number = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._lock = threading.Lock()

    def tell(self) -> None:
        """Say that something was committed."""
        with self._lock:
            self.number += 1
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._changed.set)

    async def keep_waking(self) -> None:
        """Wake those who wait, not more often than every `LEAST_S`, until cancelled."""
        self._loop = asyncio.get_running_loop()
        while True:
            await self._changed.wait()
            woken, self._changed = self._changed, asyncio.Event()
            woken.set()
            await asyncio.sleep(LEAST_S)

    async def wait(self, seen: int, within_s: float) -> int:
        """Return the number once it is another than `seen`, or after so many seconds."""
        if self.number == seen:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), within_s)
        return self.number
