"""A running hub, tables that send to it, and records that are only a chain."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import urlencode

import uvicorn
from sqlalchemy import select

from companion.hub.app import Hub
from companion.hub.connections import HalfOpen, connection_maker
from companion.hub.database import Database
from companion.hub.joining import join, new_code
from companion.hub.points import PointsRules
from companion.hub.schema import ENTRIES, EVENTS, RECORDS
from companion.journal.record import FIRST_DIGEST, link
from companion.web.addresses import LOCALHOST, listening

FIRST_CODE = "AAAABBBB"
NOW = 1_700_000_000.0
PASSWORD = "a long sentence"
TIMEOUT_S = 20.0


class Chain:
    """A record as the hub sees it: meaningless commitments, and an event after each third entry."""

    def __init__(
        self, chance: random.Random, length: int = 0, before: Chain | None = None, keep: int = 0
    ) -> None:
        """With `before`, its first `keep` entries are reused, and others follow."""
        self._chance = chance
        self.commitments: list[bytes] = [] if before is None else before.commitments[:keep]
        self.digests: list[bytes] = [FIRST_DIGEST] if before is None else before.digests[: keep + 1]
        self.grow(length)

    def grow(self, count: int) -> None:
        for _ in range(count):
            self.commitments.append(self._chance.randbytes(32))
            self.digests.append(link(self.digests[-1], self.commitments[-1]))

    def __len__(self) -> int:
        return len(self.commitments)

    @property
    def session(self) -> bytes:
        return self.digests[1]

    def batch(self, after: int, count: int, **more: Any) -> bytes:
        """Return the batch of `count` entries after entry `after`, as it is sent."""
        last = min(after + count, len(self))
        fields = {
            "after": after,
            "digest": self.digests[after].hex(),
            "total": len(self),
            "entries": [commitment.hex() for commitment in self.commitments[after:last]],
            "events": [
                event(n * 16, f"event {n}") for n in range(after + 1, last + 1) if n % 3 == 0
            ],
            "names": {"s1": "Ann", "s2": "Bo"},
        }
        return json.dumps(fields | more).encode()


def event(number: int, text: str) -> dict[str, Any]:
    players = [
        {"id": "s1", "score": number, "left": False, "out": False},
        {"id": "s2", "score": None},
    ]
    return {
        "number": number,
        "kind": "ruling",
        "text": text,
        "table": {"where": "round 1", "players": players},
    }


def joined(database: Database, number: int = 1, laptop: str = "a laptop") -> tuple[int, str]:
    """Join a table; return its id and its token."""
    with database.writing() as connection:
        code, table = new_code(connection, number, NOW)
        return table, join(connection, code, laptop, NOW)[1]


def stored(database: Database, session: bytes) -> tuple[list[tuple[int, bytes]], list[int]]:
    """Return the entries that the hub has of a record, by number and digest, and the numbers of its events; in order,
    with repeats."""
    with database.reading() as connection:
        row = connection.execute(select(RECORDS.c.id).where(RECORDS.c.session == session)).first()
        if row is None:
            return [], []
        entries = (
            select(ENTRIES.c.n, ENTRIES.c.digest)
            .where(ENTRIES.c.record == row.id)
            .order_by(ENTRIES.c.n)
        )
        events = select(EVENTS.c.number).where(EVENTS.c.record == row.id).order_by(EVENTS.c.number)
        return [(each.n, each.digest) for each in connection.execute(entries)], [
            each.number for each in connection.execute(events)
        ]


@dataclass
class Answered:
    """A hub's answer."""

    status: int
    text: str
    fields: Mapping[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Browser:
    """A client of the hub's pages that stores its cookie."""

    port: int
    cookie: str = ""
    origin: str | None = None
    source: str = LOCALHOST
    asked: list[str] = field(default_factory=list)

    def get(self, path: str) -> Answered:
        """Return a page with everything that was committed before, as an open page's script gets it."""
        return self._ask("GET", path, None, {"if-none-match": ""})

    def post(self, path: str, **fields: str) -> Answered:
        about = {"content-type": "application/x-www-form-urlencoded"}
        origin = f"http://{LOCALHOST}:{self.port}" if self.origin is None else self.origin
        return self._ask(
            "POST", path, urlencode(fields).encode(), about | ({"origin": origin} if origin else {})
        )

    def send(self, path: str, body: bytes, **fields: str) -> Answered:
        return self._ask(
            "POST", path, body, {name.replace("_", "-"): value for name, value in fields.items()}
        )

    def ask(self, path: str, **fields: str) -> Answered:
        return self._ask(
            "GET", path, None, {name.replace("_", "-"): value for name, value in fields.items()}
        )

    def _ask(
        self, method: str, path: str, body: bytes | None, fields: Mapping[str, str]
    ) -> Answered:
        connection = http.client.HTTPConnection(
            LOCALHOST, self.port, timeout=20, source_address=(self.source, 0)
        )
        try:
            connection.request(
                method, path, body, {**fields, **({"cookie": self.cookie} if self.cookie else {})}
            )
            response = connection.getresponse()
            answered = Answered(
                response.status, response.read().decode(), dict(response.getheaders())
            )
        finally:
            connection.close()
        if "set-cookie" in answered.fields:
            self.cookie = answered.fields["set-cookie"].split(";")[0]
        return answered


class PromptServer(uvicorn.Server):
    """A server that ends as soon as it is told to, not when it next checks."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._told = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        for tick in count():
            if await self.on_tick(tick):
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), 0.1)

    def end(self) -> None:
        """End it, from any thread."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._told.set)


class RunningHub:
    """A hub in a thread, behind a real port. `clock` is its time, which stands still until a test sets it."""

    def __init__(
        self,
        database: Database,
        port: int = 0,
        points: PointsRules | None = None,
        most_listeners: int = 100,
        proxies: tuple[str, ...] = (),
    ) -> None:
        self.database = database
        self.clock = NOW
        self._door = listening(LOCALHOST, port)
        self.port = int(self._door.getsockname()[1])
        hub = Hub(
            database,
            "Club night",
            FIRST_CODE,
            points or PointsRules(),
            lambda: self.clock,
            most_listeners,
        )
        config = uvicorn.Config(
            hub.app,
            http=connection_maker(HalfOpen(proxies=proxies)),
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        self._server = PromptServer(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._door]}, daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://{LOCALHOST}:{self.port}"

    def browser(self) -> Browser:
        return Browser(self.port)

    def organiser(self) -> Browser:
        """Return a browser signed in as the first organiser."""
        browser = self.browser()
        assert (
            browser.post("/setup", code="aaaa bbbb", name="Olga", password=PASSWORD).status == 303
        )
        return browser

    def close(self) -> None:
        self._server.end()
        self._thread.join(20)
        with suppress(OSError):
            self._door.close()


@contextmanager
def running(
    database: Database,
    port: int = 0,
    points: PointsRules | None = None,
    most_listeners: int = 100,
    proxies: tuple[str, ...] = (),
) -> Iterator[RunningHub]:
    hub = RunningHub(database, port, points, most_listeners, proxies)
    try:
        yield hub
    finally:
        hub.close()


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)
