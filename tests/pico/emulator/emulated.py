"""The emulated Pico seen from Python: orders to the emulator's process, one at a time.

Nothing happens on the chip unless `run` is called, so what runs beside it can be kept in step to the nanosecond.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_protocol.board.pins import PinMap, default_pins
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.emulator.parts import Parts

HERE = Path(__file__).parent
US = 1_000
MS = 1_000_000
ANSWER_WORDS = 2000


@dataclass(frozen=True, slots=True)
class Chip:
    """What one emulated Pico is. `flash`: a saved flash, over the image. `miss_cycles`: what a miss of the flash cache
    costs (0: no cache). `counter_us`: where the chip's timer starts. `in_us`, `out_us`: how long the computer takes
    for a packet from and to the board. `soldered`: of a GPIO, the ohms of a resistor to 3.3 V (0: none) and the nF
    to ground. `faults`: what is wrong with this chip, by the names in `bent.mjs`. `circuit` is behind ADC0: `piezo`,
    `resistor`, `open`, or `unbled` (a piezo without its resistor)."""

    flash: str | None = None
    uid: str = "e6609103c3111122"
    seed: int = 1
    miss_cycles: int = 60
    counter_us: int = 0
    in_us: int = 30
    out_us: int = 60
    soldered: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    faults: Mapping[str, object] = field(default_factory=dict)
    circuit: str = "piezo"


@dataclass(frozen=True, slots=True)
class Packet:
    """Bytes that the computer read in one go, and when."""

    ns: int
    data: bytes


class EmulatedPico:
    """One Pico with the image's MicroPython, on a computer's USB port. `ns` is the emulated time.

    `log` has resets and boots, `driven` the levels that the chip gave its outputs, both with their time in ns. `unsent`
    bytes were handed over by `run` and have not reached the board. Leaving the context ends the emulator.
    """

    def __init__(self, parts: Parts, chip: Chip = Chip(), pins: PinMap | None = None) -> None:
        self.ns = 0
        self.ready = False
        self.unsent = 0
        self.log: list[tuple[int, str]] = []
        self.driven: list[tuple[int, int, int]] = []
        self.pins = default_pins() if pins is None else pins
        self._edges: list[tuple[int, int, int | None]] = []
        self._knocks: list[tuple[int, int, int, int]] = []
        self._readings: list[tuple[int, int]] = []
        self._folder = tempfile.TemporaryDirectory(prefix="emulated-pico-")
        rom = Path(self._folder.name) / "bootrom.bin"
        rom.write_bytes(parts.bootrom)
        given = {**asdict(chip), "bootrom": str(rom), "image": str(parts.image)}
        self._process = subprocess.Popen(
            [
                parts.node,
                "--import",
                (HERE / "register.mjs").as_uri(),
                str(HERE / "emulator.mjs"),
                json.dumps(given),
            ],
            env={**os.environ, "COMPANION_RP2040JS": str(parts.rp2040js)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.order("circuit", name=chip.circuit)
        self.order("boot")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> None:
        """End the emulator."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def order(self, op: str, **details: object) -> Mapping[str, Any]:
        """Give the emulator an order of `emulator.mjs` and return its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"op": op, **details}).encode() + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            raise VirtualBoardError(f"The emulator ended: {self._last_words()}") from None
        if "error" in answer:
            raise VirtualBoardError(f"The emulator failed: {answer['error']}")
        self.ns = round(answer["ns"])
        self.ready = answer["ready"]
        self.log += [(round(at_ns), entry) for at_ns, entry in answer["log"]]
        self.driven += [(round(at_ns), pin, level) for at_ns, pin, level in answer["driven"]]
        return dict(answer)

    def _last_words(self) -> str:
        self._process.kill()
        return (
            self._process.communicate()[1].decode(errors="replace")[-ANSWER_WORDS:].strip()
            or "it said nothing"
        )

    def run(self, us: int, tx: bytes = b"", step_us: int = 0) -> list[Packet]:
        """Let `us` pass after handing `tx` to the computer's driver; return what the computer read meanwhile. With
        `step_us` time stops, at a multiple of that, as soon as something was read."""
        edges, self._edges = self._edges, []
        knocks, self._knocks = self._knocks, []
        readings, self._readings = self._readings, []
        answer = self.order(
            "run",
            us=us,
            tx=tx.hex(),
            edges=edges,
            knocks=knocks,
            readings=readings,
            step_us=step_us,
        )
        self.unsent = answer["unsent"]
        data = bytes.fromhex(answer["rx"])
        packets = []
        for at_ns, length in answer["packets"]:
            packets.append(Packet(round(at_ns), data[:length]))
            data = data[length:]
        return packets

    def until(
        self, test: Callable[[], bool], limit_us: int = 10_000_000, step_us: int = 1000
    ) -> bool:
        """Run until the test holds; return false if it does not within `limit_us`. What the board sends is lost."""
        end_ns = self.ns + limit_us * US
        while not test() and self.ns < end_ns:
            self.run(step_us)
        return test()

    def level_at(self, at_ns: int, name: str, pressed: int) -> None:
        """Let a channel be pressed (1) or not at an instant; `ValueError` for a name that the wiring has not.

        Pressed, the pin is driven to its active level; released, nothing drives it and the chip's pull is on its own.
        """
        if name not in [channel.name for channel in self.pins.channels]:
            raise ValueError(f"there is no channel {name}")
        level = self.pins.active_level(name) if pressed else None
        self._edges.append((at_ns, self.pins.pin(name), level))

    def press(self, at_ns: int, name: str, ms: float) -> None:
        """Press a channel for so long."""
        self.level_at(at_ns, name, 1)
        self.level_at(at_ns + round(ms * MS), name, 0)

    def noise(self, name: str, hz: int, from_ns: int, until_ns: int) -> None:
        """Let a channel's wire go up and down so many times a second; where it stops is chance."""
        half_ns = 1_000_000_000 // (2 * hz)
        self.order(
            "noise", pin=self.pins.pin(name), every_ns=half_ns, from_ns=from_ns, until_ns=until_ns
        )

    def knock(self, at_ns: int, peak: int, rise_us: int = 300, decay_us: int = 1500) -> None:
        """Knock the piezo: a linear rise to `peak` (12 bit) on ADC0 and an exponential decay."""
        self._knocks.append((at_ns, peak, rise_us, decay_us))

    def reading_at(self, at_ns: int, value: int) -> None:
        """Let the piezo's voltage be such (12 bit) from an instant on; knocks come on top of it."""
        self._readings.append((at_ns, value))

    def edges(self, rows: Iterable[tuple[int, int, int | None]]) -> None:
        """Schedule what drives GPIOs from outside: (ns, pin, level), with None for nothing."""
        self._edges += rows
