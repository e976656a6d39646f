"""Uvicorn's server with bounds: the number of connections in all and from one address, the time a request may take to
arrive, and the time a page may not read what it is sent.

Pages of roles have a reserve, so that nobody who only looks on keeps them out. A connection beyond the bounds is read
up to the end of its first line, and served from the reserve if that names the code of a role.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.system.sockets import forget_the_vanished
from companion.web.app import MOST_PAGES, Pages
from companion.web.headers import IS_FULL, STATE
from companion.web.interfaces import is_served_at
from companion.web.role_streams import MOST_STREAMS

MOST_CONNECTIONS = 3 * MOST_PAGES
"""A page has one stream and, briefly, one or two connections for the page itself."""
MOST_FROM_ONE = 2 * MOST_PAGES
"""From one address: one computer may show fifty pages, and a whole table may be behind one router. A third is left, so
no address can keep the others out."""
MOST_FROM_RESERVE = 3 * MOST_STREAMS
"""Connections of roles beyond those bounds; each page has as many as any other."""
MOST_WAITING = 64
"""Connections beyond the bounds whose first line is awaited. A browser sends it at once."""
FIRST_LINE_S = 2.0
"""Seconds for that line."""
MOST_LINE = 512
"""Bytes of that line; the address of a page has sixty characters."""
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


class Rank(Enum):
    """How a connection is treated."""

    SERVED = auto()
    WAITING = auto()
    """Beyond the bounds; its first line decides."""
    RESERVED = auto()
    """Served although it is beyond the bounds, for it is of a role."""
    REFUSED = auto()


class ConnectionCounts:
    """Counts connections, in all and by address, and how each of them is treated. The event loop alone uses it."""

    def __init__(self) -> None:
        self._open = Counter[str]()
        self._served = Counter[str]()
        self._reserved = Counter[str]()
        self.waiting: dict[BoundedConnection, str] = {}
        """Those that wait, with their addresses, the oldest first."""

    def enter(self, address: str, rank: Rank) -> None:
        """Count a new connection."""
        _count(self._open, address, 1)
        self._add(address, rank, 1)

    def move(self, address: str, before: Rank, rank: Rank) -> None:
        """Count a connection as one of another rank."""
        self._add(address, before, -1)
        self._add(address, rank, 1)

    def leave(self, address: str, rank: Rank) -> None:
        """Stop counting a connection."""
        _count(self._open, address, -1)
        self._add(address, rank, -1)

    def _add(self, address: str, rank: Rank, more: int) -> None:
        if rank is Rank.SERVED:
            _count(self._served, address, more)
        elif rank is Rank.RESERVED:
            _count(self._reserved, address, more)

    def is_beyond_words(self, address: str) -> bool:
        """Return whether there are so many that another one is cut without an answer."""
        total, from_one = self._open.total(), self._open[address]
        return total >= 2 * MOST_CONNECTIONS or from_one >= 2 * MOST_FROM_ONE

    def why_not(self, address: str) -> str:
        """Return why a new connection is not served, or an empty string if it is."""
        if self._served[address] >= MOST_FROM_ONE:
            return TOO_MANY_FROM_ONE
        if self._served.total() >= MOST_CONNECTIONS or self.is_beyond_words(address):
            return TOO_MANY
        return ""

    @property
    def has_reserve(self) -> bool:
        """Whether one more connection of a role can be served beyond the bounds."""
        return self._reserved.total() < MOST_FROM_RESERVE

    def too_long_waiting(self) -> BoundedConnection | None:
        """Return the connection that has to make room for another one that waits: the oldest from the address that has
        the most, so that a flood from a few addresses makes room for others. None if there is room."""
        if len(self.waiting) < MOST_WAITING:
            return None
        (most, _), *_ = Counter(self.waiting.values()).most_common(1)
        return next(waiting for waiting, address in self.waiting.items() if address == most)


def _count(counter: Counter[str], address: str, more: int) -> None:
    counter[address] += more
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
    _rank: Rank | None = None  # None: not counted
    _why = ""
    _line = b""

    def __init__(
        self,
        *args: Any,
        counts: ConnectionCounts | None = None,
        pages: Pages | None = None,
        **options: Any,
    ) -> None:
        """`counts` counts the connections of one server, None: this is the only one; `pages` knows the roles."""
        super().__init__(*args, **options)
        self._counts = ConnectionCounts() if counts is None else counts
        self._pages = pages

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Serve the connection, or answer that there are too many; beyond twice the bound, cut it. If any role is given
        out, its first line is read before."""
        super().connection_made(transport)
        why = self._counts.why_not(self.address)
        if not why:
            self._enter(Rank.SERVED)
            self._start_request_timer()
        elif self._pages is not None and self._pages.has_roles:
            self._wait_for_line(why)
        else:
            self._turn_away(why)

    @property
    def address(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    def _enter(self, rank: Rank) -> None:
        """Be treated in this way from now on."""
        if self._rank is None:
            self._counts.enter(self.address, rank)
        else:
            self._counts.move(self.address, self._rank, rank)
        self._counts.waiting.pop(self, None)
        self._rank = rank

    def _wait_for_line(self, why: str) -> None:
        self._why = why
        oldest = self._counts.too_long_waiting()
        if oldest is not None:
            oldest._enter(Rank.REFUSED)
            oldest.transport.abort()
        self._enter(Rank.WAITING)
        self._counts.waiting[self] = self.address
        self._timeout = self.loop.call_later(FIRST_LINE_S, self._turn_away, why)

    def _turn_away(self, why: str) -> None:
        """Answer that there are too many connections, or only cut it if there are far too many."""
        is_beyond_words = self._counts.is_beyond_words(self.address)
        self._enter(Rank.REFUSED)
        if is_beyond_words:
            self.transport.abort()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, why)

    def _read_line(self, data: bytes) -> None:
        """Serve a connection that waits once its first line names a role, or turn it away."""
        self._line += data
        line, end, _ = self._line.partition(b"\n")
        if not end and len(line) <= MOST_LINE:
            return
        assert self._pages is not None
        is_of_role = self._pages.role(code_in(line)) is not None
        if not (is_of_role and self._counts.has_reserve):
            self._turn_away(self._why)
            return
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None
        self._enter(Rank.RESERVED)
        self._start_request_timer()
        read, self._line = self._line, b""
        self.data_received(read)

    def data_received(self, data: bytes) -> None:
        """Read on. Half a request gets no more time than none."""
        if self._is_refused or self.transport.is_closing():
            return
        if self._rank is Rank.WAITING:
            self._read_line(data)
            return
        super().data_received(data)
        if self._is_refused:
            return
        if self._answered or self.conn.their_state is h11.SEND_BODY:  # more of a request is due
            self._start_request_timer()
        elif self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    @property
    def _is_refused(self) -> bool:
        return self._rank is Rank.REFUSED

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
        if self._rank is not None:
            self._counts.leave(self.address, self._rank)
            self._counts.waiting.pop(self, None)
            self._rank = None
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
        self._enter(Rank.REFUSED)
        if self._timeout is not None:
            self._timeout.cancel()
        self._timeout = self.loop.call_later(CLOSE_GRACE_S, self.transport.abort)
        self.transport.write(plain_answer(status, sentence))
        if self.transport.can_write_eof():  # TLS cannot close one direction
            with suppress(OSError):  # the client may be gone by now
                self.transport.write_eof()


def code_in(line: bytes) -> str:
    """Return the code that the first line of a request names, empty if it names none: `GET /code/events HTTP/1.1`."""
    words = line.split(b" ")
    if len(words) != 3:
        return ""
    return words[1].decode("ascii", "replace").removeprefix("/").partition("/")[0]


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
    if raw is not None:
        forget_the_vanished(raw, SLOW_S)


def connection_maker(server: uvicorn.Server) -> Callable[[], BoundedConnection]:
    """Return a factory of connections to a server that has started, for a listener of our own."""
    config = server.config
    make = cast("Callable[..., BoundedConnection]", config.http_protocol_class)
    return lambda: make(config, server.server_state, server.lifespan.state)


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Return the server for the application; `serve(sockets=...)` runs it until `should_exit`."""
    pages = app if isinstance(app, Pages) else None
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
            app,
            http=cast(
                "type[asyncio.Protocol]",
                partial(BoundedConnection, counts=ConnectionCounts(), pages=pages),
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
