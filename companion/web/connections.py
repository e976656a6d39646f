"""Uvicorn's server with bounds: the number of connections in all and from one address, the time a request may take to
arrive, and the time a page may not read what it is sent."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.app import MOST_PAGES, Pages
from companion.web.headers import IS_FULL, STATE
from companion.web.interfaces import is_served_at

MOST_CONNECTIONS = 3 * MOST_PAGES
"""A page has one stream and, briefly, one or two connections for the page itself."""
MOST_FROM_ONE = 2 * MOST_PAGES
"""From one address: one computer may show fifty pages, and a whole table may be behind one router. A third is left, so
no address can keep the others out."""
MOST_HEAD = 16 * 1024
"""Bytes of a request's head: browsers send less than two thousand, and no page sets a cookie."""
REQUEST_TIMEOUT_S = 10.0
"""Seconds for a whole request to arrive, with the last byte of a body that nobody asked for."""
SLOW_S = 20.0
"""Seconds a full buffer waits for a page that reads nothing; the page reconnects by itself when it wakes up."""
CLOSE_GRACE_S = 2.0
"""Seconds for a refused client to read why. Closing at once would reset the connection when it sends more, and the
sentence would be lost."""
GRACE_S = 1
"""Seconds for answers to finish once the server ends."""
BACKLOG = 64
TOO_MANY = "Too many pages are open: close one and try again."
TOO_MANY_FROM_ONE = "Too many pages are open on this device: close one and try again."
TOO_SLOW = "The request did not come to its end: try again."
NOT_HTTP = (
    "This is no request that can be read: open the address that the companion prints in a browser."
)


class ConnectionCounts:
    """Counts connections, in all and by address, and how many of them were refused and not served. The event loop alone
    uses it."""

    def __init__(self) -> None:
        self._open = Counter[str]()
        self._refused = Counter[str]()

    def enter(self, address: str) -> None:
        """Count a new connection."""
        self._open[address] += 1

    def refuse(self, address: str) -> None:
        """Count an open connection as refused."""
        self._refused[address] += 1

    def leave(self, address: str, *, refused: bool) -> None:
        """Stop counting a connection."""
        _less(self._open, address)
        if refused:
            _less(self._refused, address)

    def is_beyond_words(self, address: str) -> bool:
        """Return whether there are so many that a new one is cut without an answer."""
        total, from_one = self._open.total(), self._open[address]
        return total > 2 * MOST_CONNECTIONS or from_one > 2 * MOST_FROM_ONE

    def why_not(self, address: str) -> str:
        """Return why a new connection is not served, or an empty string if it is."""
        if self._open[address] - self._refused[address] > MOST_FROM_ONE:
            return TOO_MANY_FROM_ONE
        if self._open.total() - self._refused.total() > MOST_CONNECTIONS:
            return TOO_MANY
        return ""


