"""A virtual board that nobody holds on to ends by itself, unless events would be lost with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from firmware_protocol.messages import Hello, encode
from firmware_protocol.virtual import unattended
from firmware_protocol.virtual.cable import now_us
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.launcher import Launcher, Options
from firmware_protocol.virtual.runtime import choose_runtime
from firmware_protocol.virtual.unattended import LEAVE_AFTER_S, RingInquiry, Unattended
from tests.firmware_protocol.raw_host import RawHost

DEADLINE_S = 15.0
AT_ONCE_S = 0.01


class Watched(Launcher):
    """A launcher that lets a test wait until its own question was answered."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.looked = threading.Semaphore(0)

    def _ring_answered(self, who_id: int, unsaved: int) -> None:
        own = any(client is None for client, _ in self._asked.values())
        super()._ring_answered(who_id, unsaved)
        if own:
            self.looked.release()


@contextmanager
def running(leave_after_s: float | None) -> Iterator[tuple[Watched, threading.Thread]]:
    """A board whose launcher runs in a thread."""
    options = Options(
        choose_runtime("cpython"), uid=1, listen=("127.0.0.1", 0), leave_after_s=leave_after_s
    )
    launcher = Watched(options)
    launcher.start()
    thread = threading.Thread(target=launcher.run)
    thread.start()
    try:
        yield launcher, thread
    finally:
        if thread.is_alive():
            VirtualBoard.attach(launcher.control.address).end()
        thread.join(DEADLINE_S)
        assert not thread.is_alive()


@pytest.fixture(autouse=True)
def asked_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unattended, "ASK_AGAIN_US", 10_000)


def test_a_board_that_nobody_resumes_is_looked_into_within_a_minute_of_the_last_client() -> None:
    now = [0]
    board = Unattended(round(LEAVE_AFTER_S * 1e6), lambda: now[0])
    assert board.due_in_us(clients=1) is None
    now[0] += 3600_000_000
    due_us = board.due_in_us(clients=0)
    assert due_us is not None
    assert due_us <= 50_000_000
    now[0] += due_us - 1
    assert board.due_in_us(clients=0) == 1
    assert board.due_in_us(clients=1) is None, "somebody came back"
    assert board.due_in_us(clients=0) == due_us


def test_a_board_that_was_started_by_hand_waits_for_ever() -> None:
    assert Unattended(None, lambda: 0).due_in_us(clients=0) is None


def test_a_board_whose_ring_is_empty_ends_when_its_last_client_is_gone() -> None:
    with running(AT_ONCE_S) as (_, thread):
        thread.join(DEADLINE_S)
        assert not thread.is_alive()


def test_a_board_without_power_ends_as_well() -> None:
    with running(3600) as (launcher, thread):
        board = VirtualBoard.attach(launcher.control.address)
        board.power_off()
        launcher._unattended = Unattended(0, now_us)
        board.close()
        thread.join(DEADLINE_S)
        assert not thread.is_alive()


def test_a_board_with_presses_that_nobody_saved_stays_until_they_are_saved() -> None:
    with running(3600) as (launcher, thread):
        with VirtualBoard.attach(launcher.control.address) as board:
            host = RawHost(launcher._cable.port.url)
            host.meet()
            host.arm()
            host.until(lambda: len(host.numbered) >= 2)
            host.close()
            while board.unsaved():
                pass
            board.unplug()
            board.press("zone-1")
            while board.unsaved() < 2:
                pass
            board.plug()
            launcher._unattended = Unattended(0, now_us)
        for _ in range(3):
            assert launcher.looked.acquire(timeout=DEADLINE_S)
        assert thread.is_alive()
        resumed = RawHost(launcher._cable.port.url)
        resumed._durable = dict(host._durable)
        resumed.meet()
        resumed.until(lambda: len(resumed.numbered) == 2)
        thread.join(DEADLINE_S)
        assert not thread.is_alive()
        resumed.close()


def hello(**changed: Any) -> bytes:
    fields = {"oldest_seq": 1, "next_seq": 2, "who_id": 7} | changed
    message = Hello(
        1,
        0,
        1,
        0,
        0,
        0,
        512,
        fields["oldest_seq"],
        fields["next_seq"],
        100,
        who_id=fields["who_id"],
    )
    return encode(message, 1)


@pytest.mark.parametrize(
    ("oldest", "following", "unsaved"), [(1, 2, 0), (2, 2, 0), (1, 5, 3), (3, 5, 2), (9, 9, 0)]
)
def test_the_ring_keeps_what_is_numbered_and_not_acknowledged_but_for_the_state_at_the_start(
    oldest: int, following: int, unsaved: int
) -> None:
    inquiry = RingInquiry()
    inquiry.question(7)
    output = b"text" + hello(who_id=0) + hello(oldest_seq=oldest, next_seq=following)
    assert inquiry.answers(output[:20]) + inquiry.answers(output[20:]) == [(7, unsaved)]


def test_nothing_is_read_of_what_a_board_says_while_nobody_asked() -> None:
    assert RingInquiry().answers(hello()) == []
