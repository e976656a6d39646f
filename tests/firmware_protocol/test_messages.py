"""The table of messages: round trips, limits, and what a newer or damaged body does."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from firmware_protocol import messages as m
from firmware_protocol.frames import Frame, FrameDecoder, FrameError

WIDTHS = {"B": 8, "H": 16, "I": 32, "Q": 64}
texts = st.text(max_size=15)
channels = st.lists(st.builds(m.Channel, *[st.integers(0, 255)] * 4), max_size=16)


def values(layout: str) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(0, 2 ** WIDTHS[code] - 1) for code in layout[1:]])


def plain(kind: type[m.Message]) -> st.SearchStrategy[m.Message]:
    return values(kind.LAYOUT).map(lambda row: kind(*row))


def hello(row: Any, firmware: str, board: str, table: list[m.Channel]) -> m.Hello:
    hello = m.Hello(*row)
    hello.firmware, hello.board, hello.channels = firmware, board, tuple(table)
    return hello


def any_message() -> st.SearchStrategy[m.Message]:
    fixed = [plain(kind) for kind in m.FROM_BOARD + m.FROM_HOST if kind not in (m.Hello, m.Log)]
    hellos = st.builds(hello, values(m.Hello.LAYOUT), texts, texts, channels)
    return st.one_of(*fixed, hellos, st.binary(max_size=240).map(m.Log))


@given(any_message(), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF))
def test_every_message_survives_the_wire(message: m.Message, boot_id: int, seq: int) -> None:
    (frame,) = FrameDecoder().feed(m.encode(message, boot_id, seq))
    assert (frame.boot_id, frame.seq) == (boot_id, seq)
    assert m.decode(frame) == message


@given(st.integers(0, 255), st.binary(max_size=240))
def test_any_body_is_read_or_refused_but_never_raises_anything_else(kind: int, body: bytes) -> None:
    try:
        message = m.decode(Frame(kind, 1, 1, body))
    except FrameError:
        return
    assert message is None or kind == message.KIND


@pytest.mark.parametrize("kind", m.FROM_BOARD + m.FROM_HOST)
def test_a_longer_body_from_a_newer_minor_version_is_read_without_its_tail(
    kind: type[m.Message],
) -> None:
    if kind in (m.Log, m.Wave):  # their bodies have no end of their own
        return
    message = kind(*[1] * len(kind.FIELDS))
    assert m.decode(Frame(kind.KIND, 1, 0, message.body() + b"more")) == message


@pytest.mark.parametrize(
    "kind", [kind for kind in m.FROM_BOARD + m.FROM_HOST if kind.FIELDS and kind is not m.Log]
)
def test_a_body_cut_short_is_refused_by_name(kind: type[m.Message]) -> None:
    body = kind(*[1] * len(kind.FIELDS)).body()
    with pytest.raises(FrameError, match=kind.NAME):
        m.decode(Frame(kind.KIND, 1, 0, body[: len(body) // 2]))


def test_a_text_of_hello_that_runs_past_the_end_is_refused() -> None:
    body = m.Hello(1, 0, 1, 0, 0, 0, 2, 1, 1, 100, "abc", "def").body()
    with pytest.raises(FrameError, match="HELLO: a text runs past the end"):
        m.decode(Frame(m.Hello.KIND, 1, 0, body[:-4]))


def test_a_field_that_does_not_fit_is_refused_by_the_message_name() -> None:
    with pytest.raises(FrameError, match="ACK: a field does not fit"):
        m.encode(m.Ack(-1), 1)


def test_an_unknown_kind_is_none_and_no_error() -> None:
    assert m.decode(Frame(0x7F, 1, 0, b"from the future")) is None


def test_an_event_takes_at_most_32_bytes_on_the_wire() -> None:
    widest = m.Event(255, 255, 2**64 - 1, 65535, 65535)
    assert len(m.encode(widest, 0xFFFF, 0xFFFFFFFF)) <= 32


def test_a_hello_with_every_channel_fits_a_frame() -> None:
    table = tuple(m.Channel(number, m.ROLE_ZONE, number, 0) for number in range(12))
    hello = m.Hello(1, 0, 2**64 - 1, 0, 0, 0, 512, 1, 1, 100, "10.10.10", "x" * 40, table)
    assert len(FrameDecoder().feed(m.encode(hello, 1))) == 1


def test_kinds_are_unique_and_tell_the_direction() -> None:
    assert len(m.BY_KIND) == len(m.FROM_BOARD) + len(m.FROM_HOST)
    assert all(kind.KIND >= 0x80 for kind in m.FROM_BOARD)
    assert all(kind.KIND < 0x80 for kind in m.FROM_HOST)


def test_only_events_states_gaps_and_overruns_are_numbered() -> None:
    assert {kind for kind in m.BY_KIND.values() if kind.NUMBERED} == {
        m.Event,
        m.State,
        m.Gap,
        m.Overrun,
    }


def test_channels_are_named_after_role_and_index() -> None:
    named = [
        m.Channel(0, m.ROLE_TRIGGER, 0, 0),
        m.Channel(1, m.ROLE_HIT, 0, 1),
        m.Channel(4, m.ROLE_ZONE, 3, 0),
    ]
    assert [channel.name for channel in named] == ["trigger", "hit", "zone-3"]
    assert m.Channel(9, 77, 0, 0).name == "channel-9"


def test_messages_and_channels_compare_hash_and_print_by_value() -> None:
    assert m.Ack(1) == m.Ack(1) != m.Ack(2)
    assert m.Ack(1) != m.Replay(1)
    assert len({m.Ack(1), m.Ack(1), m.Replay(1)}) == 2
    assert repr(m.Ack(1)) == "ACK(seq=1)"
    assert m.Ack(1) != "an ack"
    channel = m.Channel(1, 2, 3, 4)
    assert channel == m.Channel(1, 2, 3, 4)
    assert len({channel, m.Channel(1, 2, 3, 4)}) == 1
    assert channel != (1, 2, 3, 4)
    assert repr(channel) == "Channel(1, 2, 3, 4)"


def test_what_a_board_found_at_its_hit_input_follows_what_older_hosts_read() -> None:
    tested, plain = m.Stats(1, 2, 3, 4, 5, 6, m.HIT_PIEZO, 2482, 0, 760), m.Stats(1, 2, 3, 4, 5, 6)
    assert tested.body().startswith(plain.body())
    assert m.Stats.from_body(tested.body()) == tested
    assert m.Stats.from_body(tested.body()[:-1]) == plain
    assert m.Stats.from_body(plain.body()) == plain


def test_a_board_of_version_1_0_tells_nothing_of_its_memory() -> None:
    stats = m.Stats(1, 2, 3, 4, 5, 6)
    assert m.Stats.from_body(stats.body()[:-4]) == m.Stats(1, 2, 3, 4, 5, 0)


def test_a_board_of_version_1_0_has_one_error_for_all_its_channels() -> None:
    whole = m.Hello(
        1,
        1,
        1,
        0,
        4,
        0,
        512,
        1,
        1,
        100,
        "",
        "",
        (m.Channel(0, 1, 0, 0), m.Channel(1, 2, 0, 1)),
        (2, 20),
    )
    assert [m.Hello.from_body(whole.body()).error_us(channel) for channel in (0, 1, 7)] == [
        2,
        20,
        100,
    ]
    old = m.Hello.from_body(whole.body()[:-4])
    assert (old.stamp_errors_us, [old.error_us(channel) for channel in (0, 1, 7)]) == (
        (),
        [100, 100, 100],
    )
