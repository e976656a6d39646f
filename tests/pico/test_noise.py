"""A wire that picks up noise, on the chip: the others are read as if it were not there."""

from __future__ import annotations

import pytest

from firmware_protocol.messages import MUTED, PRESSED, UNMUTED, Overrun
from firmware_protocol.virtual.pico.emulated import MS, US
from tests.pico.conftest import Powered
from tests.pico.figures import HIT, channel_of, connected
from tests.pico.lockstep import Lockstep

# The first of a noise is not told from a contact that bounces.
UNTOLD_MS = 20
NUMBERS = {"zone-3": channel_of("zone-3"), "hit": HIT}
PRESSES = 25
SPACING_MS = 48


def about(host: Lockstep, source: int) -> list[Overrun]:
    """What the board said of a muted input."""
    return [one for one in host.overruns if one.source & ~0x1F == source]


@pytest.mark.parametrize(
    ("noisy", "hz"), [(["zone-3"], 100_000), (["zone-3"], 10_000), (["zone-3"], 3_500), (["zone-3", "hit"], 100_000)]
)
def test_a_noisy_wire_is_muted_and_the_others_are_read_in_time(powered: Powered, noisy: list[str], hz: int) -> None:
    host = connected(powered())
    host.spend(200_000)
    begun_ns = host.pico.ns + 5 * MS
    first_ns = begun_ns + UNTOLD_MS * MS
    ended_ns = first_ns + (PRESSES + 2) * SPACING_MS * MS
    for name in noisy:
        host.pico.noise(name, hz, begun_ns, ended_ns)
    at = [first_ns + number * SPACING_MS * MS for number in range(PRESSES)]
    for at_ns in at:
        host.pico.press(at_ns, "zone-5", 12)
        host.pico.knock(at_ns + 20 * MS, 2000)
    before = len(host.events)
    host.spend((ended_ns - host.pico.ns) // 1000)

    news = host.events[before:]
    presses = [(read, event) for read, event in news if event.channel == channel_of("zone-5") and event.flags & PRESSED]
    assert len(presses) == PRESSES
    for at_ns, (read_ns, event) in zip(at, presses, strict=True):
        assert abs(event.t_us - at_ns / US) <= 2
        assert (read_ns - at_ns) / MS <= 20
    hits = [event for _, event in news if event.channel == HIT and event.peak > 1500 and event.t_us * US > first_ns]
    assert len(hits) == PRESSES
    assert all(what.startswith("boot power") for _, what in host.pico.log)
    assert {one.source - MUTED for one in about(host, MUTED)} == {NUMBERS[name] for name in noisy}

    host.until(lambda: len(about(host, UNMUTED)) == len(noisy), 1_500_000)
    assert len(about(host, UNMUTED)) == len(about(host, MUTED)) == len(noisy)
    host.pico.press(host.pico.ns + 10 * MS, "zone-3", 12)
    before = len(host.events)
    host.spend(100_000)
    assert [event.channel for _, event in host.events[before:]][:1] == [channel_of("zone-3")]
