"""Eager debounce: the press with its first edge, the release once stable, nothing doubled and nothing missed."""

import random

import pytest

from firmware_protocol.board.pins import PinMap
from firmware_protocol.messages import EDGES, GLITCH, LATE, PRESSED, Arm, Event, Overrun
from tests.firmware_protocol.bench import TRIGGER_ONLY, Bench, bouncing

# The longest bounce of ordinary switches (Ganssle).
LONGEST_BOUNCE_US = 6200


def bench(stride_us: int = 1000) -> Bench:
    bench = Bench(PinMap(TRIGGER_ONLY))
    bench.wire.stride_us = stride_us
    return bench


def random_bounces(rng: random.Random) -> list[int]:
    """Return bounces like those of recorded switches: many fast flips first, fewer later, over 0 to 6.2 ms."""
    span = rng.choice([0, 300, 1557, 3000, LONGEST_BOUNCE_US - 60])
    count = rng.randint(0, 14) if span else 0
    return sorted({max(1, int(span * rng.random() ** 2)) for _ in range(count)})


def scripted_presses(
    count: int, seed: int
) -> tuple[list[tuple[int, str, int]], list[tuple[int, int]]]:
    """Return the edges and the true (press, release) times."""
    rng = random.Random(seed)
    edges: list[tuple[int, str, int]] = []
    truth = []
    at_us = 20_000
    for _ in range(count):
        release_us = at_us + rng.choice([15_000, 15_000 + rng.randrange(60_000)])
        edges += bouncing(at_us, "trigger", 1, random_bounces(rng))
        edges += bouncing(release_us, "trigger", 0, random_bounces(rng))
        truth.append((at_us, release_us))
        at_us = release_us + 15_000 + rng.randrange(40_000)
    return edges, truth


@pytest.mark.parametrize(("count", "stride_us"), [(10_000, 20_000), (300, 1000), (300, 97)])
def test_bouncing_presses_are_reported_once_each_with_their_first_edges(
    count: int, stride_us: int
) -> None:
    on_bench = bench(stride_us)
    edges, truth = scripted_presses(count, seed=count + stride_us)
    base_us = on_bench.script(edges)
    seen: list[Event] = []
    while on_bench.world.until_next_us() >= 0 or len(seen) < 2 * count:
        on_bench.app.step()
        seen += [message for _, message in on_bench.stored() if isinstance(message, Event)]
        on_bench.app.ring.clear()
        assert on_bench.world.now_us() < base_us + truth[-1][1] + 1_000_000
    presses = [event.t_us - base_us for event in seen if event.flags & PRESSED]
    releases = [event.t_us - base_us for event in seen if not event.flags & PRESSED]
    assert presses == [press_us for press_us, _ in truth]
    assert releases == [release_us for _, release_us in truth]


def test_a_press_goes_out_in_the_turn_after_its_edge() -> None:
    on_bench = bench()
    base_us = on_bench.script([(500, "trigger", 1)])
    on_bench.run_ms(2)
    assert on_bench.events() == [Event(0, PRESSED, base_us + 500)]


def test_a_release_waits_until_it_is_stable_and_carries_its_first_edge_and_the_bounces() -> None:
    on_bench = bench()
    edges = bouncing(0, "trigger", 1, [100, 200, 300, 400]) + bouncing(
        50_000, "trigger", 0, [1000, 2000]
    )
    base_us = on_bench.script(edges)
    on_bench.run_ms(59)
    assert len(on_bench.events()) == 1
    on_bench.run_ms(3)
    assert on_bench.events()[1] == Event(0, 0, base_us + 50_000, bounces=6)


def test_a_pulse_that_is_back_within_the_glitch_time_is_reported_and_flagged() -> None:
    on_bench = bench()
    base_us = on_bench.script([(0, "trigger", 1), (250, "trigger", 0)])
    on_bench.run_ms(30)
    assert on_bench.events() == [Event(0, PRESSED, base_us), Event(0, GLITCH, base_us + 250)]


def test_a_short_press_over_the_glitch_time_carries_no_flag() -> None:
    on_bench = bench()
    base_us = on_bench.script([(0, "trigger", 1), (2000, "trigger", 0)])
    on_bench.run_ms(30)
    assert on_bench.events() == [Event(0, PRESSED, base_us), Event(0, 0, base_us + 2000)]


