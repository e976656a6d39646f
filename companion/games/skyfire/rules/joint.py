"""The exact probability that no zone at all satisfies the target, all arrangements of the unseen cards being equally
likely: what somebody decides on who has no cards left (SF-12).

The zones share the cards, so they are filled one after the other, each from what the ones before left over. What counts
of a card is which needed symbols it shows and, where backs are in sight, its back; ways are counted over these kinds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, perm

from companion.games.skyfire.rules.deck import Symbols
from companion.games.skyfire.rules.odds import ContradictionError, Cover, Kind, add, cover_of

_OTHER = ""  # stands for all backs that are nowhere in sight


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


@dataclass(frozen=True, slots=True)
class _Sort:
    """Cards of one pile that count alike: what they cover, the back as far as it matters, and how many there are."""

    pile: int
    cover: Cover
    back: str
    copies: int


_reached = lru_cache(maxsize=4096)(add)
_Left = tuple[int, ...]  # how many cards of each sort lie in none of the zones so far


@lru_cache(maxsize=64)
def none_satisfies(
    target: Symbols, faces: tuple[tuple[Symbols, ...], ...], piles: tuple[Pile, ...], *, once: bool
) -> Fraction:
    """Return the probability that no zone shows every symbol of the target, as often as it does, or `once`. `faces` are
    those known in each zone. Raise `ContradictionError`."""
    needed = dict.fromkeys(target, 1) if once else Counter(target)
    names, need = tuple(needed), tuple(needed.values())
    begin = [_cover(zone, names, need) for zone in faces]
    every = _arrangements(_sorts(piles, (), ()), piles, [None] * len(faces), ())
    if not every:
        raise ContradictionError("more cards lie there than can be")
    return Fraction(_arrangements(_sorts(piles, names, need), piles, begin, need), every)


def _cover(faces: Sequence[Symbols], names: Sequence[str], need: Cover) -> Cover:
    cover = tuple(0 for _ in need)
    for face in faces:
        cover = add(cover, cover_of(face, names), need)
    return cover


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
