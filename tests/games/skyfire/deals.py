"""Random deals of the published deck, and their odds by listing every layout."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod

from companion.games.skyfire.rules.deck import Card
from companion.games.skyfire.rules.known import OddsAsked
from tests.games.skyfire.playing import FIVE, GAME, begun, published_deck

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of the visible backs that are entered."""
TARGETS = ("ryg", "ryb", "ryw", "rgb", "rgw", "rbw", "ygb", "ygw", "ybw", "gbw")
Slot = tuple[int, int]
Layout = dict[Slot, Card]


class Deal:
    """A round in play: random cards, placed at random, of whose backs a `share` is entered. With `notes` the first seat
    noted its hand, and of most cards where it put them; with `failing`, launches fail and nobody enters the faces."""

    def __init__(
        self,
        rng: random.Random,
        players: int,
        share: float,
        *,
        notes: bool,
        most: int = 20,
        failing: bool = False,
    ) -> None:
        self.rng, self.share = rng, share
        self.record = begun(" ".join(FIVE.split()[:players]), published_deck())
        if rng.random() < 0.2:  # the finale
            for _ in range(4):
                self.record.do("round_end")
                self.record.do("deal")
        else:
            self.record.do(
                "target", card=rng.choice([t for t in TARGETS if players > 3 or "w" not in t])
            )
        assert self.record.round.target is not None
        self.needed = frozenset(self.record.round.target.symbols or ())
        deck = [*self.record.state.deck.fireworks]
        rng.shuffle(deck)
        self.seats = self.record.round.players
        self.hands = {seat: deck[4 * n : 4 * n + 4] for n, seat in enumerate(self.seats)}
        self.left_over = deck[4 * players :]
        self.zones: list[list[tuple[str, Card, str | None]]] = [[] for _ in range(players - 1)]
        self.failed = [0] * (players - 1)
        self.noted: list[Card] = []
        self.loose: list[Slot] = []  # where its cards lie that the seat did not note one by one
        self.known: dict[Slot, Card] = {}
        self.me = self.seats[0]
        self.left_backs = [self._seen(card) for card in self.left_over]
        if self.left_over:
            self.record.do("backs", zone=0, backs=[back or "?" for back in self.left_backs])
        if notes:
            self.noted = list(self.hands[self.me])
            self.record.do("hand_noted", seat=self.me, cards=[card.letters for card in self.noted])
        for _ in range(rng.randint(min(players, most), min(4 * players, most))):
            self._place(notes=notes)
            if failing and rng.random() < 0.3 and self.record.round.question is None:
                self._fail()

    def _seen(self, card: Card) -> str | None:
        return card.back if self.rng.random() < self.share else None

    def _place(self, *, notes: bool) -> None:
        seat = self.record.round.turn
        if seat is None or not self.hands[seat]:
            return
        zone, card = self.rng.randrange(len(self.zones)), self.hands[seat].pop()
        back, slot = self._seen(card), (zone, len(self.zones[zone]))
        self.record.do("place", zone=zone + 1, back=back or "")
        self.zones[zone].append((seat, card, back))
        if notes and seat == self.me:
            if self.rng.random() < 0.7 and not any(loose[0] == zone for loose in self.loose):
                self.record.do("place_noted", seat=seat, zone=zone + 1, card=card.letters)
                self.known[slot] = card
            else:
                self.loose.append(slot)

    def _fail(self) -> None:
        zone = self.rng.randrange(len(self.zones))
        cards = [card for _, card, _ in self.zones[zone]]
        alive = len(self.record.round.alive)
        if cards and alive > 2 and self.record.round.turn != self.me and not self.satisfied(cards):
            self.record.do("launch", zone=zone + 1)
            if self.record.round.question is not None:
                self.record.do("satisfied", satisfied=False)
            self.failed[zone] = len(cards)

    def satisfied(self, cards: Sequence[Card]) -> bool:
        return self.needed <= {symbol for card in cards for symbol in card.symbols or ()}

    def asked(self, *, public: bool) -> OddsAsked:
        view = GAME.view(self.record.state, self.me)
        asked = view.odds if public else view.own.odds
        assert isinstance(asked, OddsAsked)
        return asked

    # -- every deal one by one

    def _piles(self, *, public: bool) -> Iterator[tuple[list[Card], list[tuple[Slot, str | None]]]]:
        """Yield cards that can lie in these places or elsewhere; a place beside the zones is one of zone -1."""
        slots = {
            (z, n): card[2] for z, zone in enumerate(self.zones) for n, card in enumerate(zone)
        }
        known = {} if public else self.known
        loose = [] if public else self.loose
        noted = [] if public else self.noted
        others: list[tuple[Slot, str | None]] = [
            (slot, back) for slot, back in slots.items() if slot not in known and slot not in loose
        ]
        others += [((-1, n), back) for n, back in enumerate(self.left_backs) if back is not None]
        yield [card for card in self.record.state.deck.fireworks if card not in noted], others
        own = [card for card in noted if card not in known.values()]
        yield own, [(slot, slots[slot]) for slot in loose]

    def layouts(self, *, public: bool) -> int:
        """Return an upper bound of the number of layouts."""
        found = 1
        for cards, slots in self._piles(public=public):
            blind = sum(back is None for _, back in slots)
            found *= 2 ** min(10, len(slots) - blind) * prod(
                range(len(cards) - blind + 1, len(cards) + 1)
            )
        return found

    def brute(self, *, public: bool) -> list[Fraction]:
        """Return the shares of all fitting layouts in which each zone satisfies the target, and none does."""
        pool, own = self._piles(public=public)
        known = {} if public else self.known
        counts, every = [0] * (len(self.zones) + 1), 0
        own_layouts = [*_laid(*own)]
        for layout in _laid(*pool):
            for mine in own_layouts:
                world = {**layout, **mine, **known}
                if any(
                    self._shown(world, zone, failed)
                    for zone, failed in enumerate(self.failed)
                    if failed
                ):
                    continue
                every += 1
                found = [
                    self._shown(world, zone, len(cards)) for zone, cards in enumerate(self.zones)
                ]
                for place, so in enumerate([*found, not any(found)]):
                    counts[place] += so
        return [Fraction(count, every) for count in counts]

    def _shown(self, world: Mapping[Slot, Card], zone: int, cards: int) -> bool:
        return self.satisfied([world[zone, n] for n in range(cards)])


def _laid(cards: Sequence[Card], slots: Sequence[tuple[Slot, str | None]]) -> Iterator[Layout]:
    """Yield every way to lay one of the cards into each place."""
    if not slots:
        yield {}
        return
    in_order = sorted(slots, key=lambda pair: pair[1] is None)
    (slot, back), rest = in_order[0], in_order[1:]
    for card in cards:
        if back in (None, card.back):
            for layout in _laid([other for other in cards if other is not card], rest):
                yield {slot: card, **layout}
