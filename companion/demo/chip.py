"""The emulated Pico that a demo is played on: its parts found, the firmware on its flash, its power on."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from companion.board.firmware import Firmware, firmware, flashed
from firmware_protocol.virtual.pico.board import PicoBoard
from firmware_protocol.virtual.pico.emulated import Chip
from firmware_protocol.virtual.pico.parts import CACHE, Parts, find_parts


def pico(path: Path, seed: int, kept: Path = CACHE) -> PicoBoard:
    """Return a Pico with this companion's firmware behind the port `path`, see `PicoBoard`; `VirtualBoardError` says
    what this computer lacks for it. Its flash is kept for the next time."""
    parts = find_parts()
    return PicoBoard(parts, Chip(flash=str(_flash(parts, firmware(), kept)), seed=seed), path, seed)


def _flash(parts: Parts, new: Firmware, kept: Path) -> Path:
    """The flash with this firmware over this image, made where it is not there yet; those of others go."""
    of_both = hashlib.sha256(parts.image.read_bytes() + new.folder.encode()).hexdigest()
    path = kept / f"{of_both[:12]}.flash"
    if path.exists():
        return path
    _say("Putting the firmware onto an emulated Pico: half a minute, this once.")
    kept.mkdir(parents=True, exist_ok=True)
    made = flashed(parts, path.with_suffix(".new"), new, _say)
    for old in kept.glob("*.flash"):
        old.unlink()
    return made.replace(path)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
