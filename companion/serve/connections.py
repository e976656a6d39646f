"""The web library's server, with bounds: how many connections, how long without a request, how long a page may not
read what it is sent."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.serve.app import MOST_PAGES, Pages

MOST_CONNECTIONS = 3 * MOST_PAGES
"""A page has one stream and, for moments, one or two connections for the page itself."""
HURRY_S = 10.0
"""Seconds in which a connection has to say what it wants."""
SLOW_S = 20.0
"""Seconds for which a full buffer waits for a page that takes nothing; it comes back by itself when it wakes up."""
BACKLOG = 64
_REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncache-control: no-store\r\n"
    b"connection: close\r\n\r\nToo many connections are open: close a page and try again.\n"
)


class Bounded(H11Protocol):
    """A connection that is cut when it asks nothing, or takes nothing."""

    _hurry: asyncio.TimerHandle | None = None
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take it in, or say that there are too many."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        _forget_the_vanished(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.write(_REFUSED)
            transport.close()
            return
        self._ask_soon()

    def data_received(self, data: bytes) -> None:
        """Read on; half a request has as little time as none."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._ask_soon()
        elif self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None

    def pause_writing(self) -> None:
        """The buffer is full: wait, but not for ever."""
        super().pause_writing()
        self._patience = self.loop.call_later(SLOW_S, self.transport.abort)

    def resume_writing(self) -> None:
        """The page reads again."""
        super().resume_writing()
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        for clock in (self._hurry, self._patience):
            if clock is not None:
                clock.cancel()
        super().connection_lost(exc)

    def _ask_soon(self) -> None:
        if self._hurry is None:
            self._hurry = self.loop.call_later(HURRY_S, self.transport.abort)


def _forget_the_vanished(transport: asyncio.Transport) -> None:
    """A phone that fell asleep acknowledges nothing; the system would try for a quarter of an hour."""
    raw = transport.get_extra_info("socket")
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux (RFC 5482)
    if raw is not None and option is not None:
        raw.setsockopt(socket.IPPROTO_TCP, option, int(SLOW_S * 1000))


def server_of(pages: Pages) -> uvicorn.Server:
    """Return the server for the application; `serve(sockets=...)` runs it until `should_exit`."""
    settings: dict[str, Any] = {"lifespan": "off", "ws": "none", "proxy_headers": False, "server_header": False}
    quiet: dict[str, Any] = {"log_config": None, "log_level": "critical", "access_log": False}
    return uvicorn.Server(
        uvicorn.Config(pages, http=Bounded, backlog=BACKLOG, timeout_graceful_shutdown=1, **settings, **quiet)
    )
