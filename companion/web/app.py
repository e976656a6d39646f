"""The web application of a table's pages: a page, its stream of changes, a QR code, or a refusal.

Of a request, only method, path and host are read, and none changes anything but a note (`note_post`) and a tap on a
page of a role (`tap_post`). A viewer is identified by the code in the address alone: no answer sets a cookie.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.rules.facts import TABLE, SeatId
from companion.session.corrections import NotDone
from companion.session.evening import RoleGiven
from companion.session.roles import Role
from companion.web import document
from companion.web.addresses import header_of, is_plain_host
from companion.web.blocks import Blocks
from companion.web.codes import Codes, RoleCodes
from companion.web.feed_tail import FeedTail
from companion.web.headers import FULL, IS_FULL, IS_OVER, IS_PUT_AWAY, STATE
from companion.web.note_post import NotePost
from companion.web.rendered import RenderedPages
from companion.web.responses import HTML, EventStream, Whole
from companion.web.role_streams import Place, RolePlaces
from companion.web.rule_questions import RuleQuestions, RulesReply
from companion.web.showing import PageContents, Viewer
from companion.web.tap_post import OnBoard, RefusedTaps, TapPost, no_board

if TYPE_CHECKING:
    from companion.session.table import Table

MOST_PAGES = 60
"""Pages kept up to date at once: a table of ten, each with a phone, a tablet and forgotten tabs."""
BEAT_S = 10.0
"""Seconds between heartbeats to a page where nothing happens; page.js takes 25 s of silence for a lost connection."""
HEARD_S = 0.5
"""Seconds at most between two parts of a role's stream, which say what time it is: a tap was after the last one."""
DRAWN_S = 5.0
"""Seconds that a role's page may take to be drawn for the first time."""
RETRY_MS = 2000
AGAIN = {"retry-after": "5", "refresh": "5"}
_JSON, _MANIFEST = "application/json", "application/manifest+json"
_RETRY = f"retry: {RETRY_MS}\n\n".encode()
_BEAT = b"event: beat\ndata:\n\n"
_GONE = b"event: gone\ndata:\n\n"
_OVER = b'event: gone\ndata: {"why": "over"}\n\n'
_PUT_AWAY = b'event: gone\ndata: {"why": "put away"}\n\n'
WRONG = "There is nothing at this address any more: scan the code again that the companion shows."
PUT_AWAY = "This game was put away: the page comes back with the next one."
OVER = "This game was put away. Scan the code of the next one."
"""For a phone whose address ends with its game."""
ELSEWHERE = "Open the address that the companion prints: this page is not shown under another name."
READ_ONLY = "This page can only be looked at: the game is played at the table."
NOT_DRAWN = "This page is not ready yet: it tries again by itself."
ONLY_LAPTOP = "This can only be done on the laptop."


@dataclass(frozen=True, slots=True)
class Visit:
    """A request by a known viewer, and the code it came with; `given` is the role that this code is of."""

    request: Request
    code: str
    viewer: Viewer
    given: RoleGiven | None = None


Answering = Callable[[Visit], Awaitable[Response]]
AnsweringFirst = Callable[[Request], Awaitable[Response]]
"""Answers for the page that speaks for the table."""


