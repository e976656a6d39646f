"""A flash of an emulated Pico with the firmware on it, as `companion board install` leaves it, in seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.board.firmware import Firmware, compiled_for
from tests.pico.emulator.emulated import Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.emulator.prompt import Prompt

# `sys.implementation._mpy` of MicroPython on a Raspberry Pi Pico.
PICO_MPY = 0x1306


def flashed(
    parts: Parts,
    path: Path,
    new: Firmware,
    say: Callable[[str], None],
    more: Mapping[str, bytes] | None = None,
) -> Path:
    """Keep at `path` the flash of a Pico with this firmware, and with `more` files in its root; return `path`."""
    compiled = compiled_for(new, PICO_MPY, say)
    files = {f"{compiled.folder}/{name}": data for name, data in compiled.files.items()}
    with EmulatedPico(parts, Chip(miss_cycles=0)) as pico:
        prompt = Prompt(pico)
        prompt.put({**files, **(more or {}), "main.py": compiled.main})
        return prompt.save(path)
