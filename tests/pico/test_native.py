"""What is machine code on the chip does there what plain Python does everywhere else."""

from __future__ import annotations

from pathlib import Path
from random import Random

import firmware_protocol.board
from firmware_protocol.board.quick import CRC_TABLE
from firmware_protocol.frames import cobs_encode
from firmware_protocol.virtual.pico.emulated import Chip, EmulatedPico
from firmware_protocol.virtual.pico.parts import Parts
from firmware_protocol.virtual.pico.prompt import Prompt

NATIVE = Path(firmware_protocol.board.__file__).with_name("native.py")
SCRIPT = """
from binascii import crc32, hexlify, unhexlify
import native
table = bytearray(unhexlify("{table}"))
for text in {inputs}:
    data = bytearray(unhexlify(text))
    target = bytearray(len(data) + 10)
    end = native.stuff(data, len(data), target, 2)
    encoded = bytearray(target[3:end - 1])
    size = native.unstuff(encoded, len(encoded))
    assert encoded[:size] == data, text
    assert target[2] == target[end - 1] == 0, text
    print(hexlify(target[3:end - 1]).decode())
    sealed = data + bytes(4)
    native.seal(sealed, len(data), table)
    assert int.from_bytes(sealed[-4:], "little") == crc32(data), text
print([native.unstuff(bytearray(data), len(data)) for data in (b"\\x00ab", b"\\x05abc", b"")])
"""


def test_cobs_and_crc_in_machine_code_are_cobs_and_crc(parts: Parts) -> None:
    chance = Random(7)
    inputs = [bytes(size) for size in (1, 254, 255)]
    inputs += [b"x" * size for size in (1, 253, 254, 255, 300)]
    inputs += [bytes(chance.choice((0, 0, 1, 255)) for _ in range(chance.randrange(1, 40))) for _ in range(20)]
    with EmulatedPico(parts, Chip(miss_cycles=0)) as pico:
        prompt = Prompt(pico)
        prompt.put({"native.py": NATIVE.read_bytes()})
        said = prompt.run(SCRIPT.format(inputs=[data.hex() for data in inputs], table=CRC_TABLE.hex())).split("\r\n")
    assert said[:-2] == [cobs_encode(data).hex() for data in inputs]
    assert said[-2] == "[-1, -1, 0]"