class Pages:
    """The ASGI application, used in one event loop. `show` replaces what the pages show. With a `table`, a seat's page
    can send notes, which are recorded there, and the pages of `roles` act for it; `on_session` does what they ask that
    is not the table's own, and `on_board` what is the board's; both return a sentence. `style` is the overlay's own;
    `fingerprint` is the certificate's, empty if pages are not encrypted. `of_first` are pages below the one that speaks
    for the table, by their names. With `keeps_codes`, the next game has the same codes for everybody and for each
    person."""

    def __init__(
        self,
        showing: PageContents,
        codes: Codes,
        origin: str,
        tail: FeedTail,
        table: Table | None = None,
        style: str = "",
        fingerprint: str = "",
        roles: RoleCodes | None = None,
        on_session: Callable[[str], str] | None = None,
        of_first: Mapping[str, AnsweringFirst] | None = None,
        on_board: OnBoard = no_board,
        *,
        keeps_codes: bool = True,
    ) -> None:
        self._keeps_codes = keeps_codes
        self._of_first = {} if of_first is None else of_first
        self._codes = codes
        self._table = table
        self._roles = RoleCodes() if roles is None else roles
        self._post = None if table is None else NotePost(table)
        self._taps: TapPost | None = None
        if table is not None:
            self._taps = TapPost(table, on_session or _not_here, _on_board=on_board)
        self._questions = RuleQuestions() if table is None else RuleQuestions(table.tell)
        self._places = RolePlaces(self._wake)
        self._origin = origin
        self._style = style
        self._fingerprint = fingerprint
        self._rendered = RenderedPages(showing, fingerprint)
        self._tail = tail
        self._changed = asyncio.Event()
        self._grew = asyncio.Event()  # set when the record grew, even if no page changed
        self._closing = False
        self.open = 0
        """Number of streams open now."""
        self.fault: Exception | None = None
        """Exception raised in an answer: a bug, which whoever runs this reports."""
        codes.seat(showing.seats)
        self._app = Starlette(
            routes=self._routes(),
            middleware=[Middleware(UnderPlainHost)],
            exception_handlers={HTTPException: nothing_here},
        )
        # An address that opens nothing is refused, and not redirected to one with or without a slash.
        self._app.router.redirect_slashes = False

    def _routes(self) -> list[Route]:
        by_path: dict[str, Answering] = {
            "/{code}": self._with_slash,
            "/{code}/": self._page,
        }
        for_table: dict[str, Answering] = {
            "/{code}/feed": self._feed,
            "/{code}/overlay": self._overlay,
            "/{code}/caller": self._caller,
        }
        about_rules: dict[str, Answering] = {
            "/{code}/ask": self._ask,
            "/{code}/why": self._why,
        }
        if self._fingerprint:  # browsers install a page only from a secure context
            by_path["/{code}/manifest"] = self._manifest
        return [
            *(
                Route(path, Door(self, answering, of_roles=answering))
                for path, answering in by_path.items()
            ),
            *(
                Route(path, Door(self, answering, is_counted=False, of_roles=answering))
                for path, answering in about_rules.items()
            ),
            Route("/{code}/events", Door(self, self._events, of_roles=self._role_events)),
            *(
                Route(path, Door(self, answering, only_table=True))
                for path, answering in for_table.items()
            ),
            Route("/{code}/qr", Door(self, self._qr, only_table=True, is_counted=False)),
            Route("/{code}/do", RoleDoor(self, self._tap)),
            *(
                Route(f"/{{code}}/{name}", FirstDoor(self, answering))
                for name, answering in self._of_first.items()
            ),
            Route("/{code}/notes", Door(self, self._note, takes_notes=True, is_counted=False)),
        ]

    def show(self, showing: PageContents) -> None:
        """Show new contents, and push what changed to all pages."""
        self._codes.seat(showing.seats)
        self._rendered = RenderedPages(showing, self._fingerprint)
        self._wake()

    def move(self, origin: str, fingerprint: str) -> None:
        """Show another address of this computer from now on, and another certificate's fingerprint."""
        self._origin = origin
        if fingerprint != self._fingerprint:
            self._fingerprint = fingerprint
            self._rendered = RenderedPages(self._rendered.contents, fingerprint)

    def hear(self) -> None:
        """Wake the readers of the feed: the record grew."""
        self._grew.set()
        self._grew = asyncio.Event()

    def close(self) -> None:
        """End all streams. Pages reconnect by themselves once somebody serves again."""
        self._closing = True
        self._wake()
        self.hear()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        try:
            await self._app(scope, receive, send)
        except Exception as fault:
            # the server would only print it; `keep_serving` ends with it instead
            self.fault = fault
            raise

    def viewer(self, code: str) -> SeatId | None:
        """Return the viewer with that code, or None."""
        return self._codes.viewer(code)

    def role(self, code: str) -> RoleGiven | None:
        """Return the role that was given out with that code, or None. Only a table in play has roles."""
        given = self._roles.of(code)
        return None if self._table is None else given

    @property
    def has_roles(self) -> bool:
        """Whether any role is given out."""
        return self._table is not None and bool(self._roles.given())

    @property
    def refused_taps(self) -> RefusedTaps:
        """The counts of taps that were refused."""
        return RefusedTaps() if self._taps is None else self._taps.refused

    def has_page(self, given: RoleGiven) -> bool:
        """Return whether a page with that code is open. Any thread may ask."""
        return given.code in self._places.codes

    @property
    def open_roles(self) -> int:
        """Number of streams of roles open now."""
        return self._places.open

    async def is_drawn(self, role: Role) -> bool:
        """Wait until the page of a role is drawn; return False if that takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAWN_S):
                while not self._rendered.has(role):
                    await self._changed.wait()
        return self._rendered.has(role)

    @property
    def takes_notes(self) -> bool:
        """Whether seats can send notes."""
        return self._post is not None

    @property
    def full(self) -> bool:
        """Whether no more streams are opened now."""
        return self.open >= MOST_PAGES or self._closing

    @property
    def is_put_away(self) -> bool:
        """Whether these pages of a table in play are closing, and come back at the same address with its next game."""
        return self._closing and self.takes_notes and self._keeps_codes

    @property
    def is_over(self) -> bool:
        """Whether these pages of a table in play are closing, and its next game has other codes."""
        return self._closing and self.takes_notes and not self._keeps_codes

    async def _page(self, visit: Visit) -> Response:
        if visit.given is not None:
            return page(*await self._rendered.role_page(visit.given))
        return page(await self._rendered.page(visit.viewer))

    async def _with_slash(self, visit: Visit) -> Response:
        """Lead to the address with its last slash: without it, the links of a page would lead past its code."""
        return Response(
            None, HTTPStatus.SEE_OTHER, {**document.headers(), "location": f"{visit.code}/"}
        )

    async def _ask(self, visit: Visit) -> Response:
        rules = self._rendered.contents.rules(visit.viewer)
        return self._about_rules(await self._questions.answer(visit.code, visit.request, rules))

    async def _why(self, visit: Visit) -> Response:
        rules = self._rendered.contents.rules(visit.viewer)
        return self._about_rules(await self._questions.reason(visit.code, visit.request, rules))

    def _about_rules(self, reply: RulesReply) -> Response:
        content: str = reply.main
        if not reply.only_main:
            content = document.about_rules(self._rendered.title, reply.main)
        return page(content, status=reply.status)

    async def _qr(self, visit: Visit) -> Response:
        title, address = self._rendered.title, f"{self._origin}/{visit.code}/"
        draw = partial(document.qr_page, title, address)
        return page(await self._rendered.once(address, draw))

    async def _overlay(self, _visit: Visit) -> Response:
        draw = partial(document.overlay_page, self._rendered.title, self._style)
        return page(*await self._rendered.once("overlay", draw))

    async def _caller(self, _visit: Visit) -> Response:
        draw = partial(document.caller_page, self._rendered.title)
        return page(*await self._rendered.once("caller", draw))

    async def _manifest(self, _visit: Visit) -> Response:
        draw = partial(document.manifest_json, self._rendered.title)
        return page(await self._rendered.once("manifest", draw), {"content-type": _MANIFEST})

    async def _note(self, visit: Visit) -> Response:
        assert self._post is not None
        assert not isinstance(visit.viewer, Role)
        place = self._rendered.place(visit.viewer)
        reply = await self._post.answer(visit.viewer, visit.request, place)
        answer = json.dumps({"said": reply.text})
        return page(answer, {"content-type": _JSON}, reply.status)

    async def _tap(self, visit: Visit) -> Response:
        assert self._taps is not None
        assert visit.given is not None
        place = self._rendered.place(visit.viewer)
        reply = await self._taps.answer(visit.given, visit.request, place)
        return page(reply.json, {"content-type": _JSON}, reply.status)

    async def _events(self, visit: Visit) -> Response:
        parts = self._changes(visit.code, visit.viewer)
        return EventStream(parts, document.headers(), self._one_more())

    async def _role_events(self, visit: Visit) -> Response:
        assert visit.given is not None
        if self._places.is_full_for(visit.code):
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, FULL, AGAIN | {STATE: IS_FULL})
        place = Place(visit.code)
        parts = self._role_changes(visit.given, place)
        return EventStream(parts, document.headers(), self._places.taken_by(place))

    async def _feed(self, visit: Visit) -> Response:
        parts = self._feed_events(visit.code, header_of(visit.request.scope, b"last-event-id"))
        return EventStream(parts, document.headers(), self._one_more())

    @contextmanager
    def _one_more(self) -> Iterator[None]:
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1

    async def _changes(self, code: str, viewer: Viewer) -> AsyncGenerator[bytes]:
        """Yield changed blocks until the code opens nothing. A slow page misses intermediate states, never the last
        one: the next part is made only after it took the one before, and shows the contents of that moment.

        A change on other pages alone sends nothing here, not even a heartbeat: it may be a secret of their seat.
        """
        loop = asyncio.get_running_loop()
        yield _RETRY
        yield f"event: place\ndata: {self._rendered.place(viewer)}\n\n".encode()
        sent: Blocks = {}
        beat_s = loop.time() + BEAT_S
        while not self._closing and self._codes.viewer(code) == viewer:
            changed, rendered = self._changed, self._rendered
            # taken before the blocks, so a change meanwhile sets this event
            blocks = rendered.blocks(viewer)
            names = tuple(name for name, block in blocks.items() if sent.get(name) is not block)
            is_due = loop.time() >= beat_s
            if names:
                yield await rendered.changes(viewer, names)
            elif is_due:
                yield _BEAT
            if names or is_due:
                beat_s = loop.time() + BEAT_S
            sent = blocks
            if changed is self._changed:
                # contents that were replaced while a part was sent are sent at once
                await _wait_for(changed, beat_s - loop.time())
        if self.is_over:
            yield _OVER
        else:
            yield _PUT_AWAY if self.is_put_away else _GONE

    async def _role_changes(self, given: RoleGiven, place: Place) -> AsyncGenerator[bytes]:
        """Yield changed blocks and the time until the code opens nothing.

        A part comes when something that this page shows changed, and when it is time for one; so what a seat notes in
        secret makes no part come.
        """
        loop = asyncio.get_running_loop()
        yield _RETRY
        yield f"event: place\ndata: {self._rendered.place(given.role)}\n\n".encode()
        sent: Blocks = {}
        due_s = loop.time() + HEARD_S
        while not (self._closing or place.is_lost) and self._roles.of(given.code) == given:
            # taken before the blocks, so a change meanwhile sets this event
            changed, rendered = self._changed, self._rendered
            if rendered.has(given.role):
                blocks = rendered.blocks(given.role)
                names = tuple(name for name, block in blocks.items() if sent.get(name) is not block)
                if names:
                    yield await rendered.changes(given.role, names) + self._heard()
                sent = blocks
            if loop.time() >= due_s:
                yield self._heard()
                due_s += HEARD_S * max(1, (loop.time() - due_s) // HEARD_S + 1)
            if changed is self._changed:
                await _wait_for(changed, due_s - loop.time())
        yield _PUT_AWAY if self.is_put_away or self.is_over else _GONE

    def _heard(self) -> bytes:
        """Return the event that says what time it is by the host's clock."""
        assert self._table is not None
        return f"event: heard\ndata: {self._table.now_us()}\n\n".encode()

    async def _feed_events(self, code: str, last: str) -> AsyncGenerator[bytes]:
        """Yield the feed's events after the one with id `last`, until the code opens nothing. An entry that is not
        public sends nothing."""
        loop = asyncio.get_running_loop()
        yield _RETRY
        board_state, beat_s = "", loop.time()
        while not self._closing and self._codes.viewer(code) == TABLE:
            grew, before = self._grew, (last, board_state)
            news, last, board_state = await asyncio.to_thread(self._tail.news, last, board_state)
            is_due = loop.time() >= beat_s
            if (last, board_state) != before or is_due:
                yield news if last != before[0] else news + _BEAT
                beat_s = loop.time() + BEAT_S
            if grew is self._grew:
                await _wait_for(grew, beat_s - loop.time())
        yield _PUT_AWAY if self.is_put_away else _GONE