def test_a_dropout_while_held_is_a_bounce_and_no_release() -> None:
    on_bench = bench()
    base_us = on_bench.script(
        [(0, "trigger", 1), (40_000, "trigger", 0), (42_000, "trigger", 1), (90_000, "trigger", 0)]
    )
    on_bench.run_ms(120)
    assert on_bench.events() == [
        Event(0, PRESSED, base_us),
        Event(0, 0, base_us + 90_000, bounces=2),
    ]


def test_two_presses_further_apart_than_the_lock_time_are_two() -> None:
    on_bench = bench()
    on_bench.script(
        [(0, "trigger", 1), (20_000, "trigger", 0), (29_000, "trigger", 1), (60_000, "trigger", 0)]
    )
    on_bench.run_ms(100)
    assert [event.flags & PRESSED for event in on_bench.events()] == [1, 0, 1, 0]


def test_a_spike_of_a_microsecond_is_a_press_and_while_held_a_bounce() -> None:
    on_bench = bench()
    spike = [(5000, "trigger", 1), (5001, "trigger", 0)]
    held = [
        (50_000, "trigger", 1),
        (80_000, "trigger", 0),
        (80_001, "trigger", 1),
        (110_000, "trigger", 0),
    ]
    base_us = on_bench.script(spike + held)
    on_bench.run_ms(140)
    assert on_bench.events() == [
        Event(0, PRESSED, base_us + 5000),
        Event(0, GLITCH, base_us + 5001),
        Event(0, PRESSED, base_us + 50_000),
        Event(0, 0, base_us + 110_000, bounces=2),
    ]


def test_contacts_that_close_in_the_same_microsecond_share_their_stamp() -> None:
    on_bench = Bench()
    names = ["zone-3", "trigger", "zone-10", "zone-1"]
    base_us = on_bench.script([(7000, name, 1) for name in names])
    on_bench.run_ms(10)
    assert [(event.channel, event.t_us) for event in on_bench.events()] == [
        (channel, base_us + 7000) for channel in (4, 0, 11, 2)
    ]


def test_records_overwritten_unread_are_told_and_the_levels_are_right_again() -> None:
    on_bench = Bench()
    # Ten wires, so that none of them is noisy by itself: 1,000 edges a second each.
    wires = ["trigger", *(f"zone-{number}" for number in range(2, 11))]
    on_bench.wire.stride_us = 140_000
    flips = [(1000 + 100 * flip, wires[flip % 10], 1 - flip // 10 % 2) for flip in range(1010)]
    base_us = on_bench.script([*flips, (500, "zone-1", 1)])
    on_bench.run_ms(140)
    on_bench.wire.stride_us = 1000
    on_bench.run_ms(120)
    overruns = [message for _, message in on_bench.stored() if isinstance(message, Overrun)]
    (overrun,) = [message for message in overruns if message.source == EDGES]
    # Of 1011 records the last 384 stand; how often the writer went round can only be told from the records themselves.
    assert 107 <= overrun.count <= 627
    assert overrun.first_us < base_us + 500
    assert abs(overrun.last_us - (base_us + 102_000 - 384 * 100)) <= 200
    pressed = {event.channel: event for event in on_bench.events() if event.flags & PRESSED}
    assert pressed[2] == Event(2, PRESSED | LATE, overrun.last_us)
    on_bench.send(Arm())
    on_bench.run_ms(5)
    assert on_bench.states()[-1].levels == 0b1111_1111_1101


def test_a_contact_held_at_boot_is_in_the_state_and_its_release_is_reported() -> None:
    on_bench = bench()
    on_bench.world.set_level("trigger", 1)
    on_bench.boot()
    assert on_bench.states()[-1].levels == 1
    base_us = on_bench.script([(10_000, "trigger", 0)])
    on_bench.run_ms(30)
    assert on_bench.events() == [Event(0, 0, base_us + 10_000)]


def test_a_press_across_the_wrap_keeps_its_length() -> None:
    on_bench = Bench(PinMap(TRIGGER_ONLY), start_us=2**30 - 20_000)
    base_us = on_bench.script([(10_000, "trigger", 1), (70_000, "trigger", 0)])
    on_bench.run_ms(120)
    assert [event.t_us for event in on_bench.events()] == [base_us + 10_000, base_us + 70_000]
    assert base_us + 70_000 > 2**30
