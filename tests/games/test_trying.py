"""Facts tried on rules: which are allowed."""

from __future__ import annotations

from companion.rules.common import Pause, SeatLeaves
from companion.rules.game import Fact, Refused
from companion.rules.trying import allowed


def rules(fact: Fact) -> None:
    if isinstance(fact, SeatLeaves) and fact.seat == "bo":
        raise Refused("X-1", "bo stays", "somebody else")


def test_what_is_allowed_comes_sorted_and_once() -> None:
    asked = [SeatLeaves(seat=seat) for seat in ("cleo", "bo", "ada", "cleo")]
    assert allowed(rules, [*asked, Pause()]) == (Pause(), SeatLeaves(seat="ada"), SeatLeaves(seat="cleo"))
