"""Switches bounce and the piezo rings as measured ones do."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, strategies as st

from firmware_protocol.virtual import physics
from firmware_protocol.virtual.physics import ADC_MAX, COMPARATOR_LEVEL, LONGEST_BOUNCE_US, Edge

seeds = st.integers(0, 2**32)
holds = st.integers(2 * physics.SHORTEST_CONTACT_US, 3_000_000)


def of(edges: list[Edge], channel: str) -> list[tuple[int, int]]:
    return [(dt_us, level) for dt_us, name, level in edges if name == channel]


@given(seeds, holds)
def test_a_press_is_one_contact_closed_at_zero_and_opened_at_its_hold(
    seed: int, hold_us: int
) -> None:
    edges = of(physics.press("zone-1", hold_us, Random(seed)), "zone-1")
    assert edges[0] == (0, 1)
    assert (hold_us, 0) in edges
    assert edges[-1][1] == 0
    assert [level for _, level in edges] == [1, 0] * (len(edges) // 2)
    assert all(later > earlier for (earlier, _), (later, _) in pairwise(edges))


@given(seeds, holds)
def test_bounce_stays_within_the_longest_measured(seed: int, hold_us: int) -> None:
    edges = of(physics.press("zone-1", hold_us, Random(seed)), "zone-1")
    closing = [dt_us for dt_us, _ in edges if dt_us < hold_us]
    assert max(closing) <= LONGEST_BOUNCE_US
    assert edges[-1][0] - hold_us <= LONGEST_BOUNCE_US
    assert len(edges) <= 2 * (1 + 2 * physics.MOST_BOUNCES)


def test_the_bounce_of_many_presses_is_of_the_measured_length_on_average() -> None:
    random = Random(1)
    lengths = [
        max(dt_us for dt_us, _, _ in physics.press("zone-1", 20_000, random)) - 20_000
        for _ in range(2000)
    ]
    assert 600 < sum(lengths) / len(lengths) < 2000
    assert min(lengths) == 0


def test_a_contact_held_shorter_than_contacts_can_be_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter than a contact can be"):
        physics.press("zone-1", 10, Random(0))


@given(seeds, st.integers(COMPARATOR_LEVEL, ADC_MAX))
def test_a_ringing_piezo_pulses_from_zero_for_some_milliseconds(seed: int, peak: int) -> None:
    comparator = of(physics.ring(peak, Random(seed)), "hit")
    assert comparator[0] == (0, 1)
    assert [level for _, level in comparator] == [1, 0] * (len(comparator) // 2)
    assert all(later > earlier for (earlier, _), (later, _) in pairwise(comparator))
    assert comparator[-1][0] < 15_000


@given(seeds, st.integers(COMPARATOR_LEVEL, ADC_MAX))
def test_its_voltage_peaks_within_a_quarter_of_a_wave_and_rings_out_to_nothing(
    seed: int, peak: int
) -> None:
    readings = of(physics.ring(peak, Random(seed)), "hit-adc")
    crest_us = next(dt_us for dt_us, level in readings if level == peak)
    assert peak == max(level for _, level in readings)
    assert crest_us < 130
    assert readings[-1][1] == 0
    assert max(level for dt_us, level in readings if dt_us > 6000) < peak // 4


@given(seeds, st.integers(1, COMPARATOR_LEVEL - 1))
def test_a_tremor_below_the_comparators_level_gives_no_edge(seed: int, peak: int) -> None:
    assert of(physics.ring(peak, Random(seed)), "hit") == []


@given(seeds)
def test_a_weak_knock_moves_the_comparator_but_stays_below_the_hit_threshold(seed: int) -> None:
    edges = physics.weak_knock(Random(seed))
    assert of(edges, "hit")
    assert max(level for _, level in of(edges, "hit-adc")) < 300


@given(seeds, st.integers(-30_000, 30_000))
def test_a_shots_hit_follows_its_trigger_by_the_lag(seed: int, lag_us: int) -> None:
    edges = physics.shot(1800, lag_us, 120_000, Random(seed))
    assert physics.first_us(edges, "hit") - physics.first_us(edges, "trigger") == lag_us
    assert edges[0][0] == 0
    assert all(later[0] >= earlier[0] for earlier, later in pairwise(edges))


def test_a_dry_pull_has_no_hit_and_a_knock_no_trigger() -> None:
    with pytest.raises(ValueError, match="hit never goes active"):
        physics.first_us(physics.dry_pull(100_000, Random(0)), "hit")
    with pytest.raises(ValueError, match="trigger never goes active"):
        physics.first_us(physics.knock(900, Random(0)), "trigger")


@pytest.mark.parametrize("peak", [0, ADC_MAX + 1])
def test_a_peak_no_adc_can_read_is_refused(peak: int) -> None:
    with pytest.raises(ValueError, match=f"from 1 to {ADC_MAX}"):
        physics.ring(peak, Random(0))


def test_the_same_seed_gives_the_same_edges() -> None:
    assert physics.shot(1500, 5000, 90_000, Random(7)) == physics.shot(
        1500, 5000, 90_000, Random(7)
    )
    assert physics.shot(1500, 5000, 90_000, Random(7)) != physics.shot(
        1500, 5000, 90_000, Random(8)
    )
