"""How fast the main loop is on the chip. The figures wanted are those of `tests.benchmarks.chip`."""

from __future__ import annotations

import statistics

from tests.pico.conftest import Powered
from tests.pico.figures import connected, drained, presses, started_ms, turns


def test_the_first_who_is_answered_within_800_ms_of_power(powered: Powered) -> None:
    assert started_ms(powered()) <= 800


def test_presses_are_with_the_host_at_once_and_a_burst_is_drained_while_it_lasts(powered: Powered) -> None:
    host = connected(powered())
    took = presses(host, per_s=50, count=25)
    assert statistics.quantiles(took, n=20)[18] <= 12
    assert max(took) <= 30
    host.spend(100_000)
    assert drained(host, edges=200) >= 150
    assert host.gaps == []
    assert host.session.counters.duplicates == 0


def test_an_idle_turn_is_short(powered: Powered) -> None:
    host = connected(powered())
    host.spend(200_000)
    assert turns(host, 300_000).mean_ms <= 1.5
