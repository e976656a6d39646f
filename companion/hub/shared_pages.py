"""Everybody's pages: rendered once for all concurrent requests, no more often than the hub can, and in the background
while people look on."""

from __future__ import annotations

import asyncio
import gzip
import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from companion.hub.news import News
from companion.hub.pages import HEADERS

FRESH_S: Final = 1.0
"""Seconds that a page is reused although nothing was committed: a row that says how long a table has been silent is no
older."""
LOOK_S: Final = 0.5  # between two looks whether a page is to be rendered in the background
WANTED_S: Final = 60.0
"""Seconds after a request in which the page is kept ready for the next one."""
APART: Final = 4.0
"""Pause before a page is made again, in multiples of the processor time it took; requests meanwhile wait for it."""
_PACKED: Final = 6  # gzip's level: 9 takes three times as long for a hundredth less


class SharedPage:
    """A page made by `render`, for everybody. Whoever opens it gets one that was made in the last second, if there is
    one, and waits for nothing. An open page that asks again gets one made after everything that was committed before it
    asked."""

    def __init__(self, render: Callable[[], str], news: News) -> None:
        self._render, self._news = render, news
        self._making = asyncio.Lock()
        self._number = -1  # of the news, when the page was rendered
        self._at = self._asked = -math.inf  # when it was rendered, and requested last
        self._not_before = 0.0
        self._ready = ReadyPage("")

    async def keep_ready(self, ending: asyncio.Event) -> None:
        """Render the page again when it is outdated, while people open it, until `ending` is set.

        A render runs in a thread with a connection to the database, so it is never cancelled.
        """
        while not ending.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await ending.wait()
            if not ending.is_set() and time.monotonic() - self._asked <= WANTED_S:
                with suppress(SQLAlchemyError):  # the next request reports it
                    await self._renew(self._news.number, time.monotonic())

    async def answer(self, request: Request) -> Response:
        """Return the answer to a request, rendering the page if it is outdated."""
        number, now = self._news.number, time.monotonic()
        self._asked = now
        # The script of an open page names the one it has. The script of one that is opened asks as soon as it runs.
        is_opened = "if-none-match" not in request.headers
        if is_opened and now - self._at <= FRESH_S:
            return self._ready.answer(request.headers)
        await self._renew(number, now)
        return self._ready.answer(request.headers)

    async def _renew(self, number: int, now: float) -> None:
        """Render the page unless it is good at that moment, see `_is_good`."""
        if self._is_good(number, now):
            return
        async with self._making:
            # checked again: the page may have been made while this request waited
            if not self._is_good(number, now):
                await self._make()

    def _is_good(self, number: int, now: float) -> bool:
        return self._number >= number and now - self._at <= FRESH_S

    async def _make(self) -> None:
        # a pause in proportion to the work: pages never take more than a fifth of the processor
        await asyncio.sleep(self._not_before - time.monotonic())
        number = self._news.number
        # read before rendering: a commit meanwhile makes the page outdated
        self._ready, used_s = await run_in_threadpool(self._written)
        self._number, self._at = number, time.monotonic()
        self._not_before = self._at + APART * used_s

    def _written(self) -> tuple[ReadyPage, float]:
        """Render the page; return it with the seconds of processor time it took."""
        began = time.thread_time()
        page = ReadyPage(self._render())
        return page, time.thread_time() - began


class ReadyPage:
    """A page as it is sent: compressed if the browser accepts that, and not again if the browser has it."""

    def __init__(self, page: str) -> None:
        content = page.encode()
        self._mark = f'"{sha256(content).hexdigest()[:32]}"'
        headers = {**HEADERS, "etag": self._mark, "vary": "accept-encoding"}
        self._same = Response(status_code=304, headers=headers)
        self._plain = HTMLResponse(content, headers=headers)
        compressed = gzip.compress(content, _PACKED, mtime=0)
        self._packed = HTMLResponse(compressed, headers={**headers, "content-encoding": "gzip"})

    def answer(self, headers: Mapping[str, str]) -> Response:
        """Return the answer to a request with these headers."""
        if headers.get("if-none-match") == self._mark:
            return self._same
        if "gzip" in headers.get("accept-encoding", ""):
            return self._packed
        return self._plain
