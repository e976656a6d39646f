"""Demo players for SkyFire: four people with the published cards, four buttons and a trigger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from companion.demo.steps import DemoStep, ScriptedPlayers, zone
from companion.games.skyfire.rules.deck import Card, Deck
from companion.games.skyfire.rules.view import SkyFireView
from companion.rules.gestures import TRIGGER

PATIENT_ROUND = 2
"""In this round everybody places all cards, and then somebody declares a misfire."""
LOOK_S = 0.4
"""Seconds that people look at cards turned up before they answer."""


@dataclass(slots=True)
class SkyFirePlayers(ScriptedPlayers[SkyFireView]):
    """Four people who hold cards of the deck and look at them only where the rules let them."""

    game: ClassVar[str] = "skyfire"
    seats: ClassVar[tuple[str, ...]] = ("Red", "Blue", "Green", "Yellow")

    hands: dict[str, list[Card]] = field(default_factory=dict)
    zones: list[list[Card]] = field(default_factory=list)
    left_over: list[Card] = field(default_factory=list)
    targets: list[Card] = field(default_factory=list)

    def steps(self) -> Iterator[DemoStep]:
        """Yield steps until somebody has won."""
        deck = self.look().deck
        self.targets = self.random.sample(deck.targets, 4)
        while self.look().phase != "finished":
            yield from self._round(deck)

    def _round(self, deck: Deck) -> Iterator[DemoStep]:
        self._deal(deck)
        any_zone = zone(self.random.randrange(len(self.zones)))
        yield self.hold(any_zone, lambda view: view.phase == "open", "the round is open")
        view = self.look()
        if view.target.name is None and not view.target.finale:
            name = self.targets[view.round - 1].name
            yield self.enter(
                "target",
                {"card": name},
                lambda view: view.target.name == name,
                "the target is named",
            )
        if view.left_over:
            body = {"zone": 0, "backs": [card.back or "?" for card in self.left_over]}
            yield self.enter(
                "backs",
                body,
                lambda view: any(view.left_over_backs),
                "the backs left over are entered",
            )
        yield self._note(view.seats[self.random.randrange(len(self.seats))].id)
        while self.look().phase == "open":
            yield from self._turn(self.look())

    def _deal(self, deck: Deck) -> None:
        every = [card for card in deck.fireworks for _ in range(card.copies)]
        cards = self.random.sample(every, len(every))
        ids = [seat.id for seat in self.look().seats]
        self.hands = {seat: cards[4 * place : 4 * place + 4] for place, seat in enumerate(ids)}
        self.left_over = cards[4 * len(ids) :]
        self.zones = [[] for _ in ids[1:]]

    def _note(self, seat: str) -> DemoStep:
        """Note a hand privately; the public view does not change."""
        body = {"seat": seat, "cards": [card.name for card in self.hands[seat]]}
        noted = f"{seat}'s hand is noted"
        return self.enter(
            "hand_noted", body, lambda _: self.table.seat_view(seat).own is not None, noted
        )

    # -- turns

    def _turn(self, view: SkyFireView) -> Iterator[DemoStep]:
        seat = view.turn
        assert seat is not None
        wanted = Counter(view.target.symbols or ())
        full = [
            place for place, cards in enumerate(self.zones) if cards and _satisfies(wanted, cards)
        ]
        filled = [place for place, cards in enumerate(self.zones) if cards]
        patient = view.round == PATIENT_ROUND
        if full and not patient and self.random.random() < 0.6:
            yield from self._launch(full[0])
        elif self.hands[seat]:
            guess = filled and not patient and self.random.random() < 0.08
            yield from (
                self._launch(self.random.choice(filled))
                if guess
                else self._place(view, seat, wanted)
            )
        elif full and not patient and self.random.random() < 0.7:
            yield from self._launch(full[0])
        else:
            yield self._turn_up(TRIGGER, "a misfire is declared")
            yield from self._answer([place for place, cards in enumerate(self.zones) if cards])

    def _place(self, view: SkyFireView, seat: str, wanted: Counter[str]) -> Iterator[DemoStep]:
        place = self.random.randrange(len(self.zones))
        card = max(
            self.hands[seat], key=lambda held: sum((Counter(held.symbols or ()) & wanted).values())
        )
        count = len(view.zones[place].cards) + 1
        yield self.tap(
            zone(place),
            lambda view: len(view.zones[place].cards) == count,
            f"the card is in zone {place + 1}",
        )
        self.hands[seat].remove(card)
        self.zones[place].append(card)

    def _launch(self, place: int) -> Iterator[DemoStep]:
        yield self._turn_up(zone(place), f"zone {place + 1} is launched")
        yield from self._answer([place])

    def _turn_up(self, channel: str, wanted: str) -> DemoStep:
        moves = len(self.look().moves)
        held = self.hold(channel, lambda view: len(view.moves) > moves, wanted)
        return replace(held, takes_s=held.takes_s + LOOK_S)

    def _answer(self, turned: list[int]) -> Iterator[DemoStep]:
        """Answer the question with a key, or enter the cards turned up, unless the cards already answered it."""
        if self.look().phase != "question":
            return
        if self.random.random() < 0.5:
            for place in turned:
                if self.look().phase == "question":
                    yield self._reveal(place)
        else:
            wanted = Counter(self.look().target.symbols or ())
            satisfied = any(_satisfies(wanted, self.zones[place]) for place in turned)
            key = "satisfied" if satisfied else "unsatisfied"
            yield self.key(key, lambda view: view.phase != "question", "the answer counts")

    def _reveal(self, place: int) -> DemoStep:
        faces = [card.name for card in self.zones[place]]
        return self.enter(
            "revealed",
            {"zone": place + 1, "cards": faces},
            lambda view: len(view.zones[place].faces) == len(faces),
            f"the cards of zone {place + 1} are entered",
        )


def _satisfies(wanted: Counter[str], cards: Iterable[Card]) -> bool:
    return Counter(symbol for card in cards for symbol in card.symbols or ()) >= wanted
