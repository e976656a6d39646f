"""What the chip does, in exact emulated time.

`python -m tests.benchmarks.chip [--connects 500] [--knocks 1000] [--noise 60]`

MicroPython's real image with this checkout's firmware on the emulated RP2040; COMPANION_PICO_UF2 names the image.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.conftest import installed
from tests.pico.emulator.emulated import MS, Chip, EmulatedPico
from tests.pico.emulator.parts import Parts, find_parts
from tests.pico.figures import (
    CONTACTS,
    SPACING_MS,
    beside_noise,
    connected,
    drained,
    knocks,
    presses,
    stamp_errors,
    started_ms,
    survives,
    turns,
    turns_during,
)
from tests.pico.lockstep import Lockstep

ANSWERS_US = 30_000
# Of ten connects one begins with the power, and so meets a board that starts.
POWER_EVERY = 10
WIDTH = 66
ONE_WIRE = ("zone-3",)
TWO_WIRES = ("zone-3", "hit")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connects", type=int, default=500)
    parser.add_argument("--knocks", type=int, default=1000)
    parser.add_argument("--noise", type=int, default=60, metavar="SECONDS")
    args = parser.parse_args()
    try:
        parts = find_parts()
    except VirtualBoardError as missing:
        sys.exit(str(missing))
    with tempfile.TemporaryDirectory() as folder:
        flash = installed(parts, Path(folder) / "flash")
        bench = Bench(parts, flash)
        row("figure, emulated chip with what the flash cache costs", "here", "wanted")
        bench.start()
        bench.errors()
        bench.knocks(args.knocks)
        bench.pace()
        bench.noise(args.noise)
        bench.connects(args.connects)


def row(label: str, here: str, wanted: str) -> None:
    """Print one line at once: the whole table takes many minutes."""
    print(f"{label:<{WIDTH}} {here:>26}  {wanted}", flush=True)


class Bench:
    """A flash image with the firmware, and a new Pico for each figure."""

    def __init__(self, parts: Parts, flash: Path) -> None:
        self._parts = parts
        self._flash = flash

    @contextmanager
    def _pico(self, seed: int = 1) -> Iterator[EmulatedPico]:
        with EmulatedPico(self._parts, Chip(flash=str(self._flash), seed=seed)) as pico:
            yield pico

    def start(self) -> None:
        """Measure the time from power to the answer of the first WHO."""
        with self._pico() as pico:
            row("power to the first WHO answered", f"{started_ms(pico) / 1000:.2f} s", "<= 0.7 s")

    def errors(self) -> None:
        """Measure the errors of stamps of one contact, of eleven at once, and while the processor does other work."""
        chance = Random(5)
        with self._pico() as pico:
            host = connected(pico)
            begun_ns = pico.ns
            one = [
                (begun_ns + n * 30 * MS + chance.randrange(MS), [chance.choice(CONTACTS)])
                for n in range(1, 41)
            ]
            self._error("stamp error: one edge", stamp_errors(host, one))
            begun_ns = pico.ns
            eleven = [
                (begun_ns + n * 40 * MS + chance.randrange(MS), CONTACTS) for n in range(1, 11)
            ]
            self._error("stamp error: eleven in one microsecond", stamp_errors(host, eleven))
            begun_ns = pico.ns
            busy = [
                (begun_ns + n * 13 * MS + chance.randrange(MS), [CONTACTS[n % 11]])
                for n in range(1, 101)
            ]
            self._error("stamp error: beside USB traffic and gc", stamp_errors(host, busy))

    def _error(self, label: str, errors_us: Sequence[float]) -> None:
        row(label, f"{min(errors_us):.1f} to {max(errors_us):.1f} us", "<= 2 us")

    def knocks(self, count: int) -> None:
        """Measure the detected peaks of knocks above the threshold, for several rise times."""
        chance = Random(6)
        peaks = [chance.randrange(500, 3900) for _ in range(count)]
        rises = [chance.randrange(100, 1000) for _ in range(count)]
        with self._pico() as pico:
            parts = knocks(connected(pico), count, peaks.__getitem__, rises.__getitem__)
        span = f"{min(parts):.2f} to {max(parts):.2f}" if parts else "none"
        row(
            "knocks read / peak against true",
            f"{len(parts)} of {count} / {span}",
            "all / 0.95 to 1.05",
        )

    def pace(self) -> None:
        """Measure the main loop's speed, and its effect on many events."""
        with self._pico() as pico:
            host = connected(pico)
            host.spend(300_000)
            idle = turns(host, 2_000_000)
            took: list[float] = []
            pressed = turns_during(host, lambda: took.extend(presses(host, 50, 100)))
            row(
                "50 presses a second: press to host p99",
                f"{statistics.quantiles(took, n=100)[98]:.1f} ms",
                "<= 4 ms",
            )
            host.spend(200_000)
            burst = turns_during(
                host,
                lambda: row(
                    "500 edges in a second: events/s until the last",
                    f"{drained(host):.0f}",
                    ">= 450",
                ),
            )
            worst = max(idle.worst_ms, pressed.worst_ms, turns(host, 1_000_000).worst_ms)
            row(
                "loop idle / worst, presses and after a burst",
                f"{idle.mean_ms:.2f} / {worst:.1f} ms",
                "<= 0.5 / <= 5 ms",
            )
            hit = turns_during(host, lambda: knocks(host, 20, lambda _: 2000, lambda _: 300))
            row(
                "loop worst with knocks / 500 edges a second",
                f"{hit.worst_ms:.1f} / {burst.worst_ms:.1f} ms",
                "-",
            )

    def noise(self, seconds: int) -> None:
        """Play presses and knocks while one or two wires toggle for some time."""
        count = seconds * 1000 // SPACING_MS
        for noisy, hz in (
            (ONE_WIRE, 100_000),
            (ONE_WIRE, 10_000),
            (ONE_WIRE, 3_500),
            (TWO_WIRES, 100_000),
        ):
            with self._pico() as pico:
                host = connected(pico)
                host.spend(200_000)
                found = beside_noise(host, noisy, hz, count)
            wires = "one wire" if len(noisy) == 1 else "two wires"
            pressed, worst_ms = len(found.delays_ms), max(found.delays_ms, default=math.inf)
            error_us = max(map(abs, found.errors_us), default=math.inf)
            lived = "" if found.survived else ", restarted"
            row(
                f"noise, {hz / 1000:g} kHz on {wires} for {seconds} s: presses / hits of {count}",
                f"{pressed} in {worst_ms:.0f} ms / {found.hits}{lived}",
                "all in 20 ms / all",
            )
            row("   and their stamps", f"{error_us:.1f} us", "<= 2 us")

    def connects(self, count: int) -> None:
        """Connect at random moments, answering after 0 to 30 ms: such connects once crashed the firmware."""
        chance = Random(7)
        killed = 0
        for at in range(0, count, POWER_EVERY):
            with self._pico(seed=at + 1) as pico:
                host = Lockstep(pico, chance.randrange(ANSWERS_US))
                alive = survives(pico, host)
                killed += not alive
                for _ in range(min(POWER_EVERY, count - at) - 1):
                    alive = alive and survives(pico, reopened(pico, host, chance.randrange))
                    killed += not alive
        row(
            "connects killed, host answers after 0 to 30 ms, every phase",
            f"{killed} of {count}",
            "0",
        )


def reopened(pico: EmulatedPico, host: Lockstep, draw: Callable[[int], int]) -> Lockstep:
    """Close the port and open it again at any moment."""
    pico.order("close")
    pico.run(draw(150_000))
    host.answer_us = draw(ANSWERS_US)
    host.reopen()
    return host


if __name__ == "__main__":
    main()
