"""Fractured Sky as the table sees it: the one class behind the contract of `companion.rules.game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.games.fractured_sky.rules import fold as rules
from companion.games.fractured_sky.rules import hands, keys, result, text
from companion.games.fractured_sky.rules.awaiting import awaiting
from companion.games.fractured_sky.rules.facts import FACTS
from companion.games.fractured_sky.rules.legal import legal
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.options import HOUSE_RULES
from companion.games.fractured_sky.rules.standings import standings
from companion.games.fractured_sky.rules.view import FracturedSkyView, view
from companion.rules import parsing
from companion.rules.actions import Action
from companion.rules.common import Common
from companion.rules.game import TABLE, Fact, Ignored, Refused, Retraction, SeatId, Setup, Step
from companion.rules.gestures import Gesture, Settings
from companion.rules.house_rules import HouseRule, Number


class FracturedSky:
    """The rules of Fractured Sky (RULES.md), 1 to 5 seats, with AIs beside one or two.

    `orders` draws the random orders of cards and tokens that a shuffle records; without it nobody shuffles, and the
    shuffled cards are entered.
    """

    id: ClassVar[str] = "fractured-sky"
    title: ClassVar[str] = "Fractured Sky"
    rules_version: ClassVar[int] = rules.RULES_VERSION
    seat_counts: ClassVar[range] = rules.SEAT_COUNTS
    house_rules: ClassVar[tuple[HouseRule, ...]] = HOUSE_RULES
    numbers: ClassVar[tuple[Number, ...]] = ()
    facts: ClassVar[Mapping[str, type[Fact]]] = FACTS
    steps: ClassVar[tuple[Step, ...]] = (
        Step("regions", "regions by button", ("public", "airship", "reveal")),
        Step("answers", "answers by button", ("first", "slot", "objective", "ai_choose")),
        Step("ai", "AI turns", ("deal", "shuffle", "ai_turn", "ai_done")),
        Step("rounds", "round ends", ("round_end",)),
    )

    def __init__(self, orders: hands.Orders | None = None) -> None:
        self.orders = orders

    def settings(self, setup: Setup) -> Settings:  # noqa: ARG002  the same for every setup
        """Return how the board is read: the trigger is a button, for nothing is shot at."""
        return Settings(gun=False)

    def start(self, setup: Setup) -> State:
        """Return the state before the first round; raise `Refused` for a setup the rules do not allow."""
        return rules.start(setup)

    def parse(self, kind: str, body: Mapping[str, Any]) -> Fact:
        """Return the fact that `kind` and `body` describe; raise `Refused` (clause `FORMAT`) for anything else."""
        return parsing.parse(self.facts, kind, body)

    def apply(self, state: State, fact: Fact, entry: int) -> State:  # noqa: ARG002  no fact names an entry
        """Return the state after `fact`; raise `Refused`."""
        return rules.apply(state, fact)

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Return the facts the rules allow now, sorted, each once; the table's own words are not among them."""
        return legal(state)

    def describe(self, state: State, fact: Fact, viewer: SeatId = TABLE) -> str:
        """Return the sentence as `viewer` may read it; `state` is the one before `fact`."""
        try:
            after = rules.apply(state, fact)
        except Refused as refusal:
            hidden = fact.secret and viewer != getattr(fact, "seat", None)  # not even its refusal says what it is
            return f"{fact.kind}: {refusal.clause}" if hidden else f"{fact.kind}: {refusal}"
        return text.describe(state, after, fact, viewer)

    def reveals(self, state: State, fact: Fact) -> str | None:
        """Return what `fact` showed to whom and cannot be unseen, or None."""
        return text.reveals(state, fact)

    def follows(self, before: State, after: State) -> str:
        """Return that an AI's move which waits was decided again; empty where none was."""
        return text.follows(before, after)

    def common(self, state: State) -> Common:
        """Return the people as they are now, what the table set by hand, and whether the clock stands still."""
        return state.common

    def awaiting(self, state: State) -> str:
        """Return in words what the companion waits for now, and which key or tap answers it."""
        return awaiting(state)

    def hold_means(self, state: State, channel: str) -> bool:
        """Return whether holding that channel means something now: the trigger, when the round is resolved."""
        return hands.hold_means(state, channel)

    def interpret(self, state: State, gesture: Gesture) -> Fact | Ignored:
        """Return the fact a gesture stands for in this state."""
        return hands.interpret(state, gesture, self.orders)

    def actions(self, setup: Setup) -> tuple[Action, ...]:
        """Return what the keyboard can do."""
        return keys.actions(setup)

    def act(self, state: State, action_id: str) -> Fact | Retraction:
        """Return what an action stands for in this state; raise `Refused` when it means nothing now."""
        return hands.act(state, action_id, self.orders)

    def view(self, state: State, viewer: SeatId) -> FracturedSkyView:
        """Return what `viewer` may see: a seat's own notes of what it saw are in its own view alone."""
        return view(state, viewer)

    def over(self, state: State) -> bool:
        """Return whether five rounds are played."""
        return state.finished

    def standings(self, state: State) -> Mapping[SeatId, int]:
        """Return each seat's Starfalls."""
        return standings(state)

    def summary(self, state: State) -> tuple[str, ...]:
        """Return the standings, the rounds and what is open as plain lines."""
        return result.summary(state)

    def report(self, state: State) -> Mapping[str, Any]:
        """Return the result as plain JSON values."""
        return result.report(state)
