"""A seat's deductions about the Hidden cards: exact chances over all layouts that fit what it knows (FS-47).

All layouts weigh the same; the way somebody played is no evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.fractured_sky.rules.ai import Reason
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.facts import Saw
from companion.games.fractured_sky.rules.public import PlayerId, PublicMark, PublicTable
from companion.rules.columns import listed, plural
from companion.rules.facts import SeatId


def count_ways(
    regions: Sequence[RegionId], cards: Sequence[Collection[RegionId]]
) -> list[dict[RegionId, int]]:
    """Return for each card a map from region to the number of layouts in which the card shows that region.

    `cards` has the regions that each card may show; no two cards show the same region. The counts
    of any one card add up to the number of layouts.

    Dynamic programming over subsets: regions are placed one after another, and of the earlier ones
    only the set of cards they lie on matters. Ten regions and five cards take hundreds of additions
    instead of visiting 30240 layouts.
    """
    # the indexes of the cards that may show each region
    fits = []
    for region in regions:
        fits.append([place for place, card in enumerate(cards) if region in card])
    left = _ways_to_fill(fits, len(cards))
    right = _ways_to_fill(fits[::-1], len(cards))[::-1]
    counts: list[dict[RegionId, int]] = [{} for _ in cards]
    for at, region in enumerate(regions):
        for place in fits[at]:
            ways = _ways_on_card(left[at], right[at + 1], place)
            if ways:
                counts[place][region] = ways
    return counts


def _ways_to_fill(fits: Sequence[Sequence[int]], cards: int) -> list[list[int]]:
    """Return, for each number of regions placed and each set of cards as a bit mask, the number of
    ways to fill that set.

    All cards of the set, and no others, show one of the regions placed so far.
    """
    ways = [1] + [0] * ((1 << cards) - 1)  # without a region, the empty set alone
    rows = [ways]
    for places in fits:
        # the region lies on no card of the tray, or on one card of the set
        grown = list(ways)
        for filled in range(1 << cards):
            for place in places:
                if filled >> place & 1:
                    grown[filled] += ways[filled ^ 1 << place]
        ways = grown
        rows.append(ways)
    return rows


def _ways_on_card(before: Sequence[int], after: Sequence[int], place: int) -> int:
    """Return the number of ways in which a region lies on card `place`; the other cards show
    regions `before` or `after` it."""
    others = (len(before) - 1) ^ (1 << place)  # all cards but this one
    total = 0
    for filled, ways in enumerate(before):
        if not filled >> place & 1:
            total += ways * after[others ^ filled]
    return total


def percent(chance: Fraction) -> str:
    """Return a chance as a whole percentage; `<1%` and `>99%` are not 0 or certain."""
    if not chance:
        return "0%"
    if chance == 1:
        return "100%"
    rounded = round(chance * 100)
    if rounded < 1:
        return "<1%"
    return ">99%" if rounded > 99 else f"{rounded}%"


@dataclass(frozen=True, slots=True)
class Deduction:
    """What one seat can deduce.

    `layouts` counts those that fit; if there are none, a note or a marker is wrong and there are no
    chances. `hidden` has the chance of a Hidden Starfall in each region this round, 1 once it
    shows. `cards` has the chances of each card on the tray, its likeliest region first. `reasons`
    are sentences about what was known.
    """

    layouts: int
    hidden: Mapping[RegionId, Fraction]
    cards: tuple[Mapping[RegionId, Fraction], ...]
    reasons: tuple[Reason, ...]


def deduce(
    table: PublicTable,
    seat: SeatId,
    sights: Sequence[Saw],
    looked: Sequence[tuple[str, int]],
    named: Callable[[PlayerId], str],
) -> Deduction:
    """Return what `seat` can deduce from what lies open and from its own `sights`.

    `looked` are the cards it looked at, (`explore` or `hidden`, number), whether it noted them or
    not.
    """
    knowledge = _Knowledge(table, seat, tuple(sights), tuple(looked), named)
    cards = [knowledge.candidates(card) for card in range(1, len(table.hidden) + 1)]
    ways = count_ways(table.board.ids, cards)
    layouts = sum(ways[0].values())  # any card's counts add up to all layouts
    reasons = tuple(knowledge.reasons(ways, layouts))
    if not layouts:
        return Deduction(0, {}, (), reasons)
    hidden = {}
    for region in table.board.ids:
        shown_in = sum(card.get(region, 0) for card in ways)
        hidden[region] = Fraction(shown_in, layouts)
    chances = []
    for card in ways:
        likeliest_first = sorted(card.items(), key=lambda pair: -pair[1])
        chances.append({region: Fraction(count, layouts) for region, count in likeliest_first})
    return Deduction(layouts, hidden, tuple(chances), reasons)


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What one seat knows about the Hidden cards."""

    table: PublicTable
    seat: SeatId
    sights: tuple[Saw, ...]
    looked: tuple[tuple[str, int], ...]
    named: Callable[[PlayerId], str]

    def seen(self, where: str, number: int) -> RegionId | None:
        for sight in self.sights:
            if (sight.where, sight.number) == (where, number):
                return sight.region
        return None

    def taken(self, card: int) -> list[PublicMark]:
        """Return the marks on a card that name a resource; an AI's marks do not."""
        marks = [mark for mark in self.table.marks if mark.card == card]
        return [mark for mark in marks if mark.resource is not None]

    def resources(self, region: RegionId) -> tuple[str, ...]:
        """Return a region's resources in small letters; empty if they are unknown (FS-U2)."""
        return tuple(resource.casefold() for resource in self.table.board.by_id[region].resources)

    def candidates(self, card: int) -> frozenset[RegionId]:
        """Return the regions that a card may show by itself; a card that is face up shows its
        region, whatever the markers say."""
        drawn = {sight.region for sight in self.sights if sight.where == "explore"}
        face = self.table.hidden[card - 1]
        if face is not None:
            return frozenset({face}) - drawn
        seen = self.seen("hidden", card)
        regions = self.table.board.ids if seen is None else (seen,)
        wanted = {str(mark.resource) for mark in self.taken(card)}
        possible = set()
        for region in regions:
            resources = self.resources(region)
            # a region whose resources are unknown may give any (FS-U2)
            if region not in drawn and (not resources or wanted <= set(resources)):
                possible.add(region)
        return frozenset(possible)

    # -- in sentences

    def reasons(self, ways: Sequence[Collection[RegionId]], layouts: int) -> Iterator[Reason]:
        for card, possible in enumerate(ways, start=1):
            yield from self._of_a_card(card, [*map(self.table.board.name, possible)])
        for where, number in self.looked:
            if where == "explore":
                yield self._of_a_draw(number)
        yield from self._of_unknown_resources()
        if layouts:
            fit = plural(layouts, "layout fits", "layouts fit, each weighed alike")
            yield Reason("FS-47", fit)
        else:
            yield Reason("FS-47", "no layout fits all of that: a note or a marker is wrong")

    def _of_a_card(self, card: int, possible: Sequence[str]) -> Iterator[Reason]:
        face, seen = self.table.hidden[card - 1], self.seen("hidden", card)
        name, seat = self.table.board.name, self.named(self.seat)
        if face is not None:
            yield Reason("FS-20", f"Hidden card {card} lies face up: {name(face)}")
            return
        if seen is not None:
            yield Reason("FS-16", f"{seat} saw Hidden card {card}: {name(seen)}")
        elif ("hidden", card) in self.looked:
            yield Reason("FS-18", f"{seat} has not said what Hidden card {card} shows")
        taken = []
        for mark in self.taken(card):
            taken.append(f"{self.named(mark.player)} took {str(mark.resource).capitalize()}")
        if taken:
            so = "which fits no region any more"
            if possible:
                so = f"so it is {_one_of(possible)}"
            yield Reason("FS-16", f"{listed(taken)} from card {card}, {so}")
        elif seen is None and possible:
            untold = f"nobody took anything that tells of card {card}"
            yield Reason("FS-47", f"{untold}: it is {_one_of(possible)}")

    def _of_a_draw(self, number: int) -> Reason:
        seen, name = self.seen("explore", number), self.named(self.seat)
        if seen is None:
            return Reason("FS-18", f"{name} has not said what Explore draw {number} shows")
        drew = f"{name} drew {self.table.board.name(seen)} (Explore draw {number})"
        return Reason("FS-8", f"{drew}: no Hidden Starfall there this round")

    def _of_unknown_resources(self) -> Iterator[Reason]:
        if all(mark.resource is None for mark in self.table.marks):
            return
        board = self.table.board
        unknown = [board.name(region) for region in board.ids if not self.resources(region)]
        if unknown:
            names = f"{len(unknown)} regions"
            if len(unknown) <= _MOST_NAMES:
                names = listed(unknown)
            text = "resources that nobody entered are taken as possible"
            yield Reason("FS-U2", f"{text}: {names} may have any")


_MOST_NAMES = 3  # in a sentence; more are counted instead


def _one_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"
