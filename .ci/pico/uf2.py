"""A flash image as UF2, the format of the Pico's boot loader: `uf2.py IN.bin OUT.uf2`."""

import struct
import sys
from pathlib import Path

# https://github.com/microsoft/uf2: magic numbers, the flag "family id present", and the RP2040's family.
FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY, RP2040 = 0x2000, 0xE48BFF56
FLASH, PAYLOAD = 0x10000000, 256

source, target = map(Path, sys.argv[1:])
flash = source.read_bytes()
parts = [flash[at : at + PAYLOAD].ljust(PAYLOAD, b"\0") for at in range(0, len(flash), PAYLOAD)]
with target.open("wb") as file:
    for number, part in enumerate(parts):
        at = FLASH + number * PAYLOAD
        head = struct.pack(
            "<8I", FIRST, SECOND, HAS_FAMILY, at, PAYLOAD, number, len(parts), RP2040
        )
        file.write(head + part.ljust(476, b"\0") + struct.pack("<I", LAST))
