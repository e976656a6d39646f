"""Faults of the cable: seeded, ordered, and nothing but what was asked for."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from firmware_protocol.frames import FrameDecoder, encode_frame
from firmware_protocol.virtual.faults import BYTE_US, FaultRates, Faults, Line

rates = st.floats(0, 1)
any_faults = st.builds(
    FaultRates,
    drop=rates,
    corrupt=rates,
    truncate=rates,
    duplicate=rates,
    delay=rates,
    one_byte=st.booleans(),
)
chunks = st.lists(st.binary(max_size=80), max_size=20)


def frames(count: int) -> bytes:
    return b"".join(encode_frame(0x82, 7, seq, bytes([seq % 256] * 14)) for seq in range(count))


def through(faults: Faults, data: bytes) -> bytes:
    return b"".join(piece for _, piece in faults.apply(data))


@given(chunks)
def test_a_perfect_cable_changes_nothing(data: list[bytes]) -> None:
    faults = Faults(FaultRates(), Random(0))
    assert b"".join(through(faults, chunk) for chunk in data) == b"".join(data)
    assert faults.damaged == 0


@given(any_faults, chunks, st.integers())
def test_the_same_seed_does_the_same_damage(
    faults: FaultRates, data: list[bytes], seed: int
) -> None:
    first, second = Faults(faults, Random(seed)), Faults(faults, Random(seed))
    assert [first.apply(chunk) for chunk in data] == [second.apply(chunk) for chunk in data]


@given(st.binary(max_size=300), st.booleans())
def test_without_damage_every_byte_arrives_in_order(data: bytes, one_byte: bool) -> None:
    assert through(Faults(FaultRates(one_byte=one_byte, delay=0.5), Random(1)), data) == data


@pytest.mark.parametrize("kind", ["drop", "corrupt", "truncate"])
def test_damage_costs_frames_but_never_a_good_neighbour(kind: str) -> None:
    only: dict[str, Any] = {kind: 0.2}
    faults = Faults(FaultRates(**only), Random(3))
    decoder = FrameDecoder()
    arrived = decoder.feed(through(faults, frames(200)))
    assert 20 < faults.damaged < 60
    assert 200 - 2 * faults.damaged <= len(arrived) <= 200
    assert all(frame.body == bytes([frame.seq % 256] * 14) for frame in arrived)


def test_duplicates_are_whole_frames() -> None:
    arrived = FrameDecoder().feed(through(Faults(FaultRates(duplicate=1.0), Random(0)), frames(10)))
    assert [frame.seq for frame in arrived] == [seq for seq in range(10) for _ in range(2)]


def test_one_byte_at_a_time_takes_a_byte_time_each() -> None:
    pieces = Faults(FaultRates(one_byte=True), Random(0)).apply(b"\0abc\0")
    assert pieces == [(BYTE_US * at, b"\0abc\0"[at : at + 1]) for at in range(5)]


@given(any_faults, chunks)
def test_a_line_delivers_in_order_and_forgets_nothing_it_took(
    faults: FaultRates, data: list[bytes]
) -> None:
    line = Line(Faults(faults, Random(5)))
    expected = Faults(faults, Random(5))
    sent = b""
    for at, chunk in enumerate(data):
        line.feed(chunk, at * 1000)
        sent += through(expected, chunk)
    assert line.waiting == len(sent)
    arrived = b""
    while (due_us := line.next_due_us()) is not None:
        assert line.due(due_us - 1) is None
        arrived += line.due(due_us) or b""
    assert arrived == sent
    assert line.waiting == 0


def test_what_the_far_end_did_not_take_comes_first_the_next_time() -> None:
    line = Line(Faults(FaultRates(), Random(0)))
    line.feed(b"abc", 0)
    line.feed(b"def", 0)
    assert line.due(0) == b"abc"
    line.put_back(b"bc", 20)
    assert line.due(19) is None
    assert line.due(20) == b"bc"
    assert line.due(20) == b"def"


@pytest.mark.parametrize(("name", "value"), [("drop", 1.1), ("delay", -0.1), ("delay_ms", -1)])
def test_an_impossible_rate_is_refused(name: str, value: float) -> None:
    impossible: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=name):
        FaultRates(**impossible)
