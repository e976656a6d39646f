"""Pending proposals: one at a time, each with all of its time."""

from __future__ import annotations

import pytest

from companion.rules.common import Pause
from companion.session.corrections import NotDone
from companion.session.interpreter import PROPOSAL_US, Proposals
from companion.session.views import Proposal


class Clock:
    """The host's clock, set by a test."""

    us = 0

    def __call__(self) -> int:
        return self.us


@pytest.fixture
def clock() -> Clock:
    return Clock()


def two(clock: Clock) -> Proposals:
    proposals = Proposals(clock)
    clock.us = 1_000
    proposals.put(Pause(), (1,), "first")
    clock.us = 5_000
    proposals.put(Pause(), (2,), "second")
    return proposals


def test_ten_seconds_are_given_to_the_one_that_is_shown(clock: Clock) -> None:
    proposals = two(clock)
    clock.us = 1_000
    assert proposals.view() == Proposal("first", 10.0, 1, "step-1")
    clock.us = PROPOSAL_US
    assert proposals.view() == Proposal("first", 0.001, 1, "step-1")
    clock.us = PROPOSAL_US + 1_000
    assert proposals.view() == Proposal("first", 0.0, 1, "step-1")
    clock.us = 2 * PROPOSAL_US
    assert proposals.view() == Proposal("first", 0.0, 1, "step-1")


def test_the_next_ones_time_begins_when_the_first_is_gone(clock: Clock) -> None:
    proposals = two(clock)
    clock.us = PROPOSAL_US + 1_000
    assert proposals.take().causes == (1,)
    assert proposals.view() == Proposal("second", 10.0, 0, "step-2")
    clock.us = 2 * PROPOSAL_US
    assert proposals.view() == Proposal("second", 0.001, 0, "step-2")


def test_where_nothing_is_proposed_nothing_is_shown_and_nothing_expires(clock: Clock) -> None:
    proposals = Proposals(clock)
    clock.us = 10**12
    assert proposals.shown is None
    assert proposals.view() is None
    with pytest.raises(NotDone):
        proposals.take()
