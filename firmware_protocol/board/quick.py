"""What is done byte by byte between buffers that stay: in machine code where the interpreter can, else as here."""

import struct
from binascii import crc32

from firmware_protocol.frames import FrameError, cobs_decode, cobs_encode

# CRC-32 (IEEE, reflected) of each four bits, as little-endian words; a bytearray, for it begins at a word.
CRC_TABLE = bytearray(
    b"\x00\x00\x00\x00\x64\x10\xb7\x1d\xc8\x20\x6e\x3b\xac\x30\xd9\x26"
    b"\x90\x41\xdc\x76\xf4\x51\x6b\x6b\x58\x61\xb2\x4d\x3c\x71\x05\x50"
    b"\x20\x83\xb8\xed\x44\x93\x0f\xf0\xe8\xa3\xd6\xd6\x8c\xb3\x61\xcb"
    b"\xb0\xc2\x64\x9b\xd4\xd2\xd3\x86\x78\xe2\x0a\xa0\x1c\xf2\xbd\xbd"
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from firmware_protocol.board.hardware import Words

    Poll = Callable[[int], Iterable[object]]
    ReadInto = Callable[[bytearray], "int | None"]


def plain_stuff(source: bytearray, size: int, target: bytearray, at: int) -> int:
    """Write the first `size` bytes as a frame with both delimiters to `target[at:]`; return where it ends."""
    frame = b"\0" + cobs_encode(bytes(source[:size])) + b"\0"
    end = at + len(frame)
    target[at:end] = frame
    return end


def plain_seal(plain: bytearray, size: int, table: bytearray) -> None:  # noqa: ARG001 - its twin's
    """Put the CRC-32 of the first `size` bytes behind them; `table` is `CRC_TABLE`."""
    struct.pack_into("<I", plain, size, crc32(memoryview(plain)[:size]) & 0xFFFFFFFF)


def plain_unstuff(data: bytearray, size: int) -> int:
    """Decode the first `size` bytes in their place; return how many they became, -1 when they are no COBS."""
    try:
        plain = cobs_decode(bytes(data[:size]))
    except FrameError:
        return -1
    data[: len(plain)] = plain
    return len(plain)


def plain_copy(source: "bytes | bytearray", start: int, end: int, target: bytearray, at: int) -> int:
    """Write `source[start:end]` to `target[at:]`; return where it ends."""
    target[at : at + end - start] = source[start:end]
    return at + end - start


def plain_drain(poll: "Poll", readinto: "ReadInto", byte: bytearray, data: bytearray, limit: int) -> int:
    """Read into `data` what is there; return how many bytes, or -1 less than minus that where the stream has ended."""
    count = 0
    while count < limit:
        for _ in poll(0):
            if not readinto(byte):
                return -1 - count
            data[count] = byte[0]
            count += 1
            break
        else:
            break
    return count


def plain_find(values: "Words", mask: int, first: int, count: int, level: int, above: int) -> int:
    """Return how many of `count` words of a ring from `first` on come before the first that is at least `level`, or
    with `above` 0 below it; `count` when there is none. `mask` is the ring's length less one."""
    done = 0
    while done < count:
        place = (first + done) & mask
        end = min(place + count - done, mask + 1)
        part = values[place:end]
        if (max(part) >= level) if above else (min(part) < level):
            for value in part:
                if (value >= level) == bool(above):
                    return done
                done += 1
        done += end - place
    return count


def plain_highest(values: "Words", mask: int, first: int, count: int) -> int:
    """Return the highest of `count` words of a ring from `first` on; 0 for none."""
    if count == 0:
        return 0
    place = first & mask
    rest = max(0, place + count - mask - 1)
    return max(max(values[place : place + count - rest]), max(values[:rest]) if rest else 0)


try:
    # By its name: what type checkers know of machine code is not what they know of its twins here.
    native = __import__("firmware_protocol.board.native", None, None, ("native",))
    stuff, unstuff, copy, drain = native.stuff, native.unstuff, native.copy, native.drain
    seal, find, highest = native.seal, native.find, native.highest
except (ImportError, SyntaxError):
    # CPython has no `micropython`, and not every MicroPython a native emitter.
    stuff, unstuff, copy, drain = plain_stuff, plain_unstuff, plain_copy, plain_drain
    seal, find, highest = plain_seal, plain_find, plain_highest
