"""Frames written into buffers that stay are those of the message table, and are read back in their place."""

from binascii import crc32

from hypothesis import given, strategies as st

from firmware_protocol.board.clock import TICKS_BITS, TICKS_MASK, Clock
from firmware_protocol.board.packing import MAX_FRAME, Packer
from firmware_protocol.board.quick import CRC_TABLE, frame, put_time, unframe
from firmware_protocol.frames import CRC_SIZE, cobs_encode
from firmware_protocol.messages import Event, Pong, Settled, encode
from firmware_protocol.vectors.generate import CASES

BOOT = 0xBEEF


def written(end: int, target: bytearray, at: int) -> bytes:
    return bytes(target[at:end])


def test_every_golden_message_is_packed_as_the_table_encodes_it() -> None:
    for name, message, boot_id, seq in CASES:
        target = bytearray(MAX_FRAME + 5)
        end = Packer(boot_id, Clock(lambda: 0)).message(message, seq, target, 5)
        assert written(end, target, 5) == encode(message, boot_id, seq), name


def clock_at(t_us: int) -> Clock:
    clock = Clock(lambda: t_us & TICKS_MASK)
    clock.epoch = t_us >> TICKS_BITS
    return clock


def test_what_is_sent_often_is_packed_without_a_message_to_the_same_bytes() -> None:
    now_us = 2**40 + 5
    packer, target, now = Packer(BOOT, clock_at(now_us)), bytearray(MAX_FRAME), now_us & TICKS_MASK
    end = packer.event(7, 3, 1, now, 9, 4095, target, 0)
    assert written(end, target, 0) == encode(Event(3, 1, now_us, 9, 4095), BOOT, 7)
    end = packer.pong(5, now - 5, now, (now - 6) & TICKS_MASK, 8, target, 0)
    assert written(end, target, 0) == encode(Pong(5, now_us - 5, now_us, now_us - 6, 8), BOOT)
    end = packer.settled(now, 9, target, 0)
    assert written(end, target, 0) == encode(Settled(now_us, 9), BOOT)


def test_nothing_is_settled_before_the_counter_began() -> None:
    target = bytearray(MAX_FRAME)
    end = Packer(BOOT, clock_at(3)).settled((3 - 10) & TICKS_MASK, 1, target, 0)
    assert written(end, target, 0) == encode(Settled(0, 1), BOOT)


@given(st.integers(2**29, 2**60), st.integers(1 - 2**29, 2**29 - 1))
def test_a_time_is_written_on_both_sides_of_a_wrap(now_us: int, later_us: int) -> None:
    target, clock = bytearray(10), clock_at(now_us)
    put_time(target, 1, (now_us + later_us) & TICKS_MASK, clock.last, clock.epoch)
    assert bytes(target) == bytes(1) + (now_us + later_us).to_bytes(8, "little") + bytes(1)


@given(st.binary(min_size=1, max_size=300))
def test_framing_between_buffers_is_that_of_the_frames(data: bytes) -> None:
    target = bytearray(len(data) + 15)
    plain = bytearray(data) + bytes(CRC_SIZE)
    end = frame(plain, len(data), CRC_TABLE, target, 2)
    assert bytes(target[2:end]) == b"\0" + cobs_encode(bytes(plain)) + b"\0"
    assert plain[-CRC_SIZE:] == crc32(data).to_bytes(CRC_SIZE, "little")
    encoded = bytearray(target[3 : end - 1])
    assert unframe(encoded, len(encoded), CRC_TABLE) == len(data)
    assert encoded[: len(data)] == data


@given(st.binary(min_size=1, max_size=60), st.data())
def test_a_damaged_frame_is_none(data: bytes, draws: st.DataObject) -> None:
    target = bytearray(len(data) + 15)
    end = frame(bytearray(data) + bytes(CRC_SIZE), len(data), CRC_TABLE, target, 0)
    encoded = bytearray(target[1 : end - 1])
    encoded[draws.draw(st.integers(0, len(encoded) - 1))] ^= draws.draw(st.integers(1, 255))
    assert unframe(encoded, len(encoded), CRC_TABLE) == -1
