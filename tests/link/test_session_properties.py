"""Sessions on arbitrary bytes, in any pieces."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from companion.link.events import SessionEvent
from companion.link.evidence import Evidence
from companion.link.session import Session
from firmware_protocol.frames import encode_frame
from tests.link.dialogue import CONFIG, identified, only
from tests.link.fake_board import FakeBoard
from tests.link.world import MS, World, usb

FRAMES = st.builds(
    encode_frame,
    st.sampled_from([0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x99]),
    st.sampled_from([0, 7, 8]),
    st.integers(0, 12),
    st.binary(max_size=80),
)
RECORDED: list[bytes] = []


def recorded() -> bytes:
    """Return a board's output of half a second with presses and noise."""
    if not RECORDED:
        board = FakeBoard()
        scene = World(board, Session(0, armed=True, jitter=lambda: 0.5), usb(MS))
        taken: list[bytes] = []
        hear = scene.session.receive

        def tap(data: bytes, read_ns: int) -> list[SessionEvent]:
            taken.append(data)
            return hear(data, read_ns)

        scene.session.receive = tap  # type: ignore[method-assign]
        scene.press_every(20 * MS, 20)
        scene.run(500 * MS)
        RECORDED.append(b"boot noise\0".join([b"".join(taken[:5]), b"".join(taken[5:])]))
    return RECORDED[0]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=200))
@settings(max_examples=30)
def test_how_the_bytes_are_split_does_not_matter(cuts: list[int]) -> None:
    stream = recorded()
    whole = Session(0).receive(stream, 5)
    session, split, at = Session(0), [], 0
    while at < len(stream):
        size = cuts[at % len(cuts)]
        split += session.receive(stream[at : at + size], 5)
        at += size

    assert split == whole
    assert only(Evidence, whole)


@given(st.lists(st.one_of(st.binary(max_size=60), FRAMES), max_size=30), st.booleans())
@settings(max_examples=150)
def test_no_bytes_make_a_session_raise(pieces: list[bytes], known: bool) -> None:
    session = identified(armed=True, config=CONFIG) if known else Session(0)
    for turn, piece in enumerate(pieces):
        for received in only(Evidence, session.receive(piece, turn * 50 * MS)):
            session.acknowledge(received.boot_id, received.seq)
        session.outgoing(turn * 50 * MS)
        session.poll(turn * 50 * MS)
        session.next_deadline()

    assert session.counters.bad_frames <= sum(len(piece) for piece in pieces)
