"""Who looks on at a hub: how old what they see is, by doing what the page's script does, while tables play.

    python -m tests.benchmarks.hub_viewers [VIEWERS] [TABLES]

A viewer hears of a commit, waits up to 0.3 s, asks for the page once, and then rests for 0.2 s and as long as its
answer took. All is counted from the moment at which a table sent what the page then shows.
"""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import resource
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from tests.benchmarks.chip import row
from tests.benchmarks.hub import BATCH, Hub, percentile, tables_in
from tests.hub.parts import Chain, event

MOST_WAIT_S, REST_S = 0.3, 0.2
LOOKS_S = 15.0
NAMES = {f"s{seat}": f"Player {seat}" for seat in range(1, 5)}


@dataclass
class Seen:
    """The observations of one viewer: when it received a notification; the newest event on a page, and when it was
    there; the time of each answer."""

    received: list[float] = field(default_factory=list)
    pages: list[tuple[int, float]] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    size: int = 0


class Viewer:
    """A viewer with an open page."""

    # what the page of each mark told: it is read by the first who has it
    newest: ClassVar[dict[bytes, int]] = {}

    def __init__(self, port: int, chance: random.Random, number: int) -> None:
        self._port, self._chance = port, chance
        self._address = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self._said = asyncio.Event()
        self.seen = Seen()

    async def look(self) -> None:
        """View the page until cancelled."""
        with suppress(OSError, asyncio.IncompleteReadError):
            async with asyncio.TaskGroup() as group:
                group.create_task(self._hear())
                group.create_task(self._ask())

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect from an address of its own, as a phone does: the hub limits connections from one address."""
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))

    async def _hear(self) -> None:
        reader, writer = await self._connection()
        writer.write(b"GET /news HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        while True:
            await reader.readuntil(b"data: ")
            self.seen.received.append(time.perf_counter())
            self._said.set()

    async def _ask(self) -> None:
        reader, writer = await self._connection()
        mark = b'""'
        while True:
            await self._said.wait()
            self._said.clear()
            await asyncio.sleep(self._chance.random() * MOST_WAIT_S)
            asked = time.perf_counter()
            writer.write(
                b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\nif-none-match: "
                + mark
                + b"\r\n\r\n"
            )
            head = await reader.readuntil(b"\r\n\r\n")
            fields = dict(line.partition(b": ")[::2] for line in head.lower().split(b"\r\n"))
            if head.startswith(b"HTTP/1.1 200"):
                mark = fields[b"etag"]
                self.seen.size = int(fields[b"content-length"])
                page = await reader.readexactly(self.seen.size)
                if mark not in self.newest:
                    self.newest[mark] = max(
                        map(int, re.findall(rb"tick (\d+)", gzip.decompress(page)))
                    )
            there = time.perf_counter()
            self.seen.pages.append((self.newest[mark], there))
            self.seen.answers.append(there - asked)
            await asyncio.sleep(REST_S + there - asked)


class Player:
    """A table that sends an event now and then."""

    def __init__(self, port: int, chain: Chain, token: str) -> None:
        self._port, self._chain, self._token = port, chain, token

    async def say(self, tick: int) -> tuple[float, float]:
        """Send the newest entries, whose event shows `tick`; return when they were sent and when the hub was known to
        have them."""
        self._chain.grow(3)
        length = len(self._chain)
        players = [{"id": seat, "score": length, "left": False, "out": False} for seat in NAMES]
        events_sent = event(length, f"{{s1}} scores {length}.")
        events_sent["table"] = {"where": f"round {length}, tick {tick}", "players": players}
        body = self._chain.batch(length - 3, 3, events=[events_sent], names=NAMES)
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        about = f"authorization: Bearer {self._token}\r\nx-laptop: a laptop\r\nconnection: close"
        writer.write(
            f"POST /table/sessions/{self._chain.session.hex()} HTTP/1.1\r\nhost: x\r\n{about}\r\n"
            f"content-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        answered = await reader.read()
        assert answered.startswith(b"HTTP/1.1 200"), answered
        writer.close()
        return began, time.perf_counter()


async def evening(hub: Hub, players: list[Player], viewers: int, apart_s: float) -> None:
    """Print the figures for some viewers, while each table sends an event every `apart_s` seconds."""
    for player in players:
        await player.say(0)
    chance = random.Random(1)
    looking = [Viewer(hub.port, chance, number) for number in range(viewers)]
    tasks = []
    for at in range(0, viewers, 100):
        tasks += [asyncio.create_task(watcher.look()) for watcher in looking[at : at + 100]]
        await asyncio.sleep(0.2)
    while not all(watcher.seen.pages for watcher in looking) and not all(
        task.done() for task in tasks
    ):
        await asyncio.sleep(0.1)
    used = hub.processor_s()
    began = time.perf_counter()
    lines: list[tuple[float, float]] = []
    number = 0
    while time.perf_counter() - began < LOOKS_S:
        number += 1
        lines.append(await players[number % len(players)].say(number))
        await asyncio.sleep(max(0.0, began + number * apart_s - time.perf_counter()))
    took, used = time.perf_counter() - began, hub.processor_s() - used
    await asyncio.sleep(3.0)
    for task in tasks:
        task.cancel()
    print_of(looking, lines, apart_s, used / took, hub)


def print_of(
    looking: list[Viewer], samples: list[tuple[float, float]], apart_s: float, busy: float, hub: Hub
) -> None:
    """Print one table of figures."""
    events_sent, old, answers = [], [], []
    for viewer in looking:
        seen = viewer.seen
        answers += seen.answers
        for tick, (sent, _) in enumerate(samples, start=1):
            events_sent += [
                next((received for received in seen.received if received >= sent), sent + LOOKS_S)
                - sent
            ]
            old += [
                next((there for newest, there in seen.pages if newest >= tick), sent + LOOKS_S)
                - sent
            ]
    live = sum(bool(watcher.seen.pages) for watcher in looking)
    row(f"{live} viewers, something said every {apart_s * 1000:.0f} ms", "p50, p99 in ms", "")
    batches = [stored - sent for sent, stored in samples]
    for what, seconds in (
        ("told", events_sent),
        ("seen", old),
        ("a page's answer", answers),
        ("a batch's answer", batches),
    ):
        row(
            f"  {what}",
            f"{percentile(seconds, 0.5) * 1000:.0f}, {percentile(seconds, 0.99) * 1000:.0f}",
            "",
        )
    pages = sum(len(watcher.seen.answers) for watcher in looking) / LOOKS_S
    row("  pages a second", f"{pages:,.0f}", f"{looking[0].seen.size:,} bytes each")
    row("  hub", f"{busy:.0%} of a core", f"{hub.memory_mb():.0f} MB")


def main(viewers: int, count: int) -> None:
    """Print the figures."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(8192, 4 * viewers),) * 2)
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{Path(name) / 'hub.sqlite'}"
        tables = tables_in(url, count, BATCH)
        hub = Hub(url, Path(name))
        tables.port = hub.port
        tables.send()
        players = [
            Player(hub.port, *each) for each in zip(tables.chains, tables.tokens, strict=True)
        ]
        asyncio.run(evening(hub, players, viewers, 2.0))
        asyncio.run(evening(hub, players, viewers, 0.1))
        hub.kill()


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:], *("2000", "100")[len(sys.argv) - 1 :])))
