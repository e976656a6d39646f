"""Points on a table of Sky Rise, slow and plain, written from SR-8 to SR-15 of RULES.md; nothing is shared with
the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

WILD = "opaque"
Spot = tuple[int, int]
Choices = Mapping[str, str]


def spot(name: str) -> Spot:
    """Return the column and the row of a cell or a corner, both from 0."""
    return "abcd".index(name[0]), int(name[1:]) - 1


@dataclass
class Pyramid:
    """A pyramid on a corner."""

    at: Spot
    color: str
    size: str
    seat: str


@dataclass
class Level:
    """A level, or the roof (number 4)."""

    number: int
    starter: str
    cards: dict[Spot, tuple[str, str | None, str]] = field(default_factory=dict)
    pyramids: list[Pyramid] = field(default_factory=list)
    complete: bool = False

    @property
    def roof(self) -> bool:
        """True for the roof."""
        return self.number == 4


def placement_points(level: Level, pyramid: Pyramid, color_of: Mapping[str, str]) -> int:
    """Return what a pyramid scores for whoever placed it (SR-8, SR-9)."""
    x, y = pyramid.at
    around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)]
    suits = [level.cards[cell][0] for cell in around if cell in level.cards]
    if pyramid.color == WILD:
        return len(set(suits))
    return sum(color_of[suit] == pyramid.color for suit in suits)


def group_points(pieces: Mapping[Spot, str], color: str, chosen: Choices) -> list[int]:
    """Return the points of each group of a color on a level, sorted (SR-10 to SR-12): neighbors are merged until
    nothing changes."""
    spots = [one for one, piece in pieces.items() if piece in (color, WILD)]
    label = {one: number for number, one in enumerate(spots)}

    def joined(one: Spot, other: Spot) -> bool:
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
            return False
        both_wild = pieces[one] == WILD and pieces[other] == WILD
        return not both_wild or chosen["wild_chain"] == "yes"

    pairs = [
        (one, other) for i, one in enumerate(spots) for other in spots[:i] if joined(one, other)
    ]
    changed = True
    while changed:
        changed = False
        for one, other in pairs:
            if label[one] != label[other]:
                label[one] = label[other] = min(label[one], label[other])
                changed = True
    groups = []
    for number in set(label.values()):
        members = [pieces[one] for one in spots if label[one] == number]
        own, wild = members.count(color), members.count(WILD)
        wanted = own + wild >= 3 if wild else own >= 2
        if own == 0 and chosen["wild_only"] == "no":
            wanted = False
        if own == 1 and chosen["single_with_two_wilds"] == "no":
            wanted = False
        if wanted:
            groups.append(2 * len(members))
    return sorted(groups)


def is_column(stack: Sequence[str | None], color: str, chosen: Choices) -> bool:
    """Return True if a color has a column there: three or more in a row, the color among them (SR-15)."""
    for start in range(len(stack)):
        for end in range(start + 3, len(stack) + 1):
            part = stack[start:end]
            if set(part) <= {color, WILD} and (
                color in part or chosen["column_wild_only"] == "yes"
            ):
                return True
    return False
