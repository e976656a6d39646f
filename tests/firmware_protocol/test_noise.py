"""Inputs with more edges than a finger and a bouncing contact make are muted, and counted again when they are quiet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from companion.board.selftest import WORN_BOUNCES
from companion.link.settings import config_of
from firmware_protocol.board.inputs import TURN_RECORDS
from firmware_protocol.board.noise import LONGEST_LOOK, NOISE_EDGES, QUIET_US, RESTLESS_US
from firmware_protocol.board.pins import DEFAULT_PINS, PinMap
from firmware_protocol.board.words import RECORDS
from firmware_protocol.messages import (
    EDGES,
    MUTED,
    PRESSED,
    UNMUTED,
    Ack,
    Arm,
    Overrun,
    Ping,
    Pong,
    Replay,
    Settled,
    Standby,
)
from tests.firmware_protocol.bench import TRIGGER_ONLY, Bench

ZONE_3 = 4
HIT = 1


def noise(name: str, hz: int, from_us: int, for_us: int) -> list[tuple[int, str, int]]:
    """Return the edges of a square wave, which ends open."""
    half_us = 500_000 // hz
    count = for_us // half_us // 2 * 2
    return [(from_us + number * half_us, name, 1 - number % 2) for number in range(count)]


def overruns_of(bench: Bench, source: int) -> list[Overrun]:
    """Return the reports of one muted input in the ring."""
    overruns = [message for _, message in bench.stored() if isinstance(message, Overrun)]
    return [overrun for overrun in overruns if overrun.source & ~0x1F == source]


@pytest.mark.parametrize("hz", [1_000, 3_500, 10_000, 100_000])
def test_a_noisy_contact_is_muted_and_its_neighbors_presses_are_exact(hz: int) -> None:
    bench = Bench()
    base_us = bench.script(noise("zone-3", hz, 1_000, 500_000))
    presses_us = [60_000 + 40_000 * number for number in range(10)]
    bench.script(
        [row for at in presses_us for row in ((at, "zone-5", 1), (at + 12_000, "zone-5", 0))]
    )
    bench.run_ms(520)
    (muted,) = overruns_of(bench, MUTED)
    assert muted.source == MUTED + ZONE_3
    # A board that keeps up with the slowest of them waits until it could be no finger.
    assert muted.last_us - base_us < (RESTLESS_US + 20_000 if hz < 2_000 else 30_000)
    assert muted.count >= 40
    times_us = [
        event.t_us - base_us
        for event in bench.events()
        if event.channel == 6 and event.flags == PRESSED
    ]
    assert times_us == pytest.approx(presses_us, abs=2)


def test_an_input_counts_again_after_a_second_of_quiet_and_the_record_says_from_when() -> None:
    bench = Bench()
    base_us = bench.script(noise("zone-3", 10_000, 1_000, 300_000))
    bench.run_ms(1_200)
    assert overruns_of(bench, UNMUTED) == []
    bench.run_ms(200)
    (muted,), (back,) = overruns_of(bench, MUTED), overruns_of(bench, UNMUTED)
    assert back.source == UNMUTED + ZONE_3
    assert back.first_us == pytest.approx(muted.last_us, abs=100)
    assert back.last_us - base_us >= 301_000 + QUIET_US
    assert back.count >= 20
    assert bench.states()[-1].t_us >= back.last_us
    before = len(bench.events())
    at_us = bench.script([(5_000, "zone-3", 1), (20_000, "zone-3", 0)])
    bench.run_ms(60)
    assert [
        (event.channel, event.flags, event.t_us - at_us) for event in bench.events()[before:]
    ] == [
        (ZONE_3, PRESSED, 5_000),
        (ZONE_3, 0, 20_000),
    ]


def test_a_contact_that_is_closed_when_it_counts_again_is_in_the_state_and_its_release_is_reported() -> (
    None
):
    bench = Bench()
    bench.script([*noise("zone-3", 10_000, 1_000, 300_000), (300_950, "zone-3", 1)])
    bench.run_ms(1_500)
    assert overruns_of(bench, UNMUTED) != []
    assert bench.states()[-1].levels == 1 << ZONE_3
    before = len(bench.events())
    bench.script([(5_000, "zone-3", 0)])
    bench.run_ms(60)
    assert [(event.channel, event.flags) for event in bench.events()[before:]] == [(ZONE_3, 0)]


def test_while_it_is_muted_an_input_is_open_in_every_state() -> None:
    bench = Bench()
    bench.script(noise("zone-3", 10_000, 1_000, 2_000_000))
    bench.run_ms(500)
    bench.send(Arm())
    bench.run_ms(20)
    assert bench.states()[-1].levels == 0


def test_a_noise_that_comes_back_is_muted_again() -> None:
    bench = Bench()
    bench.script(
        [*noise("zone-3", 10_000, 1_000, 200_000), *noise("zone-3", 10_000, 2_000_000, 200_000)]
    )
    bench.run_ms(3_500)
    assert len(overruns_of(bench, MUTED)) == len(overruns_of(bench, UNMUTED)) == 2


def test_two_noisy_wires_are_muted_each_for_itself() -> None:
    bench = Bench()
    bench.script(
        [*noise("zone-3", 100_000, 1_000, 400_000), *noise("zone-7", 3_500, 5_000, 400_000)]
    )
    bench.run_ms(300)
    assert {overrun.source for overrun in overruns_of(bench, MUTED)} == {MUTED + ZONE_3, MUTED + 8}


def test_noise_on_the_hits_digital_input_leaves_its_samples() -> None:
    bench = Bench()
    bench.script(noise("hit", 10_000, 1_000, 400_000))
    base_us = bench.script([(200_000, "hit-adc", 2000), (201_000, "hit-adc", 0)])
    bench.run_ms(400)
    assert [overrun.source for overrun in overruns_of(bench, MUTED)] == [MUTED + HIT]
    hits = [event for event in bench.events() if event.channel == HIT and event.peak == 2000]
    assert [abs(event.t_us - base_us - 200_000) <= 20 for event in hits] == [True]


def test_the_overwritten_records_of_a_noise_are_one_overrun() -> None:
    bench = Bench()
    bench.script(noise("zone-3", 100_000, 1_000, 400_000))
    bench.wire.stride_us = 5_000
    bench.run_ms(400)
    edges = [
        message
        for _, message in bench.stored()
        if isinstance(message, Overrun) and message.source == EDGES
    ]
    assert len(edges) <= 1


def test_who_arms_the_board_later_is_told_which_inputs_are_muted_before_the_state() -> None:
    bench = Bench()
    bench.script(noise("zone-3", 10_000, 1_000, 3_000_000))
    bench.run_ms(200)
    (muted,) = overruns_of(bench, MUTED)
    bench.send(Arm())
    bench.run_ms(20)
    assert overruns_of(bench, MUTED) == [muted]  # the host has it still before it
    for forget in (Ack(bench.app.ring.next_seq - 1), Standby()):
        bench.send(forget)
        bench.run_ms(20)
        assert overruns_of(bench, MUTED) == []
        bench.send(Arm())
        bench.run_ms(20)
        assert [message for _, message in bench.stored()][-2:] == [muted, bench.states()[-1]]


def test_how_long_an_input_was_muted_is_told_beyond_a_wrap_of_the_ticks() -> None:
    bench = Bench(PinMap(TRIGGER_ONLY))
    bench.script(noise("trigger", 10_000, 1_000, 100_000))
    noisy_us = range(500_000, 18 * 60_000_000, 500_000)
    bench.script(
        [row for at in noisy_us for row in ((at, "trigger", 1), (at + 1_000, "trigger", 0))]
    )
    bench.run_ms(200)
    (muted,) = overruns_of(bench, MUTED)
    bench.wire.stride_us = 100_000
    bench.run_ms(18 * 60_000 + 4_000)
    (back,) = overruns_of(bench, UNMUTED)
    assert back.first_us == muted.last_us
    assert back.last_us - back.first_us > 18 * 60_000_000


def test_standby_and_arm_do_not_hear_a_muted_input_before_it_is_quiet() -> None:
    bench = Bench()
    bench.script(noise("zone-3", 10_000, 1_000, 900_000))
    bench.run_ms(200)
    bench.send(Standby())
    bench.run_ms(100)
    bench.send(Arm())
    bench.run_ms(300)
    assert [event for event in bench.events() if event.channel == ZONE_3] == []
    bench.run_ms(1_700)
    assert len(overruns_of(bench, UNMUTED)) == 1


# Bounces at the worst rate that a switch shows, on every contact, as fast as fingers go: nothing of it is noise.
bounce = st.lists(st.integers(20, 6_200), max_size=20)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 9), bounce, bounce), min_size=1, max_size=12),
    st.integers(500, 30_000),
)
def test_fingers_and_bouncing_contacts_are_never_muted(
    presses: list[tuple[int, list[int], list[int]]], stride_us: int
) -> None:
    bench = Bench()
    rows: dict[tuple[int, str], int] = {}
    for number, (zone, closing, opening) in enumerate(presses):
        name = f"zone-{zone + 1}"
        for at_us, edges, level in ((1_000, closing, 1), (40_000, opening, 0)):
            at_us += 60_000 * number
            instants = sorted({0, *edges})
            for place, edge_us in enumerate(instants):
                rows[at_us + edge_us, name] = level if place % 2 == 0 else 1 - level
            rows[at_us + instants[-1] + 50, name] = level
    bench.script([(at_us, name, level) for (at_us, name), level in rows.items()])
    bench.wire.stride_us = stride_us
    bench.run_ms(60 * len(presses) + 100 + len(rows) * stride_us // TURN_RECORDS // 1_000)
    assert overruns_of(bench, MUTED) == []
    assert len([event for event in bench.events() if event.flags == PRESSED]) == len(presses)


def test_a_promise_never_passes_a_record_that_waits() -> None:
    bench = Bench()
    bench.script(noise("zone-3", 1_000, 1_000, 30_000))
    base_us = bench.script([(30_500, "zone-5", 1)])
    bench.wire.stride_us = 100
    bench.world.advance(40_000)
    for number in range(40):
        bench.send(Ping(number))
        bench.app.step()
        promised = [message.settled_us for message in bench.messages() if isinstance(message, Pong)]
        known = [event.t_us for event in bench.events() if event.channel == 6]
        for settled_us in promised:
            assert settled_us < base_us + 30_500 or known != []
    assert [event.t_us - base_us for event in bench.events() if event.channel == 6] == [30_500]


def test_a_board_without_a_hit_sensor_promises_nothing_beyond_a_record_that_waits() -> None:
    bench = Bench(PinMap({name: pins for name, pins in DEFAULT_PINS.items() if name != "hit"}))
    bench.send(Replay(1))
    bench.script([(0, "trigger", 1)])
    bench.run_ms(15)
    bench.script([(22_000 + 1_000 * number, f"zone-{number + 1}", 1) for number in range(10)])
    bench.world.advance(40_000)
    bench.messages()
    bench.app.step()
    (promised,) = [
        message.settled_us for message in bench.messages() if isinstance(message, Settled)
    ]
    known = len(bench.events())
    bench.run_ms(5)
    later = bench.events()[known:]
    assert later != []
    assert all(event.t_us > promised for event in later)


@pytest.mark.parametrize("hz", [75, 150, 500])
def test_a_wire_that_hums_does_not_keep_the_presses_of_the_others_from_being_read(hz: int) -> None:
    bench = Bench()
    bench.script(noise("zone-3", hz, 1_000, 900_000))
    base_us = bench.script([(600_000, "zone-5", 1), (620_000, "zone-5", 0)])
    bench.run_ms(650)
    bench.send(Ping(1))
    bench.run_ms(5)
    (pong,) = [message for message in bench.messages() if isinstance(message, Pong)]
    assert pong.settled_us >= base_us + 630_000
    assert [overrun.source for overrun in overruns_of(bench, MUTED)] == [MUTED + ZONE_3]


def test_the_bound_lies_between_worn_contacts_and_what_a_turn_of_the_loop_can_take() -> None:
    assert 2 * WORN_BOUNCES < NOISE_EDGES
    # 7,000 edges a second are found within 20 ms, and both wires of two fit into the ring.
    assert NOISE_EDGES <= 7_000 * 20_000 // 1_000_000
    assert 2 * NOISE_EDGES < LONGEST_LOOK < RECORDS - 64


def tapping(
    name: str, taps: int, every_us: int, open_us: int, bounces: int
) -> list[tuple[int, str, int]]:
    """Return the edges of a finger that taps on a contact that bounces so often at each end."""
    rows = []
    for tap in range(taps):
        at_us = 1_000 + tap * every_us
        for edge in range(2 * bounces):
            rows.append((at_us + 100 * edge, name, 1 - edge % 2))
            rows.append((at_us + every_us - open_us + 100 * edge, name, edge % 2))
        rows.append((at_us + 200 * bounces, name, 1))
        rows.append((at_us + every_us - open_us + 200 * bounces, name, 0))
    return sorted(rows)


@pytest.mark.parametrize(
    ("lock_us", "open_us"), [(8_000, 30_000), (50_000, 30_000), (50_000, 22_000)]
)
@pytest.mark.parametrize("bounces", [0, 2, 15])
def test_a_fast_finger_is_never_muted_at_any_lock_time(
    lock_us: int, open_us: int, bounces: int
) -> None:
    bench = Bench()
    bench.send(config_of({"lock_us": lock_us}))
    bench.run_ms(5)
    bench.script(tapping("zone-3", 20, 60_000, open_us, bounces))
    bench.run_ms(1_400)
    assert overruns_of(bench, MUTED) == []


@pytest.mark.parametrize("bounces", [30, 32])
def test_a_worn_out_contact_is_never_muted_so_that_the_self_test_can_say_so(bounces: int) -> None:
    bench = Bench()
    bench.script(tapping("zone-3", 6, 100_000, 50_000, bounces))
    bench.run_ms(700)
    assert overruns_of(bench, MUTED) == []
    counted = [event.bounces for event in bench.events() if not event.flags & PRESSED]
    assert len(counted) == 6
    assert min(counted) >= WORN_BOUNCES
