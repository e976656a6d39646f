"""What is done byte by byte, in machine code for a MicroPython that can; `quick.py` has the same in plain Python.

Stays source on the board: what is compiled ahead for a processor is bound to one version of MicroPython.
"""
# mypy: ignore-errors

import micropython


@micropython.viper
def stuff(source: ptr8, size: int, target: ptr8, at: int) -> int:  # noqa: F821
    """Write the first `size` bytes as a frame with both delimiters to `target[at:]`; return where it ends."""
    target[at] = 0
    code = at + 1
    out = at + 2
    run = 1
    taken = 0
    while taken < size:
        byte = source[taken]
        taken += 1
        if byte:
            target[out] = byte
            out += 1
            run += 1
        if byte == 0 or (run == 255 and taken < size):
            target[code] = run
            code = out
            out += 1
            run = 1
    target[code] = run
    target[out] = 0
    return out + 1


@micropython.viper
def seal(plain: ptr8, size: int, table: ptr32):  # noqa: ANN201, F821
    """As `quick.plain_seal`."""
    crc = -1
    at = 0
    while at < size:
        crc ^= plain[at]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ table[crc & 15]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ table[crc & 15]
        at += 1
    crc ^= -1
    plain[at] = crc
    plain[at + 1] = crc >> 8
    plain[at + 2] = crc >> 16
    plain[at + 3] = crc >> 24


@micropython.viper
def unstuff(data: ptr8, size: int) -> int:  # noqa: F821
    """Decode the first `size` bytes in their place; return how many they became, -1 when they are no COBS."""
    at = 0
    out = 0
    while at < size:
        code = data[at]
        after = at + code
        if code == 0 or after > size:
            return -1
        at += 1
        while at < after:
            data[out] = data[at]
            out += 1
            at += 1
        if code != 255 and after < size:
            data[out] = 0
            out += 1
    return out


@micropython.viper
def copy(source: ptr8, start: int, end: int, target: ptr8, at: int) -> int:  # noqa: F821
    """Write `source[start:end]` to `target[at:]`; return where it ends."""
    while start < end:
        target[at] = source[start]
        start += 1
        at += 1
    return at


@micropython.viper
def find(values: ptr16, mask: int, first: int, count: int, level: int, above: int) -> int:  # noqa: F821
    """As `quick.plain_find`."""
    at = first & mask
    done = 0
    while done < count:
        begun = at
        end = at + count - done
        if end > mask + 1:  # noqa: PLR1730 - machine code knows no min
            end = mask + 1
        if above:
            while at < end:
                if values[at] >= level:
                    return done + at - begun
                at += 1
        else:
            while at < end:
                if values[at] < level:
                    return done + at - begun
                at += 1
        done += end - begun
        at = 0
    return count


@micropython.viper
def highest(values: ptr16, mask: int, first: int, count: int) -> int:  # noqa: F821
    """As `quick.plain_highest`."""
    found = 0
    done = 0
    while done < count:
        value = values[(first + done) & mask]
        if value > found:  # noqa: PLR1730 - machine code knows no max
            found = value
        done += 1
    return found


@micropython.native
def drain(poll, readinto, byte, data, limit):  # noqa: ANN001, ANN201
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
