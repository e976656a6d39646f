"""Pages that everybody sees: made once for all who ask at the same time, and not more often than the hub can."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from companion.hub.news import News
from companion.hub.pages import HEADERS

FRESH_S: Final = 1.0
"""Seconds for which a page serves again where nothing was committed: a row that says how long a table has been silent
is no older."""
APART: Final = 4.0
"""Times as long as the processor needed for a page, until it is made again: who asks meanwhile waits for that one."""
_PACKED: Final = 6  # how hard: 9 takes three times as long, for a hundredth less


class SharedPage:
    """A page that `render` writes, for everybody who asks. Whoever asks gets one that was made after all that was
    committed before they asked."""

    def __init__(self, render: Callable[[], str], news: News) -> None:
        self._render, self._news = render, news
        self._making = asyncio.Lock()
        self._number = -1  # of the news, when the page was made
        self._at = self._not_before = 0.0
        self._ready = ReadyPage("")

    async def answer(self, request: Request) -> Response:
        """Return the answer to who asks for it."""
        number, now = self._news.number, time.monotonic()
        if not self._is_good(number, now):
            async with self._making:
                if not self._is_good(number, now):
                    await self._make()
        return self._ready.answer(request.headers)

    def _is_good(self, number: int, now: float) -> bool:
        return self._number >= number and now - self._at <= FRESH_S

    async def _make(self) -> None:
        await asyncio.sleep(self._not_before - time.monotonic())
        number = self._news.number
        self._ready, used_s = await run_in_threadpool(self._written)
        self._number, self._at = number, time.monotonic()
        self._not_before = self._at + APART * used_s

    def _written(self) -> tuple[ReadyPage, float]:
        """The page, and how many seconds of the processor it took."""
        began = time.thread_time()
        page = ReadyPage(self._render())
        return page, time.thread_time() - began


class ReadyPage:
    """A page as it is sent: packed where a browser takes it so, and not again to who has it already."""

    def __init__(self, page: str) -> None:
        content = page.encode()
        self._mark = f'"{sha256(content).hexdigest()[:32]}"'
        headers = {**HEADERS, "etag": self._mark, "vary": "accept-encoding"}
        self._same = Response(status_code=304, headers=headers)
        self._plain = HTMLResponse(content, headers=headers)
        compressed = gzip.compress(content, _PACKED, mtime=0)
        self._packed = HTMLResponse(compressed, headers={**headers, "content-encoding": "gzip"})

    def answer(self, headers: Mapping[str, str]) -> Response:
        """Return the answer to a request with these fields."""
        if headers.get("if-none-match") == self._mark:
            return self._same
        return self._packed if "gzip" in headers.get("accept-encoding", "") else self._plain
