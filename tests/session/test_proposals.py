"""What waits for a yes: one at a time, each with all of its time."""

from __future__ import annotations

import pytest

from companion.rules.common import Pause
from companion.session.interpreter import PROPOSAL_US, Proposals
from companion.session.views import Proposal


def two() -> Proposals:
    proposals = Proposals()
    proposals.put(Pause(), (1,), "first", 1_000)
    proposals.put(Pause(), (2,), "second", 5_000)
    return proposals


def test_ten_seconds_are_given_to_the_one_that_is_shown() -> None:
    proposals = two()
    assert proposals.view(1_000) == Proposal("first", 10.0, 1)
    assert proposals.view(PROPOSAL_US) == Proposal("first", 0.001, 1)
    assert not proposals.expired(PROPOSAL_US)
    assert proposals.expired(PROPOSAL_US + 1_000)
    assert proposals.view(2 * PROPOSAL_US) == Proposal("first", 0.0, 1)


def test_the_next_ones_time_begins_when_the_first_is_gone() -> None:
    proposals = two()
    assert proposals.take(PROPOSAL_US + 1_000).causes == (1,)
    assert not proposals.expired(2 * PROPOSAL_US)
    assert proposals.view(PROPOSAL_US + 1_000) == Proposal("second", 10.0, 0)


def test_the_same_fact_proposed_twice_is_two_proposals() -> None:
    proposals = Proposals()
    for _ in range(2):
        proposals.put(Pause(), (1,), "again", 0)
    assert proposals.take(0) != proposals.shown


def test_where_nothing_is_proposed_nothing_is_shown_and_nothing_expires() -> None:
    proposals = Proposals()
    assert proposals.shown is None
    assert proposals.view(0) is None
    assert not proposals.expired(10**12)
    with pytest.raises(IndexError):
        proposals.take(0)
