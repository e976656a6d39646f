"""The hit sensor: every candidate with its peak and flags."""

import math
from itertools import pairwise

import pytest

from firmware_protocol.board.inputs import SCAN_US
from firmware_protocol.board.pins import PinMap
from firmware_protocol.board.words import SAMPLE_US
from firmware_protocol.messages import (
    BELOW_THRESHOLD,
    MASKED,
    PRESSED,
    SAMPLES,
    UNREAD,
    Ack,
    Config,
    Event,
    Overrun,
    Show,
    Wave,
)
from tests.firmware_protocol.bench import Bench

HIT_ONLY = {"hit": {"pin": 3, "active": 1, "adc": 26}}
WITHOUT_ADC = {"hit": {"pin": 3, "active": 1}}
ONLY_ADC = {"hit": {"adc": 26}}


def rising(at_us: int, peak: int, rise_us: int, decay_us: int) -> list[tuple[int, str, int]]:
    """Return the piezo's voltage alone: a straight rise and an exponential decay, given every few us."""
    rows = [
        (at_us + dt_us, "hit-adc", peak * dt_us // rise_us) for dt_us in range(0, rise_us + 1, 2)
    ]
    for dt_us in range(5, 10 * decay_us, 5):
        rows.append((at_us + rise_us + dt_us, "hit-adc", round(peak * math.exp(-dt_us / decay_us))))
    return rows


def pulse(at_us: int, peak: int, width_us: int = 600) -> list[tuple[int, str, int]]:
    """Return a piezo's response to a knock: the comparator rings, the voltage peaks later and decays."""
    return [
        (at_us, "hit", 1),
        (at_us + 50, "hit-adc", peak // 2),
        (at_us + 200, "hit", 0),
        (at_us + 300, "hit-adc", peak),
        (at_us + 400, "hit", 1),
        (at_us + 500, "hit-adc", peak // 3),
        (at_us + width_us, "hit", 0),
        (at_us + 2000, "hit-adc", 0),
    ]


def width_of_pulse(at_us: int) -> int:
    """Return the width up to the last sample above zero."""
    return (at_us + 2000 - 1) // SAMPLE_US * SAMPLE_US - at_us


def test_a_hit_goes_out_after_its_scan_time_with_first_edge_width_and_peak() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    base_us = bench.script(pulse(1000, 900))
    bench.run_ms(3)
    assert bench.events() == []
    bench.run_ms(6)
    assert bench.events() == [
        Event(1, PRESSED, base_us + 1000, width_of_pulse(base_us + 1000), 900)
    ]


def test_a_candidate_below_the_threshold_is_sent_and_flagged() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.script(pulse(1000, 120))
    bench.run_ms(20)
    assert [(event.flags, event.peak) for event in bench.events()] == [
        (PRESSED | BELOW_THRESHOLD, 120)
    ]


def test_what_rings_on_in_the_mask_time_is_sent_and_flagged_and_a_hit_after_it_is_not() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.script(pulse(0, 2000) + pulse(12_000, 800) + pulse(45_000, 1500))
    bench.run_ms(80)
    assert [event.flags for event in bench.events()] == [PRESSED, PRESSED | MASKED, PRESSED]


def test_a_candidate_below_the_threshold_masks_nothing() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.script(pulse(0, 100) + pulse(12_000, 800))
    bench.run_ms(50)
    assert [event.flags for event in bench.events()] == [PRESSED | BELOW_THRESHOLD, PRESSED]


def test_without_an_analog_input_no_candidate_is_below_the_threshold() -> None:
    bench = Bench(PinMap(WITHOUT_ADC))
    bench.script([(0, "hit", 1), (700, "hit", 0)])
    bench.run_ms(20)
    assert [(event.flags, event.bounces, event.peak) for event in bench.events()] == [
        (PRESSED, 700, 0)
    ]


def test_a_main_loop_that_comes_late_still_has_the_peak() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.wire.stride_us = 40_000
    base_us = bench.script(pulse(1000, 900))
    bench.run_ms(40)
    assert bench.events() == [
        Event(1, PRESSED, base_us + 1000, width_of_pulse(base_us + 1000), 900)
    ]


def test_a_main_loop_that_outlives_the_samples_says_that_the_peak_is_unread_and_what_is_lost() -> (
    None
):
    bench = Bench(PinMap(HIT_ONLY))
    bench.run_ms(20)
    bench.wire.stride_us = 200_000
    base_us = bench.script(pulse(1000, 900))
    bench.run_ms(200)
    assert [(event.flags, event.t_us, event.peak) for event in bench.events()] == [
        (PRESSED | UNREAD, base_us + 1000, 0)
    ]
    (overrun,) = [message for _, message in bench.stored() if isinstance(message, Overrun)]
    assert overrun.source == SAMPLES
    assert overrun.count * SAMPLE_US == overrun.last_us - overrun.first_us
    assert 100_000 < overrun.last_us - overrun.first_us < 130_000 + SCAN_US
    bench.wire.stride_us = 1000
    bench.send(Show())
    bench.run_ms(5)
    (wave,) = [message for message in bench.messages() if isinstance(message, Wave)]
    assert wave == Wave(base_us + 1000, base_us + 1000, SAMPLE_US)


def test_without_the_digital_input_the_samples_tell_onset_and_peak() -> None:
    bench = Bench(PinMap(ONLY_ADC))
    base_us = bench.script(rising(10_000, 1200, rise_us=600, decay_us=1500))
    bench.run_ms(40)
    hit = bench.events()[0]
    assert (hit.channel, hit.flags) == (1, PRESSED)
    assert abs(hit.t_us - base_us - 10_000) <= SAMPLE_US
    assert 1140 <= hit.peak <= 1200


@pytest.mark.parametrize("rise_us", [100, 200, 400, 700, 1000])
@pytest.mark.parametrize("peak", [320, 700, 1500, 4000])
def test_onset_is_within_one_sample_and_peak_within_a_twentieth(peak: int, rise_us: int) -> None:
    for phase_us in (0, 3, 7, 13, 19):
        bench = Bench(PinMap(ONLY_ADC))
        base_us = bench.script(rising(10_000 + phase_us, peak, rise_us, 1500))
        bench.run_ms(20)
        hit = bench.events()[0]
        assert abs(hit.t_us - base_us - 10_000 - phase_us) <= SAMPLE_US, phase_us
        assert 0.95 * peak <= hit.peak <= peak, phase_us


def test_a_level_at_rest_above_nothing_does_not_move_the_onset() -> None:
    bench = Bench(PinMap(ONLY_ADC))
    bench.world.set_level("hit-adc", 60)
    bench.run_ms(20)
    base_us = bench.script(
        [(t_us, name, 60 + level) for t_us, name, level in rising(10_000, 1200, 500, 1500)]
    )
    bench.run_ms(20)
    hit = bench.events()[0]
    assert abs(hit.t_us - base_us - 10_000) <= SAMPLE_US


def test_a_voltage_that_stays_high_is_one_candidate() -> None:
    bench = Bench(PinMap(ONLY_ADC))
    bench.script([(10_000, "hit-adc", 900)])
    bench.run_ms(100)
    assert len(bench.events()) == 1


def test_the_wave_of_the_last_hit_is_shown_with_its_rise() -> None:
    bench = Bench(PinMap(ONLY_ADC))
    bench.send(Show())
    bench.run_ms(20)
    assert [message for message in bench.messages() if isinstance(message, Wave)] == [
        Wave(0, 0, SAMPLE_US)
    ]
    bench.script(rising(10_000, 1200, 600, 1500))
    bench.run_ms(30)
    bench.send(Show())
    bench.run_ms(2)
    (wave,) = [message for message in bench.messages() if isinstance(message, Wave)]
    hit = bench.events()[0]
    assert wave.t_us == hit.t_us
    assert 980 <= hit.t_us - wave.first_us <= 1020
    assert wave.step_us == 40
    assert max(wave.points) == hit.peak >> 4
    crest_us = wave.first_us + wave.points.index(max(wave.points)) * wave.step_us
    assert 560 <= crest_us - hit.t_us <= 640


def test_the_garbage_of_waves_is_collected_where_no_pause_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(PinMap(ONLY_ADC))
    at_us = [bench.world.now_us()]
    monkeypatch.setattr(
        "firmware_protocol.board.app.collect", lambda: at_us.append(bench.world.now_us())
    )
    for _ in range(60):
        bench.script(rising(1000, 1200, 600, 1500))
        bench.run_ms(95)
        bench.send(Ack(bench.app.ring.next_seq - 1))
        bench.send(Show())
        bench.run_ms(5)
    assert len([message for message in bench.messages() if isinstance(message, Wave)]) == 60
    assert 4 <= len(at_us) <= 8
    assert max(after - before for before, after in pairwise(at_us)) <= 2_000_000


def test_a_release_alone_is_no_candidate() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.script([(0, "hit", 1), (30_000, "hit", 0)])
    bench.run_ms(60)
    assert len(bench.events()) == 1


def test_threshold_scan_and_mask_follow_config() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.send(Config(8000, 300, hit_threshold=50, hit_scan_us=2500, hit_mask_us=10_000))
    bench.run_ms(2)
    bench.script(pulse(0, 120) + pulse(4000, 120) + pulse(12_000, 120))
    bench.run_ms(30)
    assert [event.flags for event in bench.events()] == [PRESSED, PRESSED | MASKED, PRESSED]
