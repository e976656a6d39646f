"""A demo on an emulated Raspberry Pi Pico that runs MicroPython's own image: `python -m tests.pico.demo [--game GAME]`.

Link, table, players and screen live by the chip's clock, a third to a fifth as fast as the computer's. It needs
Node.js, rp2040js and the image that COMPANION_PICO_UF2 names, and says what is missing.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.board.firmware import Firmware, firmware
from companion.demo.run import run_demo
from companion.exits import Exit, code_of
from companion.rules.registry import example_game
from companion.terminal import shows_screens
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.emulator.board import PicoBoard
from tests.pico.emulator.emulated import Chip
from tests.pico.emulator.parts import CACHE, Parts, find_parts
from tests.pico.flashing import flashed


def pico(folder: Path, seed: int, cache: Path = CACHE) -> PicoBoard:
    """Return a Pico with this companion's firmware behind a port in `folder`, see `PicoBoard`. Raise
    `VirtualBoardError` for what this computer lacks for it. Its flash is kept for the next time."""
    parts = find_parts()
    chip = Chip(flash=str(_flash(parts, firmware(), cache)), seed=seed)
    return PicoBoard(parts, chip, folder / "port", seed)


def _flash(parts: Parts, new: Firmware, cache: Path) -> Path:
    """The flash with this firmware over this image, made where it is not there yet; those of others go."""
    of_both = hashlib.sha256(parts.image.read_bytes() + new.folder.encode()).hexdigest()
    path = cache / f"{of_both[:12]}.flash"
    if path.exists():
        return path
    _say("Putting the firmware onto an emulated Pico: half a minute, this once.")
    cache.mkdir(parents=True, exist_ok=True)
    flash = flashed(parts, path.with_suffix(".new"), new, _say)
    for old in cache.glob("*.flash"):
        old.unlink()
    return flash.replace(path)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play one, in plain lines where there is no terminal; return the exit code, 69 where there is no such Pico."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default=example_game(), help="which game (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, another game")
    parser.add_argument("--speed", type=float, default=1.0, help="shortens the pauses")
    parser.add_argument("--plain", action="store_true", help="print one line per ruling")
    given = parser.parse_args(arguments)
    plain = given.plain or not shows_screens()
    try:
        ending = run_demo(given.game, seed=given.seed, speed=given.speed, plain=plain, board=pico)
    except VirtualBoardError as missing:
        print(missing, file=sys.stderr)
        return Exit.UNAVAILABLE
    return code_of(ending)


if __name__ == "__main__":
    sys.exit(main())
