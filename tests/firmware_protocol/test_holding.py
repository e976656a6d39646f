"""What holds the hit sensor's analog pin is found by the chip's own pulls. In virtual time."""

from __future__ import annotations

from array import array
from math import exp
from typing import Any

import pytest

from firmware_protocol.board.clock import Clock
from firmware_protocol.board.hit import PullTest
from firmware_protocol.board.pins import PinMap, parse_pins
from firmware_protocol.board.words import (
    BLOCK,
    BLOCKS,
    CONVERSION_US,
    SAMPLE_US,
    SAMPLES,
    SampleReader,
    SampleRing,
)
from firmware_protocol.messages import (
    ARMED,
    HIT_OPEN,
    HIT_PIEZO,
    HIT_RESISTOR,
    TESTED,
    Arm,
    Event,
    Overrun,
    Ping,
    Pong,
    Stats,
    Who,
)
from firmware_protocol.virtual.machine import ADC_MAX, put_time
from tests.firmware_protocol.bench import Bench

HIT = 1
PLUGGED = '{"plug": {"pin": 1, "active": 0}}'


def armed(circuit: str, pins: PinMap | None = None) -> Bench:
    bench = Bench(pins, circuit=circuit)
    bench.send(Who())
    bench.run_ms(50)
    bench.send(Arm())
    bench.run_ms(100)
    return bench


def last_stats(bench: Bench) -> Stats:
    stats = [message for message in bench.messages() if isinstance(message, Stats)]
    assert stats
    return stats[-1]


def hits(bench: Bench) -> list[Event]:
    return [event for event in bench.events() if event.channel == HIT]


@pytest.mark.parametrize(
    ("circuit", "found"), [("open", HIT_OPEN), ("resistor", HIT_RESISTOR), ("piezo", HIT_PIEZO)]
)
def test_a_host_is_told_what_holds_the_hit_input(circuit: str, found: int) -> None:
    assert last_stats(armed(circuit)).hit_found == found


def test_an_open_hit_input_makes_no_hits() -> None:
    bench = armed("open")
    for _ in range(20):
        bench.send(Who())
        bench.run_ms(50)
    assert hits(bench) == []


def test_an_open_hit_input_is_sampled_where_pins_json_wants_it() -> None:
    bench = armed("open", parse_pins('{"hit": "always"}'))
    for _ in range(4):
        bench.send(Who())
        bench.run_ms(50)
    assert len(hits(bench)) > 3


@pytest.mark.parametrize("circuit", ["resistor", "piezo"])
def test_the_test_itself_makes_no_hit(circuit: str) -> None:
    bench = armed(circuit)
    bench.run_ms(500)
    assert hits(bench) == []


def test_a_knock_after_armed_is_a_hit() -> None:
    bench = armed("piezo")
    now_us = bench.world.now_us()
    bench.world.schedule([(now_us + 5_000 - bench.world.now_us(), "hit-adc", 2000)])
    bench.world.schedule([(now_us + 6_000 - bench.world.now_us(), "hit-adc", 0)])
    bench.run_ms(50)
    assert [hit.peak for hit in hits(bench)] == [2000]


def test_the_pin_is_tested_again_when_the_guns_plug_closes_and_the_time_is_told() -> None:
    bench = armed("open", parse_pins(PLUGGED))
    assert last_stats(bench).hit_found == HIT_OPEN
    bench.machine.change_circuit("piezo")
    closed_us = bench.world.now_us() + 1000
    bench.world.schedule([(closed_us - bench.world.now_us(), "plug", 1)])
    bench.run_ms(500)
    assert last_stats(bench).hit_found == HIT_PIEZO
    overruns = [message for _, message in bench.stored() if isinstance(message, Overrun)]
    assert [message.source for message in overruns] == [TESTED]
    assert overruns[0].first_us - closed_us > 190_000
    assert 24_000 <= overruns[0].last_us - overruns[0].first_us <= 60_000


def test_armed_comes_after_the_test_of_its_arm() -> None:
    bench = Bench(circuit="piezo")
    bench.run_ms(100)
    begun_us = bench.world.now_us()
    bench.send(Arm())
    bench.run_ms(100)
    at = [state.t_us for state in bench.states() if state.flags & ARMED]
    assert len(at) == 1
    assert at[0] - begun_us > 24_000


def test_a_plug_that_closes_while_the_pin_is_tested_has_a_test_of_its_own() -> None:
    bench = Bench(parse_pins(PLUGGED), circuit="open")
    bench.run_ms(100)
    bench.send(Arm())
    bench.script([(5_000, "plug", 1)])
    bench.run_ms(20)
    bench.machine.change_circuit("piezo")
    bench.run_ms(500)
    assert last_stats(bench).hit_found == HIT_PIEZO


