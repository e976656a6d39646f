"""What is machine code on the chip does there what plain Python does everywhere else."""

from __future__ import annotations

from binascii import crc32
from pathlib import Path
from random import Random

import firmware_protocol.board
from firmware_protocol.board.quick import CRC_TABLE
from firmware_protocol.frames import cobs_encode
from tests.pico.emulator.emulated import Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.emulator.prompt import Prompt

NATIVE = Path(firmware_protocol.board.__file__).with_name("native.py")
WRAP = 1 << 30
# Ticks, the counter's last look and wraps, and the bytes of the 64-bit time.
TIMES = [
    (ticks & (WRAP - 1), now & (WRAP - 1), now // WRAP, max(0, ticks).to_bytes(8, "little"))
    for now in (0, 5, 1000, WRAP - 1, WRAP, 4 * WRAP - 3, 4 * WRAP, 2**40 + 7, 2**59)
    for ticks in (now - WRAP // 2 + 1, now - 1001, now - 1, now, now + 1, now + 1000)
]
SCRIPT = """
from array import array
from binascii import crc32, hexlify, unhexlify
import native
table = bytearray(unhexlify("{table}"))
for text in {inputs}:
    data = bytearray(unhexlify(text))
    target = bytearray(len(data) + 15)
    plain = data + bytes(4)
    end = native.frame(plain, len(data), table, target, 2)
    assert plain == data + crc32(data).to_bytes(4, "little"), text
    assert target[2] == target[end - 1] == 0, text
    print(hexlify(target[3:end - 1]).decode())
    encoded = bytearray(target[3:end - 1])
    assert native.unframe(encoded, len(encoded), table) == len(data) and encoded[:len(data)] == data, text
    encoded = bytearray(target[3:end - 1])
    encoded[len(encoded) // 2] ^= 4
    assert native.unframe(encoded, len(encoded), table) == -1, text
assert [native.unframe(bytearray(data), len(data), table) for data in (b"\\x00ab", b"\\x05abc", b"")] == [-1, -1, -1]
for ticks, last, epoch, wanted in {times}:
    plain = bytearray(9)
    native.put_time(plain, 1, ticks, last, epoch)
    assert plain[1:] == wanted, (ticks, last, epoch, plain)
plain = bytearray(b"x" * 22)
native.put_event(plain, 0x01020304, 5, 6, 0x0708, 0x090a)
assert plain == b"xxx\\4\\3\\2\\1\\5\\6xxxxxxxx\\x08\\7\\x0a\\x09x", plain
target = bytearray(8)
assert native.gather(b"ab.cde.", 3, 2, b"\\2\\3", 1, 2, target) == 5 and target[:5] == b"cdeab"
values = memoryview(array("H", bytes(2 * 64)))
for at in range(64):
    values[at] = 700
    for first in {firsts}:
        for count in (0, 1, 7, 8, 9, 16, 40, 64):
            wanted = min((at - first) % 64, count)
            assert native.find(values, 63, first, count, 700, 1) == wanted, (at, first, count)
            assert native.find(values, 63, first, count, 701, 1) == count, (at, first, count)
    assert native.last(values, 63, 60, 64, 700) == (at - 60) % 64 + 1, at
    assert native.last(values, 63, 60, 64, 701) == 0, at
    assert [native.total(values, 63, at - 7, count) for count in (0, 7, 8)] == [0, 0, 700], at
    values[at] = 0
"""


def test_what_machine_code_writes_reads_and_finds_is_right(parts: Parts) -> None:
    chance = Random(7)
    inputs = [bytes(size) for size in (1, 254, 255)]
    inputs += [b"x" * size for size in (1, 253, 254, 255, 300)]
    inputs += [
        bytes(chance.choice((0, 0, 1, 255)) for _ in range(chance.randrange(1, 40)))
        for _ in range(20)
    ]
    with EmulatedPico(parts, Chip(miss_cycles=0)) as pico:
        prompt = Prompt(pico)
        prompt.put({"native.py": NATIVE.read_bytes()})
        script = SCRIPT.format(
            inputs=[data.hex() for data in inputs],
            table=CRC_TABLE.hex(),
            times=TIMES,
            firsts=list(range(0, 64, 3)),
        )
        answer = prompt.run(script).split("\r\n")
    assert answer[:-1] == [
        cobs_encode(data + crc32(data).to_bytes(4, "little")).hex() for data in inputs
    ]