async def _wait_for(event: asyncio.Event, most_s: float) -> None:
    """Wait for the event, at most so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(most_s):
            await event.wait()


def _not_here(_wish: str) -> str:
    """Refuse what is not the table's own."""
    raise NotDone(ONLY_LAPTOP)


@dataclass(frozen=True, slots=True)
class Door:
    """Checks a request before `answering` answers it, or `of_roles` for the code of a role; None: such a code opens
    nothing here. With `only_table`, seats' addresses have nothing here; with `takes_notes`, it takes a seat's note;
    without `is_counted`, it stays open when there are too many pages."""

    pages: Pages
    answering: Answering
    only_table: bool = False
    takes_notes: bool = False
    is_counted: bool = True
    of_roles: Answering | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._answered(Request(scope, receive))
        await response(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        code = request.path_params["code"]
        if self.of_roles is not None and self.pages.role(code) is not None:
            return await RoleDoor(self.pages, self.of_roles, ("GET", "HEAD")).answered(request)
        viewer = self.pages.viewer(code)
        # a wrong code comes first: the later refusals would tell that the address exists
        if viewer is None or (self.only_table and viewer != TABLE):
            return refusal(HTTPStatus.FORBIDDEN, WRONG)
        allowed = self._allowed(viewer)
        if request.method not in allowed:
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED, READ_ONLY, {"allow": ", ".join(allowed)})
        if self.is_counted and self.pages.is_over:
            return refusal(HTTPStatus.FORBIDDEN, OVER, {STATE: IS_OVER})
        if self.is_counted and self.pages.is_put_away:
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, PUT_AWAY, AGAIN | {STATE: IS_PUT_AWAY})
        if self.is_counted and self.pages.full:
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, FULL, AGAIN | {STATE: IS_FULL})
        return await self.answering(Visit(request, code, viewer))

    def _allowed(self, viewer: SeatId) -> tuple[str, ...]:
        """Return the methods a viewer may use."""
        if not self.takes_notes:
            return ("GET", "HEAD")
        return ("POST",) if self.pages.takes_notes and viewer != TABLE else ()


