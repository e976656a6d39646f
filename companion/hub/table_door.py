"""Routes by which tables join the hub, ask for its progress with their session, and send the rest. HUB.md describes
it."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from typing import Final

import prometheus_client as prometheus
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.hub import Declined, forks, ingest
from companion.hub.answers import (
    TRIES,
    TRIES_S,
    OpenHub,
    TooSlow,
    address_of,
    broken_off,
    content_of,
    object_in,
    refused,
)
from companion.hub.joining import join
from companion.hub.last_shown import last_shown
from companion.outbound.hub_batches import HubHead
from companion.web.checks import Limit

LARGEST_JOINING: Final = 4096  # bytes
# batches from one table: some 5,000 entries, more than a hundred tables produce
MOST_A_SECOND: Final = 25
HELD_S: Final = 2.0
"""Seconds until a table that sends too much gets its refusal; if it retries at once, it costs others nothing."""
# requests of one table held back like that: more would take up connections that others need
MOST_HELD: Final = 16
_LAPTOP: Final = re.compile(r"[ -~]{1,100}")
_SESSION: Final = re.compile(r"[0-9a-f]{64}")


class TableDoor:
    """Answers tables."""

    def __init__(self, hub: OpenHub) -> None:
        self._hub = hub
        self._pace = Limit(MOST_A_SECOND, 1.0)
        self._senseless = Limit(TRIES, TRIES_S)
        # tables whose batch is being stored, one at a time for each; used by the event loop alone
        self._busy: set[int] = set()
        # by table, the batch that is arriving; used by the event loop alone
        self._bodies: dict[int, asyncio.Future[bytes | None]] = {}
        self._held = Counter[int]()
        self._registry = own = prometheus.CollectorRegistry()
        self._entries = prometheus.Counter(
            "companion_hub_entries", "Entries in batches that were stored", registry=own
        )
        self._batches = prometheus.Histogram(
            "companion_hub_batch_seconds", "Seconds to store a batch", registry=own
        )

    @property
    def routes(self) -> list[Route]:
        """Routes of tables."""
        return [
            Route("/table/join", self._join, methods=["POST"]),
            Route("/table/sessions", self._sessions),
            Route("/table/sessions/{session}", self._table, methods=["GET", "POST"]),
            Route("/metrics", self._metrics),
        ]

    async def _join(self, request: Request) -> Response:
        fields = object_in(await content_of(request, LARGEST_JOINING))
        code, laptop = fields.get("code"), fields.get("laptop")
        if (
            not isinstance(code, str)
            or not isinstance(laptop, str)
            or not _LAPTOP.fullmatch(laptop)
        ):
            return refused(400, "Joining needs a code and the laptop's mark.")
        tries_key = f"join {address_of(request)}"
        if not self._hub.tries.take(self._hub.now(), tries_key):
            return refused(429, "Too many codes were wrong: wait five minutes.")

        def try_it() -> Response:
            try:
                with self._hub.database.writing() as connection:
                    number, token = join(connection, code, laptop, self._hub.now())
            except Declined as refusal:
                return refused(403, str(refusal))
            self._hub.tries.give_back(tries_key)
            self._hub.known.forget()  # the laptop that had joined before is no longer this table
            self._hub.news.tell()
            return JSONResponse({"table": number, "token": token, "hub": self._hub.title})

        return await run_in_threadpool(try_it)

    async def _table(self, request: Request) -> Response:
        session = str(request.path_params["session"])
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        laptop = request.headers.get("x-laptop", "")
        if not _SESSION.fullmatch(session):
            return refused(404, "A session is named by the digest of its first entry.")
        # The token is checked before the body: a stranger's bytes are not read at all.
        try:
            table = await self._known(token, laptop)
            key = bytes.fromhex(session)
            if request.method == "GET":
                return await run_in_threadpool(self._head, key, table)
            content = await self._batch_of(request, table)
            if isinstance(content, Response):
                return content
            # again: another laptop may have joined while the batch arrived
            await self._known(token, laptop)
            self._hub.troubles.note(table, request.headers, self._hub.now())
        except Declined as refusal:
            return refused(401, str(refusal))
        return await self._store(request, key, table, content, laptop)

    async def _sessions(self, request: Request) -> Response:
        """Answer with the games that can be continued at this table if the laptop that had them is lost."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        try:
            table = await self._known(token, request.headers.get("x-laptop", ""))
        except Declined as refusal:
            return refused(401, str(refusal))
        return await run_in_threadpool(self._shown, table)

    def _shown(self, table: int) -> Response:
        with self._hub.database.reading() as connection:
            return JSONResponse({"sessions": last_shown(connection, table)})

    async def _known(self, token: str, laptop: str) -> int:
        """Return the table of a token; raise `Declined`."""
        known = self._hub.known
        return known.table(token, laptop) or await run_in_threadpool(known.look_up, token, laptop)

    async def _batch_of(self, request: Request, table: int) -> Response | bytes | None:
        """Return the batch that a table sends, None if it is too long; or a refusal if the table sends too much, or
        something else."""
        now, rate_key = self._hub.now(), f"table {table}"
        if self._pace.is_reached(now, rate_key) or self._senseless.is_reached(now, rate_key):
            await self._hold(table)
            return refused(429, "This table sends too much, or too much that makes no sense: wait.")
        self._pace.count(now, rate_key)
        coding = request.headers.get("content-encoding", "")
        if coding not in ("", "gzip"):
            return refused(415, "A batch is sent as it is, or packed with gzip.")
        try:
            return await self._newest_body(request, table)
        except ClientDisconnect:
            return refused(400, "The batch broke off.")
        except TooSlow:
            return broken_off(408, "The batch did not come to its end in time: send it again.")
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise  # the hub is ending
            return broken_off(429, "A newer batch of this table came: send one at a time.")

    async def _newest_body(self, request: Request, table: int) -> bytes | None:
        """Return the body of a request. A newer request of the same table cancels it: a laptop that lost its Wi-Fi
        leaves half a batch behind and comes again, or another laptop in its place."""
        older = self._bodies.get(table)
        if older is not None:
            older.cancel()
        body = asyncio.ensure_future(content_of(request, ingest.LARGEST_BATCH))
        self._bodies[table] = body
        try:
            return await body
        finally:
            body.cancel()
            if self._bodies.get(table) is body:
                del self._bodies[table]

    async def _store(
        self, request: Request, key: bytes, table: int, content: bytes | None, laptop: str
    ) -> Response:
        """Store a batch of a known table."""
        if table in self._busy:
            return refused(429, "This table's batch before is being stored: send one at a time.")
        # no lock: only the event loop gets here, and it does not switch before the `await`
        self._busy.add(table)
        try:
            packed = bool(request.headers.get("content-encoding"))
            return await run_in_threadpool(self._take, key, table, content, laptop, packed=packed)
        finally:
            self._busy.discard(table)

    async def _hold(self, table: int) -> None:
        """Delay a table's refusal, unless enough of its requests are waiting."""
        if self._held[table] >= MOST_HELD:
            return
        self._held[table] += 1
        try:
            await asyncio.sleep(HELD_S)
        finally:
            self._held[table] -= 1

    def _head(self, session: bytes, table: int) -> Response:
        try:
            with self._hub.database.reading() as connection:
                return self._head_answer(ingest.head_of(connection, session, table))
        except ingest.BatchRefused as refusal:
            return refused(403, str(refusal))

    def _take(
        self, session: bytes, table: int, content: bytes | None, laptop: str, *, packed: bool
    ) -> Response:
        began = time.perf_counter()
        try:
            if packed and content is not None:
                content = ingest.unpacked(content, ingest.LARGEST_BATCH)
            if content is None:
                self._senseless.count(self._hub.now(), f"table {table}")
                return refused(
                    413, f"A batch has at most {ingest.LARGEST_BATCH} bytes: send fewer entries."
                )
            batch = ingest.read_batch(content)
        except ingest.NoBatch as refusal:
            self._senseless.count(self._hub.now(), f"table {table}")
            return refused(400, str(refusal))
        try:
            with self._hub.database.writing() as connection:
                head = ingest.take(connection, session, table, batch, self._hub.now(), laptop)
        except ingest.Forked as refusal:
            # `writing` rolled the batch back, so the fork is stored in a transaction of its own
            with self._hub.database.writing() as connection:
                forks.note_fork(connection, session, batch.end, self._hub.now(), laptop)
                decision = forks.decision_on(connection, session, laptop)
            self._hub.news.tell()
            return refused(409, decision or str(refusal), fork=True)
        except ingest.Ahead as refusal:
            return refused(409, str(refusal))
        except ingest.BatchRefused as refusal:
            return refused(403, str(refusal))
        self._entries.inc(len(batch.links))  # entries sent again count again
        self._batches.observe(time.perf_counter() - began)
        self._hub.news.tell()
        return self._head_answer(head)

    def _head_answer(self, head: HubHead) -> Response:
        fields = {
            "n": head.n,
            "digest": head.digest.hex(),
            "event": head.event,
            "time": self._hub.now(),
        }
        return JSONResponse(fields)

    async def _metrics(self, _request: Request) -> Response:
        """Answer a monitoring system, in Prometheus' text format."""
        return Response(
            prometheus.generate_latest(self._registry), media_type=prometheus.CONTENT_TYPE_LATEST
        )
