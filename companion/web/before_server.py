"""Serves the pages before a game, in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from socket import socket
from ssl import SSLContext

from companion.web.before_pages import BeforePages
from companion.web.run import first_of, serving
from companion.web.serving_thread import ServingThread


class BeforeServer:
    """Serves `pages` at `doors`, encrypted if there is a `context`, until it is closed; it closes the doors then."""

    def __init__(
        self, pages: BeforePages, doors: Sequence[socket], context: SSLContext | None
    ) -> None:
        self._pages, self._doors, self._context = pages, doors, context
        self._is_ending = False
        pages.listens = self._listens
        self._serving = ServingThread("pages before a game", self._serve)
        try:
            self._serving.start()
        except BaseException:  # a signal ends the program, and nobody else could close this
            self.close()
            raise

    def close(self) -> None:
        """Stop serving, once the answers that have begun are sent."""
        self._serving.close()
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
        return self._serving.is_up

    @property
    def fault(self) -> Exception | None:
        """What the server ended with, if it ended by itself."""
        return self._serving.fault

    def _note_end(self) -> None:
        self._is_ending = True

    async def _serve(self) -> None:
        async with serving(self._pages, self._doors, self._context, self._note_end) as (served, _):
            self._serving.note_up()
            await first_of(self._serving.end, served)
