"""Panic Fire as the table sees it: the one class behind the contract of `companion.rules.game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.games.panic_fire.rules import fold as rules
from companion.games.panic_fire.rules import hands, keys, people, result, text
from companion.games.panic_fire.rules.facts import FACTS
from companion.games.panic_fire.rules.legal import legal
from companion.games.panic_fire.rules.model import State
from companion.games.panic_fire.rules.options import HOUSE_RULES, NUMBERS
from companion.games.panic_fire.rules.standings import bullets, champion
from companion.games.panic_fire.rules.view import PanicFireView, view
from companion.rules import parsing
from companion.rules.actions import Action
from companion.rules.common import Common
from companion.rules.game import TABLE, Fact, Ignored, Refused, Retraction, SeatId, Setup, Step
from companion.rules.gestures import Gesture, Settings
from companion.rules.house_rules import HouseRule, Number


class PanicFire:
    """The rules of Panic Fire (RULES.md), 2 to 5 seats."""

    id: ClassVar[str] = "panic-fire"
    title: ClassVar[str] = "Panic Fire"
    rules_version: ClassVar[int] = rules.RULES_VERSION
    seat_counts: ClassVar[range] = people.SEAT_COUNTS
    house_rules: ClassVar[tuple[HouseRule, ...]] = HOUSE_RULES
    numbers: ClassVar[tuple[Number, ...]] = NUMBERS
    facts: ClassVar[Mapping[str, type[Fact]]] = FACTS
    steps: ClassVar[tuple[Step, ...]] = (
        Step("fire", "fire!", ("fire",)),
        Step("draws", "draws", ("draw",)),
        Step("shots", "shots", ("shot", "dry_pull", "knock")),
        Step("names", "target and shooter", ("target", "shooter")),
    )

    def settings(self, setup: Setup) -> Settings:
        """Return how the board is read: a gun that has no hit sensor shoots with every pull (PF-R3)."""
        return Settings(hit_sensor=setup.options.get("hit_sensor", "yes") != "no")

    def start(self, setup: Setup) -> State:
        """Return the state before the first round; raise `Refused` for a setup the rules do not allow."""
        return rules.start(setup)

    def parse(self, kind: str, body: Mapping[str, Any]) -> Fact:
        """Return the fact that `kind` and `body` describe; raise `Refused` (clause `FORMAT`) for anything else."""
        return parsing.parse(self.facts, kind, body)

    def apply(self, state: State, fact: Fact, entry: int) -> State:
        """Return the state after `fact`, which is entry number `entry` of the record; raise `Refused`."""
        return rules.apply(state, fact, entry)

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Return the facts the rules allow now, sorted, each once; the table's overrides are not among them."""
        return legal(state)

    def describe(self, state: State, fact: Fact, _viewer: SeatId = TABLE) -> str:
        """Return the sentence; `state` is the one before `fact`, and there are no secrets."""
        try:
            after = rules.apply(state, fact, entry=1)
        except Refused as refusal:
            return f"{fact.kind}: {refusal}"
        return text.describe(state, after, fact)

    def reveals(self, _state: State, _fact: Fact) -> str | None:
        """Return None: all that a fact of Panic Fire names lies open on the table."""
        return None

    def follows(self, _before: State, _after: State) -> str:
        """Return nothing: what waits is read from the state anew."""
        return ""

    def common(self, state: State) -> Common:
        """Return the people as they are now, what the table set by hand, and whether the clock stands still."""
        return state.common

    def awaiting(self, state: State) -> str:
        """Return in words what the companion waits for now, and which key or tap answers it."""
        return text.awaiting(state)

    def hold_means(self, state: State, channel: str) -> bool:
        """Return whether holding that channel means something now: fire!, or naming a seat."""
        return hands.hold_means(state, channel)

    def interpret(self, state: State, gesture: Gesture) -> Fact | Ignored:
        """Return the fact a gesture stands for in this state."""
        return hands.interpret(state, gesture)

    def actions(self, setup: Setup) -> tuple[Action, ...]:
        """Return what the keyboard can do with these seats."""
        return keys.actions(setup)

    def act(self, state: State, action_id: str) -> Fact | Retraction:
        """Return what an action stands for in this state; raise `Refused` when it means nothing now."""
        return hands.act(state, action_id)

    def view(self, state: State, _viewer: SeatId) -> PanicFireView:
        """Return the view; Panic Fire has no secrets, so it is the same for everybody."""
        return view(state)

    def over(self, state: State) -> bool:
        """Return whether there is a champion."""
        return champion(state) is not None

    def standings(self, state: State) -> Mapping[SeatId, int]:
        """Return each seat's Bullet cards."""
        return bullets(state)

    def summary(self, state: State) -> tuple[str, ...]:
        """Return the standings, the rounds and what is open as plain lines."""
        return result.summary(state)

    def report(self, state: State) -> Mapping[str, Any]:
        """Return the result as plain JSON values."""
        return result.report(state)
