"""Count the layouts of the unseen cards in which some zones do not satisfy the target.

Layouts are counted, not listed: all that matters of a card is its back and what it covers of the target. Three steps:

1. The cards of a note are laid among themselves. A place whose back is visible takes one of the cards with that back;
   in the published deck these are two cards, so a back is a choice between two at most.
2. The remaining cards form a pool for the places without a visible back. Only the number of each type in it counts.
3. The zones fill their places without a visible back from the pool, one zone after the other. For a zone that must not
   satisfy the target, either the fillings that do not satisfy it are counted, or all fillings minus those that do:
   whichever list is shorter.

Between two steps, all layouts with the same effect are merged into one state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, perm

from companion.games.skyfire.rules.deck import Symbols

Kind = tuple[Symbols, str]  # symbols and back
Parts = tuple[int, ...]  # the places of parts in `Unseen.faces`
Cover = tuple[int, ...]  # how many of each needed symbol are there, as far as they are needed
Ways = dict[int, int]  # a state -> the number of ways that lead to it
MOST_STEPS = 3_000_000
"""Counting gives up after this many steps of about a third of a microsecond each."""


class TooManyLayoutsError(Exception):
    """Counting takes more than `MOST_STEPS` steps."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places of unseen cards in a part of a zone: the visible backs, sorted, and the number without one."""

    backs: tuple[str, ...] = ()
    blind: int = 0


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards whose places are unknown: kinds with copies, their places in each part, and visible backs beside the
    zones.

    `unnamed` are cards of the pile that everybody has seen without their backs: each is some card with these
    symbols and lies in none of the places.
    """

    cards: tuple[tuple[Kind, int], ...]
    parts: tuple[Places, ...]
    beside: tuple[str, ...] = ()
    unnamed: tuple[Symbols, ...] = ()


@dataclass(frozen=True, slots=True)
class Unseen:
    """What is known of the cards of a round.

    A zone is made of parts, so that the cards with which it failed can be told from later ones. `faces` are the
    known faces of each part, `zones` the parts of each zone, and `failed` the parts that together did not satisfy
    the target. If `once`, a symbol that the target shows twice is needed only once. The first pile holds the
    cards that can lie anywhere; each other pile holds cards that somebody noted to lie in its places or beside
    the zones.
    """

    target: Symbols
    once: bool
    faces: tuple[tuple[Symbols, ...], ...]
    zones: tuple[Parts, ...]
    piles: tuple[Pile, ...]
    failed: tuple[Parts, ...] = ()


@lru_cache(maxsize=4096)
def _reached(cover: Cover, more: Cover, need: Cover) -> Cover:
    return tuple(min(limit, a + b) for a, b, limit in zip(cover, more, need, strict=True))


@dataclass(frozen=True, slots=True)
class _Card:
    """A card as far as it counts: the cover of its face, its type in the pool, and its back."""

    cover: int
    type: int
    back: str


_Slot = tuple[int, str | None]  # whose place it is, and its back where that is in sight
_ASIDE = -1  # a place in no zone that is asked about
# what each zone covers, what is left over for the pool, and the ways
_Outcome = tuple[tuple[int, ...], int, int]


class Layouts:
    """Counts layouts.

    A state is one integer. Its low fields count the cards in the pool, one field for each type; the top bit of a
    field is a guard that shows when the field went below zero. The fields above hold the cover number of each
    zone in question.
    """

    def __init__(self, unseen: Unseen) -> None:
        """Prepare to count layouts of these cards."""
        self._unseen = unseen
        needed = dict.fromkeys(unseen.target, 1) if unseen.once else Counter(unseen.target)
        self._names, self._need = tuple(needed), tuple(needed.values())
        self._full = self._number(self._need)
        self._cover_bits = self._full.bit_length()
        self._pool, self._noted = unseen.piles[0], unseen.piles[1:]
        covers = sorted({self._cover([symbols]) for (symbols, _), _ in self._pool.cards})
        self._unnamed = sorted(Counter(self._pool.unnamed).items())
        """What was seen without a back has a type of its own, until it is taken from the pool."""
        self._covers = [*covers, *(self._cover([symbols]) for symbols, _ in self._unnamed)]
        self._width = sum(copies for _, copies in self._pool.cards).bit_length() + 1
        self._field = (1 << self._width - 1) - 1
        self._guards = sum(1 << self._width * (place + 1) - 1 for place in range(len(covers)))
        self._shift = self._width * len(self._covers)
        self._sums: dict[tuple[int, int], int] = {}
        self._choices: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.steps = 0
        self._plain = len(covers)

    def count(self, unsatisfied: Iterable[Parts]) -> int:
        """Return the number of layouts in which none of these zones, or parts of one, satisfies the target.

        Raise `TooManyLayoutsError` after `MOST_STEPS` steps.
        """
        self.steps = 0
        asked = [parts for parts in sorted(unsatisfied) if self._can_satisfy(parts)]
        state = 0
        for zone, parts in enumerate(asked):
            begun = self._number(self._cover(self._faces(parts)))
            if begun == self._full:
                return 0
            state |= begun << self._shift + zone * self._cover_bits
        zone_of = {part: zone for zone, parts in enumerate(asked) for part in parts}
        states = {state: 1}
        for pile in self._noted:
            states = self._joined(states, self._of_note(pile, zone_of, len(asked)))
        blind = [sum(self._pool.parts[part].blind for part in parts) for parts in asked]
        for outcomes in self._of_backs(zone_of, len(asked)):
            states = self._joined(states, outcomes)
        return self._filled(self._without_unnamed(states), blind)

    # -- covers

    def _cover(self, faces: Iterable[Symbols]) -> Cover:
        counts = Counter(symbol for face in faces for symbol in face)
        return tuple(
            min(limit, counts[name]) for name, limit in zip(self._names, self._need, strict=True)
        )

    def _number(self, cover: Cover) -> int:
        """Return a cover as a number, one bit for each symbol if each is needed once."""
        number = 0
        for count, limit in zip(cover, self._need, strict=True):
            number = number * (limit + 1) + count
        return number

    def _numbered(self, number: int) -> Cover:
        counts = []
        for limit in reversed(self._need):
            number, count = divmod(number, limit + 1)
            counts.append(count)
        return tuple(reversed(counts))

    def _sum(self, number: int, more: int) -> int:
        known = self._sums.get((number, more))
        if known is None:
            known = self._number(_reached(self._numbered(number), self._numbered(more), self._need))
            self._sums[number, more] = known
        return known

    def _faces(self, parts: Parts) -> Iterator[Symbols]:
        for part in parts:
            yield from self._unseen.faces[part]

    def _can_satisfy(self, parts: Parts) -> bool:
        """Return True if there are enough places for what is missing."""
        places = sum(
            len(pile.parts[part].backs) + pile.parts[part].blind
            for pile in self._unseen.piles
            for part in parts
        )
        kinds = (symbols for pile in self._unseen.piles for (symbols, _), _ in pile.cards)
        most = max((sum(self._cover([symbols])) for symbols in kinds), default=0)
        return sum(self._need) <= sum(self._cover(self._faces(parts))) + places * most

    # -- places whose cards are some of a few

    def _card(self, kind: Kind) -> _Card:
        symbols, back = kind
        cover = self._cover([symbols])
        seen = [
            place
            for place, (unnamed, _) in enumerate(self._unnamed, self._plain)
            if unnamed == symbols
        ]
        type_ = seen[0] if seen else self._covers.index(cover) if cover in self._covers else 0
        return _Card(self._number(cover), type_, back)

    def _cards(self, pile: Pile) -> list[tuple[_Card, int]]:
        """Return the pile's cards, those that count alike merged."""
        alike = Counter[_Card]()
        for kind, copies in pile.cards:
            alike[self._card(kind)] += copies
        return list(alike.items())

    def _of_note(self, pile: Pile, zone_of: dict[int, int], zones: int) -> list[_Outcome]:
        """Return the outcomes of laying noted cards; none of these is in the pool."""
        slots: list[_Slot] = [
            (zone_of.get(part, _ASIDE), back)
            for part, places in enumerate(pile.parts)
            for back in places.backs
        ]
        slots += [
            (zone_of[part], None)
            for part, places in enumerate(pile.parts)
            if part in zone_of
            for _ in range(places.blind)
        ]
        laid = self._laid(self._cards(pile), slots, zones)
        return [(covers, 0, ways * factorial(sum(left))) for (left, covers), ways in laid.items()]

    def _of_backs(self, zone_of: dict[int, int], zones: int) -> Iterator[list[_Outcome]]:
        """Yield, for each back, the outcomes of filling its places and what stays in the pool."""
        by_back: dict[str, list[tuple[_Card, int]]] = {}
        for card, copies in self._cards(self._pool):
            by_back.setdefault(card.back, []).append((card, copies))
        slots: dict[str, list[_Slot]] = {}
        for part, places in enumerate(self._pool.parts):
            for back in places.backs:
                slots.setdefault(back, []).append((zone_of.get(part, _ASIDE), back))
        for back in self._pool.beside:
            slots.setdefault(back, []).append((_ASIDE, back))
        for back, cards in by_back.items():
            laid = self._laid(cards, slots.get(back, []), zones)
            yield [
                (covers, self._in_pool(cards, left), ways) for (left, covers), ways in laid.items()
            ]

    def _in_pool(self, cards: Sequence[tuple[_Card, int]], left: Sequence[int]) -> int:
        return sum(
            copies << card.type * self._width for (card, _), copies in zip(cards, left, strict=True)
        )

    def _laid(
        self, cards: Sequence[tuple[_Card, int]], slots: Sequence[_Slot], zones: int
    ) -> dict[tuple[tuple[int, ...], tuple[int, ...]], int]:
        """Return the number of ways to lay the cards in the slots, by what is left of each card and what each
        zone covers."""
        laid = {(tuple(copies for _, copies in cards), (0,) * zones): 1}
        for zone, back in slots:
            after: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
            self._step(len(laid) * len(cards))
            for (left, covers), ways in laid.items():
                for place, (card, _) in enumerate(cards):
                    if left[place] and back in (None, card.back):
                        rest = (*left[:place], left[place] - 1, *left[place + 1 :])
                        covered = covers
                        if zone != _ASIDE:
                            covered = (
                                *covers[:zone],
                                self._sum(covers[zone], card.cover),
                                *covers[zone + 1 :],
                            )
                        after[rest, covered] = after.get((rest, covered), 0) + ways * left[place]
            laid = after
        return laid

    def _joined(self, states: Ways, outcomes: Sequence[_Outcome]) -> Ways:
        """Return the states after combining each with each outcome."""
        after: Ways = {}
        self._step(len(states) * len(outcomes))
        once = all(limit == 1 for limit in self._need)
        for covers, left, more in outcomes:
            fields = [
                (self._shift + zone * self._cover_bits, cover)
                for zone, cover in enumerate(covers)
                if cover
            ]
            mask = sum(cover << low for low, cover in fields)
            for state, ways in states.items():
                if once:
                    now = (state | mask) + left
                else:
                    now = state + left
                    for low, cover in fields:
                        before = state >> low & (1 << self._cover_bits) - 1
                        now += self._sum(before, cover) - before << low
                after[now] = after.get(now, 0) + ways * more
        return after

    # -- the pool

    def _without_unnamed(self, states: Ways) -> Ways:
        """Return the states after taking the cards seen without a back from the pool."""
        for place, (_, seen) in enumerate(self._unnamed, self._plain):
            low = place * self._width
            plain = self._covers.index(self._covers[place]) * self._width
            after: Ways = {}
            for state, ways in states.items():
                there = state >> low & self._field
                if there >= seen:
                    now = state - (there << low) + (there - seen << plain)
                    after[now] = after.get(now, 0) + ways * perm(there, seen)
            states = after
        return states

    def _filled(self, states: Ways, blind: Sequence[int]) -> int:
        """Return the number of ways to fill the places without a visible back so that no zone satisfies the
        target.

        Taking cards of a type one by one, from p down to r, has p! / r! ways. Each state is multiplied by its p!
        here and divided by its r! in the last line, so what is taken weighs the same in every state between.
        """
        filled: Ways = {}
        for state, ways in states.items():
            for count in self._counts(state):
                ways *= factorial(count)
            filled[state | self._guards] = ways
        guards, mask = self._guards, (1 << self._cover_bits) - 1
        for zone in sorted(range(len(blind)), key=blind.__getitem__):
            low = self._shift + zone * self._cover_bits
            after: Ways = {}
            for state, ways in filled.items():
                cover = state >> low & mask
                state -= cover << low
                choices = self._choices_of(cover, blind[zone])
                self._step(len(choices))
                for taken, orders in choices:
                    rest = state - taken
                    if rest & guards == guards:
                        after[rest] = after.get(rest, 0) + ways * orders
            filled = after
        return sum(ways * self._arrangements(state) for state, ways in filled.items())

    def _counts(self, state: int) -> list[int]:
        """Return how many cards of each type are in the pool."""
        return [state >> place * self._width & self._field for place in range(self._plain)]

    def _arrangements(self, state: int) -> int:
        """Return the number of sequences of types of the cards left."""
        counts = self._counts(state)
        ways = factorial(sum(counts))
        for count in counts:
            ways //= factorial(count)
        return ways

    def _choices_of(self, cover: int, places: int) -> list[tuple[int, int]]:
        """Return what can be taken from the pool for `places` of a zone that then does not satisfy the target.

        Each choice is packed as in a state, with its number of orders of types; a negative number subtracts what
        another choice counts too much.
        """
        choices = self._choices.get((cover, places))
        if choices is None:
            enough: list[tuple[int, int]] = []
            short: list[tuple[int, int]] = []
            for taken, orders, reached in self._taken(places, cover):
                (enough if reached == self._full else short).append((taken, orders))
            choices = short
            if len(enough) + 1 < len(short):
                choices = [(0, 1), *((taken, -orders) for taken, orders in enough)]
            self._choices[cover, places] = choices
        return choices

    def _taken(self, places: int, cover: int) -> list[tuple[int, int, int]]:
        """Return everything that can be taken for so many places: packed, its number of orders, and the cover
        reached."""
        most = [0] * self._plain
        for (symbols, _), copies in self._pool.cards:
            most[self._covers.index(self._cover([symbols]))] += copies
        begun = [(0, factorial(places), cover, 0)]
        for place in range(self._plain):
            longer = []
            more = self._number(self._covers[place])
            room = sum(most[place + 1 :])
            for taken, orders, reached, count in begun:
                now = reached
                for copies in range(min(most[place], places - count) + 1):
                    if places - count - copies <= room:
                        packed = taken + (copies << place * self._width)
                        longer.append((packed, orders // factorial(copies), now, count + copies))
                    now = self._sum(now, more)
            self._step(len(longer))
            begun = longer
        return [(taken, orders, reached) for taken, orders, reached, _ in begun]

    def _step(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise TooManyLayoutsError