def _less(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if not counter[address]:
        del counter[address]


class SteadyConnection(H11Protocol):
    """An HTTP connection that is cut when its client stops reading, or came in at an address of the whole internet."""

    _abort_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Set the system's own timeout for a client that vanished."""
        stream = cast("asyncio.Transport", transport)  # uvloop's does not inherit from it
        super().connection_made(stream)
        _forget_the_vanished(stream)
        # The server listens at all addresses, because a laptop gets new ones; only local ones are answered.
        own = stream.get_extra_info("sockname")
        if isinstance(own, tuple) and not is_served_at(own[0].partition("%")[0]):
            stream.abort()

    def on_response_complete(self) -> None:
        """Bound the time for the rest of an answer that ends the connection."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._start_abort_timer()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, and bound the time for what is left to send."""
        super().timeout_keep_alive_handler()
        self._start_abort_timer()

    def pause_writing(self) -> None:
        """Bound the time that a full buffer waits."""
        super().pause_writing()
        self._start_abort_timer()

    def resume_writing(self) -> None:
        """Stop the timer, unless the connection is closing and only the rest is sent."""
        super().resume_writing()
        if self._abort_timer is not None and not self.transport.is_closing():
            self._abort_timer.cancel()
            self._abort_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        super().connection_lost(exc)

    def _start_abort_timer(self) -> None:
        if self._abort_timer is None:
            self._abort_timer = self.loop.call_later(SLOW_S, self.transport.abort)


class BoundedConnection(SteadyConnection):
    """A connection that is refused when there are too many, and cut when it requests nothing or reads nothing."""

    _timeout: asyncio.TimerHandle | None = None
    _refused = False

    def __init__(self, *args: Any, counts: ConnectionCounts | None = None, **options: Any) -> None:
        """`counts` counts the connections of one server; None: this is the only one."""
        super().__init__(*args, **options)
        self._counts = ConnectionCounts() if counts is None else counts

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Serve the connection, or answer that there are too many; beyond twice the bound, cut it."""
        super().connection_made(transport)
        self._counts.enter(self._address)
        if self._counts.is_beyond_words(self._address):
            self.transport.abort()
        elif why := self._counts.why_not(self._address):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, why)
        else:
            self._start_request_timer()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def data_received(self, data: bytes) -> None:
        """Read on. Half a request gets no more time than none."""
        if self._refused or self.transport.is_closing():
            return
        super().data_received(data)
        if self._refused:
            return
        if self._answered or self.conn.their_state is h11.SEND_BODY:  # more of a request is due
            self._start_request_timer()
        elif self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    @property
    def _answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - the library's text is for its log
        """Answer what is not HTTP."""
        self._refuse(HTTPStatus.BAD_REQUEST, NOT_HTTP)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self._timeout is not None:
            self._timeout.cancel()
        self._counts.leave(self._address, refused=self._refused)
        super().connection_lost(exc)

    def _start_request_timer(self) -> None:
        if self._timeout is None:
            self._timeout = self.loop.call_later(REQUEST_TIMEOUT_S, self._cut_off)

    def _cut_off(self) -> None:
        """Answer a client that sent half a request; cut one that sent nothing, for there is nothing to answer."""
        half, _ = self.conn.trailing_data
        if half and self.conn.their_state is h11.IDLE:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW)
        else:
            self.transport.abort()

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        if not self._answered:  # an answer has begun, and nothing can be inserted in the middle
            self.transport.abort()
            return
        if not self._refused:
            self._refused = True
            self._counts.refuse(self._address)
        if self._timeout is not None:
            self._timeout.cancel()
        self._timeout = self.loop.call_later(CLOSE_GRACE_S, self.transport.abort)
        self.transport.write(plain_answer(status, sentence))
        if self.transport.can_write_eof():  # TLS cannot close one direction
            with suppress(OSError):  # the client may be gone by now
                self.transport.write_eof()


def plain_answer(status: HTTPStatus, sentence: str) -> bytes:
    """Return a whole HTTP answer with one sentence, for a client that the application cannot answer."""
    fields = [
        "content-type: text/plain; charset=utf-8",
        "cache-control: no-store",
        "connection: close",
    ]
    if status is HTTPStatus.SERVICE_UNAVAILABLE:  # there are too many connections
        fields.append(f"{STATE}: {IS_FULL}")
    head = (f"HTTP/1.1 {status.value} {status.phrase}", *fields)
    return "\r\n".join((*head, "", f"{sentence}\n")).encode()


def _forget_the_vanished(transport: asyncio.Transport) -> None:
    """Set the system's timeout for a phone that fell asleep and acknowledges nothing; the default is 15 minutes."""
    raw = transport.get_extra_info("socket")
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux (RFC 5482)
    if raw is not None and option is not None:
        raw.setsockopt(socket.IPPROTO_TCP, option, int(SLOW_S * 1000))


def connection_maker(server: uvicorn.Server) -> Callable[[], BoundedConnection]:
    """Return a factory of connections to a server that has started, for a listener of our own."""
    config = server.config
    make = cast("Callable[..., BoundedConnection]", config.http_protocol_class)
    return lambda: make(config, server.server_state, server.lifespan.state)


def server_of(pages: Pages) -> uvicorn.Server:
    """Return the server for the application; `serve(sockets=...)` runs it until `should_exit`."""
    settings: dict[str, Any] = {
        "lifespan": "off",
        "ws": "none",
        "proxy_headers": False,
        "server_header": False,
    }
    settings["h11_max_incomplete_event_size"] = MOST_HEAD
    quiet: dict[str, Any] = {"log_config": None, "log_level": "critical", "access_log": False}
    return uvicorn.Server(
        uvicorn.Config(
            pages,
            http=cast(
                "type[asyncio.Protocol]", partial(BoundedConnection, counts=ConnectionCounts())
            ),
            backlog=BACKLOG,
            timeout_graceful_shutdown=GRACE_S,
            **settings,
            **quiet,
        )
    )


async def cut_off_the_rest(server: uvicorn.Server) -> None:
    """Abort the connections that a server that has ended still has open: uvicorn leaves them to the system, and their
    clients would wait."""
    for connection in list(server.server_state.connections):
        if isinstance(connection, BoundedConnection):
            connection.transport.abort()
    await asyncio.sleep(0)  # lets the loop close them
