"""The hub: many tables at once into a real database, beside the same rows put there without a hub; kills.

    python -m tests.benchmarks.hub [TABLES]

With 1,000 tables, which is the default, it takes some minutes. It needs PostgreSQL.
"""

from __future__ import annotations

import http.client
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from sqlalchemy import func, select

from companion.hub.database import Database
from companion.hub.schema import ENTRIES, RECORDS
from tests.benchmarks.chip import row
from tests.hub.parts import Chain, joined
from tests.hub.postgres import Server, why_not

ENTRIES_EACH = 500
BATCH = 200
AGAIN = 0.2  # of the batches are sent a second time
SENDERS = 4
KILLS = 10


@dataclass
class Tables:
    """Tables that send their records. `port` is the hub's."""

    chains: Sequence[Chain]
    tokens: Sequence[str]
    port: int = 0
    seconds: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    sent: int = 0

    def send(self) -> float:
        """Send everything by several threads; return the seconds it took."""
        began = time.perf_counter()
        threads = [threading.Thread(target=self._some, args=(each,)) for each in range(SENDERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began

    def _some(self, first: int) -> None:
        connection: http.client.HTTPConnection | None = None
        chance = random.Random(first)
        for chain, token in list(zip(self.chains, self.tokens, strict=True))[first::SENDERS]:
            for after in range(0, len(chain), BATCH):
                for _ in range(2 if chance.random() < AGAIN else 1):
                    connection = self._until_stored(connection, chain, token, after)
        if connection is not None:
            connection.close()

    def _until_stored(
        self, connection: http.client.HTTPConnection | None, chain: Chain, token: str, after: int
    ) -> http.client.HTTPConnection:
        body = chain.batch(
            after, BATCH, events=[], names={} if after else {"s1": "Ann", "s2": "Bo"}
        )
        about = {"authorization": f"Bearer {token}", "x-laptop": "a laptop"}
        while True:
            connection = connection or http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=30
            )
            began = time.perf_counter()
            try:
                connection.request("POST", f"/table/sessions/{chain.session.hex()}", body, about)
                answered = connection.getresponse()
                text = answered.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                connection = None
                time.sleep(0.05)
                continue
            if answered.status == 200:
                self.seconds.append(time.perf_counter() - began)
                self.sent += 1
                return connection
            if answered.status < 500:
                self.refused.append(text.decode())
                return connection
            time.sleep(0.05)


class Hub:
    """`companion hub` as a process that can be killed and restarted."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url, self._folder = url, folder
        self.start()

    def start(self) -> None:
        """Start it, and return when it listens."""
        command = [sys.executable, "-m", "companion", "hub", "--port", "0", "--database", self._url]
        about = {**os.environ, "COMPANION_DATA": str(self._folder)}
        self.process = subprocess.Popen(command, env=about, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        sentence = ""
        while "Ctrl-C ends it" not in sentence:
            line = self.process.stdout.readline()
            assert line, "the hub did not start"
            sentence += line
        found = re.search(r"The hub: http://127.0.0.1:(\d+)", sentence)
        assert found is not None
        self.port = int(found[1])

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def processor_s(self) -> float:
        """Return the processor seconds it has used."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        """Return the megabytes of memory it uses."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def tables_in(url: str, count: int, entries: int = ENTRIES_EACH) -> Tables:
    """Return tables that have joined, each with a record of `entries` entries."""
    with closing(Database(url)) as database:
        tokens = [joined(database, number)[1] for number in range(1, count + 1)]
    return Tables([Chain(random.Random(number), entries) for number in range(count)], tokens)


def stored_rows(url: str) -> tuple[int, int]:
    """Return the number of entries stored, and of different ones."""
    with closing(Database(url)) as database, database.reading() as connection:
        rows = connection.execute(select(func.count()).select_from(ENTRIES)).scalar_one()
        ends = connection.execute(select(func.coalesce(func.sum(RECORDS.c.n), 0))).scalar_one()
        return int(rows), int(ends)


@contextmanager
def postgres() -> Iterator[Server]:
    server = Server()
    try:
        yield server
    finally:
        server.remove()


def by_hand(
    url: str, chains: Sequence[Chain], put: Callable[[psycopg.Connection, int, Chain], object]
) -> float:
    """Return the rows a second of the same entries written to the same table without a hub, each record as one
    transaction in batches, as references."""
    with closing(Database(url)), psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS bare (LIKE entries INCLUDING ALL)")
        connection.execute("TRUNCATE bare")
        connection.commit()
        began = time.perf_counter()
        for number, chain in enumerate(chains, start=1):
            put(connection, number, chain)
        return len(chains) * ENTRIES_EACH / (time.perf_counter() - began)


def by_copy(connection: psycopg.Connection, number: int, chain: Chain) -> None:
    """Write by COPY, with a commit for each batch."""
    for after in range(0, ENTRIES_EACH, BATCH):
        with connection.cursor().copy(
            "COPY bare (record, n, commitment, digest) FROM STDIN"
        ) as copy:
            for n in range(after + 1, min(after + BATCH, ENTRIES_EACH) + 1):
                copy.write_row((number, n, chain.commitments[n - 1], chain.digests[n]))
        connection.commit()


def by_inserts(connection: psycopg.Connection, number: int, chain: Chain) -> None:
    """Write by INSERT, with a statement for each entry and a commit for each batch."""
    sentence = "INSERT INTO bare (record, n, commitment, digest) VALUES (%s, %s, %s, %s)"
    for after in range(0, ENTRIES_EACH, BATCH):
        for n in range(after + 1, min(after + BATCH, ENTRIES_EACH) + 1):
            connection.execute(sentence, (number, n, chain.commitments[n - 1], chain.digests[n]))
        connection.commit()


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return the percentile of a share."""
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))]


def ingest(url: str, count: int, folder: Path) -> tuple[float, Tables, Hub]:
    """Return the entries a second through the hub."""
    tables = tables_in(url, count)
    hub = Hub(url, folder)
    tables.port = hub.port
    seconds = tables.send()
    return count * ENTRIES_EACH / seconds, tables, hub


def with_kills(url: str, server: Server | None, count: int, folder: Path) -> tuple[int, int, int]:
    """Return the rows, the different rows and the rows expected, while the hub and, if there is one, its database
    server are killed in turn."""
    tables = tables_in(url, count)
    hub = Hub(url, folder)
    tables.port = hub.port
    sending = threading.Thread(target=tables.send)
    sending.start()
    chance = random.Random(1)
    for number in range(KILLS):
        time.sleep(0.3 + chance.random())
        if number % 2 or server is None:
            hub.kill()
            hub.start()
            tables.port = hub.port
        else:
            server.kill()
            server.start()
    sending.join()
    hub.kill()
    rows, ends = stored_rows(url)
    assert not tables.refused, tables.refused[:1]
    return rows, ends, count * ENTRIES_EACH


def main(count: int) -> None:
    """Print the figures."""
    if missing := why_not():
        sys.exit(missing)
    row("what", "measured", "beside it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with postgres() as server:
            rate, tables, hub = ingest(server.url, count, folder)
            some = tables.chains[: min(200, count)]
            copied, inserted = (by_hand(server.url, some, put) for put in (by_copy, by_inserts))
            row(
                f"PostgreSQL: entries/s of {count} tables",
                f"{rate:,.0f}",
                f"COPY {copied:,.0f}, INSERT {inserted:,.0f}",
            )
            row("  beside COPY", f"{rate / copied:.2f}", f"beside INSERT {rate / inserted:.2f}")
            row(
                "  a batch, p50 and p99 in ms",
                f"{percentile(tables.seconds, 0.5) * 1000:.0f}",
                f"{percentile(tables.seconds, 0.99) * 1000:.0f}",
            )
            rows, ends = stored_rows(server.url)
            row(
                "  rows, and what the heads say",
                f"{rows:,}",
                f"{ends:,}, refused {len(tables.refused)}",
            )
            hub.kill()
        rate, tables, hub = ingest(f"sqlite:///{folder / 'hub.sqlite'}", count, folder)
        hub.kill()
        row(
            "SQLite: entries/s",
            f"{rate:,.0f}",
            f"p99 of a batch {percentile(tables.seconds, 0.99) * 1000:.0f} ms",
        )
        with postgres() as server:
            rows, ends, wanted = with_kills(server.url, server, count, folder)
            row(
                f"killed {KILLS} times: lost, twice",
                f"{wanted - ends:,}, {rows - ends:,}",
                f"{rows:,} rows",
            )
        rows, ends, wanted = with_kills(
            f"sqlite:///{folder / 'killed.sqlite'}", None, count, folder
        )
        row(
            f"SQLite, killed {KILLS} times: lost, twice",
            f"{wanted - ends:,}, {rows - ends:,}",
            f"{rows:,} rows",
        )


if __name__ == "__main__":
    main(int((*sys.argv[1:], "1000")[0]))
