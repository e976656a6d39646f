"""Frames written into buffers that stay are those of the message table, and are read back in their place."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_protocol.board.packing import MAX_FRAME, Packer
from firmware_protocol.board.quick import stuff, unstuff
from firmware_protocol.frames import cobs_encode
from firmware_protocol.messages import Event, Pong, Settled, encode
from firmware_protocol.vectors.generate import CASES

BOOT = 0xBEEF


def written(end: int, target: bytearray, at: int) -> bytes:
    return bytes(target[at:end])


def test_every_golden_message_is_packed_as_the_table_encodes_it() -> None:
    for name, message, boot_id, seq in CASES:
        target = bytearray(MAX_FRAME + 5)
        end = Packer(boot_id).message(message, seq, target, 5)
        assert written(end, target, 5) == encode(message, boot_id, seq), name


def test_what_is_sent_often_is_packed_without_a_message_to_the_same_bytes() -> None:
    packer, target = Packer(BOOT), bytearray(MAX_FRAME)
    end = packer.event(7, 3, 1, 2**40 + 5, 9, 4095, target, 0)
    assert written(end, target, 0) == encode(Event(3, 1, 2**40 + 5, 9, 4095), BOOT, 7)
    end = packer.pong(5, 1000, 2**33, 900, 8, target, 0)
    assert written(end, target, 0) == encode(Pong(5, 1000, 2**33, 900, 8), BOOT)
    end = packer.settled(2**35, 9, target, 0)
    assert written(end, target, 0) == encode(Settled(2**35, 9), BOOT)


@given(st.binary(min_size=1, max_size=300))
def test_stuffing_between_buffers_is_that_of_the_frames(data: bytes) -> None:
    target = bytearray(len(data) + 10)
    end = stuff(bytearray(data), len(data), target, 2)
    assert bytes(target[2:end]) == b"\0" + cobs_encode(data) + b"\0"
    encoded = bytearray(target[3 : end - 1])
    size = unstuff(encoded, len(encoded))
    assert bytes(encoded[:size]) == data
