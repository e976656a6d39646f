"""Requests to the pages without a network: the messages of an ASGI server, and the answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from companion.web.app import Pages
from companion.web.codes import Codes
from companion.web.lookers import Onlooker

HOST = "192.168.1.20:8765"
ORIGIN = f"http://{HOST}"


class Answer:
    """An answer, as far as it has come."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.over = False
        self._came = asyncio.Event()

    async def take(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]
            self.over = not message.get("more_body", False)
        self._came.set()

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def events(self) -> list[tuple[str, dict[str, str]]]:
        """Return the events of a stream but what the page is of: name, and the blocks in it."""
        parts = [
            part.partition("\ndata:")
            for part in self.text.split("\n\n")
            if part.startswith("event: ") and not part.startswith("event: place")
        ]
        return [
            (name.removeprefix("event: "), json.loads(data) if data.strip() else {})
            for name, _, data in parts
        ]

    @property
    def told(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the events of the public feed: the id of each, and the event."""
        parts = [
            part.partition("\ndata: ")
            for part in self.text.split("\n\n")
            if part.startswith("id: ")
        ]
        return [(name.removeprefix("id: "), json.loads(data)) for name, _, data in parts]

    async def until_told(self, events: int) -> None:
        """Wait until some events of the public feed came, or the stream is over."""
        await self.until_it(lambda: len(self.told) >= events)

    async def until(self, events: int) -> None:
        """Wait until some events came, or the stream is over."""
        await self.until_it(lambda: len(self.events) >= events)

    async def until_it(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds of what came, or the stream is over."""
        async with asyncio.timeout(10):
            while not holds() and not self.over:
                self._came.clear()
                await self._came.wait()


class Client:
    """A client of the pages."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    async def ask(self, path: str, method: str = "GET", host: str = HOST) -> Answer:
        """Return the whole answer to a request that ends."""
        async with self.stream(path, method, host) as answer, asyncio.timeout(10):
            while not answer.over:
                answer._came.clear()
                await answer._came.wait()
            return answer

    async def send(self, path: str, body: Any, pieces: int = 1, **said: str | None) -> Answer:
        """Send a note as a page would; `said` are other headers, None for no headers at all, `_` for `-`."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"host": HOST, "origin": ORIGIN, "content-type": "application/json"}
        headers |= {"content-length": str(len(data))}
        found = {**headers, **{name.replace("_", "-"): value for name, value in said.items()}}
        pairs = [
            (name.encode(), value.encode()) for name, value in found.items() if value is not None
        ]
        size = max(1, -(-len(data) // pieces))
        parts = [data[at : at + size] for at in range(0, len(data), size)] or [b""]
        answer, left = Answer(), iter(enumerate(parts, start=1))

        async def receive() -> dict[str, Any]:
            number, part = next(left)
            return {"type": "http.request", "body": part, "more_body": number < len(parts)}

        scope = {"type": "http", "scheme": "http", "method": "POST", "path": path, "headers": pairs}
        async with asyncio.timeout(10):
            await self.pages(scope, receive, answer.take)
        return answer

    @asynccontextmanager
    async def stream(
        self, path: str, method: str = "GET", host: str = HOST, last: str = ""
    ) -> AsyncIterator[Answer]:
        """Yield an answer while it comes; leaving the block closes the connection. `last` is the last event that the
        reader has."""
        answer, gone = Answer(), asyncio.Event()

        async def receive() -> dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        where, _, query = path.partition("?")
        scope = {
            "type": "http",
            "scheme": "http",
            "method": method,
            "path": where,
            "query_string": query.encode(),
            "headers": [
                (b"host", host.encode()),
                *([(b"last-event-id", last.encode())] if last else []),
            ],
        }
        asking = asyncio.ensure_future(self.pages(scope, receive, answer.take))
        try:
            yield answer
        finally:
            gone.set()
            async with asyncio.timeout(10):
                await asking


def codes() -> Codes:
    """Predictable codes: code-0 for everybody, code-1 and on for the seats."""
    numbers = count()
    return Codes(lambda: f"code-{next(numbers)}")


def opened(path: Path) -> tuple[Onlooker, Pages, Client]:
    """The pages of a session."""
    onlooker = Onlooker(path)
    pages = Pages(onlooker.showing, codes(), ORIGIN, onlooker.tail)
    return onlooker, pages, Client(pages)


def news(onlooker: Onlooker, pages: Pages) -> None:
    """Look for news, and push what changed."""
    assert onlooker.look()
    pages.show(onlooker.showing)
