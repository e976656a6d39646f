"""What holds the hit sensor's analog pin is found by the chip's own pulls. In virtual time."""

from __future__ import annotations

import pytest

from firmware_protocol.board.pins import PinMap, parse_pins
from firmware_protocol.messages import (
    ARMED,
    HIT_OPEN,
    HIT_PIEZO,
    HIT_RESISTOR,
    TESTED,
    Arm,
    Event,
    Overrun,
    Stats,
    Who,
)
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


@pytest.mark.parametrize(("circuit", "found"), [("open", HIT_OPEN), ("resistor", HIT_RESISTOR), ("piezo", HIT_PIEZO)])
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
    told = [message for _, message in bench.stored() if isinstance(message, Overrun)]
    assert [one.source for one in told] == [TESTED]
    assert told[0].first_us - closed_us > 190_000
    assert 24_000 <= told[0].last_us - told[0].first_us <= 60_000


def test_armed_comes_after_the_test_of_its_arm() -> None:
    bench = Bench(circuit="piezo")
    bench.run_ms(100)
    begun_us = bench.world.now_us()
    bench.send(Arm())
    bench.run_ms(100)
    at = [state.t_us for state in bench.states() if state.flags & ARMED]
    assert len(at) == 1
    assert at[0] - begun_us > 24_000
