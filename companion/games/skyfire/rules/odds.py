"""Exact probabilities that each zone satisfies the target, and that none does (SF-14, SF-T7).

Every layout of the cards that fits what is known is equally likely; `layouts` counts them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from companion.games.skyfire.rules.layouts import Layouts, Parts, Pile, TooManyLayoutsError, Unseen


class ContradictionError(ValueError):
    """No layout of the cards fits what is known."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Probability that each zone satisfies the target, and that none does; None if counting takes too long."""

    zones: tuple[Fraction | None, ...]
    none: Fraction | None


@lru_cache(maxsize=256)
def chances(unseen: Unseen) -> Chances:
    """Return the exact probabilities; raise `ContradictionError`."""
    for pile in unseen.piles:
        _require_possible(pile)
    layouts = Layouts(unseen)
    failed = frozenset(unseen.failed)
    # The layouts in which all known failures did fail are the whole; shares are taken of these.
    every = _count(layouts, failed)
    if every == 0:
        raise ContradictionError("the cards and answers entered cannot all be right")

    def share(unsatisfied: frozenset[Parts]) -> Fraction | None:
        ways = None if every is None else _count(layouts, unsatisfied)
        return None if every is None or ways is None else Fraction(ways, every)

    zones = (share(_replaced(failed, zone)) for zone in unseen.zones)
    return Chances(
        tuple(None if unsatisfied is None else 1 - unsatisfied for unsatisfied in zones),
        share(frozenset(unseen.zones)),
    )


def _count(layouts: Layouts, unsatisfied: frozenset[Parts]) -> int | None:
    try:
        # Some questions about the same cards are cheap and others are not, so each may give up alone.
        return layouts.count(unsatisfied)
    except TooManyLayoutsError:
        return None


def _replaced(failed: frozenset[Parts], zone: Parts) -> frozenset[Parts]:
    """Return the parts that fail if `zone` fails too; parts inside it need not be asked about."""
    return frozenset({parts for parts in failed if not set(parts) <= set(zone)} | {zone})


def _require_possible(pile: Pile) -> None:
    in_sight, there = Counter(pile.beside), Counter[str]()
    blind = len(pile.unnamed)
    for places in pile.parts:
        in_sight.update(places.backs)
        blind += places.blind
    for (_, back), copies in pile.cards:
        there[back] += copies
    for back, seen in sorted(in_sight.items()):
        if seen > there[back]:
            there_are = f"{seen} cards with the back {back!r} in sight, and {there[back]} can be"
            raise ContradictionError(f"the backs entered do not fit the cards: {there_are} (SF-6)")
    if blind > there.total() - in_sight.total():
        raise ContradictionError("more cards lie there than there are")
