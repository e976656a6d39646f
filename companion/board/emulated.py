"""The firmware put straight onto the flash of an emulated Pico: what `companion board install` leaves, in seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.board.compiling import PICO, for_board
from companion.board.firmware import Firmware
from firmware_protocol.virtual.pico.emulated import Chip, EmulatedPico
from firmware_protocol.virtual.pico.parts import Parts
from firmware_protocol.virtual.pico.prompt import Prompt


def flashed(
    parts: Parts, path: Path, new: Firmware, say: Callable[[str], None], more: Mapping[str, bytes] | None = None
) -> Path:
    """Keep at `path` the flash of a Pico with this firmware, and with `more` files in its root; return `path`."""
    compiled = for_board(new, PICO, say)
    files = {f"{compiled.folder}/{name}": data for name, data in compiled.files.items()}
    with EmulatedPico(parts, Chip(miss_cycles=0)) as pico:
        prompt = Prompt(pico)
        prompt.put({**files, **(more or {}), "main.py": compiled.main})
        return prompt.save(path)
