"""What holds the hit sensor's analog pin, on the chip: its pulls tell, and an open pin makes no hits."""

from __future__ import annotations

import pytest

from firmware_protocol.messages import HIT_OPEN, HIT_PIEZO, HIT_RESISTOR
from tests.pico.conftest import Powered
from tests.pico.emulator.emulated import MS
from tests.pico.figures import HIT, connected


@pytest.mark.parametrize(
    ("circuit", "tested"),
    [("open", HIT_OPEN), ("unbled", HIT_OPEN), ("resistor", HIT_RESISTOR), ("piezo", HIT_PIEZO)],
)
def test_a_host_is_told_what_holds_the_hit_input_and_the_test_makes_no_hit(
    powered: Powered, circuit: str, tested: int
) -> None:
    host = connected(powered(circuit=circuit))
    host.spend(200_000)
    stats = host.session.stats
    assert stats is not None
    assert stats.hit_found == tested, (stats.hit_up, stats.hit_down, stats.hit_charge_us)
    assert [event for _, event in host.events if event.channel == HIT] == []


def test_a_piezo_is_read_as_before_once_it_was_found(powered: Powered) -> None:
    host = connected(powered())
    host.pico.knock(host.pico.ns + 5 * MS, 2000)
    host.spend(100_000)
    peaks = [event.peak for _, event in host.events if event.channel == HIT]
    assert len(peaks) == 1
    assert 1900 <= peaks[0] <= 2000


def test_a_gun_that_is_plugged_in_is_found(powered: Powered) -> None:
    host = connected(powered(circuit="open"))
    host.spend(50_000)
    host.pico.order("circuit", name="piezo")
    host.session.standby(host.pico.ns)
    host.until(lambda: host.session.stood_by, 1_000_000)
    assert host.arm()
    host.spend(100_000)
    assert host.session.stats is not None
    assert host.session.stats.hit_found == HIT_PIEZO
