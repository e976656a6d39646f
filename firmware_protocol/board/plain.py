"""The functions of `native.py` in Python: for CPython, and for a MicroPython without a native emitter."""

import struct
from binascii import crc32

from firmware_protocol.board.clock import TICKS_BITS, ticks_diff
from firmware_protocol.frames import CRC_SIZE, FrameError, cobs_decode, cobs_encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from firmware_protocol.board.primitives import Words

    Poll = Callable[[int], Iterable[object]]
    ReadInto = Callable[[bytearray], "int | None"]

CRC_OF_WHOLE = 0x2144DF1C


def frame(plain: bytearray, size: int, table: bytearray, target: bytearray, at: int) -> int:  # noqa: ARG001
    """Append the CRC-32 to the first `size` bytes, write all as a frame with both delimiters to `target[at:]`; return
    its end.

    `table` is `CRC_TABLE`, which only the native twin uses.
    """
    struct.pack_into("<I", plain, size, crc32(memoryview(plain)[:size]) & 0xFFFFFFFF)
    frame = b"\0" + cobs_encode(bytes(plain[: size + CRC_SIZE])) + b"\0"
    end = at + len(frame)
    target[at:end] = frame
    return end


def unframe(data: bytearray, size: int, table: bytearray) -> int:  # noqa: ARG001
    """Decode the first `size` bytes in place; return their number without the CRC-32, or -1 if they are no COBS or
    damaged."""
    try:
        plain = cobs_decode(bytes(data[:size]))
    except FrameError:
        return -1
    data[: len(plain)] = plain
    # The CRC-32 of data followed by its own CRC-32 is a constant.
    return len(plain) - CRC_SIZE if crc32(plain) == CRC_OF_WHOLE else -1


def put_time(target: bytearray, at: int, ticks: int, last: int, epoch: int) -> None:
    """Write the 64-bit time of `ticks` to `target[at:]`.

    The counter was at `last`, at most 2^29 us away, after `epoch` wraps. A time before the counter's start becomes 0.
    """
    struct.pack_into(
        "<Q", target, at, max(0, (epoch << TICKS_BITS) + last + ticks_diff(ticks, last))
    )


def put_event(
    plain: bytearray, seq: int, channel: int, flags: int, bounces: int, peak: int
) -> None:
    """Write an EVENT's numbers into its frame, all but the time."""
    struct.pack_into("<IBB", plain, 3, seq, channel, flags)
    struct.pack_into("<HH", plain, 17, bounces, peak)


def copy(source: "bytes | bytearray", start: int, end: int, target: bytearray, at: int) -> int:
    """Write `source[start:end]` to `target[at:]`; return the end."""
    target[at : at + end - start] = source[start:end]
    return at + end - start


def gather(
    slots: bytearray,
    slot_size: int,
    size: int,
    lengths: bytearray,
    slot: int,
    count: int,
    target: bytearray,
) -> int:
    """Write the frames of `count` of a ring's `size` slots, from `slot` on, one after the other to `target`; return
    the end."""
    out = 0
    for _ in range(count):
        out = copy(slots, slot * slot_size, slot * slot_size + lengths[slot], target, out)
        slot = (slot + 1) % size
    return out


def drain(poll: "Poll", readinto: "ReadInto", byte: bytearray, data: bytearray, limit: int) -> int:
    """Read what is there into `data`; return the number of bytes, or -1 minus that number if the stream has ended."""
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


def find(values: "Words", mask: int, first: int, count: int, level: int, above: int) -> int:
    """Return how many of `count` words of a ring, from `first` on, come before the first that is at least `level`.

    With `above` 0, before the first that is below `level`. Return `count` if there is none. `mask` is the ring's length
    less one.
    """
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


def highest(values: "Words", mask: int, first: int, count: int) -> int:
    """Return the highest of `count` words of a ring, from `first` on; 0 for none."""
    if count == 0:
        return 0
    place = first & mask
    rest = max(0, place + count - mask - 1)
    return max(max(values[place : place + count - rest]), max(values[:rest]) if rest else 0)


def last(values: "Words", mask: int, first: int, count: int, level: int) -> int:
    """Return the number of words of a ring, from `first` on, up to and including the last of `count` that is at least
    `level`.

    0 if there is none.
    """
    while count > 0 and values[(first + count - 1) & mask] < level:
        count -= 1
    return count


def total(values: "Words", mask: int, first: int, count: int) -> int:
    """Return the sum of `count` words of a ring, from `first` on."""
    return sum([values[(first + at) & mask] for at in range(count)])


def changes(levels: "Words", mask: int, first: int, count: int, bit: int) -> int:
    """Return how many of `count` words of a ring, from `first` on, differ in `bit` from the word before them."""
    before, found = levels[(first - 1) & mask], 0
    for at in range(first, first + count):
        now = levels[at & mask]
        if (now ^ before) & bit:
            found += 1
        before = now
    return found


def unchanged(levels: "Words", mask: int, first: int, count: int, before: int, bits: int) -> int:
    """Return how many of `count` words of a ring, from `first` on, come before the first that differs from `before`
    in `bits`."""
    done = 0
    while done < count and not (levels[(first + done) & mask] ^ before) & bits:
        done += 1
    return done
