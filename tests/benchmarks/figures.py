"""Figures of a benchmark as one table: each beside a reference of the same run, and how many times that it is."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.journal.collector import collector_frozen


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured: one run in milliseconds, or many of the same."""

    label: str
    ms: Sequence[float]

    @property
    def middle(self) -> float:
        """The median."""
        return statistics.median(self.ms)

    @property
    def worst(self) -> float:
        """What 99 of 100 runs stay below; of few runs, the slowest."""
        return statistics.quantiles(self.ms, n=100)[98] if len(self.ms) >= 100 else max(self.ms)


def timed(work: Callable[[], object]) -> float:
    """Return how many milliseconds `work` takes, without collections, which would depend on what else is in memory."""
    with collector_frozen():
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) * 1000


def measured(label: str, work: Callable[[], object], runs: int = 1) -> Figure:
    """Run `work` so many times."""
    return Figure(label, [timed(work) for _ in range(runs)])


def heading() -> None:
    """Print the heads of the columns; times in milliseconds."""
    print(
        f"{'figure':<42} {'p50 ms':>9} {'p99 ms':>9}   {'reference':<30} {'p50 ms':>9} {'p99 ms':>9} {'ratio':>8}"
    )


def show(reference: Figure, *figures: Figure) -> None:
    """Print a line for each figure: its times, those of the reference, and the ratio of the medians."""
    for figure in figures:
        print(
            f"{figure.label:<42} {figure.middle:9.3f} {figure.worst:9.3f}   {reference.label:<30}"
            f" {reference.middle:9.3f} {reference.worst:9.3f} {figure.middle / reference.middle:8.4f}"
        )
