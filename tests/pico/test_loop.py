"""How fast the main loop is on the chip. The figures wanted are those of `tests.benchmarks.chip`."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import firmware_protocol.board.app
from firmware_protocol.virtual.pico.emulated import Chip, EmulatedPico
from firmware_protocol.virtual.pico.parts import Parts
from tests.pico.conftest import Powered, installed
from tests.pico.figures import connected, drained, knocks, presses, started_ms, turns, turns_during
from tests.pico.lockstep import Lockstep

APP = "firmware_protocol/board/app.py"
ANSWERS_SHOW = "self.link.send(self._inputs.wave())"
# So many bytes more than before are the question itself; an event that left any would leave 16.
ASKING = 1_500
TICKS_WRAP_US = 1 << 30


def test_the_first_who_is_answered_within_700_ms_of_power(powered: Powered) -> None:
    assert started_ms(powered()) <= 700


def test_presses_are_with_the_host_at_once_and_a_burst_is_drained_while_it_lasts(powered: Powered) -> None:
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


def held_bytes(host: Lockstep) -> int:
    """What lives on the chip's heap or lies there as garbage, by a firmware that answers SHOW with that."""
    said = len(host.said)
    host.session.show()
    assert host.until(lambda: len(host.said) > said, 1_000_000)
    found = re.fullmatch(r"holds (\d+)", host.said[-1][1])
    assert found is not None, host.said[-1]
    return int(found.group(1))


def test_events_and_idle_turns_leave_no_garbage_so_that_no_collection_holds_them_up(
    parts: Parts, tmp_path: Path
) -> None:
    source = Path(firmware_protocol.board.app.__file__).read_text()
    assert source.count(ANSWERS_SHOW) == 1
    telling = source.replace(ANSWERS_SHOW, 'self.note("holds {}".format(gc.mem_alloc()))')
    flash = installed(parts, tmp_path / "telling.flash", changed={APP: telling})
    # Times beyond a wrap of the ticks are longer than a small integer of MicroPython.
    with EmulatedPico(parts, Chip(flash=str(flash), counter_us=TICKS_WRAP_US - 1_000_000)) as pico:
        host = connected(pico)
        host.spend(300_000)
        presses(host, per_s=50, count=10)
        drained(host, edges=100)
        held_bytes(host)
        before = held_bytes(host)
        presses(host, per_s=50, count=100)
        drained(host, edges=300)
        host.spend(500_000)
        assert held_bytes(host) - before < ASKING
        before = held_bytes(host)
        knocks(host, 10, lambda _: 2000, lambda _: 300)
        assert held_bytes(host) - before < ASKING + 10 * 900
