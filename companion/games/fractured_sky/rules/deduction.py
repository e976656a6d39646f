"""What a seat can deduce of the Hidden cards: exact chances over all layouts that fit what it knows (FS-47).

All layouts weigh the same: nothing is made of why somebody played as they did.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.fractured_sky.rules.ai import Reason
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.facts import Saw
from companion.games.fractured_sky.rules.public import PlayerId, PublicMark, PublicTable
from companion.rules.columns import listed, plural
from companion.rules.game import SeatId


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


Named = Callable[[PlayerId], str]


@dataclass(frozen=True, slots=True)
class Chance:
    """A region: the Starfalls that show there now, the chance of a Hidden one this round (1 once it shows), and the
    chances of none, one or two Starfalls this round, the Public one included."""

    region: RegionId
    showing: int
    hidden: Fraction
    this_round: tuple[Fraction, Fraction, Fraction]


def percent(chance: Fraction) -> str:
    """Return a chance as a whole percentage; `<1%` and `>99%` are neither nothing nor certain, and a dot is nothing."""
    if not chance:
        return "."
    if chance == 1:
        return "100%"
    said = round(chance * 100)
    return "<1%" if said < 1 else ">99%" if said > 99 else f"{said}%"


@dataclass(frozen=True, slots=True)
class CardChance:
    """A Hidden card on the tray: the regions it may show, the likeliest first."""

    card: int
    regions: tuple[tuple[RegionId, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Deduction:
    """What follows for one seat. `layouts` is how many fit; with none, what was noted or marked is wrong, and there are
    no chances. `reasons` say in sentences what was known."""

    layouts: int
    regions: tuple[Chance, ...]
    cards: tuple[CardChance, ...]
    reasons: tuple[Reason, ...]


def deduce(
    table: PublicTable, seat: SeatId, sights: Sequence[Saw], looked: Sequence[tuple[str, int]], named: Named
) -> Deduction:
    """Return what `seat` can deduce from what lies open and its own `sights`; `looked` are the cards it looked at
    (`explore` or `hidden`, number), noted or not."""
    knowledge = _Knowledge(table, seat, tuple(sights), tuple(looked), named)
    cards = [knowledge.candidates(card) for card in range(1, len(table.hidden) + 1)]
    ways = count_ways(table.board.ids, cards)
    reasons = tuple(knowledge.reasons(ways))
    if not ways.total:
        return Deduction(0, (), (), reasons)
    chances = tuple(_card(table, ways, card) for card in range(1, len(cards) + 1))
    return Deduction(ways.total, tuple(_regions(table, ways)), chances, reasons)


def _regions(table: PublicTable, ways: Ways) -> Iterator[Chance]:
    for place, region in enumerate(table.board.ids):
        hidden = Fraction(sum(card[place] for card in ways.of), ways.total)
        none = Fraction(0)
        spread = (none, 1 - hidden, hidden) if region == table.public else (1 - hidden, hidden, none)
        yield Chance(region, table.starfalls.get(region, 0), hidden, spread)


def _card(table: PublicTable, ways: Ways, card: int) -> CardChance:
    found = [(region, Fraction(count, ways.total)) for region, count in _possible(table, ways, card)]
    return CardChance(card, tuple(sorted(found, key=lambda pair: -pair[1])))


def _possible(table: PublicTable, ways: Ways, card: int) -> Iterator[tuple[RegionId, int]]:
    for region, count in zip(table.board.ids, ways.of[card - 1], strict=True):
        if count:
            yield region, count


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What one seat knows of the Hidden cards."""

    table: PublicTable
    seat: SeatId
    sights: tuple[Saw, ...]
    looked: tuple[tuple[str, int], ...]
    named: Named

    def seen(self, where: str, number: int) -> RegionId | None:
        return next((one.region for one in self.sights if (one.where, one.number) == (where, number)), None)

    def taken(self, card: int) -> tuple[PublicMark, ...]:
        return tuple(mark for mark in self.table.marks if mark.card == card and mark.resource is not None)

    def resources(self, region: RegionId) -> tuple[str, ...]:
        """In small letters; empty where nobody knows them (FS-U2)."""
        return tuple(each.casefold() for each in self.table.board.by_id[region].resources)

    def candidates(self, card: int) -> frozenset[RegionId]:
        """The regions that a card may show by itself: what lies open is what it is, markers or not."""
        drawn = {one.region for one in self.sights if one.where == "explore"}
        shown = self.table.hidden[card - 1]
        if shown is not None:
            return frozenset({shown}) - drawn
        seen = self.seen("hidden", card)
        wanted = {mark.resource for mark in self.taken(card)}
        return frozenset(
            region
            for region in (self.table.board.ids if seen is None else (seen,))
            if region not in drawn and (not self.resources(region) or wanted <= set(self.resources(region)))
        )

    # -- in sentences

    def reasons(self, ways: Ways) -> Iterator[Reason]:
        for card in range(1, len(self.table.hidden) + 1):
            yield from self._of_a_card(card, ways)
        for where, number in self.looked:
            if where == "explore":
                yield self._of_a_draw(number)
        yield from self._of_unknown_resources()
        if not ways.total:
            yield Reason("FS-47", "no layout fits all of that: a note or a marker is wrong")
            return
        many = plural(ways.total, "layout fits", "layouts fit, each weighed alike")
        yield Reason("FS-47", many)

    def _of_a_card(self, card: int, ways: Ways) -> Iterator[Reason]:
        shown, seen, name = self.table.hidden[card - 1], self.seen("hidden", card), self.table.board.name
        if shown is not None:
            yield Reason("FS-20", f"Hidden card {card} lies face up: {name(shown)}")
            return
        if seen is not None:
            yield Reason("FS-16", f"{self.named(self.seat)} saw Hidden card {card}: {name(seen)}")
        elif ("hidden", card) in self.looked:
            yield Reason("FS-18", f"{self.named(self.seat)} has not said what Hidden card {card} shows")
        taken = [f"{self.named(mark.player)} took {str(mark.resource).capitalize()}" for mark in self.taken(card)]
        possible = [name(region) for region, _ in _possible(self.table, ways, card)] if ways.total else []
        if taken:
            so = f"so it is {_one_of(possible)}" if possible else "which fits no region any more"
            yield Reason("FS-16", f"{listed(taken)} from card {card}, {so}")
        elif seen is None and possible:
            yield Reason("FS-47", f"nobody took anything that tells of card {card}: it is {_one_of(possible)}")

    def _of_a_draw(self, number: int) -> Reason:
        seen, who = self.seen("explore", number), self.named(self.seat)
        if seen is None:
            return Reason("FS-18", f"{who} has not said what Explore draw {number} shows")
        where = self.table.board.name(seen)
        return Reason("FS-8", f"{who} drew {where} (Explore draw {number}): no Hidden Starfall there this round")

    def _of_unknown_resources(self) -> Iterator[Reason]:
        unknown = [self.table.board.name(region) for region in self.table.board.ids if not self.resources(region)]
        if unknown and any(mark.resource is not None for mark in self.table.marks):
            few = f"{listed(unknown)} may have any" if len(unknown) <= _FEW else f"{len(unknown)} regions may have any"
            yield Reason("FS-U2", f"resources that nobody entered are taken as possible: {few}")


_FEW = 3  # as many names as a sentence bears


def _one_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"
