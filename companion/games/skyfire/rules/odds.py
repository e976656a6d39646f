"""The exact probability that a zone satisfies the target, all arrangements of the unseen cards being equally likely.

Unseen cards come from sources: what a seat noted to be somewhere, and all others. Within a source a card lies in the
zone or elsewhere, and where its back is in sight, it is one of the cards with that back. What counts of a card is which
needed symbols it shows; so ways are counted over these, not over cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from companion.games.skyfire.rules.deck import Symbols

Kind = tuple[Symbols, str]  # symbols and back
Cover = tuple[int, ...]  # how many of each needed symbol are there, as far as they are needed
_Ways = dict[tuple[int, Cover], int]


class ContradictionError(ValueError):
    """The backs in sight are not those of the cards there are."""


@dataclass(frozen=True, slots=True)
class Source:
    """Cards of which some lie in the zone: `here` counts those by the back in sight, `blind` those whose back nobody
    entered; `elsewhere` counts backs in sight of this source's cards outside the zone."""

    cards: Mapping[Kind, int]
    here: Mapping[str, int]
    blind: int
    elsewhere: Mapping[str, int]


def probability(target: Symbols, faces: Sequence[Symbols], sources: Sequence[Source], *, once: bool) -> Fraction:
    """Return the probability that the known `faces` and the unseen cards of the zone show every symbol of the target,
    as often as it does, or `once`. Raise `ContradictionError`."""
    needed = dict.fromkeys(target, 1) if once else Counter(target)
    names, need = tuple(needed), tuple(needed.values())
    begin = tuple(0 for _ in need)
    for face in faces:
        begin = add(begin, cover_of(face, names), need)
    spread: dict[Cover, Fraction] = {begin: Fraction(1)}
    for source in sources:
        spread = _combine(spread, _spread(source, names, need), need)
    return spread.get(need, Fraction(0))


def cover_of(symbols: Symbols, names: Sequence[str]) -> Cover:
    """Return how often each of the needed symbols is among these."""
    return tuple(symbols.count(name) for name in names)


def add(cover: Cover, more: Cover, need: Cover) -> Cover:
    """Return both together, as far as they are needed."""
    return tuple(min(limit, a + b) for a, b, limit in zip(cover, more, need, strict=True))


def _combine(left: Mapping[Cover, Fraction], right: Mapping[Cover, Fraction], need: Cover) -> dict[Cover, Fraction]:
    both: dict[Cover, Fraction] = {}
    for a, p in left.items():
        for b, q in right.items():
            sum_ = add(a, b, need)
            both[sum_] = both.get(sum_, Fraction(0)) + p * q
    return both


def _spread(source: Source, names: Sequence[str], need: Cover) -> dict[Cover, Fraction]:
    """How likely each cover is that the cards of one source give in the zone.

    Of each back, those in sight are a random part of the cards with it, and the blind ones are drawn at random from all
    cards not in sight; given how many of each back lie in the zone, they are a random part of the cards with that back.
    """
    total: _Ways = {(0, tuple(0 for _ in need)): 1}
    unseen, scale = 0, 1
    for back, cards in _by_back(source, names):
        here, elsewhere = source.here.get(back, 0), source.elsewhere.get(back, 0)
        count = sum(cards.values())
        free = count - here - elsewhere
        if free < 0:
            raise ContradictionError(f"{here + elsewhere} cards with the back {back!r} in sight, and {count} can be")
        most = here + min(source.blind, free)
        common = lcm(*(comb(count, k) for k in range(here, most + 1)))
        weights = {k: comb(free, k - here) * (common // comb(count, k)) for k in range(here, most + 1)}
        total = _with_back(total, _ways(cards, most, need), weights, here, source.blind, need)
        unseen, scale = unseen + free, scale * common
    if unseen < source.blind:
        raise ContradictionError("more cards lie there than can be")
    whole = scale * comb(unseen, source.blind)
    return {cover: Fraction(ways, whole) for (blind, cover), ways in total.items() if blind == source.blind}


def _by_back(source: Source, names: Sequence[str]) -> Iterator[tuple[str, Counter[Cover]]]:
    """For each back, how many cards show which of the needed symbols."""
    backs = {back for _, back in source.cards} | source.here.keys() | source.elsewhere.keys()
    for back in sorted(backs):
        cards: Counter[Cover] = Counter()
        for (symbols, own), copies in source.cards.items():
            if own == back:
                cards[cover_of(symbols, names)] += copies
        yield back, cards


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
                reached = add(reached, cover, need)
        ways = after
    return ways


def _with_back(total: _Ways, ways: _Ways, weights: Mapping[int, int], here: int, blind: int, need: Cover) -> _Ways:
    """The ways so far with those of one more back; the first number of a key is how many blind cards are used up."""
    after: _Ways = {}
    for (used, cover), count in total.items():
        for (taken, more), each in ways.items():
            if taken in weights and used + taken - here <= blind:
                key = (used + taken - here, add(cover, more, need))
                after[key] = after.get(key, 0) + count * each * weights[taken]
    return after
