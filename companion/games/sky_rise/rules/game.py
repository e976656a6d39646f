"""Sky Rise as the table sees it: the one class behind the contract of `companion.rules.game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.games.sky_rise.rules import facts as f
from companion.games.sky_rise.rules import fold as rules
from companion.games.sky_rise.rules import hands, keys, result, text
from companion.games.sky_rise.rules.legal import legal
from companion.games.sky_rise.rules.model import State
from companion.games.sky_rise.rules.options import HOUSE_RULES, NUMBERS
from companion.games.sky_rise.rules.people import SEAT_COUNTS
from companion.games.sky_rise.rules.standings import over, totals
from companion.games.sky_rise.rules.view import SkyRiseView, view
from companion.rules import parsing
from companion.rules.actions import Action
from companion.rules.common import Common
from companion.rules.game import TABLE, Fact, Ignored, Refused, Retraction, SeatId, Setup, Step
from companion.rules.gestures import Gesture, Settings
from companion.rules.house_rules import HouseRule, Number


class SkyRise:
    """The rules of Sky Rise (RULES.md), 2 to 5 seats. Design: M. Weberg (Looney Pyramids).

    `orders` draws the random orders in which goals are dealt; without it nobody deals any, and they are noted.
    """

    id: ClassVar[str] = "sky-rise"
    title: ClassVar[str] = "Sky Rise"
    rules_version: ClassVar[int] = rules.RULES_VERSION
    seat_counts: ClassVar[range] = SEAT_COUNTS
    house_rules: ClassVar[tuple[HouseRule, ...]] = HOUSE_RULES
    numbers: ClassVar[tuple[Number, ...]] = NUMBERS
    facts: ClassVar[Mapping[str, type[Fact]]] = f.FACTS
    steps: ClassVar[tuple[Step, ...]] = (
        Step("start", "Start token", ("start_token",)),
        Step("turns", "ends of turns", ("turn_over",)),
        Step("showdown", "Tower Showdown", ("showdown", "showdown_stop", "showdown_ruling")),
    )

    def __init__(self, orders: hands.Orders | None = None) -> None:
        self.orders = orders

    def settings(self, _setup: Setup) -> Settings:
        """Return how the board is read: buttons only, no gun."""
        return Settings(gun=False)

    def start(self, setup: Setup) -> State:
        """Return the state before the first card; raise `Refused` for a setup the rules do not allow."""
        return rules.start(setup)

    def parse(self, kind: str, body: Mapping[str, Any]) -> Fact:
        """Return the fact that `kind` and `body` describe; raise `Refused` (clause `FORMAT`) for anything else."""
        return parsing.parse(self.facts, kind, body)

    def apply(self, state: State, fact: Fact, entry: int) -> State:
        """Return the state after `fact`, which is entry number `entry` of the record; raise `Refused`."""
        return rules.apply(state, fact, entry)

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Return the facts the rules allow now, sorted, each once; the table's own words are not among them."""
        return legal(state)

    def describe(self, state: State, fact: Fact, viewer: SeatId = TABLE) -> str:
        """Return the sentence as `viewer` may read it; `state` is the one before `fact`."""
        try:
            after: State | Refused = rules.apply(state, fact, entry=1)
        except Refused as refusal:
            after = refusal
        return text.describe(state, after, fact, viewer)

    def reveals(self, _state: State, fact: Fact) -> str | None:
        """Return what dealing goals showed to each seat, or turning them up to all; nothing else is secret."""
        if isinstance(fact, f.GoalsDealt):
            return "each Nest and Tree, to the seat that has it"
        return "the Nest and Tree cards of all, to everybody" if isinstance(fact, f.Reveal) else None

    def follows(self, _before: State, _after: State) -> str:
        """Return nothing: what waits is read from the state anew."""
        return ""

    def common(self, state: State) -> Common:
        """Return the people as they are now, what the table set by hand, and whether the clock stands still."""
        return state.common

    def awaiting(self, state: State) -> str:
        """Return in words what the companion waits for now, and which line, key or button answers it."""
        return text.awaiting(state)

    def hold_means(self, state: State, channel: str) -> bool:
        """Return whether holding that channel means something now: the Start token, or the Tower Showdown."""
        return hands.hold_means(state, channel)

    def interpret(self, state: State, gesture: Gesture) -> Fact | Ignored:
        """Return the fact a gesture stands for in this state."""
        return hands.interpret(state, gesture)

    def actions(self, setup: Setup) -> tuple[Action, ...]:
        """Return what the keyboard can do with these seats."""
        return keys.actions(setup)

    def act(self, state: State, action_id: str) -> Fact | Retraction:
        """Return what an action stands for in this state; raise `Refused` when it means nothing now."""
        return hands.act(state, action_id, self.orders)

    def view(self, state: State, viewer: SeatId) -> SkyRiseView:
        """Return the view of one seat, with its own goals, or of the whole table."""
        return view(state, viewer)

    def over(self, state: State) -> bool:
        """Return whether somebody has won."""
        return over(state)

    def standings(self, state: State) -> Mapping[SeatId, int]:
        """Return each seat's points: those of placements, and at the end all others."""
        return totals(state)

    def summary(self, state: State) -> tuple[str, ...]:
        """Return the standings, the colors, the groups, the tower and what is open as plain lines."""
        return result.summary(state)

    def report(self, state: State) -> Mapping[str, Any]:
        """Return the result as plain JSON values."""
        return result.report(state)
