"""Checks of a request before its body is used: its origin, type, length and rate.

The phones' pages and the hub use the same ones; each words its own refusals.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Collection
from http import HTTPStatus
from typing import Final

from starlette.requests import Request

from companion.web.addresses import header_of

MOST_KNOWN: Final = 10_000
"""Keys that a `Limit` remembers. With more than these, it forgets the older half."""


class NotTakenError(Exception):
    """A request that is refused unread; the status says why."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class Limit:
    """A rate limit: at most `most` times within `within_s` seconds for each key. It is kept in memory, so a restart
    forgets it. Any thread may use it."""

    def __init__(self, most: int, within_s: float) -> None:
        self._most, self._within_s = most, within_s
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def is_reached(self, now: float, key: str) -> bool:
        """Return whether the key has reached its limit."""
        with self._lock:
            return len(self._recent(key, now)) >= self._most

    def count(self, now: float, key: str) -> None:
        """Count one use."""
        with self._lock:
            self._note(now, key)

    def take(self, now: float, key: str) -> bool:
        """Count a try, unless the limit is reached; return whether it was counted.

        Call it before the try is checked: tries that are checked at the same time then count, too.
        """
        with self._lock:
            if len(self._recent(key, now)) >= self._most:
                return False
            self._note(now, key)
            return True

    def give_back(self, key: str) -> None:
        """Remove one counted try, after it turned out right."""
        with self._lock:
            if times := self._times.get(key):
                times.pop()

    def _note(self, now: float, key: str) -> None:
        self._recent(key, now).append(now)
        # a flood from many addresses: a dict keeps the oldest first
        if len(self._times) > MOST_KNOWN:
            for oldest in list(self._times)[: MOST_KNOWN // 2]:
                del self._times[oldest]

    def _recent(self, key: str, now: float) -> deque[float]:
        times = self._times.setdefault(key, deque())
        while times and times[0] <= now - self._within_s:
            times.popleft()
        return times


def check_source(request: Request, types: Collection[str], *, any_scheme: bool = False) -> None:
    """Raise `NotTakenError` if a request comes from another site's page, or has a content type that is not in `types`.

    An empty string in `types` allows a request without a content type. `any_scheme` is for a proxy that speaks TLS: the
    browser's origin then has another scheme than ours.
    """
    scheme, _, site = header_of(request.scope, b"origin").partition("://")
    is_here = bool(site) and site == header_of(request.scope, b"host")
    if not is_here or (scheme != request.scope["scheme"] and not any_scheme):
        raise NotTakenError(HTTPStatus.FORBIDDEN)
    content_type = header_of(request.scope, b"content-type").partition(";")[0].strip()
    if content_type not in types:
        raise NotTakenError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


async def body_of(request: Request, most: int, within_s: float) -> bytes:
    """Return the body of a request. Raise `NotTakenError` if it is longer than `most` bytes or takes longer than
    `within_s` seconds; the rest of it is not read. Raise `ClientDisconnect` if it breaks off."""
    declared = header_of(request.scope, b"content-length")
    # Compare lengths first: Python refuses to convert thousands of digits to an int.
    if declared.isdecimal() and (len(declared) > len(str(most)) or int(declared) > most):
        raise NotTakenError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    content = bytearray()
    # counted as well, because a chunked body declares no length
    try:
        async with asyncio.timeout(within_s):
            async for part in request.stream():
                content += part
                if len(content) > most:
                    raise NotTakenError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    except TimeoutError:
        raise NotTakenError(HTTPStatus.REQUEST_TIMEOUT) from None
    return bytes(content)
