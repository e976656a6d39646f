"""Responses: a whole page, and a stream of events that ends when its reader leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, aclosing, nullcontext

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HTML = "text/html; charset=utf-8"
_STREAM = "text/event-stream; charset=utf-8"


class Whole(Response):
    """A response with its content, or only its head for HEAD."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        if scope["method"] == "HEAD":
            self.body = b""  # the content-length header keeps the length of the content
        await super().__call__(scope, receive, send)


class EventStream(Response):
    """A stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html), one per item of `parts`. It
    is cancelled as soon as its reader is gone; Starlette's own stream would notice that only at the next part, because
    a server need not report a send to a closed connection (ASGI 2.4). `open_now` is entered while it lasts."""

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
        """Send parts until they end or the reader is gone."""
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
                # `_send` closes the generator, and must have done so before `open_now` is left

    async def _send(self, send: Send) -> None:
        async with aclosing(self._parts) as parts:
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
