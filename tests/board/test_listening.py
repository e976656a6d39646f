"""A wiring test hears the same events however they are split into reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.board.asking import AskedStep, AskingPace, StepKind
from companion.board.procedures import SelftestBoard
from companion.errors import CommandError
from companion.link.conversation import Conversation
from companion.link.events import SessionEvent, Watermark
from companion.link.evidence import Evidence
from companion.link.transport import GONE
from companion.session.muted import Muting
from firmware_protocol.messages import (
    PRESSED,
    ROLE_HIT,
    ROLE_ZONE,
    UNREAD,
    Channel,
    Event,
    Hello,
    Wave,
)

EDGES = [
    Event(2, flags, t_us, 0, 0)
    for flags, t_us in ((PRESSED, 0), (0, 60_000), (PRESSED, 80_000), (0, 140_000))
]
SETTLED_US = 300_000
HELLO = Hello(1, 1, 1, 0, 0, 0, 64, 1, 1, 100, channels=(Channel(1, ROLE_HIT, 0, 1),))


def listening(reads: Iterator[list[SessionEvent]]) -> SelftestBoard:
    """Return a board with these reads, all at one instant; the waves of its hits are requested."""
    session = SimpleNamespace(refusal=None, show=lambda: True)
    conversation = SimpleNamespace(
        turn=lambda: next(reads), trouble="", session=session, clock_ns=lambda: 0
    )
    return SelftestBoard(
        cast(Any, conversation), HELLO, lambda _sentence: None, AskingPace(0.2, 10.0, 0.1, 10.0)
    )


def received() -> list[SessionEvent]:
    events: list[SessionEvent] = [
        Evidence(1, 7, seq, event, 0) for seq, event in enumerate(EDGES, 1)
    ]
    return [*events, Watermark(7, SETTLED_US)]


@pytest.mark.parametrize("at_once", range(1, 6))
def test_a_second_press_is_heard_in_whatever_reads_it_comes(at_once: int) -> None:
    events = received()
    reads = iter([events[first : first + at_once] for first in range(0, len(events), at_once)])
    assert listening(reads).until(lambda edges_so_far: len(edges_so_far) >= 2) == EDGES


def test_a_hit_whose_samples_were_gone_has_no_wave_and_nobody_waits_for_one() -> None:
    hit = Event(1, PRESSED | UNREAD, 90_000, 200, 0)
    events: list[SessionEvent] = [Evidence(1, 7, 1, hit, 0), Watermark(7, SETTLED_US)]
    table = listening(iter([events, [Wave(90_000, 0, 20)]]))
    table.draw = lambda wave: pytest.fail(f"drawn: {wave}")
    assert table.until(bool) == [hit]
    assert table.noise is None


def test_lines_and_screen_are_asked_the_same_steps_but_none_about_a_muted_wire() -> None:
    zone, knock = Channel(2, ROLE_ZONE, 0, 1), HELLO.channels[0]
    steps = [
        AskedStep(StepKind.STILL, "Hands off."),
        AskedStep(StepKind.PRESS, "Press zone-1.", zone, "not there: wait"),
        AskedStep(StepKind.KNOCK, "Knock.", knock),
    ]
    lines: list[str] = []
    in_lines = listening(iter([]))
    in_lines.say = lines.append
    assert list(in_lines.ask_each(steps)) == steps
    assert lines == ["Hands off.", "Press zone-1 (not there: wait).", "Knock."]

    planned: list[AskedStep] = []
    asked: list[AskedStep] = []
    on_screen = listening(iter([]))
    on_screen.say = pytest.fail
    on_screen.plan, on_screen.ask = planned.extend, asked.append
    on_screen.muted[zone.id] = Muting("zone-1", True, 100, 0, 50_000)
    assert list(on_screen.ask_each(steps)) == [steps[0], steps[2]]
    assert (planned, asked) == (steps, [steps[0], steps[2]])


def test_a_board_that_cannot_be_talked_to_any_more_is_told_of_in_one_sentence() -> None:
    with closing(Conversation("loop://")) as conversation:
        table = SelftestBoard(conversation, HELLO, lambda _sentence: None)
        conversation.session.poll(conversation.clock_ns() + 3_600 * 10**9)
        with pytest.raises(
            CommandError, match=r"^This device is no table board \(.*\): choose [^.]*\.$"
        ):
            table.events(60)
        conversation.session.refusal, conversation.lost = None, GONE
        with pytest.raises(CommandError, match=r"^The board is lost: it was unplugged[^.]*\.$"):
            table.events(60)
