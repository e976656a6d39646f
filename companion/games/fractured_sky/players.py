"""The demo of Fractured Sky: one person against two AIs, on the example map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.demo.steps import DemoStep, ScriptedPlayers, zone
from companion.games.fractured_sky.rules.hands import number_of
from companion.games.fractured_sky.rules.model import LIMIT
from companion.games.fractured_sky.rules.public import SHIPS
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.game import body_of
from companion.rules.gestures import TRIGGER

CHIPS = (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)  # FS-2


@dataclass(slots=True)
class FracturedSkyPlayers(ScriptedPlayers[FracturedSkyView]):
    """One person against two AIs: zone buttons are regions, the trigger makes the AIs' steps, held it ends a round."""

    game: ClassVar[str] = "fractured-sky"
    seats: ClassVar[tuple[str, ...]] = ("Ada",)
    options: ClassVar[Mapping[str, str]] = {"map": "example", "difficulty": "medium"}

    def steps(self) -> Iterator[DemoStep]:
        """Yield steps until five rounds are played."""
        while (view := self.look()).phase != "over":
            match view.phase:
                case "shuffle" | "ai":
                    yield self._trigger(view)
                case "turn":
                    yield self._turn(view)
                case "powers":
                    yield self._enter("powers", {"player": self._seat(view), "chips": self._chips()}, "the powers show")
                case "resolve":
                    yield self.hold(TRIGGER, lambda after: after.past != view.past, "the round is over")
                case _:
                    yield self._zone(view)

    def _seat(self, view: FracturedSkyView) -> str:
        return next(player.id for player in view.players if not player.ai)

    def _trigger(self, view: FracturedSkyView) -> DemoStep:
        """The AIs' next step; where the rules leave it to the table, a button says which."""
        decision = view.move.decision if view.move is not None else None
        if decision is not None and decision.ask:
            number = number_of(view.table.board, decision.card.kind, self.random.choice(decision.ask))
            return self._tap(view, number - 1, "the table has said which")
        return self.tap(TRIGGER, lambda after: after != view, "the AI's step is made")

    def _zone(self, view: FracturedSkyView) -> DemoStep:
        """Answer with a button: a region of a card, a turn slot, the first seat."""
        if view.phase == "first":
            return self._tap(view, 0, "the first turn order stands")
        if view.phase == "slot":
            free = [slot.number - 1 for slot in view.slots if slot.player is None]
            return self._tap(view, self.random.choice(free), "a turn slot is taken")
        shown = {region for region in view.table.hidden if region is not None}
        free = [at for at, region in enumerate(view.table.board.ids) if region not in shown]
        return self._tap(view, self.random.choice(free), "the card is face up")

    def _turn(self, view: FracturedSkyView) -> DemoStep:
        """An AI turns up its card; Ada places an Airship as a rule, else she builds or scouts."""
        if view.to_move != self._seat(view):
            return self.tap(TRIGGER, lambda after: after != view, "the AI's card is turned up")
        what = self.random.choice(("airship", "airship", "build", "skimmer", "scout"))
        allowed = [fact for fact in self.table.legal() if fact.kind == what != "airship"]
        if not allowed:
            return self._airship(view)
        return self._enter(what, body_of(self.random.choice(allowed)), f"the {what} shows")

    def _airship(self, view: FracturedSkyView) -> DemoStep:
        own = {ship.region for ship in view.table.ships_of(self._seat(view))}
        free = [at for at, region in enumerate(view.table.board.ids) if region not in own]
        best = max(free, key=lambda at: (view.table.starfalls.get(view.table.board.ids[at], 0), self.random.random()))
        return self._tap(view, best if self.random.random() < 0.6 else self.random.choice(free), "an Airship is placed")

    def _chips(self) -> list[int]:
        """Three chips, as a rule ten in all at most."""
        while True:
            chips = self.random.sample(CHIPS, SHIPS)
            if LIMIT - 2 <= sum(chips) <= LIMIT + 1:
                return chips

    def _tap(self, view: FracturedSkyView, place: int, wanted: str) -> DemoStep:
        return self.tap(zone(place), lambda after: after != view, wanted)

    def _enter(self, kind: str, body: dict[str, Any], wanted: str) -> DemoStep:
        view = self.look()
        return self.enter(kind, body, lambda after: after != view, wanted)
