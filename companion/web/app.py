"""What is answered to a request: a page, its stream of changes, a code to scan, or no.

An ASGI application (https://asgi.readthedocs.io/en/latest/specs/www.html) of its own: with one address for each viewer
there is nothing to route. Nothing is read of a request but its method, path and host, and nothing changes by one but
a note (`note_post`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from companion.feed.events import line_of
from companion.rules.facts import TABLE, SeatId
from companion.web import document
from companion.web.addresses import Codes, header_of, is_plain_host
from companion.web.blocks import Blocks
from companion.web.feed_tail import FeedTail, behind, id_of
from companion.web.note_post import NotePost, Receive
from companion.web.showing import Showing

if TYPE_CHECKING:
    from companion.session.table import Table

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Push = Callable[[asyncio.Future[None], Send], Awaitable[None]]

MOST_PAGES = 60
"""Pages kept up to date at once: a table of ten, each with a phone, a tablet and tabs they forgot."""
BEAT_S = 10.0
"""Seconds between two signs of life to a page where nothing happens; page.js takes 25 s without any as a lost link."""
RETRY_MS = 2000
AGAIN = {"retry-after": "5", "refresh": "5"}
_HTML, _STREAM, _JSON = (
    "text/html; charset=utf-8",
    "text/event-stream; charset=utf-8",
    "application/json",
)
_MANIFEST = "application/manifest+json"
_WHAT = ("", "events", "qr", "notes", "feed", "overlay", "caller")
_OF_THE_TABLE = ("qr", "feed", "overlay", "caller")  # has no seat's page
_BEAT = b"event: beat\ndata:\n\n"
_GONE = b"event: gone\ndata:\n\n"
WRONG = "There is nothing at this address any more: scan the code again that the companion shows."
FULL = f"{MOST_PAGES} pages are open already, and no more are served: close one. This page tries again by itself."
ELSEWHERE = "Open the address that the companion prints: this page is not shown under another name."
READ_ONLY = "This page can only be looked at: the game is played at the table."


class Pages:
    """The application. `show` hands it what is to be seen from now on; all of it runs in one event loop. With a `table`
    a seat's page can send notes, which are recorded there; `style` is the overlay's own, `fingerprint` that of the
    certificate, empty where nothing is encrypted."""

    def __init__(
        self,
        showing: Showing,
        codes: Codes,
        origin: str,
        tail: FeedTail,
        table: Table | None = None,
        style: str = "",
        fingerprint: str = "",
    ) -> None:
        self._codes = codes
        self._post = None if table is None else NotePost(table)
        self._origin = origin
        self._style = style
        self._fingerprint = fingerprint
        self._showing = showing
        self._tail = tail
        self._changed = asyncio.Event()
        self._heard = asyncio.Event()  # the record grew, whether the pages changed or not
        self._closing = False
        self.open = 0
        """How many pages are kept up to date just now."""
        self.fault: Exception | None = None
        """What went wrong in an answer: a fault of the program, for whoever runs it."""
        codes.seat(showing.seats)

    def show(self, showing: Showing) -> None:
        """Push what changed to all pages."""
        self._codes.seat(showing.seats)
        self._showing = showing
        self._wake()

    def hear(self) -> None:
        """Have whoever reads the feed look what was saved."""
        self._heard.set()
        self._heard = asyncio.Event()

    def close(self) -> None:
        """End all streams; pages come back by themselves once somebody serves again."""
        self._closing = True
        self._wake()
        self.hear()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        try:
            await self._answer(scope, receive, send)
        except Exception as fault:  # the server would only print it; whoever runs this ends with it
            self.fault = fault
            raise

    async def _answer(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        code, _, what = str(scope["path"]).removeprefix("/").partition("/")
        viewer, method = self._codes.viewer(code), scope["method"]
        bare = method == "HEAD"
        answer = partial(_page, send, bare=bare)
        if not is_plain_host(header_of(scope, b"host")):
            await answer(HTTPStatus.MISDIRECTED_REQUEST, document.sentence_page(ELSEWHERE))
        elif viewer is None or not self._is_there(what, viewer):
            await answer(HTTPStatus.FORBIDDEN, document.sentence_page(WRONG))
        elif what == "notes" and method == "POST" and viewer != TABLE and self._post is not None:
            reply = await self._post.answer(viewer, scope, receive)
            await answer(reply.status, json.dumps({"said": reply.said}), {"content-type": _JSON})
        elif method not in ("GET", "HEAD") or what == "notes":
            allowed = (
                "GET, HEAD"
                if what != "notes"
                else ""
                if viewer == TABLE or self._post is None
                else "POST"
            )
            await answer(
                HTTPStatus.METHOD_NOT_ALLOWED, document.sentence_page(READ_ONLY), {"allow": allowed}
            )
        elif what != "qr" and (self.open >= MOST_PAGES or self._closing):
            await answer(HTTPStatus.SERVICE_UNAVAILABLE, document.sentence_page(FULL), AGAIN)
        elif what == "events":
            await self._stream(partial(self._push, code, viewer), receive, send, bare=bare)
        elif what == "feed":
            last = header_of(scope, b"last-event-id")
            await self._stream(partial(self._tell, code, last), receive, send, bare=bare)
        else:
            page, more = self._shown(code, viewer, what)
            await answer(HTTPStatus.OK, page, more)

    def _is_there(self, what: str, viewer: SeatId) -> bool:
        """Whether a viewer's address has that behind it; what a browser takes in a secure context only, there only."""
        if what == "manifest":
            return bool(self._fingerprint)
        return what in _WHAT and (viewer == TABLE or what not in _OF_THE_TABLE)

    def _shown(self, code: str, viewer: SeatId, what: str) -> tuple[str, Mapping[str, str]]:
        """What stands there, and the headers that are its own."""
        title = self._showing.title
        match what:
            case "qr":
                return document.qr_page(title, f"{self._origin}/{code}/"), {}
            case "overlay":
                return document.overlay_page(title, self._style)
            case "caller":
                return document.caller_page(title)
            case "manifest":
                return json.dumps(document.manifest(title)), {"content-type": _MANIFEST}
        return document.session_page(title, self._showing.blocks[viewer], self._fingerprint), {}

    async def _stream(self, push: Push, receive: Receive, send: Send, *, bare: bool) -> None:
        """Keep a page or a reader up to date by `push`, until it is gone or its address opens nothing any more."""
        await send(_start(HTTPStatus.OK, {"content-type": _STREAM}))
        if bare:
            await send({"type": "http.response.body", "body": b""})
            return
        self.open += 1
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await _piece(send, f"retry: {RETRY_MS}\n\n".encode())
            await push(gone, send)
            if not gone.done():
                await send({"type": "http.response.body", "body": _GONE})
        finally:
            self.open -= 1
            gone.cancel()

    async def _push(
        self, code: str, viewer: SeatId, gone: asyncio.Future[None], send: Send
    ) -> None:
        """Send what changed until the page is gone. A page that is slow misses steps, never the last state: `send`
        waits until it takes more, and what is sent then is what stands then."""
        sent: Blocks = {}
        while not gone.done() and not self._closing and self._codes.viewer(code) == viewer:
            changed, blocks = self._changed, dict(self._showing.blocks[viewer])
            news = {name: block for name, block in blocks.items() if sent.get(name) is not block}
            told = f"event: blocks\ndata: {json.dumps(news, ensure_ascii=False)}\n\n".encode()
            await _piece(send, told if news else _BEAT)
            sent = blocks
            if changed is self._changed:
                await first_of(changed, gone, BEAT_S)

    async def _tell(self, code: str, last: str, gone: asyncio.Future[None], send: Send) -> None:
        """Send the events of the feed behind the one that `last` names, until the reader is gone."""
        link = ""
        while not gone.done() and not self._closing and self._codes.viewer(code) == TABLE:
            heard, before, link = self._heard, link, self._tail.link()
            events = behind(await asyncio.to_thread(self._tail.look), last)
            told = (f"id: {id_of(event)}\ndata: {line_of(event)}\n\n" for event in events)
            unnumbered = f"event: now\ndata: {self._tail.now_ms()}\n\n"
            unnumbered += f"event: link\ndata: {link}\n\n" if link != before else ""
            await _piece(send, f"{unnumbered}{''.join(told)}".encode() + (b"" if events else _BEAT))
            last = id_of(events[-1]) if events else last
            if heard is self._heard:
                await first_of(heard, gone, BEAT_S)


async def first_of(
    news: asyncio.Event, end: asyncio.Future[None], timeout_s: float | None = None
) -> None:
    """Wait until there is news, or the end has come, at most so long; None: as long as it takes."""
    hearing = asyncio.ensure_future(news.wait())
    try:
        await asyncio.wait((hearing, end), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hearing.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _piece(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _page(
    send: Send, status: HTTPStatus, page: str, more: Mapping[str, str] | None = None, *, bare: bool
) -> None:
    body = page.encode()
    fields = {"content-type": _HTML, "content-length": str(len(body)), **(more or {})}
    await send(_start(status, fields))
    await send({"type": "http.response.body", "body": b"" if bare else body})


def _start(status: HTTPStatus, fields: Mapping[str, str]) -> MutableMapping[str, Any]:
    pairs = [
        (name.encode(), value.encode())
        for name, value in ({**document.headers(), **fields}).items()
    ]
    return {"type": "http.response.start", "status": int(status), "headers": pairs}
