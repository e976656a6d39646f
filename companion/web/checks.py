"""Whether something that was sent is taken: from where it came, what it is, how long it is, and how often that was.

The phones' pages and the hub look at what they are sent by these alone; each says in its own words why not.
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


class NotTakenError(Exception):
    """What was sent is not looked at. The status says why."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class Limit:
    """So many times within so many seconds, for each by itself; beyond that it is refused for a while. It remembers in
    memory: where the program is begun again, all begin anew. Any thread may use it."""

    def __init__(self, most: int, within_s: float) -> None:
        self._most, self._within_s = most, within_s
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def is_reached(self, now: float, key: str) -> bool:
        """Return whether they did it as often as may be."""
        with self._lock:
            return len(self._recent(key, now)) >= self._most

    def count(self, now: float, key: str) -> None:
        """Note that they did it."""
        with self._lock:
            self._note(now, key)

    def take(self, now: float, key: str) -> bool:
        """Note a try before it is looked at, so that tries at the same time count each other. Return False, and note
        nothing, where they did it as often as may be."""
        with self._lock:
            if len(self._recent(key, now)) >= self._most:
                return False
            self._note(now, key)
            return True

    def give_back(self, key: str) -> None:
        """Forget one try: it was right."""
        with self._lock:
            if times := self._times.get(key):
                times.pop()

    def _note(self, now: float, key: str) -> None:
        self._recent(key, now).append(now)
        if len(self._times) > MOST_KNOWN:  # from many addresses at once: the oldest are forgotten
            for oldest in list(self._times)[: MOST_KNOWN // 2]:
                del self._times[oldest]

    def _recent(self, key: str, now: float) -> deque[float]:
        times = self._times.setdefault(key, deque())
        while times and times[0] <= now - self._within_s:
            times.popleft()
        return times


def check_source(request: Request, types: Collection[str], *, any_scheme: bool = False) -> None:
    """Raise `NotTakenError` where a request comes from a page that is not ours, or its content is of none of these
    types ("": says none). `any_scheme`: behind a proxy that speaks TLS, the browser's address has another scheme than
    ours."""
    scheme, _, site = header_of(request.scope, b"origin").partition("://")
    is_here = bool(site) and site == header_of(request.scope, b"host")
    if not is_here or (scheme != request.scope["scheme"] and not any_scheme):
        raise NotTakenError(HTTPStatus.FORBIDDEN)
    content_type = header_of(request.scope, b"content-type").partition(";")[0].strip()
    if content_type not in types:
        raise NotTakenError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


async def body_of(request: Request, most: int, within_s: float) -> bytes:
    """Return the body of a request. Raise `NotTakenError` where it is longer than `most` bytes, of which no more is
    read, or does not come within so many seconds; `ClientDisconnect` where it broke off."""
    declared = header_of(request.scope, b"content-length")
    # Python turns no number of thousands of digits into an int.
    if declared.isdecimal() and (len(declared) > len(str(most)) or int(declared) > most):
        raise NotTakenError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    content = bytearray()
    try:
        async with asyncio.timeout(within_s):
            async for part in request.stream():
                content += part
                if len(content) > most:
                    raise NotTakenError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    except TimeoutError:
        raise NotTakenError(HTTPStatus.REQUEST_TIMEOUT) from None
    return bytes(content)
