"""The hub's connections, with a bound on incomplete requests: each takes up a place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from functools import partial
from typing import Any, Final, cast

import h11

from companion.web.connections import SteadyConnection

HEAD_S: Final = 10.0  # seconds for a request to arrive, up to its body
BODY_S: Final = 10.0  # seconds for its body; the largest batch is a megabyte
ANSWER_S: Final = 2.0
"""Seconds after `BODY_S` until a connection is cut in any case: time for the application to answer why."""
MOST_HALF_OPEN: Final = 64
"""Incomplete requests from one address. A whole hall may be behind one router, but each of its requests is complete
within milliseconds."""


class HalfOpen:
    """Counts incomplete requests by address. Those from `proxies` are not counted: they come from everybody, and the
    proxy itself waits for slow ones. The event loop alone uses it."""

    def __init__(self, most: int = MOST_HALF_OPEN, proxies: Collection[str] = ()) -> None:
        self.proxies = proxies
        self._most = most
        self._counts = Counter[str]()

    def enter(self, address: str) -> bool:
        """Count one more; return False, and do not count it, if there are too many."""
        if address in self.proxies:
            return True
        if self._counts[address] >= self._most:
            return False
        self._counts[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one less."""
        if address in self.proxies:
            return
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]


class HubConnection(SteadyConnection):
    """A connection that is cut if its request stays incomplete, or too many from its address do."""

    def __init__(self, half_open: HalfOpen, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._half_open = half_open
        self._counted = False
        self._cut: asyncio.TimerHandle | None = None
        self._in_body = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection as half open until its first request is complete."""
        super().connection_made(transport)
        self._begin(HEAD_S)

    def data_received(self, data: bytes) -> None:
        """Read on, and check whether the request is complete."""
        if self.transport.is_closing():
            return
        # the next request on a kept-alive connection
        if not self._counted and not self._is_answering:
            self._begin(HEAD_S)
        super().data_received(data)
        self._update()

    def on_response_complete(self) -> None:
        """Check again: bytes that came with this request may begin the next one."""
        super().on_response_complete()
        self._update()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._end()
        super().connection_lost(exc)

    @property
    def _is_answering(self) -> bool:
        """Whether a complete request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def _update(self) -> None:
        if self.transport.is_closing():
            return
        if self.conn.their_state is h11.SEND_BODY:
            if not self._in_body:
                self._end()
                self._begin(BODY_S + ANSWER_S)
                self._in_body = True
        elif self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._begin(HEAD_S)
        else:
            self._end()

    def _begin(self, timeout_s: float) -> None:
        if self._counted:
            return
        address = self.client[0] if self.client else ""
        self._counted = self._half_open.enter(address)
        if not self._counted:
            self.transport.abort()
            return
        self._cut = self.loop.call_later(timeout_s, self.transport.abort)

    def _end(self) -> None:
        self._in_body = False
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None
        if self._counted:
            self._counted = False
            self._half_open.leave(self.client[0] if self.client else "")


def connection_maker(half_open: HalfOpen) -> type[asyncio.Protocol]:
    """Return the connection class of a server, with its own count of incomplete requests."""
    return cast("type[asyncio.Protocol]", partial(HubConnection, half_open))
