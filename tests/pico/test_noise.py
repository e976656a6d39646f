"""A wire that picks up noise, on the chip: the others are read as if it were not there."""

from __future__ import annotations

import pytest

from firmware_protocol.messages import MUTED, UNMUTED, Overrun
from tests.pico.conftest import Powered
from tests.pico.emulator.emulated import MS
from tests.pico.figures import HIT, beside_noise, channel_of, connected
from tests.pico.lockstep import Lockstep

NUMBERS = {"zone-3": channel_of("zone-3"), "hit": HIT}
PRESSES = 25


def about(host: Lockstep, source: int) -> list[Overrun]:
    """Return what the board reported of a muted input."""
    return [overrun for overrun in host.overruns if overrun.source & ~0x1F == source]


@pytest.mark.parametrize(
    ("noisy", "hz"),
    [
        (["zone-3"], 100_000),
        (["zone-3"], 10_000),
        (["zone-3"], 3_500),
        (["zone-3", "hit"], 100_000),
    ],
)
def test_a_noisy_wire_is_muted_and_the_others_are_read_in_time(
    powered: Powered, noisy: list[str], hz: int
) -> None:
    host = connected(powered())
    host.spend(200_000)
    figures = beside_noise(host, noisy, hz, PRESSES)
    assert len(figures.delays_ms) == figures.hits == PRESSES
    assert max(figures.delays_ms) <= 20
    assert max(map(abs, figures.errors_us)) <= 2
    assert figures.survived
    assert {overrun.source - MUTED for overrun in about(host, MUTED)} == {
        NUMBERS[name] for name in noisy
    }

    host.until(lambda: len(about(host, UNMUTED)) == len(noisy), 1_500_000)
    assert len(about(host, UNMUTED)) == len(about(host, MUTED)) == len(noisy)
    host.pico.press(host.pico.ns + 10 * MS, "zone-3", 12)
    before = len(host.events)
    host.spend(100_000)
    assert [event.channel for _, event in host.events[before:]][:1] == [channel_of("zone-3")]
