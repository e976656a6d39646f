"""What players do at the hub without signing in: look at the result of their game, and dispute it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.hub import pages
from companion.hub.answers import Limit, OpenHub, address_of, form_of, html
from companion.hub.gatherings import gathering_on
from companion.hub.results import NO_RESULT, NoRuling, doubt, results_in

MOST_DISPUTES: Final = 20
"""From one address in five minutes: a whole hall may stand behind one router."""
TOO_MANY: Final = "Too many disputes came from here. Speak to a judge."


class Players:
    """The pages of results."""

    def __init__(self, hub: OpenHub) -> None:
        self._hub = hub
        self._disputes = Limit(MOST_DISPUTES)

    @property
    def routes(self) -> list[Route]:
        """Where each is."""
        return [Route("/result/{record:int}", self._result, methods=["GET", "POST"])]

    async def _result(self, request: Request) -> Response:
        record = request.path_params["record"]
        if request.method == "GET":
            return await run_in_threadpool(self._page, record)
        said = await form_of(request)
        whose = address_of(request)
        if self._disputes.is_reached(self._hub.now(), whose):
            return await run_in_threadpool(self._page, record, TOO_MANY, 429)
        self._disputes.count(self._hub.now(), whose)
        return await run_in_threadpool(self._dispute, record, said)

    def _dispute(self, record: int, said: Mapping[str, str]) -> Response:
        try:
            with self._hub.database.writing() as connection:
                on = gathering_on(connection).id
                doubt(connection, on, record, said.get("name", ""), said.get("why", ""), self._hub.now())
        except NoRuling as why:
            return self._page(record, str(why), 403)
        self._hub.news.tell()
        return self._page(record, "A judge reads this now. The result counts until it is settled.")

    def _page(self, record: int, note: str = "", status: int = 200) -> Response:
        with self._hub.database.reading() as connection:
            on = gathering_on(connection, self._hub.title)
            result = next(iter(results_in(connection, on.id, record)), None)
        if result is None:
            return html(pages.sentence_page(on.title, NO_RESULT), 404)
        return html(pages.result_page(result, note), status)
