"""The hit sensor: every candidate with its peak and flags."""

from firmware_protocol.board.pins import PinMap
from firmware_protocol.messages import BELOW_THRESHOLD, LATE, MASKED, PRESSED, Config, Event
from tests.firmware_protocol.bench import Bench

HIT_ONLY = {"hit": {"pin": 3, "active": 1, "adc": 26}}
WITHOUT_ADC = {"hit": {"pin": 3, "active": 1}}


def pulse(at_us: int, peak: int, width_us: int = 600) -> list[tuple[int, str, int]]:
    """A piezo's answer to a knock: the comparator rings, the voltage peaks after a while and dies away."""
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


def test_a_hit_goes_out_after_its_scan_time_with_first_edge_width_and_peak() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    base_us = bench.script(pulse(1000, 900))
    bench.run_ms(3)
    assert bench.events() == []
    bench.run_ms(6)
    assert bench.events() == [Event(1, PRESSED, base_us + 1000, 600, 900)]


def test_a_candidate_below_the_threshold_is_sent_and_flagged() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.script(pulse(1000, 120))
    bench.run_ms(20)
    assert [(event.flags, event.peak) for event in bench.events()] == [(PRESSED | BELOW_THRESHOLD, 120)]


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
    assert [(event.flags, event.bounces, event.peak) for event in bench.events()] == [(PRESSED, 700, 0)]


def test_a_scan_that_the_main_loop_slept_through_is_not_called_weak() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.wire.stride_us = 40_000
    bench.script(pulse(1000, 900))
    bench.run_ms(40)
    assert [(event.flags, event.peak) for event in bench.events()] == [(PRESSED, 0)]


def test_a_pulse_shorter_than_the_interrupt_latency_is_still_a_candidate() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.run_ms(5)
    bench.world._handlers["hit"]()
    bench.run_ms(20)
    assert len(bench.events()) == 1


def test_an_edge_the_interrupt_lost_is_found_by_polling() -> None:
    bench = Bench(PinMap(HIT_ONLY))
    bench.world.set_level("hit", 1)
    bench.world.set_level("hit-adc", 700)
    bench.run_ms(20)
    assert [(event.flags, event.peak) for event in bench.events()] == [(PRESSED | LATE, 700)]


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
