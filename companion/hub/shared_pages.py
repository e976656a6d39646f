"""Public pages, rendered once for all readers. The first load may be up to one second old; a refresh includes every
earlier commit.

While people open a page, it is also rendered in the background, so that few of them wait for it.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
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

_LOG: Final = logging.getLogger("companion.hub")
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
    """A page made by `render`, for everybody.

    A first load gets the last page at once if that was made in the last second, even after the reader's own commit: the
    script refreshes it. A refresh includes everything that was committed before it.
    """

    def __init__(self, render: Callable[[], str], news: News) -> None:
        self._render, self._news = render, news
        self._making = asyncio.Lock()
        self._number = -1  # of the news, when the page was rendered
        self._at = self._asked = -math.inf  # when it was rendered, and requested last
        self._not_before = 0.0
        self._ready = ReadyPage("")
        self._is_failing = False  # since a render in the background that was logged

    async def keep_ready(self, ending: asyncio.Event) -> None:
        """Render the page again when it is outdated, while people open it, until `ending` is set.

        A render runs in a thread with a connection to the database, so it is never cancelled.
        """
        while not ending.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await ending.wait()
            if not ending.is_set() and time.monotonic() - self._asked <= WANTED_S:
                await self._renew_in_background()

    async def _renew_in_background(self) -> None:
        """Render the page if it is outdated; log the first of several failures in a row."""
        try:
            await self._renew(self._news.number, time.monotonic())
        except SQLAlchemyError:
            return  # the next request reports it
        except Exception:  # a bug in a page; it must not end this task
            if not self._is_failing:
                _LOG.exception("A page cannot be rendered in the background.")
            self._is_failing = True
        else:
            self._is_failing = False

    async def answer(self, request: Request) -> Response:
        """Return the answer to a request, rendering the page if it is outdated."""
        number, now = self._news.number, time.monotonic()
        self._asked = now
        # A first load sends no If-None-Match; its script refreshes at once.
        is_first_load = "if-none-match" not in request.headers
        if is_first_load and now - self._at <= FRESH_S:
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
