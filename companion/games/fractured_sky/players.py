"""The demo of Fractured Sky: one person against two AIs, on the example map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from companion.demo.steps import DemoStep, ScriptedPlayers, zone
from companion.games.fractured_sky.rules import facts as f
from companion.games.fractured_sky.rules.controls import number_of
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.facts import Fact, body_of
from companion.rules.gestures import TRIGGER

ON_A_TURN = ("airship", "airship", "build", "skimmer", "scout")  # an Airship as a rule


@dataclass(slots=True)
class FracturedSkyPlayers(ScriptedPlayers[FracturedSkyView]):
    """One person against two AIs.

    Zone buttons are regions; the trigger makes the AIs' steps, and held it ends a round.
    """

    game: ClassVar[str] = "fractured-sky"
    seats: ClassVar[tuple[str, ...]] = ("Ada",)
    options: ClassVar[Mapping[str, str]] = {"map": "example", "difficulty": "medium"}

    def steps(self) -> Iterator[DemoStep]:
        """Yield steps until the game is over."""
        while (view := self.look()).phase != "over":
            legal = self.table.legal()
            kinds = {fact.kind for fact in legal}
            # on a turn an Airship is twice as likely as any other kind
            choices = [kind for kind in ON_A_TURN if kind in kinds] or sorted(kinds)
            kind = self.random.choice(choices)
            fact = self._chosen(view, [fact for fact in legal if fact.kind == kind])
            yield self._step(view, fact)

    def _chosen(self, view: FracturedSkyView, facts: list[Fact]) -> Fact:
        """Return one of the facts at random; of Airships, more often one to a region with most Starfalls."""
        ships = [fact for fact in facts if isinstance(fact, f.Airship)]
        if ships and self.random.random() < 0.6:
            self.random.shuffle(ships)
            return max(ships, key=lambda ship: view.table.starfalls.get(ship.region, 0))
        return self.random.choice(facts)

    def _step(self, view: FracturedSkyView, fact: Fact) -> DemoStep:
        wanted, ids = f"{fact.kind} is in the record", view.table.board.ids
        match fact:
            case f.RoundEnd():
                return self.hold(TRIGGER, lambda after: after.past != view.past, wanted)
            case f.Shuffle() | f.AiTurn() | f.AiDone():
                button = TRIGGER
            case f.First():
                button = zone(0)
            case f.Slot(slot=slot):
                button = zone(slot - 1)
            case f.Public(region=region) | f.Airship(region=region) | f.Reveal(region=region):
                button = zone(ids.index(region))
            case f.AiChoose(target=target) if view.move is not None:
                button = zone(number_of(view.table.board, view.move.decision.card.kind, target) - 1)
            case _:
                return self.enter(fact.kind, body_of(fact), lambda after: after != view, wanted)
        return self.tap(button, lambda after: after != view, wanted)
