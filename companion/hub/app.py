"""The hub as a web application: the pages for everybody, around what tables send and what people do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.hub import pages
from companion.hub.answers import asset, away, fault, html
from companion.hub.database import Database
from companion.hub.elsewhere import Elsewhere
from companion.hub.limit import Limit
from companion.hub.news import News
from companion.hub.overview import table_rows
from companion.hub.people import People
from companion.hub.points import PointsRules
from companion.hub.results import awards_are_released, results_in
from companion.hub.rounds import newest
from companion.hub.standings import standings_of
from companion.hub.table_door import TableDoor

BEAT_S: Final = 20.0
"""Seconds until the stream says that it lives."""
FRESH_S: Final = 1.0
"""Seconds for which a page made for everybody serves again: a row that says how long a table has been silent is no
older."""


class Hub:
    """The hub over an open database. `first_code` is what the first organiser types; the terminal shows it."""

    def __init__(
        self,
        database: Database,
        title: str,
        first_code: str,
        points: PointsRules,
        unix_time: Callable[[], float] = time.time,
    ) -> None:
        self._database, self._title, self._points, self._now = database, title, points, unix_time
        self._made: dict[bool, tuple[int, float, str]] = {}  # the public pages, by whether it is the hall's
        self._making = asyncio.Lock()
        self.news = News()
        tries = Limit()
        self._people = People(database, title, points, first_code, tries, self.news, unix_time)
        self._door = TableDoor(database, title, tries, self.news, unix_time)
        routes = [*self._routes(), *self._people.routes, *self._door.routes]
        self.app = Starlette(
            routes=routes, lifespan=self._living, exception_handlers={SQLAlchemyError: away, Exception: fault}
        )

    def _routes(self) -> list[Route]:
        get = ["GET"]
        return [
            Route("/", self._public, methods=get),
            Route("/hall", self._public, methods=get),
            Route("/seating", self._seating, methods=get),
            Route("/news", self._news, methods=get),
            Route("/hub.css", asset("hub.css", "text/css"), methods=get),
            Route("/hub.js", asset("hub.js", "text/javascript"), methods=get),
            Route("/healthz", self._health, methods=get),
            Route("/metrics", self._metrics, methods=get),
        ]

    @asynccontextmanager
    async def _living(self, _app: Starlette) -> AsyncIterator[None]:
        waking = asyncio.create_task(self.news.keep_waking())
        others = Elsewhere(self._database, self.news)
        try:
            yield
        finally:
            waking.cancel()
            others.close()

    async def _public(self, request: Request) -> Response:
        hall = request.url.path == "/hall"
        async with self._making:  # a thousand pages ask at once when something was committed: it is made for them once
            number, made, page = self._made.get(hall, (-1, 0.0, ""))
            if number != self.news.number or self._now() - made > FRESH_S:
                number = self.news.number
                page = await run_in_threadpool(self._public_page, hall=hall)
                self._made[hall] = number, self._now(), page
        return html(page)

    def _public_page(self, *, hall: bool) -> str:
        with self._database.reading() as connection:
            rows, released = table_rows(connection, self._now()), awards_are_released(connection)
            standings = standings_of(results_in(connection), self._points).for_everybody(released=released)
        return pages.public_page(self._title, rows, standings, hall=hall)

    async def _seating(self, _request: Request) -> Response:
        def page() -> str:
            with self._database.reading() as connection:
                return pages.seating_page(self._title, newest(connection))

        return html(await run_in_threadpool(page))

    async def _news(self, _request: Request) -> Response:
        async def words() -> AsyncIterator[str]:
            seen = self.news.number
            yield f"retry: 1000\ndata: {seen}\n\n"
            while True:
                number = await self.news.wait(seen, BEAT_S)
                yield f"data: {number}\n\n" if number != seen else ": here\n\n"
                seen = number

        return StreamingResponse(words(), media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def _health(self, _request: Request) -> Response:
        def look() -> None:
            with self._database.reading() as connection:
                connection.exec_driver_sql("SELECT 1")

        try:
            await run_in_threadpool(look)
        except Exception:  # whatever it is, the hub is not well
            return JSONResponse({"database": "away"}, 503)
        return JSONResponse({"database": "here"})

    async def _metrics(self, _request: Request) -> Response:
        return Response(self._door.metrics.text(), media_type=self._door.metrics.media_type)
