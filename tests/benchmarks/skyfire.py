"""How long SkyFire's odds take; run as `python -m tests.benchmarks.skyfire`.

What is wanted: at most 50 ms of CPU time on the worst of 200 random deals of the published deck, for every share of
entered backs, number of players, and notes or none; all zones and *no zone* together. `--deals` sets another number.

Beside it stands, for the same deals, how many times as long it would take to lay out every layout that fits one by one:
at the pace measured on deals of few cards, for the median of the deals has some 10^9 layouts.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from companion.games.skyfire.rules.odds import Chances, chances
from companion.journal.collector import collector_frozen
from tests.games.skyfire.deals import SHARES, Deal

FEW = 4
"""Cards placed in a deal that is laid out one by one."""
LEAST, MOST = 3_000, 60_000
"""Layouts of such a deal."""


def counted(deal: Deal, *, public: bool) -> Chances:
    """Compute a count without the caches of earlier ones."""
    asked = deal.asked(public=public)
    assert asked.unseen is not None
    return chances.__wrapped__(asked.unseen)


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the milliseconds of CPU time that `work` takes."""
    with collector_frozen():
        start = time.process_time()
        work()
        return (time.process_time() - start) * 1000


def ms_per_layout() -> float:
    """Return the milliseconds for enumerating one layout, the median of some deals."""
    rng = random.Random(1)
    times: list[float] = []
    while len(times) < 5:
        deal = Deal(rng, 4, 0.25, notes=False, most=FEW)
        if LEAST <= deal.layouts(public=True) <= MOST:
            spent = cpu_ms(lambda deal=deal: deal.brute(public=True))  # type: ignore[misc]
            times.append(spent / deal.layouts(public=True))
    return statistics.median(times)


def row(players: int, share: float, pace_ms: float, *, notes: bool, deals: int) -> str:
    """Return one line of the table."""
    rng = random.Random(f"{players} {share} {notes}")
    taken: list[float] = []
    ratios: list[float] = []
    for _ in range(deals):
        deal = Deal(rng, players, share, notes=notes, failing=rng.random() < 0.3)
        taken.append(cpu_ms(lambda deal=deal: counted(deal, public=not notes)))  # type: ignore[misc]
        ratios.append(deal.layouts(public=not notes) * pace_ms / taken[-1])
    viewer = "notes" if notes else "public"
    figures = f"{statistics.median(taken):9.2f} {max(taken):9.2f} {statistics.median(ratios):9.1e}"
    return (
        f"{players:7} {share:6.0%} {viewer:>7} {figures}{'' if max(taken) <= 50 else '  TOO SLOW'}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    deals, pace_ms = parser.parse_args().deals, ms_per_layout()
    print(
        f"{'players':>7} {'backs':>6} {'viewer':>7} {'median ms':>9} {'worst ms':>9} {'brute x':>9}"
    )
    for players in (3, 4, 5):
        for share in SHARES:
            for notes in (False, True):
                print(row(players, share, pace_ms, notes=notes, deals=deals))


if __name__ == "__main__":
    main()
