"""Facts tried on rules: which are allowed, and what a gesture comes to."""

from __future__ import annotations

from companion.rules.common import Pause, SeatLeaves
from companion.rules.game import Fact, Ignored, Refused
from companion.rules.trying import allowed, meant


def rules(fact: Fact) -> None:
    if isinstance(fact, SeatLeaves) and fact.seat == "bo":
        raise Refused("X-1", "bo stays", "somebody else")


def test_what_is_allowed_comes_sorted_and_once() -> None:
    asked = [SeatLeaves(seat=seat) for seat in ("cleo", "bo", "ada", "cleo")]
    assert allowed(rules, [*asked, Pause()]) == (Pause(), SeatLeaves(seat="ada"), SeatLeaves(seat="cleo"))


def test_a_gesture_means_its_fact_or_says_why_none() -> None:
    assert meant(rules, Pause) == Pause()
    assert meant(rules, lambda: SeatLeaves(seat="bo")) == Ignored("bo stays", "X-1")


def test_a_gesture_whose_meaning_is_refused_says_why() -> None:
    def nothing() -> Fact:
        raise Refused("X-2", "nobody is there", "somebody")

    assert meant(rules, nothing) == Ignored("nobody is there", "X-2")
