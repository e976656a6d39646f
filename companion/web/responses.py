"""Answers: a whole page, and a stream of events that ends with whoever reads it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, aclosing, nullcontext

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HTML = "text/html; charset=utf-8"
_STREAM = "text/event-stream; charset=utf-8"


class Whole(Response):
    """An answer with its content, and without it where only the head was asked for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        if scope["method"] == "HEAD":
            self.body = b""  # the length in the head stays that of the content
        await super().__call__(scope, receive, send)


class EventStream(Response):
    """A stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html), in the parts that `parts`
    yields. It is cancelled as soon as its reader is gone: Starlette's own stream would notice that only at the next
    part, where the server says that it takes no part from the gone (ASGI 2.4). `open` is held as long as it lasts."""

    def __init__(
        self,
        parts: AsyncGenerator[bytes],
        headers: Mapping[str, str],
        open_now: AbstractContextManager[object] | None = None,
    ) -> None:
        self._parts = parts
        self._open = nullcontext() if open_now is None else open_now
        self.status_code, self.background = 200, None
        self.init_headers({**headers, "content-type": _STREAM})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, until it ends or its reader is gone."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        if scope["method"] == "HEAD":
            await send(start)
            await send({"type": "http.response.body", "body": b""})
            return
        with self._open:
            await send(start)
            sending = asyncio.ensure_future(self._send(send))
            gone = asyncio.ensure_future(_gone(receive))
            try:
                await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
                if sending.done():
                    sending.result()
            finally:
                sending.cancel()
                gone.cancel()
                await asyncio.wait((sending, gone))

    async def _send(self, send: Send) -> None:
        async with aclosing(self._parts) as parts:
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
