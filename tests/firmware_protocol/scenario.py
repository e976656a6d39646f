"""The firmware's unit scenario, in the dialect: run as a program by MicroPython (VM and WebAssembly) and by CPython.

    <interpreter> scenario.py PROJECT_ROOT

Prints one line per check and "scenario done" at the end; an uncaught AssertionError says what failed.
"""

import json
import sys
from binascii import hexlify, unhexlify

sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else "/project")

from firmware_protocol import messages as m
from firmware_protocol.board.clock import TICKS_MASK
from firmware_protocol.board.pins import PinMap
from firmware_protocol.board.words import EdgeReader
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
    reported = [(event.t_us - base_us, event.flags) for event in bench.events()]
    expected = []
    for number in range(20):
        expected += [(number * 100_000, m.PRESSED), (number * 100_000 + 40_000, 0)]
    assert reported == expected, reported
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
    messages = bench.messages()
    gaps = [message for message in messages if isinstance(message, m.Gap)]
    assert gaps and gaps[0].first_seq == 6 and gaps[0].count == 4, gaps  # noqa: PT018
    pong = [message for message in messages if isinstance(message, m.Pong)][0]  # noqa: RUF015
    assert pong.next_seq == 11, pong
    bench.send(m.Standby())
    bench.run_ms(5)
    assert bench.app.ring.held == 0


def a_knock_by_its_samples() -> None:
    bench = Bench(PinMap({"hit": {"adc": 26}}), start_us=WRAP - 20_000)
    base_us = bench.script(
        [(19_000 + 10 * step, "hit-adc", 20 * min(step, 60)) for step in range(100)]
    )
    bench.script([(40_000, "hit-adc", 0)])
    bench.run_ms(60)
    (hit,) = bench.events()[:1]
    assert (hit.flags, hit.peak) == (m.PRESSED, 1200), hit
    assert -20 <= hit.t_us - base_us - 19_000 <= 20, hit


def an_idle_reader_allocates_nothing() -> None:
    """Needs MicroPython: under a locked heap any allocation raises MemoryError."""
    import micropython  # type: ignore[import-not-found]

    bench = Bench(start_us=WRAP - 1000)
    # As the hardware does: it writes without the interpreter.
    bench.script([(500, "trigger", 1)])
    bench.run_ms(20)
    reader = EdgeReader(bench.machine.edges(0))
    reader.take()
    micropython.heap_lock()
    try:
        for _ in range(10):
            reader.take()
    finally:
        micropython.heap_unlock()
    assert allocation_is_caught(), (
        "the locked heap did not notice an allocation, so this check proves nothing"
    )


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
    checks = [golden_frames, presses_across_the_wrap, dialogue, a_knock_by_its_samples]
    if sys.implementation.name == "micropython":
        checks.append(an_idle_reader_allocates_nothing)
    for check in checks:
        check()
        print("ok", check.__name__)
    print("int bits", 32 if sys.maxsize < 2**32 else 64)
    print("scenario done")


if __name__ == "__main__":
    main()
