"""MicroPython's image for a board as a UF2 file: what it is for is checked before anything is written."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from companion.exits import CommandError, Exit

# https://github.com/microsoft/uf2: blocks of 512 bytes, their magic numbers, the flag "family id present".
BLOCK = 512
HEAD = struct.Struct("<8I")
FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY = 0x2000
# utils/uf2families.json there.
RP2040 = 0xE48BFF56
FAMILIES = {
    0xE48BFF57: "the RP2350 (Pico 2)",
    0xE48BFF59: "the RP2350 (Pico 2)",
    0xE48BFF5A: "the RP2350 (Pico 2) with RISC-V",
    0xE48BFF5B: "the RP2350 (Pico 2)",
}
# The largest flash that an RP2040 can have is 16 MB, and UF2 takes twice that.
MOST_BYTES = 32 * 1024 * 1024
WANTED = "take MicroPython's .uf2 for Raspberry Pi Pico (RPI_PICO)"


@dataclass(frozen=True, slots=True)
class Image:
    """A UF2 file that is whole and for the RP2040."""

    path: Path
    data: bytes


def image(path: Path) -> Image:
    """Read a UF2 file; `CommandError` says what is wrong with it."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise CommandError(f"{path} cannot be read: {problem.strerror}.", Exit.NO_INPUT) from problem
    if not data or data[:4] != struct.pack("<I", FIRST):
        raise CommandError(f"{path} is no UF2 file: {WANTED}.")
    if len(data) > MOST_BYTES or len(data) % BLOCK:
        raise CommandError(f"{path} is no whole UF2 file: download it again.")
    count = len(data) // BLOCK
    for number in range(count):
        _check(path, data[number * BLOCK : (number + 1) * BLOCK], number, count)
    return Image(path, data)


def _check(path: Path, block: bytes, number: int, count: int) -> None:
    first, second, flags, _, _, said_number, said_count, family = HEAD.unpack_from(block)
    (last,) = struct.unpack_from("<I", block, BLOCK - 4)
    if (first, second, last) != (FIRST, SECOND, LAST):
        raise CommandError(f"{path} is damaged in block {number + 1} of {count}: download it again.")
    if not flags & HAS_FAMILY:
        raise CommandError(f"{path} does not say which chip it is for: {WANTED}.")
    if family != RP2040:
        other = FAMILIES.get(family, f"another chip (family {family:08x})")
        raise CommandError(f"{path} is for {other}, not for the RP2040: {WANTED}.")
    if (said_number, said_count) != (number, count):
        raise CommandError(f"{path} is no whole UF2 file: download it again.")
