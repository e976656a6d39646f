"""The compass of an action card: candidates rank by how far they lie towards its stars (FS-35, FS-36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from companion.games.fractured_sky.rules.ai.decision import Reason
from companion.games.fractured_sky.rules.board import Card, Direction, Point
from companion.games.fractured_sky.rules.box import vector
from companion.games.fractured_sky.rules.public import PlayerId, PublicTable

WORDS = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}


def compass_cards(table: PublicTable, ai: PlayerId, current: Card) -> tuple[Card, ...]:
    """The cards whose compass counts, the nearest first: those turned up before `current`, then `current`; the stars of
    each in the order in which they count."""
    before = [table.turned[place].card for place in turned_before(table, ai)]
    first_only = table.options["several_large_stars"] == "first_only"
    return tuple(_ranked(card, first_only=first_only) for card in (*before, current))


def turned_before(table: PublicTable, ai: PlayerId) -> tuple[int, ...]:
    """The places in `Table.turned` of the cards before whose compass counts, the nearest first (FS-35)."""
    own = table.options["compass_card_owner"] == "own_deck"
    done = table.options["compass_after_skip"] == "carried_out"
    places = reversed(list(enumerate(table.turned)))
    return tuple(at for at, one in places if (one.ai == ai or not own) and (one.carried_out or not done))


def _ranked(card: Card, *, first_only: bool) -> Card:
    """The card with its large stars before its small ones, each as printed; or its first large star before all others
    (FS-35)."""
    large = tuple(star for star in card.stars if star in card.large) or card.stars[:1]
    large = large[:1] if first_only else large
    return replace(card, stars=(*large, *(star for star in card.stars if star not in large)), large=large)


def of_whom(cards: Sequence[Card]) -> str:
    """Whose compass the first of `compass_cards` is, in words: nothing for that of the card itself."""
    return " of the card before" if len(cards) > 1 else ""


def along(point: Point, direction: Direction) -> Fraction:
    """How far a place lies in a direction; the lengths of diagonals and straights are never compared."""
    east, south = vector(direction)
    return point[0] * east + point[1] * south


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates left - one, or those among which the table has to say -, the steps, the star that decided, and
    whether more stars of the compass would tell."""

    left: tuple[str, ...]
    reasons: list[Reason]
    star: str = ""
    asks: bool = False


def rank(table: PublicTable, places: Mapping[str, Point | None], cards: Sequence[Card]) -> Ranking:
    """Rank candidates at these places; `cards` are those whose compass counts."""
    stars, whose = cards[0].stars, of_whom(cards)
    left = tuple(places)
    known = {name: point for name, point in places.items() if point is not None}
    if table.options["compass_geometry"] == "table":
        return Ranking(left, [Reason("FS-36", f"the table says which lies furthest {in_words(stars)}", left)])
    if len(known) < len(left):
        text = f"places on the map unknown: the table says which lies furthest {in_words(stars)}"
        return Ranking(left, [Reason("FS-36", text, left)])
    reasons = []
    for star in stars:
        most = max(along(known[name], star) for name in left)
        left = tuple(name for name in left if along(known[name], star) == most)
        size = "large" if star in cards[0].large else "small"
        reasons.append(Reason("FS-36", f"compass{whose}, {size} star: furthest {WORDS[star]}", left))
        if len(left) == 1:
            return Ranking(left, reasons, star)
    if not stars or cards[0].more:
        reasons.append(Reason("FS-36", f"tied: the compass{whose} decides", left))
        return Ranking(left, reasons, asks=True)
    least = min(known[name][0] for name in left)
    left = tuple(name for name in left if known[name][0] == least)
    reasons.append(Reason("FS-36", "still tied: leftmost", left))
    return Ranking(left, reasons)


def in_words(stars: Sequence[Direction]) -> str:
    """Return `south-east, then west`; that a compass says where, for no star at all."""
    return ", then ".join(WORDS[star] for star in stars) or "in the compass's direction"


def side_of(cards: Sequence[Card], *, previous: bool) -> tuple[str, Direction] | int | None:
    """Whether a compass points west or east (FS-40), and its star; `previous` looks at the cards before when the large
    star points neither way, else at the card's next stars. Where nobody has said the star that would tell, return the
    place of its card; None where no star points either way."""
    for place, card in enumerate(cards if previous else cards[:1]):
        for star in card.stars[:1] if previous else card.stars:
            if "W" in star or "E" in star:
                return ("west" if "W" in star else "east"), star
        if not card.stars or (card.more and not previous):
            return place
    return None
