"""The emulated Pico on a pseudo-terminal: `python -m tests.pico.emulator PATH [--flash FILE]`.

PATH is the port to open, for `companion board install --port PATH` or mpremote. Lines on stdin work its pins: `press
zone-1 80`, `shot 1800`, `knock 900`, `quit`. `--flash` is what the chip's flash holds, written back at the end.

The chip is slower than a real one, so `selftest --chip` fails there at what the computer's clock measures: PING, and
from a pin to the host.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.emulator.emulated import MS, Chip, EmulatedPico
from tests.pico.emulator.parts import find_parts
from tests.pico.emulator.port import PicoPort

SOON_NS = 2 * MS
HIT_AFTER_NS = 8 * MS
PULSE_MS = 2.0


def obey(pico: EmulatedPico, line: str) -> bool:
    """Do what a line says; False when it says to end. `ValueError` for one that says nothing."""
    words = line.split()
    at_ns = pico.ns + SOON_NS
    match words:
        case []:
            pass
        case ["quit"]:
            return False
        case ["press", name, ms]:
            pico.press(at_ns, name, float(ms))
        case ["shot", peak]:
            pico.press(at_ns, "trigger", 120)
            _hit(pico, at_ns + HIT_AFTER_NS, int(peak))
        case ["knock", peak]:
            _hit(pico, at_ns, int(peak))
        case _:
            raise ValueError(f"{line!r}: say press NAME MS, shot PEAK, knock PEAK or quit")
    return True


def _hit(pico: EmulatedPico, at_ns: int, peak: int) -> None:
    pico.knock(at_ns, peak)
    pico.press(at_ns, "hit", PULSE_MS)


def main() -> int:
    """Run until `quit`, the end of stdin or Ctrl-C."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--flash", type=Path)
    given = parser.parse_args()
    flash = given.flash if given.flash is not None and given.flash.exists() else None
    try:
        parts = find_parts()
    except VirtualBoardError as missing:
        print(missing, file=sys.stderr)
        return 69
    with EmulatedPico(parts, Chip(flash=None if flash is None else str(flash))) as pico:
        port = PicoPort(pico, given.path)
        try:
            _serve(pico, port)
        except KeyboardInterrupt:
            pass
        finally:
            port.unplug()
            if given.flash is not None:
                pico.order("save", path=str(given.flash))
    return 0


def _serve(pico: EmulatedPico, port: PicoPort) -> None:
    os.set_blocking(0, False)
    partial_line = ""
    while True:
        port.turn()
        try:
            data = os.read(0, 4096)
        except BlockingIOError:
            continue
        if not data:
            return
        *lines, partial_line = (partial_line + data.decode(errors="replace")).split("\n")
        for line in lines:
            try:
                if not obey(pico, line):
                    return
            except ValueError as problem:
                print(problem, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
