"""How fast the main loop is on the chip. The figures wanted are those of `tests.benchmarks.chip`."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import firmware_protocol.board.app
from tests.pico.conftest import Powered, installed
from tests.pico.emulator.emulated import Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.figures import connected, drained, knocks, presses, started_ms, turns, turns_during
from tests.pico.lockstep import Lockstep

APP = "firmware_protocol/board/app.py"
ANSWERS_SHOW = "self.link.send(self._inputs.wave())"
# So many bytes more than before are the question itself; an event that left any would leave 16.
ASKING = 1_500
TICKS_WRAP_US = 1 << 30
# TinyUSB keeps so many events; while a packet waits for the host each millisecond is one.
USB_EVENTS = 16


def test_the_first_who_is_answered_within_700_ms_of_power(powered: Powered) -> None:
    assert started_ms(powered()) <= 700


def test_presses_are_with_the_host_at_once_and_a_burst_is_drained_while_it_lasts(
    powered: Powered,
) -> None:
    host = connected(powered())
    host.spend(200_000)
    took: list[float] = []
    assert turns_during(host, lambda: took.extend(presses(host, per_s=50, count=25))).worst_ms <= 5
    assert statistics.quantiles(took, n=20)[18] <= 10
    assert max(took) <= 20
    assert drained(host, edges=200) >= 190
    assert host.gaps == []
    assert host.session.counters.duplicates == 0
    assert turns(host, 500_000).worst_ms <= 5


def test_an_idle_turn_is_short(powered: Powered) -> None:
    host = connected(powered())
    host.spend(200_000)
    idle = turns(host, 300_000)
    assert idle.mean_ms <= 0.5
    assert idle.worst_ms <= 5


def test_the_longest_turn_that_the_board_tells_is_without_its_start(powered: Powered) -> None:
    host = connected(powered())
    # Those that come before ARMED are of the start.
    host.spend(100_000)
    assert host.session.stats is not None
    assert host.session.stats.longest_turn_us <= 5_000


def longest_turn(host: Lockstep) -> int:
    """The number that a firmware answers SHOW with, made by `telling`."""
    count = len(host.logs)
    host.session.show()
    assert host.until(lambda: len(host.logs) > count, 1_000_000)
    match = re.fullmatch(r"(\d+)", host.logs[-1][1])
    assert match is not None, host.logs[-1]
    return int(match.group(1))


def telling(parts: Parts, flash: Path, asked: str) -> EmulatedPico:
    """A Pico whose firmware answers SHOW with the number that this expression has there."""
    source = Path(firmware_protocol.board.app.__file__).read_text()
    assert source.count(ANSWERS_SHOW) == 1
    changed = source.replace(ANSWERS_SHOW, f"self.note(str({asked}))")
    installed(parts, flash, changed={APP: changed})
    # Times beyond a wrap of the ticks are longer than a small integer of MicroPython.
    return EmulatedPico(parts, Chip(flash=str(flash), counter_us=TICKS_WRAP_US - 1_000_000))


def test_events_and_idle_turns_leave_no_garbage_so_that_no_collection_holds_them_up(
    parts: Parts, tmp_path: Path
) -> None:
    with telling(parts, tmp_path / "telling.flash", "gc.mem_alloc()") as pico:
        host = connected(pico)
        host.spend(300_000)
        presses(host, per_s=50, count=10)
        drained(host, edges=100)
        longest_turn(host)
        before = longest_turn(host)
        presses(host, per_s=50, count=100)
        drained(host, edges=300)
        host.spend(500_000)
        assert longest_turn(host) - before < ASKING
        before = longest_turn(host)
        knocks(host, 10, lambda _: 2000, lambda _: 300)
        assert longest_turn(host) - before < ASKING + 10 * 900


def test_a_collection_is_over_before_what_the_host_sends_is_lost(
    parts: Parts, tmp_path: Path
) -> None:
    # Left to right: what the clock says, less what it said before, with a collection in between.
    asked = "-self._source() + (collect() or self._source())"
    with telling(parts, tmp_path / "telling.flash", asked) as pico:
        host = connected(pico)
        host.spend(300_000)
        presses(host, per_s=50, count=20)
        took = [longest_turn(host) for _ in range(4)]
        print(took)
        assert max(took) < 1_000 * USB_EVENTS
