"""What is done byte by byte between buffers that stay: in machine code where the interpreter can, else as here."""

import struct
from binascii import crc32

from firmware_protocol.board.clock import TICKS_BITS, ticks_diff
from firmware_protocol.frames import CRC_SIZE, FrameError, cobs_decode, cobs_encode

CRC_OF_WHOLE = 0x2144DF1C

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


def plain_frame(plain: bytearray, size: int, table: bytearray, target: bytearray, at: int) -> int:  # noqa: ARG001
    """Put the CRC-32 of the first `size` bytes behind them (`table` is `CRC_TABLE`, for the twin), and write all of it
    as a frame with both delimiters to `target[at:]`; return where that ends."""
    struct.pack_into("<I", plain, size, crc32(memoryview(plain)[:size]) & 0xFFFFFFFF)
    frame = b"\0" + cobs_encode(bytes(plain[: size + CRC_SIZE])) + b"\0"
    end = at + len(frame)
    target[at:end] = frame
    return end


def plain_unframe(data: bytearray, size: int, table: bytearray) -> int:  # noqa: ARG001
    """Decode the first `size` bytes in their place; return how many they became without the CRC-32, -1 when they are no
    COBS or damaged."""
    try:
        plain = cobs_decode(bytes(data[:size]))
    except FrameError:
        return -1
    data[: len(plain)] = plain
    # A CRC with its own bytes behind it is always the same.
    return len(plain) - CRC_SIZE if crc32(plain) == CRC_OF_WHOLE else -1


def plain_put_time(target: bytearray, at: int, ticks: int, last: int, epoch: int) -> None:
    """Write the 64-bit time of `ticks` to `target[at:]`, where the counter was at `last`, at most 2^29 us away, after
    `epoch` wraps; 0 where it was before the counter's start."""
    struct.pack_into("<Q", target, at, max(0, (epoch << TICKS_BITS) + last + ticks_diff(ticks, last)))


def plain_put_event(plain: bytearray, seq: int, channel: int, flags: int, bounces: int, peak: int) -> None:
    """Write an EVENT's numbers into its frame, all but the time."""
    struct.pack_into("<IBB", plain, 3, seq, channel, flags)
    struct.pack_into("<HH", plain, 17, bounces, peak)


def plain_copy(source: "bytes | bytearray", start: int, end: int, target: bytearray, at: int) -> int:
    """Write `source[start:end]` to `target[at:]`; return where it ends."""
    target[at : at + end - start] = source[start:end]
    return at + end - start


def plain_gather(
    slots: bytearray, slot_size: int, size: int, lengths: bytearray, slot: int, count: int, target: bytearray
) -> int:
    """Write the frames of `count` of a ring's `size` slots, from `slot` on, one after the other to `target`; return
    where they end."""
    out = 0
    for _ in range(count):
        out = plain_copy(slots, slot * slot_size, slot * slot_size + lengths[slot], target, out)
        slot = (slot + 1) % size
    return out


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


def plain_last(values: "Words", mask: int, first: int, count: int, level: int) -> int:
    """Return how many of `count` words of a ring from `first` on there are up to and with the last that is at least
    `level`; 0 when there is none."""
    while count > 0 and values[(first + count - 1) & mask] < level:
        count -= 1
    return count


def plain_total(values: "Words", mask: int, first: int, count: int) -> int:
    """Return the sum of `count` words of a ring from `first` on."""
    return sum([values[(first + at) & mask] for at in range(count)])


try:
    # By its name: what type checkers know of machine code is not what they know of its twins here.
    native = __import__("firmware_protocol.board.native", None, None, ("native",))
    frame, unframe, put_time, put_event = native.frame, native.unframe, native.put_time, native.put_event
    copy, gather, drain = native.copy, native.gather, native.drain
    find, highest, last, total = native.find, native.highest, native.last, native.total
except (ImportError, SyntaxError):
    # CPython has no `micropython`, and not every MicroPython a native emitter.
    frame, unframe, put_time, put_event = plain_frame, plain_unframe, plain_put_time, plain_put_event
    copy, gather, drain = plain_copy, plain_gather, plain_drain
    find, highest, last, total = plain_find, plain_highest, plain_last, plain_total
