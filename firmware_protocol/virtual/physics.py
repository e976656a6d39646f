"""The physics of switches and a piezo: seeded raw edges for the virtual pins. Pure; times in us from 0.

An edge is `(dt_us, channel, level)`: level 1 = contact closed or comparator high; for `hit-adc` the reading 0-4095.
"""

import math
from itertools import chain
from random import Random

from firmware_protocol.channels import KINDS

Edge = tuple[int, str, int]

TRIGGER = "trigger"
HIT = "hit"
HIT_ADC = "hit-adc"
STATUS = tuple([kind.name for kind in KINDS if kind.status])
"""Contacts that are closed while all is well; only a board with a pin for one has the channel."""
CONTACTS = (TRIGGER, *(f"zone-{number}" for number in range(1, 11)))
CHANNELS = (*CONTACTS, HIT, HIT_ADC, *STATUS)

# Eighteen switch types measured by J. Ganssle, "A Guide to Debouncing": 1.557 ms on average, 6.2 ms at worst.
MEAN_BOUNCE_US = 1557
LONGEST_BOUNCE_US = 6200
MOST_BOUNCES = 6
SHORTEST_CONTACT_US = 20

ADC_MAX = 4095
# The comparator (or the pin's own input threshold) is well below the firmware's hit threshold of 300: a weak pulse is
# seen, reported and refused rather than missed.
COMPARATOR_LEVEL = 120
RING_PERIOD_US = 400
DECAY_US = 2500
SILENT_US = 12_000
WEAK_PEAKS = (150, 270)


def press(channel: str, hold_us: int, random: Random) -> list[Edge]:
    """Return the edges of a contact closed at 0 and opened at `hold_us`, bouncing at both ends."""
    if hold_us < 2 * SHORTEST_CONTACT_US:
        raise ValueError(
            f"A press of {hold_us} us is shorter than a contact can be ({2 * SHORTEST_CONTACT_US} us)."
        )
    closing = _bounce(channel, 0, 1, min(LONGEST_BOUNCE_US, hold_us // 2), random)
    return closing + _bounce(channel, hold_us, 0, LONGEST_BOUNCE_US, random)


def _bounce(channel: str, at_us: int, level: int, longest_us: int, random: Random) -> list[Edge]:
    duration_us = min(longest_us, round(random.expovariate(1 / MEAN_BOUNCE_US)))
    slots = duration_us // SHORTEST_CONTACT_US
    pairs = min(random.randint(0, MOST_BOUNCES), slots // 2)
    slot_numbers = sorted(random.sample(range(1, slots + 1), 2 * pairs))
    levels = [1 - level, level] * pairs
    edges = [(at_us, channel, level)]
    for slot, new_level in zip(slot_numbers, levels, strict=True):
        edges.append((at_us + slot * SHORTEST_CONTACT_US, channel, new_level))
    return edges


def ring(peak: int, random: Random) -> list[Edge]:
    """Return the edges of a struck piezo whose ADC reading peaks at `peak` (0-4095): comparator edges and readings.

    The comparator's first edge, if the peak reaches its level, is at 0; both follow the oscillation of some 10 ms.
    """
    if not 0 < peak <= ADC_MAX:
        raise ValueError(f"A peak is from 1 to {ADC_MAX} ADC counts, not {peak}.")
    period_us = RING_PERIOD_US * random.uniform(0.85, 1.15)
    decay_us = DECAY_US * random.uniform(0.8, 1.2)
    return merge(_voltage(peak, period_us, decay_us), _comparator(peak, period_us, decay_us))


def _comparator(peak: int, period_us: float, decay_us: float) -> list[Edge]:
    # The clamp cuts the negative half waves; each positive one is over the level for a part of its half period.
    edges: list[Edge] = []
    wave_us = first_us = 0.0
    while True:
        crest = peak * math.exp(-wave_us / decay_us)
        if crest < COMPARATOR_LEVEL:
            return edges
        low_us = period_us * math.asin(COMPARATOR_LEVEL / crest) / math.tau
        if not edges:
            first_us = low_us
        rise_us = round(wave_us + low_us - first_us)
        fall_us = round(wave_us + period_us / 2 - low_us - first_us)
        edges += [(rise_us, HIT, 1), (max(fall_us, rise_us + 1), HIT, 0)]
        wave_us += period_us


def _voltage(peak: int, period_us: float, decay_us: float) -> list[Edge]:
    # In steps of an eighth of a period: the firmware's samples are closer together and see each step.
    edges: list[Edge] = []
    rising_us = period_us * math.asin(min(1.0, COMPARATOR_LEVEL / peak)) / math.tau
    for step in range(round(8 * SILENT_US / period_us) // 8 * 8 + 1):
        t_us = step * period_us / 8
        wave = math.sin(math.tau * (step % 8) / 8)
        reading = round(peak * wave * math.exp(-max(0.0, t_us - period_us / 4) / decay_us))
        # The clamp cuts the negative half waves.
        edges.append((max(0, round(t_us - rising_us)), HIT_ADC, max(0, reading)))
    return edges


def knock(peak: int, random: Random) -> list[Edge]:
    """Return the edges of a knock on the gun: the piezo alone, no trigger."""
    return ring(peak, random)


def weak_knock(random: Random) -> list[Edge]:
    """Return the edges of a knock that moves the comparator but stays below the hit threshold of 300."""
    return ring(random.randint(*WEAK_PEAKS), random)


def dry_pull(hold_us: int, random: Random) -> list[Edge]:
    """Return the edges of the trigger alone: no shot left the gun."""
    return press(TRIGGER, hold_us, random)


def shot(peak: int, lag_us: int, hold_us: int, random: Random) -> list[Edge]:
    """Return the edges of trigger and hit; the hit comes `lag_us` after the trigger, before it if negative."""
    trigger_us = max(0, -lag_us)
    return merge(
        delayed(press(TRIGGER, hold_us, random), trigger_us),
        delayed(ring(peak, random), trigger_us + lag_us),
    )


def delayed(edges: list[Edge], by_us: int) -> list[Edge]:
    """Return the edges `by_us` later."""
    return [(dt_us + by_us, channel, level) for dt_us, channel, level in edges]


def merge(*parts: list[Edge]) -> list[Edge]:
    """Return all edges in order of time; those of the same instant keep their order."""
    return sorted(chain(*parts), key=lambda edge: edge[0])


def first_us(edges: list[Edge], channel: str) -> int:
    """Return when `channel` first goes to 1; raise `ValueError` if it never does."""
    for dt_us, name, level in edges:
        if name == channel and level:
            return dt_us
    raise ValueError(f"{channel} never goes active in these edges.")
