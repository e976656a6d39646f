"""Figures of a benchmark as a table: each with a reference of the same run, and their ratio."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.journal.collector import collector_frozen


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement: one run in milliseconds, or many of the same."""

    label: str
    ms: Sequence[float]

    @property
    def middle(self) -> float:
        """The median."""
        return statistics.median(self.ms)

    @property
    def worst(self) -> float:
        """The 99th percentile; of few runs, the slowest."""
        return statistics.quantiles(self.ms, n=100)[98] if len(self.ms) >= 100 else max(self.ms)


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds that `work` takes, without garbage collections, which depend on what else is in
    memory."""
    with collector_frozen():
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) * 1000


def measured(label: str, work: Callable[[], object], runs: int = 1) -> Figure:
    """Measure `runs` runs of `work`."""
    return Figure(label, [timed(work) for _ in range(runs)])


def heading() -> None:
    """Print the heads of the columns; times in milliseconds."""
    print(
        f"{'figure':<42} {'p50 ms':>9} {'p99 ms':>9}   {'reference':<30} {'p50 ms':>9} {'p99 ms':>9} {'ratio':>8}"
    )


def show(reference: Figure, *figures: Figure) -> None:
    """Print a line for each figure: its times, the reference's, and the ratio of their medians."""
    for figure in figures:
        print(
            f"{figure.label:<42} {figure.middle:9.3f} {figure.worst:9.3f}   {reference.label:<30}"
            f" {reference.middle:9.3f} {reference.worst:9.3f} {figure.middle / reference.middle:8.4f}"
        )
