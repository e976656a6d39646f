"""The firmware's unit scenario, in the dialect: run as a program by MicroPython (VM and WebAssembly) and by CPython.

    <interpreter> scenario.py PROJECT_ROOT

Prints one line per check and "scenario done" at the end; an uncaught AssertionError says what failed.
"""

import json
import sys
import time
from binascii import hexlify, unhexlify

sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else "/project")

from firmware_protocol import messages as m
from firmware_protocol.board.clock import TICKS_MASK
from firmware_protocol.board.edges import SLOTS, Edges
from firmware_protocol.board.pins import PinMap
from firmware_protocol.frames import FrameDecoder
from firmware_protocol.vectors.generate import CASES, fields
from tests.firmware_protocol.bench import TRIGGER_ONLY, Bench, bouncing

WRAP = TICKS_MASK + 1


def golden_frames() -> None:
    with open(sys.path[0] + "/firmware_protocol/vectors/golden.json") as file:  # noqa: PTH123 - MicroPython
        stored = json.load(file)
    for row, case in zip(stored["frames"], CASES):  # noqa: B905 - MicroPython's zip has no strict
        name, message, boot_id, seq = case
        assert hexlify(m.encode(message, boot_id, seq)).decode() == row["hex"], name
        (frame,) = FrameDecoder().feed(unhexlify(row["hex"]))
        decoded = m.decode(frame)
        assert decoded is not None
        assert fields(decoded) == row["fields"], name
    for row in stored["damaged"]:
        decoder = FrameDecoder()
        assert len(decoder.feed(unhexlify(row["hex"]) + m.encode(m.Ack(5), 1))) == 1, row["why"]
        assert decoder.bad_frames == 1, row["why"]


def presses_across_the_wrap() -> None:
    bench = Bench(PinMap(TRIGGER_ONLY), start_us=WRAP - 1_000_000)
    edges = []
    for number in range(20):
        edges += bouncing(number * 100_000, "trigger", 1, [100, 900, 2500, 6100])
        edges += bouncing(number * 100_000 + 40_000, "trigger", 0, [300, 1557])
    base_us = bench.script(edges)
    bench.run_ms(2100)
    found = [(event.t_us - base_us, event.flags) for event in bench.events()]
    expected = []
    for number in range(20):
        expected += [(number * 100_000, m.PRESSED), (number * 100_000 + 40_000, 0)]
    assert found == expected, found
    assert base_us < WRAP < bench.events()[-1].t_us


def dialogue() -> None:
    bench = Bench(ring_size=6)
    bench.send(m.Who(), 0)
    bench.script([(0, "hit", 1), (100, "hit-adc", 900), (700, "hit", 0)])
    for zone in range(1, 8):
        bench.script([(10_000 + zone * 20_000, f"zone-{zone}", 1)])
    bench.run_ms(300)
    numbers = [frame.seq for frame in bench.frames() if frame.seq]
    assert numbers[:5] == [1, 2, 3, 4, 5], numbers
    bench.send(m.Ack(5))
    bench.send(m.Ping(3))
    bench.run_ms(50)
    said = bench.messages()
    gaps = [message for message in said if isinstance(message, m.Gap)]
    assert gaps and gaps[0].first_seq == 6 and gaps[0].count == 4, gaps  # noqa: PT018
    pong = [message for message in said if isinstance(message, m.Pong)][0]  # noqa: RUF015
    assert pong.next_seq == 11, pong
    bench.send(m.Standby())
    bench.run_ms(5)
    assert bench.app.ring.held == 0


class Pin:
    """The least a handler needs of a pin."""

    def value(self, level: int = -1) -> int:  # noqa: ARG002
        return 0

    def irq(self, handler: object, trigger: int, hard: bool) -> None:
        pass


def handlers_allocate_nothing() -> None:
    """Needs MicroPython: under a locked heap any allocation raises MemoryError."""
    import micropython  # type: ignore[import-not-found]

    pin = Pin()
    ticks_us = time.ticks_us  # type: ignore[attr-defined]
    edges = Edges(pin, 0, ticks_us)
    handler = edges.on_edge
    # The same path once before, full queue included: the first use of a name may fill a cache.
    for count in range(2):
        edges.clear()
        micropython.heap_lock()
        try:
            for _ in range(SLOTS + 10):
                handler(pin)
            edges.stamping = False
            handler(pin)
            edges.stamping = True
        finally:
            micropython.heap_unlock()
        assert edges.lost == 11 * (count + 1), edges.lost
    taken = 0
    while edges.take():
        taken += 1
    assert taken == SLOTS - 1
    assert allocation_is_caught(), "the locked heap did not notice an allocation, so this check proves nothing"


def allocation_is_caught() -> bool:
    import micropython

    # Beyond 2^30 a 32-bit chip's number lives on the heap, as a stamp without the mask would.
    number = WRAP - 1 if sys.maxsize < 2**32 else 2**62 - 1
    micropython.heap_lock()
    try:
        number + number
    except MemoryError:
        return True
    finally:
        micropython.heap_unlock()
    return False


def main() -> None:
    checks = [golden_frames, presses_across_the_wrap, dialogue]
    if sys.implementation.name == "micropython":
        checks.append(handlers_allocate_nothing)
    for check in checks:
        check()
        print("ok", check.__name__)
    print("int bits", 32 if sys.maxsize < 2**32 else 64)
    print("scenario done")


if __name__ == "__main__":
    main()
