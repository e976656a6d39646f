"""The hub's connections, with a bound on requests that do not come to their end: each holds a place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from functools import partial
from typing import Any, Final, cast

import h11

from companion.web.connections import SteadyConnection

HEAD_S: Final = 10.0  # seconds in which a request comes, up to its body
BODY_S: Final = 10.0  # seconds in which its body comes: the largest batch is a megabyte
ANSWER_S: Final = 2.0
"""Seconds beyond `BODY_S` after which a connection is cut, whatever the pages answer: they say why, in that time."""
MOST_HALF_OPEN: Final = 64
"""Requests of one address that have not come to their end. A whole hall may sit behind one router, but each of its
requests is whole within milliseconds."""


class HalfOpen:
    """How many requests of each address have begun and not come to their end. Those of `proxies` are not counted: what
    stands behind one comes from everybody, and it is the proxy that waits for slow ones. Used by the loop alone."""

    def __init__(self, most: int = MOST_HALF_OPEN, proxies: Collection[str] = ()) -> None:
        self.proxies = proxies
        self._most = most
        self._counts = Counter[str]()

    def enter(self, address: str) -> bool:
        """Count one more; return False, and count nothing, where there are too many."""
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
    """A connection that is cut when its request does not come to its end, or too many of its address do not."""

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
        """Read on, and look whether the request is whole."""
        if self.transport.is_closing():
            return
        if (
            not self._counted and not self._is_answering
        ):  # the next request of a connection that was kept
            self._begin(HEAD_S)
        super().data_received(data)
        self._update()

    def on_response_complete(self) -> None:
        """Look again: bytes that came with this request may begin the next one."""
        super().on_response_complete()
        self._update()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._end()
        super().connection_lost(exc)

    @property
    def _is_answering(self) -> bool:
        """Whether a whole request waits for its answer."""
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
    """Return the connection class for a server, bound to one count of half-open requests."""
    return cast("type[asyncio.Protocol]", partial(HubConnection, half_open))
