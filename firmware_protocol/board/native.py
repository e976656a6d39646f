"""Loops over bytes and words in machine code; `plain.py` has the same functions in Python.

This stays source on the board: precompiled machine code is bound to one version of MicroPython.
"""
# mypy: ignore-errors

import micropython


@micropython.viper
def frame(plain: ptr8, size: int, table: ptr32, target: ptr8, at: int) -> int:
    """As `plain.frame`."""
    crc = -1
    taken = 0
    while taken < size:
        crc ^= plain[taken]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ table[crc & 15]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ table[crc & 15]
        taken += 1
    crc ^= -1
    plain[taken] = crc
    plain[taken + 1] = crc >> 8
    plain[taken + 2] = crc >> 16
    plain[taken + 3] = crc >> 24
    size += 4
    target[at] = 0
    code = at + 1
    out = at + 2
    run = 1
    taken = 0
    while taken < size:
        byte = plain[taken]
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
def unframe(data: ptr8, size: int, table: ptr32) -> int:
    """As `plain.unframe`."""
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
    size = out - 4
    if size < 0:
        return -1
    crc = -1
    at = 0
    while at < size:
        crc ^= data[at]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ table[crc & 15]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ table[crc & 15]
        at += 1
    crc ^= -1
    while at < out:
        if data[at] != crc & 255:
            return -1
        crc >>= 8
        at += 1
    return size


@micropython.viper
def put_time(target: ptr8, at: int, ticks: int, last: int, epoch: int):  # noqa: ANN201
    """As `plain.put_time`."""
    if (ticks - last) & 0x20000000:
        if ticks > last:
            epoch -= 1
    elif ticks < last:
        epoch += 1
    if epoch < 0:
        ticks = 0
        epoch = 0
    target[at] = ticks
    target[at + 1] = ticks >> 8
    target[at + 2] = ticks >> 16
    target[at + 3] = (ticks >> 24) | (epoch << 6)
    target[at + 4] = epoch >> 2
    target[at + 5] = epoch >> 10
    target[at + 6] = epoch >> 18
    target[at + 7] = epoch >> 26


@micropython.viper
def put_event(plain: ptr8, seq: int, channel: int, flags: int, bounces: int, peak: int):  # noqa: ANN201
    """As `plain.put_event`."""
    plain[3] = seq
    plain[4] = seq >> 8
    plain[5] = seq >> 16
    plain[6] = seq >> 24
    plain[7] = channel
    plain[8] = flags
    plain[17] = bounces
    plain[18] = bounces >> 8
    plain[19] = peak
    plain[20] = peak >> 8


@micropython.viper
def copy(source: ptr8, start: int, end: int, target: ptr8, at: int) -> int:
    """As `plain.copy`."""
    while start < end:
        target[at] = source[start]
        start += 1
        at += 1
    return at


@micropython.viper
def gather(
    slots: ptr8,
    slot_size: int,
    size: int,
    lengths: ptr8,
    slot: int,
    count: int,
    target: ptr8,
) -> int:
    """As `plain.gather`."""
    out = 0
    while count > 0:
        at = slot * slot_size
        end = at + lengths[slot]
        while at < end:
            target[out] = slots[at]
            out += 1
            at += 1
        slot += 1
        if slot == size:
            slot = 0
        count -= 1
    return out


@micropython.viper
def find(values: ptr16, mask: int, first: int, count: int, level: int, above: int) -> int:  # noqa: C901
    """As `plain.find`."""
    pairs = ptr32(values)
    # Added to a sample of at least `level`, this carries into the highest bit of its half: two samples in one addition.
    carry = 0x8000 - level
    carry |= carry << 16
    high = 1 << 15
    high |= high << 16
    at = first & mask
    done = 0
    while done < count:
        begun = at
        end = at + count - done
        if end > mask + 1:  # noqa: PLR1730 - machine code knows no min
            end = mask + 1
        if above:
            while at < end:
                if at & 1 == 0:
                    pair = at >> 1
                    last = (end >> 1) - 4
                    while pair <= last:
                        any_high = (pairs[pair] + carry) | (pairs[pair + 1] + carry)
                        any_high |= (pairs[pair + 2] + carry) | (pairs[pair + 3] + carry)
                        if any_high & high:
                            break
                        pair += 4
                    at = pair << 1
                    if at == end:
                        break
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
def highest(values: ptr16, mask: int, first: int, count: int) -> int:
    """As `plain.highest`."""
    found = 0
    done = 0
    while done < count:
        value = values[(first + done) & mask]
        if value > found:  # noqa: PLR1730 - machine code knows no max
            found = value
        done += 1
    return found


@micropython.viper
def last(values: ptr16, mask: int, first: int, count: int, level: int) -> int:
    """As `plain.last`."""
    while count > 0 and values[(first + count - 1) & mask] < level:
        count -= 1
    return count


@micropython.viper
def total(values: ptr16, mask: int, first: int, count: int) -> int:
    """As `plain.total`."""
    found = 0
    while count > 0:
        count -= 1
        found += values[(first + count) & mask]
    return found


@micropython.viper
def changes(levels: ptr32, mask: int, first: int, count: int, bit: int) -> int:
    """As `plain.changes`."""
    found = 0
    before = levels[(first - 1) & mask]
    while count > 0:
        now = levels[first & mask]
        if (now ^ before) & bit:
            found += 1
        before = now
        first += 1
        count -= 1
    return found


@micropython.viper
def unchanged(levels: ptr32, mask: int, first: int, count: int, before: int, bits: int) -> int:
    """As `plain.unchanged`."""
    done = 0
    while done < count and ((levels[(first + done) & mask] ^ before) & bits) == 0:
        done += 1
    return done


@micropython.native
def drain(poll, readinto, byte, data, limit):  # noqa: ANN001, ANN201
    """As `plain.drain`."""
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
