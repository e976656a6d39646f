"""Scripted people: each knows what its seat's view shows, and nothing else.

The rules count no resources of a seat, so the scripts keep a purse, in which any resource pays for any other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from companion.games.fractured_sky.rules import facts as f
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.model import LIMIT, PIECES, SHIPS
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.game import Fact, SeatId

SCOUTING = 2  # FS-16, in Gold
_CHIPS = (0, 0, *range(1, 11))  # FS-2
_HANDS = tuple(sorted({chips for chips in permutations(_CHIPS, SHIPS) if sum(chips) == LIMIT}))


@dataclass(frozen=True, slots=True)
class SeenByPerson:
    """What a script goes by: its seat, that seat's view, and what its purse holds; `prices` are those of the map."""

    seat: SeatId
    view: FracturedSkyView
    purse: int
    prices: Mapping[str, int]

    @property
    def free_regions(self) -> tuple[RegionId, ...]:
        """The regions without an Airship of this seat (FS-9)."""
        own = {ship.region for ship in self.view.table.ships_of(self.seat)}
        return tuple(region for region in self.view.table.board.ids if region not in own)

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The Hidden cards that this seat may scout."""
        table = self.view.table
        own = {mark.card for mark in table.marks if mark.player == self.seat}
        return tuple(card for card, region in enumerate(table.hidden, start=1) if region is None and card not in own)

    def builds(self) -> Iterator[f.Build]:
        """The buildings that this seat can pay and has a place for."""
        table, own = self.view.table, [one for one in self.view.table.buildings if one.player == self.seat]
        kinds: tuple[f.Building, ...] = ("fortress", "market")
        for building in kinds:
            left = PIECES - sum(one.building == building for one in own)
            if left and self.prices.get(building.capitalize(), 0) <= self.purse:
                for platform in table.board.platforms:
                    if platform.places is None or len(table.built_on(platform.id)) < platform.places:
                        yield f.Build(seat=self.seat, building=building, platform=platform.id)


class Script(Protocol):
    """How a scripted person plays."""

    def turn(self, seen: SeenByPerson, rng: random.Random) -> Fact:
        """Return what it does on its turn."""

    def slot(self, seen: SeenByPerson, rng: random.Random) -> int:
        """Return the turn slot it takes (FS-10)."""

    def chips(self, ships: int, rng: random.Random) -> tuple[int, ...]:
        """Return the chips under its Airships as they were placed; it has chosen them without looking."""


class Anyhow:
    """Does anything it can pay; Airships half of the time."""

    def turn(self, seen: SeenByPerson, rng: random.Random) -> Fact:
        """Return an Airship, or a piece, or a look at a card."""
        choices: list[Fact] = list(seen.builds())
        if seen.purse >= SCOUTING:
            choices += [f.Scout(seat=seen.seat, card=card) for card in seen.open_cards]
        flown = sum(flight.player == seen.seat for flight in seen.view.table.flights)
        if flown < PIECES and seen.purse >= seen.prices.get("Skimmer", 0):
            choices.append(f.Skimmer(seat=seen.seat, region=rng.choice(seen.view.table.board.ids)))
        if choices and rng.random() < 1 / 2:
            return rng.choice(choices)
        return f.Airship(seat=seen.seat, region=rng.choice(seen.free_regions))

    def slot(self, seen: SeenByPerson, rng: random.Random) -> int:
        """Return any slot."""
        return rng.choice(seen.view.table.free_slots)

    def chips(self, ships: int, rng: random.Random) -> tuple[int, ...]:
        """Return any chips that are 10 in all (FS-11)."""
        return rng.choice(_HANDS)[:ships]


class Greedy:
    """Scouts once a round, then goes where it expects most Starfalls, the strongest chip first; with a purse that bears
    it, a Fortress beside the best region."""

    def turn(self, seen: SeenByPerson, rng: random.Random) -> Fact:
        """Return the look, the Fortress, or the Airship."""
        table = seen.view.table
        own = sum(mark.player == seen.seat for mark in table.marks)
        if not own and seen.open_cards and seen.purse >= SCOUTING:
            return f.Scout(seat=seen.seat, card=rng.choice(seen.open_cards))
        worth = _expected(seen)
        best = max(seen.free_regions, key=lambda region: (worth[region], -table.board.ids.index(region)))
        beside = {platform.id for platform in table.board.bridges[best]}
        for build in seen.builds():
            if build.building == "fortress" and build.platform in beside and not table.ships_of(seen.seat):
                return build
        return f.Airship(seat=seen.seat, region=best)

    def slot(self, seen: SeenByPerson, rng: random.Random) -> int:  # noqa: ARG002  it always wants the same
        """Return the first free slot: it settles ties."""
        return min(seen.view.table.free_slots)

    def chips(self, ships: int, rng: random.Random) -> tuple[int, ...]:  # noqa: ARG002  as above
        """Return most for the Airship placed first."""
        return (6, 3, 1)[:ships]


def _expected(seen: SeenByPerson) -> dict[RegionId, float]:
    """The Starfalls that a seat expects in each region, less a little for everybody else's Airship there."""
    view = seen.view
    chances = view.deduction.regions if view.deduction is not None else ()
    worth = {chance.region: chance.showing + float(chance.hidden) for chance in chances}
    shown = {region for region in view.table.hidden if region is not None}
    return {
        region: worth.get(region, 0.0)
        - (region in shown)  # it shows already
        - 0.2 * sum(ship.region == region for ship in view.table.ships)
        for region in view.table.board.ids
    }


SCRIPTS: Mapping[str, Script] = {"greedy": Greedy(), "random": Anyhow()}
