"""The readers of raw words at any moment: whatever the hardware writes meanwhile, nothing is invented, and what is lost
is told."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings, strategies as st

from firmware_protocol.board.clock import TICKS_MASK
from firmware_protocol.board.pins import PinMap
from firmware_protocol.board.words import HEADWAY, RECORDS, EdgeReader, EdgeRing
from firmware_protocol.messages import PRESSED, Event, Message, State
from firmware_protocol.virtual import physics
from tests.firmware_protocol.bench import Bench

START_US = 2**32 - 40_000


class Hardware:
    """Writes records one word at a time, as many as `moments` says before each word that the reader reads.

    Record n has the levels n + 1 and the time 3 n after the start, so that a record that mixes two shows.
    """

    def __init__(self) -> None:
        self.moments: Iterator[int] = iter(())
        self._step = 0
        self._levels = Watched(array("I", bytes(4 * RECORDS)), self)
        self._times = Watched(array("H", bytes(4 * RECORDS)), self)
        self.ring = EdgeRing(self._levels, self._times, self._written)  # type: ignore[arg-type]

    @property
    def done(self) -> int:
        """Return how many records are complete."""
        return self._step // 2

    def go_on(self) -> None:
        self.write(next(self.moments, 0))

    def write(self, words: int) -> None:
        for _ in range(words):
            record, half = divmod(self._step, 2)
            place = record % RECORDS
            if half:
                self._times.words[2 * place] = time_of(record) & 0xFFFF
                self._times.words[2 * place + 1] = time_of(record) >> 16
            else:
                self._levels.words[place] = record + 1
            self._step += 1

    def _written(self) -> int:
        self.go_on()
        return self.done % RECORDS


class Watched:
    """Words of a ring; the hardware goes on before each one that is read."""

    def __init__(self, words: array[int], hardware: Hardware) -> None:
        self.words = words
        self._hardware = hardware

    def __getitem__(self, at: int) -> int:
        self._hardware.go_on()
        return self.words[at]


def time_of(record: int) -> int:
    return (START_US + 3 * record) & 0xFFFFFFFF


# How many words are written before a reading, and before each word of it: a blocked loop may miss any number, a reading
# itself is over before a quarter of the ring is written.
blocked = st.one_of(
    st.integers(0, 20), st.integers(2 * RECORDS - 6, 2 * RECORDS + 6), st.integers(0, 5000)
)
within = st.lists(st.integers(0, 3), max_size=16)
stuck = st.tuples(
    st.just([0] * 4), st.lists(st.just(0), max_size=8), st.just([2 * HEADWAY + 60])
).map(lambda parts: [*parts[0], *parts[1], *parts[2]])


@given(st.lists(st.tuples(blocked, st.one_of(within, within, stuck)), max_size=60))
def test_a_reader_at_any_moment_takes_every_record_once_and_tells_what_it_lost(
    turns: list[tuple[int, list[int]]],
) -> None:
    hardware = Hardware()
    reader = EdgeReader(hardware.ring)
    taken = 0
    for words, inside in [*turns, *[(0, [])] * (RECORDS + 1)]:
        hardware.write(words)
        hardware.moments = iter(inside)
        if not reader.take():
            continue
        record = reader.levels - 1
        assert reader.ticks == time_of(record) & TICKS_MASK
        if reader.lost:
            assert reader.lost_ticks == (time_of(taken - 1) & TICKS_MASK if taken else 0)
            assert record >= taken + reader.lost - 1
            reader.lost = 0
        else:
            assert record == taken
        taken = record + 1
    assert taken == hardware.done


def reported(edges: list[tuple[int, str, int]], turns_us: list[int]) -> list[Message]:
    """Return what a board reports of these edges when its main loop turns after each of `turns_us`."""
    bench = Bench(
        PinMap(
            {
                "trigger": {"pin": 20},
                "hit": {"pin": 21, "active": 1, "adc": 27},
                "zone-1": {"pin": 0},
            }
        )
    )
    bench.script(edges)
    for turn_us in turns_us:
        bench.wire.stride_us = turn_us
        bench.app.step()
    bench.wire.stride_us = 500
    bench.run_ms(300)
    return sorted(
        (message for _, message in bench.stored() if not isinstance(message, State)), key=_order
    )


def _order(message: Message) -> tuple[int, int]:
    assert isinstance(message, Event)
    return message.t_us, message.channel


edge = st.tuples(
    st.integers(1000, 150_000), st.sampled_from(["trigger", "zone-1", "hit"]), st.integers(0, 1)
)
reading = st.tuples(
    st.integers(1000, 150_000), st.just("hit-adc"), st.sampled_from([0, 60, 140, 160, 500, 4095])
)


@given(
    st.lists(st.one_of(edge, reading), max_size=60), st.lists(st.integers(50, 30_000), max_size=12)
)
def test_what_is_reported_does_not_depend_on_when_the_loop_comes_round(
    edges: list[tuple[int, str, int]], turns_us: list[int]
) -> None:
    assert reported(edges, turns_us) == reported(edges, [])


def test_two_hours_without_an_edge_lose_no_time() -> None:
    bench = Bench(
        PinMap({"trigger": {"pin": 2}, "hit": {"pin": 3, "active": 1}}), start_us=2**30 - 10_000_000
    )
    bench.wire.stride_us = 4_000_000
    bench.run_ms(2 * 3600 * 1000)
    bench.wire.stride_us = 1000
    base_us = bench.script([(5000, "trigger", 1), (6000, "hit", 1)])
    bench.run_ms(30)
    assert base_us > 7_200_000_000
    assert [event.t_us - base_us for event in bench.events()] == [5000, 6000]


def test_the_examples_of_the_wiring_page_work_plug_and_any_free_pins_included() -> None:
    pins = PinMap(
        {
            "trigger": {"pin": 20, "active": 0},
            "hit": {"pin": 21, "active": 1, "adc": 27},
            "zone-1": {"pin": 28, "active": 1},
            "plug": {"pin": 1, "active": 0},
            "lamp": {"pin": 14},
        }
    )
    bench = Bench(pins)
    base_us = bench.script(
        [(5000, name, 1) for name in ("trigger", "hit", "zone-1", "plug", "lamp")]
    )
    bench.run_ms(40)
    assert sorted((event.channel, event.t_us - base_us) for event in bench.events()) == [
        (0, 5000),
        (1, 5000),
        (2, 5000),
        (12, 5000),
    ]


@settings(max_examples=60)
@given(
    st.integers(0, 1000),
    st.lists(st.sampled_from([500, 2_000, 10_000, 30_000, 100_000]), min_size=8, max_size=40),
)
def test_a_shot_reaches_a_virtual_board_whole_however_the_machine_under_it_is_held_up(
    seed: int, turns_us: list[int]
) -> None:
    outside = [0]
    bench = Bench(now_us=lambda: outside[0])
    base_us = bench.script(physics.shot(2400, 8_000, 120_000, Random(seed)))
    for turn_us in [*turns_us, *[5_000] * 40]:
        outside[0] += turn_us
        bench.app.step()
    hits = [event for event in bench.events() if event.channel == 1 and event.flags == PRESSED]
    assert [(event.t_us - base_us, event.peak) for event in hits] == [(8_000, 2400)]
