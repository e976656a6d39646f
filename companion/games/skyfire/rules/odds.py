"""The exact probability that a zone satisfies the target, and that none does: what somebody decides on who has no cards
left (SF-12). All arrangements of the unseen cards are equally likely.

Unseen cards come in piles: what a seat noted to be somewhere, and all others. Within a pile a card lies in a zone or
beside, and where its back is in sight, it is one of the cards with that back. What counts of a card is which needed
symbols it shows and, where backs are in sight, its back; so ways are counted over these kinds, not over cards. For one
zone the piles are independent. For all of them the zones share the cards, so they are filled one after the other, each
from what the ones before left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, perm

from companion.games.skyfire.rules.deck import Symbols

Kind = tuple[Symbols, str]  # symbols and back
Cover = tuple[int, ...]  # how many of each needed symbol are there, as far as they are needed
_Ways = dict[tuple[int, Cover], int]
_OTHER = ""  # stands for all backs that are nowhere in sight


class ContradictionError(ValueError):
    """The backs in sight are not those of the cards there are."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places of unseen cards in a zone or beside the zones: the backs in sight, sorted, and how many show none."""

    backs: tuple[str, ...] = ()
    blind: int = 0


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of which it is not known where each lies: their kinds with copies, their places in each zone, and the backs
    in sight beside the zones."""

    cards: tuple[tuple[Kind, int], ...]
    zones: tuple[Places, ...]
    beside: tuple[str, ...] = ()


def probability(target: Symbols, faces: Sequence[Symbols], piles: Sequence[Pile], zone: int, *, once: bool) -> Fraction:
    """Return the probability that the known `faces` and the unseen cards of the zone, counted from 0, show every symbol
    of the target, as often as it does, or `once`. Raise `ContradictionError`."""
    names, need = _needed(target, once=once)
    spread: dict[Cover, Fraction] = {_cover(faces, names, need): Fraction(1)}
    for pile in piles:
        spread = _combine(spread, _spread(pile, zone, names, need), need)
    return spread.get(need, Fraction(0))


def _needed(target: Symbols, *, once: bool) -> tuple[tuple[str, ...], Cover]:
    """The symbols of the target, and how many of each are needed."""
    needed = dict.fromkeys(target, 1) if once else Counter(target)
    return tuple(needed), tuple(needed.values())


def _cover(faces: Iterable[Symbols], names: Sequence[str], need: Cover) -> Cover:
    """How many of each needed symbol the faces show together, as far as they are needed."""
    shown = Counter(symbol for face in faces for symbol in face)
    return tuple(min(limit, shown[name]) for name, limit in zip(names, need, strict=True))


def _add(cover: Cover, more: Cover, need: Cover) -> Cover:
    return tuple(min(limit, a + b) for a, b, limit in zip(cover, more, need, strict=True))


def _combine(left: Mapping[Cover, Fraction], right: Mapping[Cover, Fraction], need: Cover) -> dict[Cover, Fraction]:
    both: dict[Cover, Fraction] = {}
    for a, p in left.items():
        for b, q in right.items():
            sum_ = _add(a, b, need)
            both[sum_] = both.get(sum_, Fraction(0)) + p * q
    return both


def _spread(pile: Pile, zone: int, names: Sequence[str], need: Cover) -> dict[Cover, Fraction]:
    """How likely each cover is that the cards of one pile give in the zone.

    Of each back, those in sight are a random part of the cards with it, and the blind ones are drawn at random from all
    cards not in sight; given how many of each back lie in the zone, they are a random part of the cards with that back.
    """
    in_zone, blind = Counter(pile.zones[zone].backs), pile.zones[zone].blind
    outside = Counter(pile.beside)
    for number, places in enumerate(pile.zones):
        outside.update(places.backs if number != zone else ())
    total: _Ways = {(0, tuple(0 for _ in need)): 1}
    unseen, scale = 0, 1
    for back in sorted({back for (_, back), _ in pile.cards} | in_zone.keys() | outside.keys()):
        cards: Counter[Cover] = Counter()
        for (symbols, own), copies in pile.cards:
            if own == back:
                cards[_cover([symbols], names, need)] += copies
        here, elsewhere = in_zone[back], outside[back]
        count = sum(cards.values())
        free = count - here - elsewhere
        if free < 0:
            raise ContradictionError(f"{here + elsewhere} cards with the back {back!r} in sight, and {count} can be")
        most = here + min(blind, free)
        common = lcm(*(comb(count, k) for k in range(here, most + 1)))
        weights = {k: comb(free, k - here) * (common // comb(count, k)) for k in range(here, most + 1)}
        total = _with_back(total, _ways(cards, most, need), weights, here, blind, need)
        unseen, scale = unseen + free, scale * common
    if unseen < blind:
        raise ContradictionError("more cards lie there than can be")
    whole = scale * comb(unseen, blind)
    return {cover: Fraction(ways, whole) for (used, cover), ways in total.items() if used == blind}


def _ways(cards: Mapping[Cover, int], most: int, need: Cover) -> _Ways:
    """In how many ways so many cards, `most` at most, give each cover."""
    ways: _Ways = {(0, tuple(0 for _ in need)): 1}
    for cover, copies in cards.items():
        after: _Ways = {}
        for (taken, so_far), count in ways.items():
            reached = so_far
            for more in range(min(copies, most - taken) + 1):
                key = (taken + more, reached)
                after[key] = after.get(key, 0) + count * comb(copies, more)
                reached = _add(reached, cover, need)
        ways = after
    return ways


def _with_back(total: _Ways, ways: _Ways, weights: Mapping[int, int], here: int, blind: int, need: Cover) -> _Ways:
    """The ways so far with those of one more back; the first number of a key is how many blind cards are used up."""
    after: _Ways = {}
    for (used, cover), count in total.items():
        for (taken, more), each in ways.items():
            if taken in weights and used + taken - here <= blind:
                key = (used + taken - here, _add(cover, more, need))
                after[key] = after.get(key, 0) + count * each * weights[taken]
    return after


# -- no zone at all


@dataclass(frozen=True, slots=True)
class _Sort:
    """Cards of one pile that count alike: what they cover, the back as far as it matters, and how many there are."""

    pile: int
    cover: Cover
    back: str
    copies: int


_reached = lru_cache(maxsize=4096)(_add)
_Left = tuple[int, ...]  # how many cards of each sort lie in none of the zones so far


@lru_cache(maxsize=64)
def none_satisfies(
    target: Symbols, faces: tuple[tuple[Symbols, ...], ...], piles: tuple[Pile, ...], *, once: bool
) -> Fraction:
    """Return the probability that no zone shows every symbol of the target, as often as it does, or `once`. `faces` are
    those known in each zone. Raise `ContradictionError`."""
    names, need = _needed(target, once=once)
    begin = [_cover(zone, names, need) for zone in faces]
    every = _arrangements(_sorts(piles, (), ()), piles, [None] * len(faces), ())
    if not every:
        raise ContradictionError("more cards lie there than can be")
    return Fraction(_arrangements(_sorts(piles, names, need), piles, begin, need), every)


def _sorts(piles: Sequence[Pile], names: Sequence[str], need: Cover) -> tuple[_Sort, ...]:
    sorts: Counter[tuple[int, Cover, str]] = Counter()
    for number, pile in enumerate(piles):
        seen = {back for places in pile.zones for back in places.backs} | set(pile.beside)
        for (symbols, back), copies in pile.cards:
            sorts[number, _cover([symbols], names, need), back if back in seen else _OTHER] += copies
    return tuple(_Sort(*key, copies) for key, copies in sorts.items())


def _arrangements(sorts: Sequence[_Sort], piles: Sequence[Pile], begin: Sequence[Cover | None], need: Cover) -> int:
    """In how many ways the cards can lie so that no zone, begun with what it shows, covers the need; with None for a
    zone, in how many at all. Orders of the places without a back in sight are not told apart."""
    ways: dict[_Left, int] = {tuple(sort.copies for sort in sorts): 1}
    for number, shown in enumerate(begin):
        places = [pile.zones[number] for pile in piles]
        after: dict[_Left, int] = {}
        for left, count in ways.items():
            for rest, each in _filled(sorts, left, places, shown, need):
                after[rest] = after.get(rest, 0) + count * each
        ways = after
    beside = [Places(pile.beside) for pile in piles]
    return sum(count * _orders(sorts, left, beside) for left, count in ways.items())


def _filled(
    sorts: Sequence[_Sort], left: _Left, places: Sequence[Places], shown: Cover | None, need: Cover
) -> Iterator[tuple[_Left, int]]:
    """Every way to fill one zone that leaves it without what it needs: the cards left then, and in how many ways."""
    sizes = tuple(len(each.backs) + each.blind for each in places)
    partial: list[tuple[_Left, tuple[int, ...], Cover, int]] = [((), sizes, shown or (), 1)]
    coming = [sum(n for sort, n in zip(sorts, left, strict=True) if sort.pile == pile) for pile in range(len(places))]
    for sort, copies in zip(sorts, left, strict=True):
        pile = sort.pile
        coming[pile] -= copies
        longer = []
        for taken, room, cover, count in partial:
            least, most = max(0, room[pile] - coming[pile]), min(copies, room[pile])
            for more in range(most + 1):
                if more >= least:
                    rest = (*room[:pile], room[pile] - more, *room[pile + 1 :]) if more else room
                    longer.append(((*taken, copies - more), rest, cover, count * comb(copies, more)))
                cover = _reached(cover, sort.cover, need) if shown is not None else cover
        partial = longer
    plain = not any(each.backs for each in places)
    for rest_left, _, cover, count in partial:
        if shown is None or cover != need:
            taken = tuple(a - b for a, b in zip(left, rest_left, strict=True)) if not plain else ()
            if orders := 1 if plain else _orders(sorts, taken, places):
                yield rest_left, count * orders


def _orders(sorts: Sequence[_Sort], cards: _Left, places: Sequence[Places]) -> int:
    """In how many orders these cards can lie on the places whose backs are in sight."""
    orders = 1
    for number, each in enumerate(places):
        backs: Mapping[str, int] = Counter(each.backs)
        for back, wanted in backs.items():
            there = sum(n for sort, n in zip(sorts, cards, strict=True) if (sort.pile, sort.back) == (number, back))
            orders *= perm(there, wanted)
    return orders