@dataclass(frozen=True, slots=True)
class RoleDoor:
    """Checks a request with the code of a role before `answering` answers it. Pages of roles have places of their own,
    so those of everybody else keep none of them out."""

    pages: Pages
    answering: Answering
    methods: tuple[str, ...] = ("POST",)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self.answered(Request(scope, receive))
        await response(scope, receive, send)

    async def answered(self, request: Request) -> Response:
        """Return the answer to a request."""
        code, pages = request.path_params["code"], self.pages
        given = pages.role(code)
        if given is None:
            return refusal(HTTPStatus.FORBIDDEN, WRONG)
        if request.method not in self.methods:
            allow = {"allow": ", ".join(self.methods)}
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED, READ_ONLY, allow)
        if pages.is_put_away or pages.is_over:  # the next game has the roles, too
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, PUT_AWAY, AGAIN | {STATE: IS_PUT_AWAY})
        if not await pages.is_drawn(given.role):
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, NOT_DRAWN, AGAIN)
        return await self.answering(Visit(request, code, given.role, given))


@dataclass(frozen=True, slots=True)
class FirstDoor:
    """Checks that a request has the code of the page that speaks for the table before `answering` answers it."""

    pages: Pages
    answering: AnsweringFirst

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        given = self.pages.role(request.path_params["code"])
        response = refusal(HTTPStatus.FORBIDDEN, WRONG)
        if given is not None and given.speaks_for_table:
            response = await self.answering(request)
        await response(scope, receive, send)


@dataclass(frozen=True, slots=True)
class UnderPlainHost:
    """Refuses requests under a host name that somebody else can point here, see `is_plain_host`. It is plain ASGI,
    because Starlette's middleware base class buffers streams."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, or refuse it."""
        app = self.app
        if not is_plain_host(header_of(scope, b"host")):
            app = refusal(HTTPStatus.MISDIRECTED_REQUEST, ELSEWHERE)
        await app(scope, receive, send)


async def nothing_here(_request: Request, _problem: Exception) -> Response:
    """Answer a request for an unknown address as one with a wrong code."""
    return refusal(HTTPStatus.FORBIDDEN, WRONG)


def page(
    content: str | bytes,
    headers: Mapping[str, str] | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """Return an HTML answer with the common headers; `headers` add to them or replace them."""
    return Whole(content, status, {**document.headers(), "content-type": HTML, **(headers or {})})


def refusal(
    status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a page with the reason of a refusal."""
    return page(_drawn(sentence), headers, status)


@cache
def _drawn(sentence: str) -> str:
    """The page of one of a handful of sentences: a flood of refused requests costs the event loop no drawing."""
    return document.sentence_page(sentence)
