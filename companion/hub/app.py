"""The hub's web application: everybody's pages, and the routes of tables and people."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, aclosing, asynccontextmanager
from functools import partial
from typing import Any, Final

from sqlalchemy import literal, select
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.hub import Declined, answers, pages
from companion.hub.answers import Form, OpenHub
from companion.hub.database import Database
from companion.hub.news import hear_other_hubs
from companion.hub.overview import table_rows
from companion.hub.people import People
from companion.hub.points import PointsRules
from companion.hub.results import NO_RESULT, doubt, league_of, results_in
from companion.hub.rounds import gathering_on, gatherings_in, newest
from companion.hub.shared_pages import SharedPage
from companion.hub.standings import standings_of
from companion.hub.table_door import TableDoor
from companion.web.checks import Limit
from companion.web.responses import EventStream

# from one address in five minutes; a whole hall may be behind one router
MOST_DISPUTES: Final = 20
PROBED_S: Final = 10.0
"""Seconds between writes that check the database; a monitor may ask more often."""
TOO_MANY: Final = "Too many disputes came from here. Speak to a judge."


class Hub:
    """The hub over an open database. `first_code` is what the first organiser types; the terminal shows it. Beyond
    `most_listeners`, pages get no stream and ask again later, so that tables find room."""

    def __init__(
        self,
        database: Database,
        title: str,
        first_code: str,
        points: PointsRules,
        unix_time: Callable[[], float] = time.time,
        most_listeners: int = 3000,
    ) -> None:
        self._hub = OpenHub(database, title, points, unix_time)
        self._most_listeners = most_listeners
        self._disputes = Limit(MOST_DISPUTES, answers.TRIES_S)
        # when `_health` last wrote to the database, by the monotonic clock
        self._probed = -PROBED_S
        shared: dict[str, Callable[[], str]] = {
            "/": partial(self._tables, hall=False),
            "/hall": partial(self._tables, hall=True),
            "/league": self._league,
            "/seating": self._seating,
        }
        self._shared = {path: SharedPage(render, self._hub.news) for path, render in shared.items()}
        doors = (People(self._hub, first_code), TableDoor(self._hub))
        routes = self._routes()
        for door in doors:
            routes += door.routes
        handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
            HTTPException: answers.nothing_here,
            SQLAlchemyError: self._no_database,
            Exception: partial(answers.not_now, 500, "The hub could not do this just now."),
        }
        self.app = Starlette(routes=routes, lifespan=self._living, exception_handlers=handlers)

    def _routes(self) -> list[Route]:
        return [
            *(Route(path, page.answer) for path, page in self._shared.items()),
            Route("/news", self._listen),
            Route("/hub.css", answers.file_of("hub.css", "text/css")),
            *(
                Route(f"/{script}", answers.file_of(script, "text/javascript", "companion.web"))
                for script in ("patch.js", "connection.js")
            ),
            Route("/hub.js", answers.file_of("hub.js", "text/javascript")),
            Route("/healthz", self._health),
            Route("/result/{record:int}", self._result),
            Route("/result/{record:int}", answers.posted(self._dispute), methods=["POST"]),
        ]

    @asynccontextmanager
    async def _living(self, _app: Starlette) -> AsyncIterator[None]:
        with ExitStack() as ending:
            ending.callback(asyncio.create_task(self._hub.news.keep_waking()).cancel)
            if not self._hub.database.is_sqlite:  # an SQLite file has one hub
                hear_other_hubs(self._hub.database, self._hub.news, ending)
            closing = asyncio.Event()
            keeping = [
                asyncio.create_task(page.keep_ready(closing)) for page in self._shared.values()
            ]
            try:
                yield
            finally:
                # a page being rendered still reads the database, which is closed next
                closing.set()
                await asyncio.gather(*keeping, return_exceptions=True)

    def _tables(self, *, hall: bool) -> str:
        with self._hub.database.reading() as connection:
            gathering = gathering_on(connection, self._hub.title)
            rows = [
                row
                for row in table_rows(connection, self._hub.now())
                if row.gathering == gathering.id
            ]
            standings = standings_of(results_in(connection, gathering.id), self._hub.points)
        return pages.public_page(
            gathering.title,
            rows,
            standings.for_everybody(released=gathering.awards_shown),
            self._hub.trouble,
            hall=hall,
        )

    def _league(self) -> str:
        with self._hub.database.reading() as connection:
            gatherings = gatherings_in(connection, self._hub.title)
            return pages.league_page(
                gatherings[-1].title, league_of(connection, gatherings, self._hub.points)
            )

    def _seating(self) -> str:
        with self._hub.database.reading() as connection:
            return pages.seating_page(
                gathering_on(connection, self._hub.title).title, newest(connection)
            )

    async def _listen(self, _request: Request) -> Response:
        if self._hub.news.listeners >= self._most_listeners:
            return answers.full()
        return EventStream(self._news_stream(), pages.HEADERS)

    async def _news_stream(self) -> AsyncGenerator[bytes]:
        yield b"retry: 1000\n"
        # Also without a commit here: silent tables and `hub take` in another process change pages too.
        async with aclosing(self._hub.news.listen()) as numbers:
            async for number in numbers:
                yield f"data: {number}\n\n".encode()

    async def _no_database(self, request: Request, problem: Exception) -> Response:
        why = self._hub.trouble or "The hub's database does not answer just now."
        return await answers.not_now(503, why, request, problem)

    def _health(self, _request: Request) -> Response:
        """Report whether the database can be read and written; try to write at most every `PROBED_S`."""
        now = time.monotonic()
        try:
            with self._hub.database.reading() as connection:
                connection.execute(select(literal(1)))
            if now - max(self._probed, self._hub.database.troubled_at) >= PROBED_S:
                self._probed = now
                self._hub.database.try_to_write()
        except Exception:  # whatever it is, the hub does not work
            if not self._hub.database.trouble:
                return JSONResponse({"database": "away"}, 503)
        if trouble := self._hub.database.trouble:
            return JSONResponse({"database": "cannot be written", "why": trouble}, 503)
        return JSONResponse({"database": "here"})

    # -- players without an account: the result of their game, and disputing it

    def _result(self, request: Request) -> Response:
        return self._result_page(request.path_params["record"])

    def _dispute(self, request: Request, form: Form) -> Response:
        record = request.path_params["record"]
        address = answers.address_of(request)
        if self._disputes.is_reached(self._hub.now(), address):
            return self._result_page(record, TOO_MANY, 429)
        self._disputes.count(self._hub.now(), address)
        try:
            with self._hub.database.writing() as connection:
                gathering = gathering_on(connection).id
                name, why = form.get("name", ""), form.get("why", "")
                doubt(connection, gathering, record, name, why, self._hub.now())
        except Declined as refusal:
            return self._result_page(record, str(refusal), 403)
        self._hub.news.tell()
        return self._result_page(
            record, "A judge reads this now. The result counts until a judge rules on it."
        )

    def _result_page(self, record: int, note: str = "", status: int = 200) -> Response:
        with self._hub.database.reading() as connection:
            gathering = gathering_on(connection, self._hub.title)
            results = results_in(connection, gathering.id, record)
        if not results:
            return answers.html(pages.sentence_page(gathering.title, NO_RESULT), 404)
        return answers.html(pages.result_page(results[0], note), status)
