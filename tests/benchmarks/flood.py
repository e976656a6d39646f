"""A hostile table at the hub: how long another table's batches take beside it, and without it.

python -m tests.benchmarks.flood
"""

from __future__ import annotations

import http.client
import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing.synchronize import Barrier
from pathlib import Path

from tests.benchmarks.chip import row
from tests.benchmarks.hub import Hub, percentile, tables_in
from tests.hub.parts import Chain

BATCHES = 400
ROUNDS = 4
APART_S = 0.05
FLOODS = 4
CONTENT = (b"{" * 100_000, b" " * 4_000_000, b"[]")


def honest(port: int, chain: Chain, token: str) -> list[float]:
    """Return the seconds that each batch takes for a table that makes a move now and then."""
    took = []
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    about = {"authorization": f"Bearer {token}", "x-laptop": "a laptop"}
    sent = 0
    for _ in range(BATCHES):
        after = sent
        chain.grow(2)
        began = time.perf_counter()
        connection.request(
            "POST",
            f"/table/sessions/{chain.session.hex()}",
            chain.batch(after, len(chain) - after, names={}),
            about,
        )
        answered = connection.getresponse()
        assert answered.status == 200, answered.read()
        answered.read()
        sent = len(chain)
        took.append(time.perf_counter() - began)
        time.sleep(APART_S)
    return took


def flood(port: int, chain: Chain, token: str, ready: Barrier) -> None:
    """Send invalid batches and repeated ones as fast as possible, until killed. It is a process of its own, because a
    thread would slow the one that measures."""
    about = {"authorization": f"Bearer {token}", "x-laptop": "a laptop"}
    kinds: tuple[Callable[[], bytes], ...] = (
        lambda: chain.batch(0, 200),
        *(lambda one=one: one for one in CONTENT),
    )
    chance = random.Random(1)
    ready.wait()
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request(
                "POST", f"/table/sessions/{chain.session.hex()}", chance.choice(kinds)(), about
            )
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            pass
        connection.close()


def main() -> None:
    """Print the figures. Runs with and without the flood alternate, so that both see the same machine."""
    alone: list[list[float]] = []
    beside: list[list[float]] = []
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'hub.sqlite'}"
        tables = tables_in(url, 2)
        hub = Hub(url, Path(folder))
        chains = (Chain(random.Random(seed), 1) for seed in count(3))
        honest(hub.port, next(chains), tables.tokens[0])
        for _ in range(ROUNDS):
            alone.append(honest(hub.port, next(chains), tables.tokens[0]))
            with flooding(hub.port, tables.chains[1], tables.tokens[1]):
                beside.append(honest(hub.port, next(chains), tables.tokens[0]))
        hub.kill()
    for share in (0.5, 0.99):
        here, there = (
            percentile([s for some in each for s in some], share) * 1000 for each in (beside, alone)
        )
        again = [percentile(each, share) * 1000 for each in alone]
        sentence = f"{there:.1f} alone ({min(again):.1f} to {max(again):.1f} in {ROUNDS} rounds): {here / there:.2f}"
        row(f"a batch beside a flood, p{share * 100:.0f} in ms", f"{here:.1f}", sentence)


@contextmanager
def flooding(port: int, chain: Chain, token: str) -> Iterator[None]:
    """Run a flood during the block."""
    alike = multiprocessing.get_context("spawn")
    ready = alike.Barrier(FLOODS + 1)  # that they begin is none of the hub's work
    floods = [
        alike.Process(target=flood, args=(port, chain, token, ready), daemon=True)
        for _ in range(FLOODS)
    ]
    for each in floods:
        each.start()
    ready.wait()
    try:
        yield
    finally:
        for each in floods:
            each.kill()


if __name__ == "__main__":
    main()
