"""How many ways there are to lay Hidden cards on the tray, each region's card lying once at most (FS-3, FS-47)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from companion.games.fractured_sky.rules.board import RegionId


@dataclass(frozen=True, slots=True)
class Ways:
    """The layouts in which every card shows one of its regions: how many in all, and `of[card][region]` how many of
    these have that region on that card, for the regions in their order."""

    total: int
    of: tuple[tuple[int, ...], ...]


def count_ways(regions: Sequence[RegionId], cards: Sequence[Collection[RegionId]]) -> Ways:
    """Count the layouts; `cards` has the regions that each card may show.

    Dynamic programming over subsets: regions are dealt with one after the other, and all that counts of those before is
    which cards they lie on. So ten regions and five cards take hundreds of sums instead of 30240 layouts.
    """
    fits = [[place for place, card in enumerate(cards) if region in card] for region in regions]
    left = _filled(fits, len(cards))
    right = _filled(fits[::-1], len(cards))[::-1]
    full = (1 << len(cards)) - 1
    return Ways(left[-1][full], tuple(_on_card(fits, left, right, place) for place in range(len(cards))))


def _filled(fits: Sequence[Sequence[int]], cards: int) -> list[list[int]]:
    """For each number of regions dealt with, and each set of cards: the ways in which these cards, and no others, show
    one of these regions."""
    ways = [1] + [0] * ((1 << cards) - 1)
    rows = [ways]
    for places in fits:
        ways = [
            old + sum(ways[filled ^ 1 << place] for place in places if filled >> place & 1)
            for filled, old in enumerate(ways)
        ]
        rows.append(ways)
    return rows


def _on_card(
    fits: Sequence[Sequence[int]], left: Sequence[Sequence[int]], right: Sequence[Sequence[int]], place: int
) -> tuple[int, ...]:
    """For each region, the ways in which it lies on the card at `place`: the other cards show regions before it, or
    regions behind it."""
    others = (len(left[0]) - 1) ^ (1 << place)
    return tuple(
        sum(ways * right[at + 1][others ^ filled] for filled, ways in enumerate(left[at]) if not filled >> place & 1)
        if place in places
        else 0
        for at, places in enumerate(fits)
    )