def test_a_host_that_comes_back_to_a_session_costs_it_no_test() -> None:
    bench = armed("piezo")
    bench.send(Arm())
    bench.send(Arm())
    bench.script([(5_000, "hit-adc", 2000), (6_000, "hit-adc", 0)])
    bench.run_ms(100)
    assert [hit.peak for hit in hits(bench)] == [2000]
    assert not [message for _, message in bench.stored() if isinstance(message, Overrun)]


def test_a_vibration_module_counts_while_nothing_holds_the_analog_pin() -> None:
    bench = armed("open")
    bench.script([(5_000, "hit", 1), (6_000, "hit", 0)])
    bench.run_ms(100)
    assert [(hit.peak, hit.bounces) for hit in hits(bench)] == [(0, 1000)]


def test_nothing_beyond_the_beginning_of_a_test_is_promised_before_it_is_told() -> None:
    bench = armed("piezo", parse_pins(PLUGGED))
    bench.script([(1_000, "plug", 1)])
    promised_us = 0
    overruns: list[Overrun] = []
    while not overruns:
        bench.send(Ping(1))
        bench.run_ms(1)
        overruns = [message for _, message in bench.stored() if isinstance(message, Overrun)]
        if not overruns:
            promised_us = max(
                [message.settled_us for message in bench.messages() if isinstance(message, Pong)],
                default=promised_us,
            )
    assert promised_us <= overruns[0].first_us


class Circuit:
    """A resistor to ground and a capacitor beside it, at a pin with the chip's pull; sampled like the chip's ADC."""

    fault = ""

    def __init__(self, pull_kohm: float, kohm: float, nf: float) -> None:
        self.us = 1_000_000
        self._pull_kohm, self._kohm, self._nf = pull_kohm, kohm, nf
        self._pulled, self._level = 0, 0.0
        self._done = self.us // SAMPLE_US
        self.ring = SampleRing(
            memoryview(array("H", bytes(2 * SAMPLES))),
            memoryview(array("H", bytes(4 * BLOCKS))),
            self._written,
        )

    def pull(self, _gpio: int, pull: int) -> None:
        self._written()
        self._pulled = pull

    def _written(self) -> int:
        while (self._done + 1) * SAMPLE_US <= self.us:
            conductance = 1 / self._kohm + (1 / self._pull_kohm if self._pulled else 0)
            end = ADC_MAX / self._pull_kohm / conductance if self._pulled == 1 else 0.0
            self._level = end + (self._level - end) * exp(-SAMPLE_US * conductance / self._nf)
            self.ring.values[self._done % SAMPLES] = round(self._level)
            if self._done % BLOCK == BLOCK - 1:
                put_time(
                    self.ring, self._done // BLOCK % BLOCKS, self._done * SAMPLE_US + CONVERSION_US
                )
            self._done += 1
        return self._done % SAMPLES


class IgnoringHit:
    """Stands for the hit sensor."""

    busy = False

    def begin_test(self, ticks: int) -> None:
        """Nothing to do."""

    def end_test(self, listens: bool) -> None:
        """Nothing to do."""


RIGHT = [(HIT_RESISTOR, 100.0, 1.0), (HIT_RESISTOR, 106.0, 1.2), (HIT_RESISTOR, 47.0, 1.0)]
RIGHT += [(HIT_PIEZO, kohm, nf) for kohm in (47.0, 100.0, 106.0) for nf in (6.0, 20.0, 40.0)]
RIGHT += [(HIT_OPEN, 1e9, nf) for nf in (0.01, 0.2, 20.0)]
# A disc of 5 nF beside 47 kohm charges as quickly as some leads: not told apart.


@pytest.mark.parametrize("late_us", [0, 7, 3_000])
@pytest.mark.parametrize("pull_kohm", [50, 65, 80])
@pytest.mark.parametrize(("found", "kohm", "nf"), RIGHT)
def test_what_is_there_is_found_whatever_the_chips_pull_and_the_turns_of_its_loop(
    found: int, kohm: float, nf: float, pull_kohm: float, late_us: int
) -> None:
    assert found_at(Circuit(pull_kohm, kohm, nf), [8_000 + late_us] * 100) == found


def test_a_board_that_was_held_up_until_the_rise_was_overwritten_begins_again() -> None:
    assert found_at(Circuit(65, 100, 20), [100_000, *[16_000] * 10]) == HIT_PIEZO


def found_at(circuit: Circuit, turns_us: list[int]) -> int:
    """Return the result of the pull test when the main loop takes these times (us) between turns."""
    circuit.us += 60_000
    reader = SampleReader(circuit.ring)
    machine: Any = circuit
    hit: Any = IgnoringHit()
    test: Any = PullTest(machine, 26, reader, hit, Clock(lambda: circuit.us), print, print)
    test.begin(circuit.us)
    for turn_us in turns_us:
        circuit.us += turn_us
        if test.step(circuit.us):
            break
    return int(test.result[0])
