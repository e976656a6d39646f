"""Reactions on the emulated chip against scripted ones: `python -m tests.benchmarks.drills [--strings N] [--seed N]`.

A string takes some three seconds of one core. COMPANION_PICO_UF2 names the image.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from companion.session.accessories import LAMP_ERROR_US
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.benchmarks.chip import row
from tests.pico.conftest import installed
from tests.pico.emulator.emulated import Chip, EmulatedPico
from tests.pico.emulator.parts import find_parts
from tests.pico.strings import do_strings


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strings", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        parts = find_parts()
    except VirtualBoardError as missing:
        sys.exit(str(missing))
    with tempfile.TemporaryDirectory() as folder:
        flash = installed(parts, Path(folder) / "flash")
        with EmulatedPico(parts, Chip(flash=str(flash), seed=args.seed)) as pico:
            made = do_strings(pico, args.strings, args.seed)
    row("strings of a drill, emulated chip", "here", "wanted")
    off = f"{min(made.errors_us):.0f} to {max(made.errors_us):.0f} us" if made.errors_us else "none"
    row(
        f"reported reactions against scripted, {len(made.errors_us)}",
        off,
        f"<= {LAMP_ERROR_US} us, as published",
    )
    row(f"false starts missed, of {made.false_starts}", str(made.missed), "0")
    row("false starts invented", str(made.invented), "0")
    row("strings that came to something else", str(len(made.other)), "0")


if __name__ == "__main__":
    main()
