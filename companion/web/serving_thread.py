"""A server in a thread of its own, beside the program that plays."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from companion.system import sockets
from companion.system.signals import join_if_started


class ServingThread:
    """Runs `serve` in an event loop of its own. `serve` calls `note_up` once it answers, and returns when `end` is
    set; `on_fault` is called if it fails."""

    def __init__(
        self,
        name: str,
        serve: Callable[[], Coroutine[Any, Any, None]],
        on_fault: Callable[[], object] = lambda: None,
    ) -> None:
        self._serve, self._on_fault = serve, on_fault
        self._loop: asyncio.AbstractEventLoop | None = None
        # no `Event`: a signal can leave its lock held, and the server would wait for it
        self._up = SimpleQueue[None]()
        self.end = asyncio.Event()
        """Set in the loop once the server is to end."""
        self.is_closing = False
        self.fault: Exception | None = None
        """What the server ended with, if it ended by itself."""
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread, and wait until the server answers or has failed."""
        self.thread.start()
        self._up.get()

    def note_up(self) -> None:
        """Note that the server answers."""
        self._up.put(None)

    @property
    def is_up(self) -> bool:
        """Whether the server runs."""
        return self.thread.is_alive()

    def do(self, call: Callable[..., object], *args: object) -> None:
        """Call something in the loop, if the server runs."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(call, *args)

    def close(self) -> None:
        """End the server, and wait for it."""
        self.is_closing = True
        self.do(self.end.set)
        join_if_started(self.thread)

    def _run(self) -> None:
        try:
            sockets.run(self._until_end())
        except Exception as fault:
            self.fault = fault
            self._on_fault()
        finally:
            # also after an error before the server was up, or `start` would wait forever
            self._up.put(None)

    async def _until_end(self) -> None:
        self._loop = asyncio.get_running_loop()
        if not self.is_closing:  # set before there was a loop to tell
            await self._serve()
