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
    fits = [[place for place, card in enumerate(cards) if region in card] for region in regions]
    left = _ways_to_fill(fits, len(cards))
    right = _ways_to_fill(fits[::-1], len(cards))[::-1]
    return [
        {
            region: ways
            for at, region in enumerate(regions)
            if place in fits[at] and (ways := _ways_on_card(left[at], right[at + 1], place))
        }
        for place in range(len(cards))
    ]


def _ways_to_fill(fits: Sequence[Sequence[int]], cards: int) -> list[list[int]]:
    """Return, for each number of regions placed and each set of cards as a bit mask, the number of
    ways to fill that set.

    All cards of the set, and no others, show one of the regions placed so far.
    """
    ways = [1] + [0] * ((1 << cards) - 1)
    rows = [ways]
    for places in fits:
        ways = [
            old + sum(ways[filled ^ 1 << place] for place in places if filled >> place & 1)
            for filled, old in enumerate(ways)
        ]
        rows.append(ways)
    return rows


def _ways_on_card(before: Sequence[int], behind: Sequence[int], place: int) -> int:
    """Return the number of ways in which a region lies on card `place`; the other cards show
    regions `before` or `after` it."""
    others = (len(before) - 1) ^ (1 << place)
    return sum(
        ways * behind[others ^ filled]
        for filled, ways in enumerate(before)
        if not filled >> place & 1
    )


def percent(chance: Fraction) -> str:
    """Return a chance as a whole percentage; `<1%` and `>99%` are not 0 or certain, and a dot is 0."""
    if not chance:
        return "."
    if chance == 1:
        return "100%"
    rounded = round(chance * 100)
    return "<1%" if rounded < 1 else ">99%" if rounded > 99 else f"{rounded}%"


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
    layouts = sum(ways[0].values())
    reasons = tuple(knowledge.reasons(ways, layouts))
    if not layouts:
        return Deduction(0, {}, (), reasons)
    hidden = {
        region: Fraction(sum(card.get(region, 0) for card in ways), layouts)
        for region in table.board.ids
    }
    likely = (sorted(card.items(), key=lambda pair: -pair[1]) for card in ways)
    chances = tuple({region: Fraction(count, layouts) for region, count in card} for card in likely)
    return Deduction(layouts, hidden, chances, reasons)


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What one seat knows about the Hidden cards."""

    table: PublicTable
    seat: SeatId
    sights: tuple[Saw, ...]
    looked: tuple[tuple[str, int], ...]
    named: Callable[[PlayerId], str]

    def seen(self, where: str, number: int) -> RegionId | None:
        return next(
            (
                sight.region
                for sight in self.sights
                if (sight.where, sight.number) == (where, number)
            ),
            None,
        )

    def taken(self, card: int) -> tuple[PublicMark, ...]:
        return tuple(
            mark for mark in self.table.marks if mark.card == card and mark.resource is not None
        )

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
        wanted = {mark.resource for mark in self.taken(card)}
        return frozenset(
            region
            for region in (self.table.board.ids if seen is None else (seen,))
            if region not in drawn
            and (not self.resources(region) or wanted <= set(self.resources(region)))
        )

    # -- in sentences

    def reasons(self, ways: Sequence[Collection[RegionId]], layouts: int) -> Iterator[Reason]:
        for card, possible in enumerate(ways, start=1):
            yield from self._of_a_card(card, [*map(self.table.board.name, possible)])
        for where, number in self.looked:
            if where == "explore":
                yield self._of_a_draw(number)
        yield from self._of_unknown_resources()
        if not layouts:
            yield Reason("FS-47", "no layout fits all of that: a note or a marker is wrong")
            return
        yield Reason("FS-47", plural(layouts, "layout fits", "layouts fit, each weighed alike"))

    def _of_a_card(self, card: int, possible: Sequence[str]) -> Iterator[Reason]:
        face, seen, name = (
            self.table.hidden[card - 1],
            self.seen("hidden", card),
            self.table.board.name,
        )
        if face is not None:
            yield Reason("FS-20", f"Hidden card {card} lies face up: {name(face)}")
            return
        if seen is not None:
            yield Reason("FS-16", f"{self.named(self.seat)} saw Hidden card {card}: {name(seen)}")
        elif ("hidden", card) in self.looked:
            yield Reason(
                "FS-18", f"{self.named(self.seat)} has not said what Hidden card {card} shows"
            )
        taken = [
            f"{self.named(mark.player)} took {str(mark.resource).capitalize()}"
            for mark in self.taken(card)
        ]
        if taken:
            so = f"so it is {_one_of(possible)}" if possible else "which fits no region any more"
            yield Reason("FS-16", f"{listed(taken)} from card {card}, {so}")
        elif seen is None and possible:
            yield Reason(
                "FS-47",
                f"nobody took anything that tells of card {card}: it is {_one_of(possible)}",
            )

    def _of_a_draw(self, number: int) -> Reason:
        seen, name = self.seen("explore", number), self.named(self.seat)
        if seen is None:
            return Reason("FS-18", f"{name} has not said what Explore draw {number} shows")
        where = self.table.board.name(seen)
        return Reason(
            "FS-8",
            f"{name} drew {where} (Explore draw {number}): no Hidden Starfall there this round",
        )

    def _of_unknown_resources(self) -> Iterator[Reason]:
        unknown = [
            self.table.board.name(region)
            for region in self.table.board.ids
            if not self.resources(region)
        ]
        if unknown and any(mark.resource is not None for mark in self.table.marks):
            few = (
                f"{listed(unknown)} may have any"
                if len(unknown) <= _MOST_NAMES
                else f"{len(unknown)} regions may have any"
            )
            yield Reason("FS-U2", f"resources that nobody entered are taken as possible: {few}")


_MOST_NAMES = 3  # as many names as a sentence bears


def _one_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"
