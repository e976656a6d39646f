"""Whoever listens in at a link learns when the board is silent or the connection is over; the link obeys its orders."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.link.listening_in import ListeningIn
from companion.link.session import SILENT_NS, Session


class Link:
    """The link's side: a clock that is moved by hand, and the orders that were given."""

    def __init__(self) -> None:
        self.now_ns, self.is_current, self.stopped = 0, True, 0
        self.orders: list[Callable[[Session], object]] = []
        self.session = Session(0)
        self.session.counters.gaps = 3
        self.listener = ListeningIn(
            self.session,
            lambda: self.now_ns,
            lambda: self.is_current,
            self.orders.append,
            self.stop,
        )

    def stop(self) -> None:
        self.stopped += 1


def trouble(link: Link) -> str:
    """Return what is wrong after another turn."""
    link.listener.turn()
    return link.listener.trouble


@pytest.fixture
def link() -> Link:
    return Link()


def test_events_come_in_their_order_and_a_turn_without_any_ends(link: Link) -> None:
    link.listener.hear("first")
    link.listener.hear("second")
    assert link.listener.turn() == ["first", "second"]
    assert link.listener.turn() == []
    assert not link.listener.trouble


def test_a_silent_board_is_lost_before_the_link_gives_it_up(link: Link) -> None:
    link.now_ns = SILENT_NS - 1
    assert trouble(link) == ""
    link.now_ns = SILENT_NS
    assert trouble(link) == "The board is lost: nothing comes from it."


def test_what_came_before_the_connection_ended_is_heard_first(link: Link) -> None:
    link.listener.hear("last")
    link.is_current = False
    assert link.listener.turn() == ["last"]
    assert link.listener.trouble == "The board is lost: its connection ended."


def test_orders_are_the_links_to_carry_out_and_earlier_counts_are_not_its_own(link: Link) -> None:
    link.listener.do(Session.arm)
    assert link.orders == [Session.arm]
    link.session.counters.gaps += 2
    assert link.listener.counters.gaps == 2
    link.listener.close()
    assert link.stopped == 1
