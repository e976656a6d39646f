"""Reading requests to the hub within bounds, limits on wrong tries, and answers."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from companion.hub import pages
from companion.hub.connections import BODY_S
from companion.hub.database import Database
from companion.hub.joining import KnownTokens
from companion.hub.news import News
from companion.hub.points import PointsRules
from companion.hub.table_troubles import TableTroubles
from companion.web.assets import asset
from companion.web.checks import Limit, NotTakenError, body_of, check_source
from companion.web.headers import FULL, IS_FULL, STATE

LARGEST_FORM: Final = 1 << 17  # bytes: a thousand names, each letter percent-encoded as three bytes
MOST_FIELDS: Final = 10
TRIES: Final = 5
# seconds in which `TRIES` wrong tries are allowed, by name, by address and by table
TRIES_S: Final = 300.0
NO_FORM: Final = "That is no form of this hub."
_NO_FORM: Final = {
    HTTPStatus.FORBIDDEN: "Another page asked for this. Open the hub and try again.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: NO_FORM,
}
# Browsers send the first; a program may send none.
_FORMS: Final = ("application/x-www-form-urlencoded", "")
Handler = Callable[[Request], Awaitable[Response]]
Form = Mapping[str, str]


class NoForm(HTTPException):
    """A request that is no form of our pages; the detail says why."""


class TooSlow(HTTPException):
    """A body that did not arrive in time."""

    def __init__(self) -> None:
        super().__init__(
            408, "The request did not come to its end: try again.", {"connection": "close"}
        )


class OpenHub:
    """An open hub, as all its handlers use it: the database, the title, the points rules, the clock, news of commits,
    the tables' troubles, tokens known to be right, and the limit on wrong codes and passwords."""

    def __init__(
        self,
        database: Database,
        title: str,
        points: PointsRules,
        unix_time: Callable[[], float] = time.time,
    ) -> None:
        self.database, self.title, self.points, self.now = database, title, points, unix_time
        self.news = News()
        self.known = KnownTokens(database, unix_time)
        self.tries = Limit(TRIES, TRIES_S)
        self.troubles = TableTroubles()
        database.trouble_changed = self.news.tell

    @property
    def trouble(self) -> str:
        """The sentence that pages show while nothing can be saved; empty otherwise."""
        if not self.database.trouble:
            return ""
        return f"The hub saves nothing: {self.database.trouble}. Tables play on, and send what it lacks later."


def refused(status: int, sentence: str, **more: object) -> Response:
    """Return a refusal for a program, with a sentence for people."""
    return JSONResponse({"refused": sentence, **more}, status)


def full() -> Response:
    """Return a refusal of one page more, which the page's script explains."""
    return JSONResponse({"refused": FULL}, 503, {STATE: IS_FULL})


def broken_off(status: int, sentence: str) -> Response:
    """Return a refusal that also closes the connection, so that the rest of the request is not awaited."""
    return JSONResponse({"refused": sentence}, status, {"connection": "close"})


def html(page: str, status: int = 200) -> Response:
    """Return an answer with a page."""
    return HTMLResponse(page, status, headers=dict(pages.HEADERS))


async def nothing_here(_request: Request, problem: Exception) -> Response:
    """Answer an unknown address or method, and what is no form."""
    assert isinstance(problem, HTTPException)
    page = pages.sentence_page("Nothing is here", "The hub has no page at this address.")
    if isinstance(problem, NoForm | TooSlow):
        page = pages.sentence_page("Not done", problem.detail)
    return HTMLResponse(
        page, problem.status_code, headers={**pages.HEADERS, **(problem.headers or {})}
    )


async def not_now(status: int, sentence: str, request: Request, _problem: Exception) -> Response:
    """Answer a failure: with a page if the client asks for HTML, else with a refusal for a program."""
    if "text/html" not in request.headers.get("accept", ""):
        return refused(status, f"{sentence} Nothing was lost: try again.")
    page = pages.sentence_page(
        "Not just now", f"{sentence} Nothing was lost: load this page again in a minute."
    )
    return html(page, status)


def file_of(name: str, media_type: str, package: str = "companion.hub") -> Handler:
    """Return a handler that answers with a file of that package."""
    content = asset(package, name)

    async def answer(_request: Request) -> Response:
        return Response(
            content, media_type=media_type, headers={"x-content-type-options": "nosniff"}
        )

    return answer


async def content_of(request: Request, most: int) -> bytes | None:
    """Return the body of a request, or None if it exceeds `most` bytes, of which no more is read. Raise `TooSlow` if it
    has not arrived within `BODY_S`."""
    try:
        return await body_of(request, most, BODY_S)
    except NotTakenError as refusal:
        if refusal.status == HTTPStatus.REQUEST_TIMEOUT:
            raise TooSlow from None
        return None


async def form_of(request: Request) -> Form:
    """Return the fields of a form sent by our pages; raise `NoForm` for any other request."""
    try:
        check_source(request, _FORMS, any_scheme=True)
    except NotTakenError as refusal:
        raise NoForm(refusal.status, _NO_FORM[refusal.status]) from None
    content = await content_of(request, LARGEST_FORM)
    if content is None:
        raise NoForm(413, "That is too long.")
    try:
        return dict(parse_qsl(content.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS))
    except ValueError:
        raise NoForm(400, NO_FORM) from None


def posted(act: Callable[[Request, Form], Response]) -> Handler:
    """Return a handler of our forms: it answers with the result of `act`, called in a thread, as it may use the
    database."""

    async def answer(request: Request) -> Response:
        return await run_in_threadpool(act, request, await form_of(request))

    return answer


def object_in(content: bytes | None) -> dict[str, Any]:
    """Return the JSON object in a body, or an empty one if it holds none."""
    try:
        value = json.loads(content or b"")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return value


def address_of(request: Request) -> str:
    """Return the address that a request came from."""
    return request.client.host if request.client else ""
