"""An interrupt before any line of the main loop: nothing lost, nothing doubled, and PONG's promise kept.

A trace hook delivers one edge before the k-th line that the firmware runs, for every k; in the code that shares memory
with the interrupt handler, before every single bytecode.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from firmware_protocol.board.pins import PinMap
from firmware_protocol.messages import PRESSED, Ack, Event, Ping, Pong, Who
from tests.firmware_protocol.bench import Bench

PINS = {
    "trigger": {"pin": 2, "active": 0},
    "hit": {"pin": 3, "active": 1, "adc": 26},
    "zone-1": {"pin": 4, "active": 0},
}
SHARED = "/board/edges.py"
TRIGGER, HIT, ZONE_1 = 0, 1, 2


class Preemption:
    """Counts the places where an interrupt could come, and calls `handler` at number `at`."""

    def __init__(self, at: int, handler: Callable[[], None]) -> None:
        self.places = 0
        self._at = at
        self._handler = handler

    def run(self, work: Callable[[], None]) -> None:
        previous = sys.gettrace()
        sys.settrace(self._enter)
        try:
            work()
        finally:
            sys.settrace(previous)

    def _enter(self, frame: FrameType, _event: str, _arg: Any) -> "Callable[..., Any] | None":
        name = frame.f_code.co_filename.replace("\\", "/")
        if "/firmware_protocol/board/" not in name or frame.f_code.co_name == "on_edge":
            return None
        frame.f_trace_opcodes = name.endswith(SHARED)
        return self._step

    def _step(self, _frame: FrameType, event: str, _arg: Any) -> "Callable[..., Any]":
        if event in ("line", "opcode"):
            self.places += 1
            if self.places == self._at:
                self._handler()
        return self._step


class Run:
    """One edge at place `at`, while the trigger is pulled and held, a hit rings, and the host pings and acks."""

    def __init__(self, at: int, channel: str, level: int) -> None:
        self.bench = Bench(PinMap(PINS), ring_size=16, read_cost_us=400)
        self.edge_us = -1
        self._edge = (channel, level)
        self.preemption = Preemption(at, self._strike)
        bench = self.bench
        base_us = bench.script([(0, "trigger", 1), (150, "trigger", 0), (300, "trigger", 1), (12_000, "hit", 1)])
        bench.script([(12_000, "hit-adc", 900), (12_800, "hit", 0), (13_000, "hit-adc", 0)])
        self.pull_us, self.hit_us = base_us, base_us + 12_000
        bench.send(Who(), 0)
        self.preemption.run(self._main_loop)
        bench.script([(60_000, "trigger", 0), (60_000, "zone-1", 0)])
        bench.run_ms(120)

    def _main_loop(self) -> None:
        bench = self.bench
        for turn in range(4):
            bench.send(Ping(turn))
            if turn == 2:
                bench.send(Ack(1))
            bench.app.step()
            bench.world.advance(7000 if turn else 2500)

    def _strike(self) -> None:
        name, level = self._edge
        if self.bench.world.level(name) != level:
            self.edge_us = self.bench.script([(0, name, level)])
            self.bench.world.advance(0)

    def stamps(self, channel: int, pressed: int) -> list[int]:
        found = [event for event in self.bench.events() if event.channel == channel]
        return [event.t_us for event in found if event.flags & PRESSED == pressed]

    def check_pongs(self) -> None:
        stored = [(seq, event) for seq, event in self.bench.stored() if isinstance(event, Event)]
        for pong in self.bench.messages():
            if isinstance(pong, Pong):
                assert all(event.t_us > pong.settled_us for seq, event in stored if seq >= pong.next_seq)

    def check_numbers(self) -> None:
        assert [seq for seq, _ in self.bench.stored()] == list(range(2, self.bench.app.ring.next_seq))


def places() -> int:
    return Run(0, "zone-1", 1).preemption.places


def test_the_scenario_without_an_interrupt_is_as_scripted() -> None:
    run = Run(0, "zone-1", 1)
    assert run.stamps(TRIGGER, 1) == [run.pull_us]
    assert run.stamps(HIT, 1) == [run.hit_us]
    assert len(run.stamps(TRIGGER, 0)) == 1
    assert run.stamps(ZONE_1, 1) == []
    assert run.preemption.places > 300


def test_a_press_before_any_line_is_reported_once_with_its_stamp() -> None:
    for at in range(1, places() + 1):
        run = Run(at, "zone-1", 1)
        assert run.stamps(ZONE_1, 1) == [run.edge_us], at
        assert len(run.stamps(ZONE_1, 0)) == 1, at
        assert (run.stamps(TRIGGER, 1), run.stamps(HIT, 1)) == ([run.pull_us], [run.hit_us]), at
        run.check_pongs()
        run.check_numbers()


def test_an_edge_on_the_channel_being_debounced_before_any_line_is_a_release_or_a_bounce() -> None:
    for at in range(1, places() + 1):
        run = Run(at, "trigger", 0)
        presses, releases = run.stamps(TRIGGER, 1), run.stamps(TRIGGER, 0)
        assert presses == [run.pull_us], at
        assert len(releases) == 1, at
        assert run.edge_us < 0 or releases == [run.edge_us], at
        run.check_pongs()
        run.check_numbers()


def test_a_pulse_before_any_line_is_a_candidate_of_its_own_or_part_of_the_one_being_scanned() -> None:
    for at in range(1, places() + 1):
        run = Run(at, "hit", 1)
        stamps = run.stamps(HIT, 1)
        if run.edge_us < 0 or run.hit_us < run.edge_us < run.hit_us + 5000:
            assert stamps == [run.hit_us], at
        elif run.edge_us < run.hit_us:
            # The pin is high already when the scripted pulse would raise it.
            assert stamps == [run.edge_us], at
        else:
            assert stamps == [run.hit_us, run.edge_us], at
        run.check_pongs()
        run.check_numbers()
