"""Frames under any bytes, any split and any damage."""

import random

import pytest
from hypothesis import given, strategies as st

from firmware_protocol import frames
from firmware_protocol.frames import (
    Frame,
    FrameDecoder,
    FrameError,
    cobs_decode,
    cobs_encode,
    decode_frame,
    encode_frame,
)

bodies = st.binary(max_size=frames.MAX_BODY)
u8, u16, u32 = st.integers(0, 255), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF)
built = st.builds(Frame, u8, u16, u32, bodies)


def wire(frame: Frame) -> bytes:
    return encode_frame(frame.kind, frame.boot_id, frame.seq, frame.body)


def cut(data: bytes, marks: list[int]) -> list[bytes]:
    places = sorted({min(mark, len(data)) for mark in marks})
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


@given(st.binary(max_size=2000))
def test_cobs_round_trips_and_holds_no_zero(data: bytes) -> None:
    encoded = cobs_encode(data)
    assert b"\0" not in encoded
    assert len(encoded) <= len(data) + len(data) // 254 + 1
    assert cobs_decode(encoded) == data


@pytest.mark.parametrize("size", [0, 1, 253, 254, 255, 507, 508, 509])
@pytest.mark.parametrize("fill", [b"\0", b"x"])
def test_cobs_round_trips_at_its_block_limits(size: int, fill: bytes) -> None:
    for data in (fill * size, fill * size + b"\0", b"\0" + fill * size):
        assert cobs_decode(cobs_encode(data)) == data


@given(st.lists(built, max_size=6), st.lists(st.integers(0, 2000), max_size=8))
def test_frames_round_trip_however_the_stream_is_split(sent: list[Frame], marks: list[int]) -> None:
    stream = b"".join(wire(frame) for frame in sent)
    decoder = FrameDecoder()
    assert [frame for piece in cut(stream, marks) for frame in decoder.feed(piece)] == sent
    assert decoder.bad_frames == decoder.skipped_bytes == 0


@given(st.binary(max_size=3000), st.lists(st.integers(0, 3000), max_size=8))
def test_any_bytes_give_the_same_frames_however_they_are_split(
    noise: bytes, marks: list[int]
) -> None:
    whole, pieces = FrameDecoder(), FrameDecoder()
    expected = whole.feed(noise)
    assert [frame for piece in cut(noise, marks) for frame in pieces.feed(piece)] == expected
    assert pieces.bad_frames == whole.bad_frames


@given(st.binary(max_size=3000), built)
def test_any_noise_before_a_frame_costs_at_most_the_noise(noise: bytes, frame: Frame) -> None:
    assert FrameDecoder().feed(noise + wire(frame))[-1] == frame


def test_memory_stays_bounded_without_any_delimiter() -> None:
    decoder = FrameDecoder()
    for _ in range(1000):
        decoder.feed(b"A" * 997)
        assert len(decoder._partial) <= frames.MAX_ENCODED
    good = Frame(1, 2, 3, b"after")
    assert decoder.feed(wire(good)) == [good]
    assert (decoder.bad_frames, decoder.skipped_bytes) == (1, 997_000)


def damage(rng: random.Random, data: bytes) -> bytes:
    """Change the inside of a frame as a bad cable does: flipped, lost, repeated, foreign or cut bytes."""
    inside = bytearray(data[1:-1])
    at = rng.randrange(len(inside))
    match rng.randrange(5):
        case 0:
            for _ in range(rng.randint(1, 6)):
                inside[rng.randrange(len(inside))] ^= 1 << rng.randrange(8)
        case 1:
            del inside[at : at + rng.randint(1, 5)]
        case 2:
            inside[at:at] = inside[at : at + rng.randint(1, 5)]
        case 3:
            inside[at:at] = rng.randbytes(rng.randint(1, 9))
        case _:
            del inside[at:]
    return b"\0" + bytes(inside) + b"\0"


def test_of_10000_damaged_frames_none_is_accepted_and_no_good_neighbour_is_lost() -> None:
    rng = random.Random(20260101)
    decoder = FrameDecoder()
    accepted = lost = 0
    for seq in range(10_000):
        victim = wire(Frame(0x82, 7, seq, rng.randbytes(rng.choice([0, 4, 14, 24, 120]))))
        broken = damage(rng, victim)
        if broken == victim:
            broken = b"\0" + victim[1:-2] + b"\0"
        before, after = Frame(1, 7, seq, b"before"), Frame(2, 7, seq, b"after")
        got = decoder.feed(wire(before) + broken + wire(after))
        accepted += sum(frame not in (before, after) for frame in got)
        lost += (before not in got) + (after not in got)
    assert (accepted, lost) == (0, 0)
    assert decoder.bad_frames >= 9_900


def test_a_body_over_the_limit_is_refused_with_its_size() -> None:
    with pytest.raises(FrameError, match="241 bytes is over the limit of 240"):
        encode_frame(1, 1, 1, bytes(frames.MAX_BODY + 1))


def test_the_longest_body_still_passes_the_decoder() -> None:
    frame = Frame(1, 1, 1, b"x" * frames.MAX_BODY)
    assert FrameDecoder().feed(wire(frame)) == [frame]


@pytest.mark.parametrize(
    ("encoded", "why"),
    [(b"\x05ab", "not COBS"), (b"\0", "not COBS"), (b"\x03ab", "too short"), (b"", "too short")],
)
def test_bytes_that_are_no_frame_are_refused_with_the_reason(encoded: bytes, why: str) -> None:
    with pytest.raises(FrameError, match=why):
        decode_frame(encoded)


def test_a_wrong_crc_is_refused() -> None:
    good = bytearray(wire(Frame(1, 1, 1, b"hello"))[1:-1])
    good[-1] ^= 1
    with pytest.raises(FrameError, match="CRC-32"):
        decode_frame(bytes(good))


def test_frames_compare_and_hash_by_what_they_carry() -> None:
    assert Frame(1, 2, 3, b"x") == Frame(1, 2, 3, b"x") != Frame(1, 2, 3, b"y")
    assert len({Frame(1, 2, 3, b"x"), Frame(1, 2, 3, b"x")}) == 1
    assert Frame(1, 2, 3, b"x") != "a frame"
    assert repr(Frame(1, 2, 3, b"x")) == "Frame(kind=0x01, boot_id=2, seq=3, body=b'x')"
