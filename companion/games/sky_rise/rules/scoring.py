"""Points for placements, groups and columns (SR-8 to SR-16), computed from the levels; nothing is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.sky_rise.rules.box import OPAQUE_LETTER
from companion.games.sky_rise.rules.facts import Color, Piece
from companion.games.sky_rise.rules.model import (
    LEVELS,
    OPAQUE,
    ROOF,
    Grid,
    Laid,
    Placed,
    Plan,
    State,
    TowerLevel,
)
from companion.rules.facts import SeatId
from companion.rules.house_rules import Options
from companion.rules.once import once

GROUP_POINTS = 2  # SR-10, for each pyramid
LEAST_GROUP = 2  # SR-10
LEAST_WITH_OPAQUE = 3  # SR-11
COLUMN_POINTS = 6  # SR-15
LEAST_COLUMN = 3  # SR-15
UNPLACED_POINTS = 2  # SR-16


@dataclass(frozen=True, slots=True)
class Group:
    """A horizontal group of a color: the corners of its own pyramids and of the opaque ones it uses (SR-10,
    SR-11)."""

    color: Color
    own: tuple[str, ...]
    opaque: tuple[str, ...]

    @property
    def points(self) -> int:
        """Two for each pyramid, opaque ones included."""
        return GROUP_POINTS * (len(self.own) + len(self.opaque))

    @property
    def corners(self) -> str:
        """Its corners as text, those of opaque pyramids after a plus: `a1 b1 + #b2`."""
        wild = (
            f" + {' '.join(OPAQUE_LETTER + place for place in self.opaque)}" if self.opaque else ""
        )
        return f"{' '.join(self.own)}{wild}"


def scoring_cards(plan: Plan, level: TowerLevel, place: str, color: Piece) -> tuple[Laid, ...]:
    """Return the cards at a corner that score for a pyramid of that color: those of its suit (SR-8), or for an
    opaque one the first of each suit (SR-9)."""
    return scoring_of(plan, cards_touching(plan, level, place), color)


def cards_touching(plan: Plan, level: TowerLevel, place: str) -> tuple[Laid, ...]:
    """Return the cards that a corner touches, in the order of their cells."""
    laid = _by_cell(level)
    return tuple(laid[cell] for cell in plan.grid.touching(place) if cell in laid)


@once
def _by_cell(level: TowerLevel) -> Mapping[str, Laid]:
    return {card.place: card for card in level.cards}


def scoring_of(plan: Plan, touching: tuple[Laid, ...], color: Piece) -> tuple[Laid, ...]:
    """Return those of the cards at one corner that score for a pyramid of that color (SR-8, SR-9)."""
    if color != OPAQUE:
        return tuple(card for card in touching if plan.color_of(card.suit) == color)
    # Reversed, so that the first card of each suit is the one that stays.
    first = {card.suit: card for card in reversed(touching)}
    return tuple(card for card in touching if first[card.suit] is card)


def placement_points(plan: Plan, level: TowerLevel, placed: Placed) -> int:
    """Return the points a pyramid scored for the player who placed it (SR-8, SR-9)."""
    return len(scoring_cards(plan, level, placed.place, placed.color))


@once
def placed_points(plan: Plan, level: TowerLevel) -> Counter[SeatId]:
    """Return each seat's placement points on one level."""
    points: Counter[SeatId] = Counter()
    for placed in level.pyramids:
        points[placed.seat] += placement_points(plan, level, placed)
    return points


def groups(
    grid: Grid, pyramids: Iterable[Placed], color: Color, options: Options
) -> tuple[Group, ...]:
    """Return the groups of a color on one level, first corner first (SR-10 to SR-12)."""
    at = {placed.place: placed.color for placed in pyramids}
    waiting = [place for place in grid.places if at.get(place) in (color, OPAQUE)]
    result = []
    while waiting:
        members = _together(grid, at, waiting, color, chain=options["wild_chain"] == "yes")
        waiting = [place for place in waiting if place not in members]
        own = tuple(place for place in grid.places if place in members and at[place] == color)
        opaque = tuple(place for place in grid.places if place in members and at[place] == OPAQUE)
        if _is_group(len(own), len(opaque), options):
            result.append(Group(color, own, opaque))
    return tuple(result)


def _together(
    grid: Grid, at: dict[str, Piece], waiting: list[str], color: Color, *, chain: bool
) -> set[str]:
    """Return the corners connected with the first one waiting; two opaque pyramids connect only if `chain`."""
    members, edge = {waiting[0]}, [waiting[0]]
    while edge:
        place = edge.pop()
        for other in grid.next_to(place):
            # Without `chain`, one of the two neighbors must be of the color itself.
            joins = chain or color in (at[place], at.get(other))
            if other in waiting and other not in members and joins:
                members.add(other)
                edge.append(other)
    return members


def _is_group(own: int, opaque: int, options: Options) -> bool:
    if own + opaque < (LEAST_WITH_OPAQUE if opaque else LEAST_GROUP):
        return False
    if own == 0:
        return options["wild_only"] == "yes"
    return own > 1 or options["single_with_two_wilds"] == "yes"


@once
def groups_on(plan: Plan, options: Options, level: TowerLevel) -> tuple[Group, ...]:
    """Return the groups of all colors on a level; none on the roof (SR-13)."""
    if level.is_roof:
        return ()
    return tuple(
        group
        for color in plan.colors
        for group in groups(plan.grid, level.pyramids, color, options)
    )


def color_points(state: State, level: TowerLevel, color: Color) -> int:
    """Return what a color scores on a level so far (SR-10)."""
    return sum(
        group.points
        for group in groups_on(state.plan, state.options, level)
        if group.color == color
    )


def color_total(state: State, color: Color) -> int:
    """Return a color's open total over the complete levels (SR-10)."""
    return sum(color_points(state, level, color) for level in state.levels if level.stage == "done")


def column(levels: Iterable[TowerLevel], place: str, options: Options) -> tuple[Piece | None, ...]:
    """Return the pyramids at a corner from the ground up, None for a gap; antennas come last if they count (SR-15)."""
    by_number = {level.number: level for level in levels}
    stack: list[Piece | None] = []
    for number in range(1, LEVELS + 1):
        placed = by_number[number].pyramid(place) if number in by_number else None
        stack.append(None if placed is None else placed.color)
    roof = by_number.get(ROOF)
    if roof is not None and options["antenna_in_column"] == "yes":
        stack += [antenna.color for antenna in roof.pyramids if antenna.place == place]
    return tuple(stack)


def is_column(stack: Iterable[Piece | None], color: Color, options: Options) -> bool:
    """Return True if three or more in a row are of that color or opaque (SR-15)."""
    run: list[Piece] = []
    # The None at the end closes a run that reaches the top.
    for piece in (*stack, None):
        if piece is not None and piece in (color, OPAQUE):
            run.append(piece)
            continue
        if len(run) >= LEAST_COLUMN and (color in run or options["column_wild_only"] == "yes"):
            return True
        run = []
    return False


@once
def stacks(state: State) -> Mapping[str, tuple[Piece | None, ...]]:
    """Return `column` for each corner."""
    return {place: column(state.levels, place, state.options) for place in state.plan.grid.places}


def columns(state: State, color: Color) -> tuple[str, ...]:
    """Return the corners with a column of that color; each counts once, however tall (SR-15)."""
    return tuple(
        place for place, stack in stacks(state).items() if is_column(stack, color, state.options)
    )
