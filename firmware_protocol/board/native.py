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
    done = 0
    while done < count:
        reached = 1 if values[(first + done) & mask] >= level else 0
        if reached == above:
            return done
        done += 1
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
