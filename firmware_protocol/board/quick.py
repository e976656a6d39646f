"""What is done byte by byte between buffers that stay: in machine code where the interpreter can, else as here."""

from firmware_protocol.frames import FrameError, cobs_decode, cobs_encode

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
    find, highest = native.find, native.highest
except (ImportError, SyntaxError):
    # CPython has no `micropython`, and not every MicroPython a native emitter.
    stuff, unstuff, copy, drain = plain_stuff, plain_unstuff, plain_copy, plain_drain
    find, highest = plain_find, plain_highest
