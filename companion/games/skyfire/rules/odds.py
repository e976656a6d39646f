"""The exact probability that a zone satisfies the target, and that none does: what somebody decides on who has no cards
left (SF-12). All arrangements of the unseen cards are equally likely.

Unseen cards come in piles: what a seat noted to be somewhere, and all others. Within a pile a card lies in a zone or
beside, and where its back is in sight, it is one of the cards with that back. What counts of a card is which needed
symbols it shows and, where backs are in sight, its back; so ways are counted over these kinds, not over cards. The
zones share the cards, so they are filled one after the other, each from what the ones before left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from math import comb, perm

from companion.games.skyfire.rules.deck import Symbols

Kind = tuple[Symbols, str]  # symbols and back
Cover = tuple[int, ...]  # how many of each needed symbol are there, as far as they are needed
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
    alone = []  # where the cards of other zones lie does not matter, only which backs are in sight there
    for pile in piles:
        elsewhere = (back for number, places in enumerate(pile.zones) if number != zone for back in places.backs)
        alone.append(Pile(pile.cards, (pile.zones[zone],), tuple(sorted((*pile.beside, *elsewhere)))))
    return 1 - none_satisfies(target, (tuple(faces),), tuple(alone), once=once)


def _cover(faces: Iterable[Symbols], names: Sequence[str], need: Cover) -> Cover:
    """How many of each needed symbol the faces show together, as far as they are needed."""
    shown = Counter(symbol for face in faces for symbol in face)
    return tuple(min(limit, shown[name]) for name, limit in zip(names, need, strict=True))


@lru_cache(maxsize=4096)
def _reached(cover: Cover, more: Cover, need: Cover) -> Cover:
    return tuple(min(limit, a + b) for a, b, limit in zip(cover, more, need, strict=True))


@dataclass(frozen=True, slots=True)
class _Sort:
    """Cards of one pile that count alike: the back as far as it matters, what they cover, and how many there are."""

    pile: int
    back: str
    cover: Cover
    copies: int


_Left = tuple[int, ...]  # how many cards of each sort lie in none of the zones so far
_Filling = tuple[_Left, tuple[int, ...], Cover]  # and how many are still wanted of each pile, and what is covered


@lru_cache(maxsize=64)
def none_satisfies(
    target: Symbols, faces: tuple[tuple[Symbols, ...], ...], piles: tuple[Pile, ...], *, once: bool
) -> Fraction:
    """Return the probability that no zone shows every symbol of the target, as often as it does, or `once`. `faces` are
    those known in each zone. Raise `ContradictionError`."""
    _require_possible(piles)
    needed = dict.fromkeys(target, 1) if once else Counter(target)
    names, need = tuple(needed), tuple(needed.values())
    begin = [_cover(zone, names, need) for zone in faces]
    every = _arrangements(_sorts(piles, (), ()), piles, [None] * len(faces), ())
    return Fraction(_arrangements(_sorts(piles, names, need), piles, begin, need), every)


def _require_possible(piles: Iterable[Pile]) -> None:
    for pile in piles:
        in_sight = Counter((*pile.beside, *chain.from_iterable(places.backs for places in pile.zones)))
        there: Counter[str] = Counter()
        for (_, back), copies in pile.cards:
            there[back] += copies
        for back, seen in sorted(in_sight.items()):
            if seen > there[back]:
                raise ContradictionError(f"{seen} cards with the back {back!r} in sight, and {there[back]} can be")
        if sum(places.blind for places in pile.zones) > there.total() - in_sight.total():
            raise ContradictionError("more cards lie there than can be")


def _sorts(piles: Sequence[Pile], names: Sequence[str], need: Cover) -> tuple[_Sort, ...]:
    sorts: Counter[tuple[int, str, Cover]] = Counter()
    for number, pile in enumerate(piles):
        seen = {back for places in pile.zones for back in places.backs} | set(pile.beside)
        for (symbols, back), copies in pile.cards:
            sorts[number, back if back in seen else _OTHER, _cover([symbols], names, need)] += copies
    return tuple(_Sort(*key, copies) for key, copies in sorted(sorts.items()))


def _arrangements(sorts: Sequence[_Sort], piles: Sequence[Pile], begin: Sequence[Cover | None], need: Cover) -> int:
    """In how many ways the cards can lie so that no zone, begun with what it shows, covers the need; with None for a
    zone, in how many at all. Orders of the places without a back in sight are not told apart."""
    ways: dict[_Left, int] = {tuple(sort.copies for sort in sorts): 1}
    for number, shown in enumerate(begin):
        places = [pile.zones[number] for pile in piles]
        beside = [pile.beside for pile in piles] if number == len(begin) - 1 else None
        after: dict[_Left, int] = {}
        for left, count in ways.items():
            for rest, each in _filled(sorts, left, places, beside, shown, need):
                after[rest] = after.get(rest, 0) + count * each
        ways = after
    return sum(ways.values())


def _filled(
    sorts: Sequence[_Sort],
    left: _Left,
    places: Sequence[Places],
    beside: Sequence[Sequence[str]] | None,
    shown: Cover | None,
    need: Cover,
) -> Iterator[tuple[_Left, int]]:
    """Every way to fill one zone that leaves it without what it needs: the cards left then, and in how many ways. With
    `beside`, it is the last one: these backs are in sight among what is left, and nobody asks for more of that."""
    ways: dict[_Filling, int] = {((), tuple(len(each.backs) + each.blind for each in places), shown or ()): 1}
    coming = [sum(n for sort, n in zip(sorts, left, strict=True) if sort.pile == pile) for pile in range(len(places))]
    for (pile, back), alike in groupby(zip(sorts, left, strict=True), key=lambda pair: (pair[0].pile, pair[0].back)):
        chosen, there = {(filling, 0): count for filling, count in ways.items()}, 0
        for sort, copies in alike:
            coming[pile], there = coming[pile] - copies, there + copies
            longer: dict[tuple[_Filling, int], int] = {}
            for ((rest, room, cover), taken), count in chosen.items():
                for more in range(min(copies, room[pile]) + 1):
                    if more >= room[pile] - coming[pile]:
                        fuller = (*room[:pile], room[pile] - more, *room[pile + 1 :])
                        key = ((*rest, copies - more) if beside is None else (), fuller, cover), taken + more
                        longer[key] = longer.get(key, 0) + count * comb(copies, more)
                    cover = _reached(cover, sort.cover, need) if shown is not None else cover
            chosen = longer
        here, aside = places[pile].backs.count(back), 0 if beside is None else beside[pile].count(back)
        ways = {}
        for (filling, taken), count in chosen.items():
            ways[filling] = ways.get(filling, 0) + count * perm(taken, here) * perm(there - taken, aside)
    yield from ((rest, count) for (rest, _, cover), count in ways.items() if count and (shown is None or cover != need))
