"""Serves the pages before a game, in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from socket import socket
from ssl import SSLContext

from companion.web.before_pages import BeforePages
from companion.web.run import first_of, serving


class BeforeServer:
    """Serves `pages` at `doors`, encrypted if there is a `context`, until it is closed; it closes the doors then."""

    def __init__(
        self, pages: BeforePages, doors: Sequence[socket], context: SSLContext | None
    ) -> None:
        self._pages, self._doors, self._context = pages, doors, context
        self._is_ending = False
        pages.listens = self._listens
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end = asyncio.Event()
        self._is_closing = False
        self._up = threading.Event()
        self.fault: Exception | None = None
        """What the server ended with, if it ended by itself."""
        self._thread = threading.Thread(target=self._run, name="pages before a game", daemon=True)
        try:
            self._thread.start()
            self._up.wait()
        except BaseException:  # a signal ends the program, and nobody else could close this
            self.close()
            raise

    def close(self) -> None:
        """Stop serving, once the answers that have begun are sent."""
        self._is_closing = True
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._end.set)
        if self._thread.ident is not None:
            self._thread.join()
        for door in self._doors:
            door.close()

    def _listens(self) -> bool:
        # without TLS the server has the doors, and closes them before it waits for the last answers
        if self._context is None:
            return any(door.fileno() >= 0 for door in self._doors)
        return not self._is_ending

    def take_fault(self) -> Exception | None:
        """Return the exception of an answer that failed, once; the pages go on."""
        fault, self._pages.fault = self._pages.fault, None
        return fault

    @property
    def is_up(self) -> bool:
        """Whether the pages are served."""
        return self._thread.is_alive()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as fault:
            self.fault = fault
        finally:
            self._up.set()

    def _note_end(self) -> None:
        self._is_ending = True

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self._is_closing:  # before there was a loop to tell
            return
        async with serving(self._pages, self._doors, self._context, self._note_end) as (served, _):
            self._up.set()
            await first_of(self._end, served)
