"""SkyFire as the table sees it: the one class behind the contract of `companion.rules.game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.games.skyfire.rules import fold as rules
from companion.games.skyfire.rules import hands, keys, result, text
from companion.games.skyfire.rules.facts import FACTS
from companion.games.skyfire.rules.legal import legal
from companion.games.skyfire.rules.model import SEAT_COUNTS, State
from companion.games.skyfire.rules.options import HOUSE_RULES
from companion.games.skyfire.rules.revelations import reveals
from companion.games.skyfire.rules.standings import scores, winners
from companion.games.skyfire.rules.view import SkyFireView, view
from companion.rules import parsing
from companion.rules.actions import Action
from companion.rules.common import Common
from companion.rules.game import TABLE, Fact, Ignored, Refused, Retraction, SeatId, Setup, Step
from companion.rules.gestures import Gesture, Settings
from companion.rules.house_rules import HouseRule, Number


class SkyFire:
    """The rules of SkyFire (RULES.md), 3 to 5 seats."""

    id: ClassVar[str] = "skyfire"
    title: ClassVar[str] = "SkyFire"
    rules_version: ClassVar[int] = rules.RULES_VERSION
    seat_counts: ClassVar[range] = SEAT_COUNTS
    house_rules: ClassVar[tuple[HouseRule, ...]] = HOUSE_RULES
    numbers: ClassVar[tuple[Number, ...]] = ()
    facts: ClassVar[Mapping[str, type[Fact]]] = FACTS
    steps: ClassVar[tuple[Step, ...]] = (
        Step("deal", "the deal", ("deal",)),
        Step("places", "cards placed", ("place",)),
        Step("launches", "launches", ("launch",)),
        Step("misfires", "misfires", ("misfire",)),
    )

    def settings(self, _setup: Setup) -> Settings:
        """Return how the board is read: the trigger is a button."""
        return Settings(hit_sensor=False, gun=False)

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
        """Return the facts the rules allow now, sorted, each once."""
        return legal(state)

    def describe(self, state: State, fact: Fact, viewer: SeatId = TABLE) -> str:
        """Return the sentence as `viewer` may read it; `state` is the one before `fact`."""
        try:
            after = rules.apply(state, fact, entry=1)
        except Refused as refusal:
            return f"{fact.kind}: {refusal}"
        return text.describe(state, after, fact, viewer)

    def reveals(self, state: State, fact: Fact) -> str | None:
        """Return which cards `fact` showed to everybody, or None; `state` is the one before `fact`."""
        return reveals(state, fact)

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
        """Return whether holding that channel means something now: a launch, a misfire, or the deal."""
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

    def view(self, state: State, viewer: SeatId) -> SkyFireView:
        """Return the view of one seat, or of `TABLE`; what other seats noted for themselves is in none."""
        return view(state, viewer)

    def over(self, state: State) -> bool:
        """Return whether somebody has won (SF-18)."""
        return bool(winners(state))

    def standings(self, state: State) -> Mapping[SeatId, int]:
        """Return each seat's points."""
        return scores(state)

    def summary(self, state: State) -> tuple[str, ...]:
        """Return the standings, the rounds and what is open as plain lines."""
        return result.summary(state)

    def report(self, state: State) -> Mapping[str, Any]:
        """Return the result as plain JSON values."""
        return result.report(state)
