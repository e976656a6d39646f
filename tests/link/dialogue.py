"""One side of a dialogue at a time: the messages a session sends, and those it gets."""

from __future__ import annotations

from typing import TypeVar

from companion.link.events import (
    SessionEvent,
)
from companion.link.session import Session
from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import (
    Config,
    Event,
    Message,
    decode,
    encode,
)
from tests.link.fake_board import FakeBoard

T = TypeVar("T")
CONFIG = Config(8_000, 300, 900, 3_000, 30_000)


def outgoing(session: Session, now_ns: int) -> list[Message]:
    frames = FrameDecoder().feed(session.outgoing(now_ns))
    messages = [decode(frame) for frame in frames]
    return [message for message in messages if message is not None]


def outgoing_until(session: Session, until_ns: int) -> list[Message]:
    out: list[Message] = []
    now_ns = 0
    while now_ns < until_ns:
        out += outgoing(session, now_ns)
        session.poll(now_ns)
        now_ns = max(now_ns + 1, session.next_deadline())
    return out


def only(kind: type[T], events: list[SessionEvent]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]


def identified(board: FakeBoard | None = None, **options: object) -> Session:
    session = Session(0, jitter=lambda: 0.5, **options)  # type: ignore[arg-type]
    board = FakeBoard() if board is None else board
    session.receive(encode(board.hello(), board.boot_id), 0)
    return session


def event(seq: int, t_us: int = 0, boot_id: int = 7) -> bytes:
    return encode(Event(2, 1, t_us or seq * 1000), boot_id, seq)
