"""The AI opponents (FS-31 to FS-45). They decide by `public.PublicTable`, what lies open, alone.

An AI's action card ranks candidates by the clauses of its kind, and those still tied by how far
they lie towards the stars of a compass. At the end of a round an AI's tokens are turned to their
high or low power.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from companion.games.fractured_sky.rules.board import (
    Board,
    Card,
    Direction,
    Point,
    RegionId,
    Token as Values,
    platform_point,
)
from companion.games.fractured_sky.rules.box import vector
from companion.games.fractured_sky.rules.options import buildings_of_each, high_tokens
from companion.games.fractured_sky.rules.public import SHIPS, Built, PlayerId, PublicTable
from companion.rules.replacing import replace


@dataclass(frozen=True, slots=True)
class Reason:
    """A step of a decision or resolution as a sentence, with its clause; `left` are the candidates it left."""

    clause: str
    text: str
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """The move of `ai` by `card`.

    `target` is a region's or platform's id, or the number of a Hidden card. It is None if the card
    cannot be carried out (`impossible` says why), or if the table has to say which place it is: one
    of `ask`, or any if that is empty. The last of `reasons` decided. `compass` is the index in
    `compass_cards` of the card whose next stars would settle the tie; None if no stars would.
    """

    ai: PlayerId
    card: Card
    target: str | None = None
    ask: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    impossible: str = ""
    compass: int | None = None

    @property
    def clause(self) -> str:
        """The clause of the step that decided."""
        return self.reasons[-1].clause if self.reasons else "FS-34"


DIRECTION_NAMES = {
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
    """Return the cards whose compass counts, the nearest first: earlier ones, then `current` (FS-35).

    The stars of each are in the order in which they count.
    """
    before = [table.turned[place].card for place in earlier_turns(table, ai)]
    first_only = table.options["several_large_stars"] == "first_only"
    return tuple(_large_stars_first(card, first_only=first_only) for card in (*before, current))


def earlier_turns(table: PublicTable, ai: PlayerId) -> tuple[int, ...]:
    """Return the indexes in `PublicTable.turned` of earlier cards whose compass counts, the nearest first (FS-35)."""
    own = table.options["compass_card_owner"] == "own_deck"
    done = table.options["compass_after_skip"] == "carried_out"
    places = reversed(list(enumerate(table.turned)))
    return tuple(
        at for at, turn in places if (turn.ai == ai or not own) and (turn.carried_out or not done)
    )


def _large_stars_first(card: Card, *, first_only: bool) -> Card:
    """Return the card with its large stars before the small ones, each as printed (FS-35).

    With `first_only`, only the first large star comes before the others.
    """
    large = tuple(star for star in card.stars if star in card.large) or card.stars[:1]
    large = large[:1] if first_only else large
    return replace(
        card, stars=(*large, *(star for star in card.stars if star not in large)), large=large
    )


def compass_owner(cards: Sequence[Card]) -> str:
    """Return whose compass is the first of `compass_cards`, as part of a sentence: empty for the card's own."""
    return " of the card before" if len(cards) > 1 else ""


def distance_along(point: Point, direction: Direction) -> Fraction:
    """Return how far a place lies in a direction.

    Diagonals are not normalized: only distances along the same direction are ever compared.
    """
    east, south = vector(direction)
    return point[0] * east + point[1] * south


def rank(
    table: PublicTable,
    places: Mapping[str, Point | None],
    cards: Sequence[Card],
    reasons: list[Reason],
) -> tuple[tuple[str, ...], bool]:
    """Rank candidates at these places by the compass of the first of `cards`, adding each step to `reasons`.

    Return the candidates left, one or those among which the table decides, and whether more stars
    could settle it.
    """
    stars, whose, left = cards[0].stars, compass_owner(cards), tuple(places)
    known = {name: point for name, point in places.items() if point is not None}
    by_table = table.options["compass_geometry"] == "table"
    if by_table or len(known) < len(left):
        text = f"the table says which lies furthest {_pointing(cards)}"
        reasons.append(
            Reason("FS-36", text if by_table else f"places on the map unknown: {text}", left)
        )
        return left, False
    for star in stars:
        most = max(distance_along(known[name], star) for name in left)
        left = tuple(name for name in left if distance_along(known[name], star) == most)
        size = "large" if star in cards[0].large else "small"
        reasons.append(
            Reason("FS-36", f"compass{whose}, {size} star: furthest {DIRECTION_NAMES[star]}", left)
        )
        if len(left) == 1:
            return left, False
    if not stars or cards[0].more:
        reasons.append(Reason("FS-36", f"tied: the compass{whose} decides", left))
        return left, True
    least = min(known[name][0] for name in left)
    left = tuple(name for name in left if known[name][0] == least)
    reasons.append(Reason("FS-36", "still tied: leftmost", left))
    return left, False


def direction_names(stars: Sequence[Direction]) -> str:
    """Return `south-east, then west`."""
    return ", then ".join(DIRECTION_NAMES[star] for star in stars)


def _pointing(cards: Sequence[Card]) -> str:
    """Return where the first of `compass_cards` points, or whose compass it is while none of its stars is known."""
    return direction_names(cards[0].stars) or f"the way the compass{compass_owner(cards)} points"


def compass_side(cards: Sequence[Card], *, previous: bool) -> str | int:
    """Return whether a compass points `west` or `east`, or an empty string if neither (FS-40).

    With `previous`, earlier cards count where the large star points neither way, else the next
    stars of the card do. If the star that would settle it is not known yet, return the index of its
    card.
    """
    for place, card in enumerate(cards if previous else cards[:1]):
        for star in card.stars[:1] if previous else card.stars:
            if "W" in star or "E" in star:
                return "west" if "W" in star else "east"
        if not card.stars or (card.more and not previous):
            return place
    return ""


def decide(
    table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str] = frozenset()
) -> Decision:
    """Return the move of `ai` by `card`; the table could not serve the places in `excluded`."""
    return _KINDS[card.kind](table, ai, card, excluded)


def _keep_best(
    reasons: list[Reason],
    clause: str,
    text: str,
    left: tuple[str, ...],
    worth: Callable[[str], int],
) -> tuple[str, ...]:
    """Return the candidates of most worth, adding a step to `reasons` if that leaves fewer."""
    values = {name: worth(name) for name in left}
    most = max(values.values())
    best = tuple(name for name in left if values[name] == most)
    if len(best) < len(left):
        reasons.append(Reason(clause, f"{text} ({most})", best))
    return best


def _decide_by_compass(
    table: PublicTable,
    ai: PlayerId,
    card: Card,
    reasons: list[Reason],
    places: Mapping[str, Point | None],
) -> Decision:
    """Return the decision once only the compass can tell the candidates apart (FS-36)."""
    left, asks = tuple(places), False
    if len(left) > 1:
        left, asks = rank(table, places, compass_cards(table, ai, card), reasons)
    if len(left) == 1:
        return Decision(ai, card, left[0], reasons=tuple(reasons))
    return Decision(ai, card, ask=left, reasons=tuple(reasons), compass=0 if asks else None)


def _airship(table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str]) -> Decision:
    """Place an Airship: most Starfalls showing, then Advantage, then the compass (FS-37)."""
    own = {ship.region for ship in table.ships_of(ai)}
    if len(table.ships_of(ai)) >= SHIPS:
        return Decision(ai, card, impossible="all its Airships are placed")
    candidates = tuple(
        region for region in table.board.ids if region not in own and region not in excluded
    )
    if not candidates:
        return Decision(ai, card, impossible="no region is left for its Airship")
    reasons = [Reason("FS-37", "regions without an Airship of its own", candidates)]
    left = candidates
    if any(table.starfalls.get(region, 0) for region in left):
        left = _keep_best(
            reasons,
            "FS-37",
            "most Starfalls showing",
            left,
            lambda name: table.starfalls.get(name, 0),
        )
    built, bridges = (
        [piece.platform for piece in table.buildings if piece.player == ai],
        table.board.bridges,
    )
    advantage = "AI Advantage: most of its buildings bridged"
    left = _keep_best(
        reasons,
        "FS-35",
        advantage,
        left,
        lambda name: sum(built.count(platform.id) for platform in bridges[name]),
    )
    return _decide_by_compass(
        table, ai, card, reasons, {name: table.board.by_id[name].point for name in left}
    )


def _building(table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str]) -> Decision:
    """Build: near the most Starfalls, most bridges, Advantage, compass (FS-38)."""
    built = sum(
        1 for piece in table.buildings if piece.player == ai and piece.building == card.kind
    )
    if built >= buildings_of_each(table.options):
        return Decision(ai, card, impossible=f"no {card.kind.capitalize()} is left")
    board, used = table.board, Counter(piece.platform for piece in table.buildings)
    known = {platform.id: platform for platform in board.platforms if platform.id not in excluded}
    free = tuple(
        name
        for name, platform in known.items()
        if platform.places is None or used[name] < platform.places
    )
    if not free and not board.platforms_open:
        return Decision(ai, card, impossible="no platform has a free place")
    if found_by_table(board, card.kind):
        return Decision(ai, card, ask=free, reasons=tuple(_instructions(table, ai, card, free)))
    near = max if table.options["near_starfalls"] == "best_region" else sum
    nearest = (
        "near the region with most Starfalls"
        if near is max
        else "most Starfalls in the regions around"
    )
    counted = _advantage_buildings(table, ai)
    reasons = [Reason("FS-38", "platforms with a free place", free)]
    narrowed = partial(_keep_best, reasons, "FS-38")
    left = narrowed(
        nearest,
        free,
        lambda name: near(table.starfalls.get(region, 0) for region in known[name].regions),
    )
    left = narrowed("most bridges", left, lambda name: len(known[name].regions))
    most_buildings = "AI Advantage: most buildings bridged to its regions"
    left = narrowed(
        most_buildings, left, lambda name: _advantage(table, name, known[name].regions, counted)
    )
    return _decide_by_compass(
        table, ai, card, reasons, {name: platform_point(board, known[name]) for name in left}
    )


def found_by_table(board: Board, kind: str) -> bool:
    """Return whether the table has to find the place on the board, because not all platforms are known (FS-U4)."""
    return board.platforms_open and kind in ("fortress", "market")


def _instructions(
    table: PublicTable, ai: PlayerId, card: Card, free: tuple[str, ...]
) -> Iterator[Reason]:
    """Yield the steps by which the table finds the platform on the board (FS-U4, FS-38)."""
    most = max((table.starfalls.get(region, 0) for region in table.board.ids), default=0)
    best = [
        table.board.name(region)
        for region in table.board.ids
        if table.starfalls.get(region, 0) == most
    ]
    if not most:
        nearest = "no Starfall shows, all are equal"
    elif table.options["near_starfalls"] == "best_region":
        nearest = f"a free place near the most Starfalls ({most} in {', '.join(best)})"
    else:
        nearest = "a free place with the most Starfalls in all regions around it"
    yield Reason("FS-38", f"A: {nearest}")
    yield Reason("FS-38", "B: the most bridges")
    own = ", ".join(sorted({piece.platform for piece in _advantage_buildings(table, ai)}))
    advantage = (
        f"the most buildings bridged to its regions (there are some on {own})"
        if own
        else "no building yet"
    )
    yield Reason("FS-38", f"C: AI Advantage, {advantage}")
    cards = compass_cards(table, ai, card)
    by = f"the compass{compass_owner(cards)}, " if cards[0].stars else ""
    yield Reason("FS-36", f"D: {by}furthest {_pointing(cards)}")
    yield Reason("FS-U4", "not all platforms are known", free)


def _advantage_buildings(table: PublicTable, ai: PlayerId) -> tuple[Built, ...]:
    everybody = table.options["advantage_buildings"] == "all"
    return tuple(piece for piece in table.buildings if everybody or piece.player == ai)


def _advantage(
    table: PublicTable, platform: str, regions: Sequence[RegionId], counted: Sequence[Built]
) -> int:
    """Count the buildings bridged to the regions around a platform (FS-38)."""
    if table.options["building_advantage"] == "on_platform":
        return sum(1 for piece in counted if piece.platform == platform)
    around = [{bridge.id for bridge in table.board.bridges[region]} for region in regions]
    if table.options["advantage_count"] == "sum_over_regions":
        return sum(1 for bridges in around for piece in counted if piece.platform in bridges)
    near = set().union(*around)
    return sum(1 for piece in counted if piece.platform in near)


def _skimmer(table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str]) -> Decision:
    """Place a Skimmer in the Public Starfall's region (FS-39)."""
    own = [flight.region for flight in table.flights if flight.player == ai]
    if len(own) >= table.board.ai_skimmers:
        return Decision(ai, card, impossible="no Skimmer is left")
    if table.public is None or table.public in excluded:
        return Decision(ai, card, impossible="the Public Starfall's region cannot take it")
    if table.options["skimmer_stack"] == "one_per_region" and table.public in own:
        return Decision(
            ai, card, impossible="its Skimmer is in the Public Starfall's region already"
        )
    reasons = (Reason("FS-39", "the Public Starfall's region", (table.public,)),)
    return Decision(ai, card, table.public, reasons=reasons)


def _scout(table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str]) -> Decision:
    """Scout the leftmost or the rightmost Hidden card that this AI has not scouted (FS-40)."""
    scouted = {mark.card for mark in table.marks if mark.player == ai}
    open_too = table.options["early_reveal_scoutable"] == "yes"
    candidates = tuple(
        str(number)
        for number, region in enumerate(table.hidden, start=1)
        if number not in scouted and str(number) not in excluded and (region is None or open_too)
    )
    if not candidates:
        return Decision(ai, card, impossible="no Hidden card is left to scout")
    reasons = [Reason("FS-40", "Hidden cards it has not scouted", candidates)]
    if len(candidates) == 1:
        return Decision(ai, card, candidates[0], reasons=tuple(reasons))
    cards = compass_cards(table, ai, card)
    previous = table.options["scout_compass_no_east_west"] == "previous_card"
    side = compass_side(cards, previous=previous)
    if isinstance(side, int):
        ends = (candidates[0], candidates[-1])
        whose = compass_owner(cards[side:])
        reasons.append(
            Reason("FS-40", f"the compass{whose} decides, leftmost or rightmost", candidates)
        )
        return Decision(ai, card, ask=ends, reasons=tuple(reasons), compass=side)
    target, end = (candidates[-1], "rightmost") if side == "east" else (candidates[0], "leftmost")
    text = (
        f"compass{compass_owner(cards)} {side}: {end}" if side else "no star west or east: leftmost"
    )
    reasons.append(Reason("FS-40", text, (target,)))
    return Decision(ai, card, target, reasons=tuple(reasons))


_KINDS: dict[str, Callable[[PublicTable, PlayerId, Card, frozenset[str]], Decision]] = {
    "airship": _airship,
    "fortress": _building,
    "market": _building,
    "skimmer": _skimmer,
    "scout": _scout,
}


@dataclass(frozen=True, slots=True)
class TurnedToken:
    """A token as it was turned in a region: its power, and why."""

    region: RegionId
    power: int
    high: bool
    why: str


def turning_instructions(table: PublicTable, ai: PlayerId) -> str:
    """Return a sentence that says which of an AI's tokens the table turns high, where only the
    table sees them (FS-43)."""
    placed = [ship.region for ship in table.ships_of(ai)]
    regions = [region for region in placed if table.starfalls.get(region, 0)]
    if not regions and table.options["ai_none_eligible"] == "best_high":
        regions = placed
    if not regions:
        return "turn all tokens low: none is in a Starfall region"
    most, names = (
        high_tokens(table.options),
        ", ".join(table.board.name(region) for region in regions),
    )
    if len(regions) <= most:
        return f"turn high: {names}; all others low"
    printed = "low value" if table.options["ai_high_token_by"] == "low_value" else "high value"
    best = f"the highest {printed}" if most == 1 else f"the {most} highest {printed}s"
    return f"turn high: {best} in {names}; all others low"


def turn_tokens(
    table: PublicTable,
    placed: Sequence[tuple[RegionId, int]],
    values: Sequence[Values],
    lots: Sequence[int],
) -> tuple[TurnedToken, ...] | None:
    """Return an AI's tokens as they are turned, in the order of placing.

    `placed` has the token number in each region; `lots` ranks the tokens where a tie is drawn.
    Return None where only the table can settle a tie: lots that nobody drew, or places that nobody
    knows.
    """
    eligible = [token for region, token in placed if table.starfalls.get(region, 0)]
    nobody = not eligible
    if nobody and table.options["ai_none_eligible"] == "best_high":
        eligible = [token for _, token in placed]
    by_low = table.options["ai_high_token_by"] == "low_value"
    printed = {
        token: values[token - 1].low if by_low else values[token - 1].high for token in eligible
    }
    tie = _tie_ranks(table, placed, lots)
    ranked = sorted(eligible, key=lambda token: (-printed[token], tie.get(token, 0)))
    most = high_tokens(table.options)
    if not tie and len(ranked) > most and printed[ranked[most - 1]] == printed[ranked[most]]:
        return None
    best = (
        "no token in a Starfall region: the best is turned high"
        if nobody
        else "highest in a Starfall region"
    )
    turned = ((region, values[token - 1], token in ranked[:most]) for region, token in placed)
    return tuple(
        TurnedToken(
            region, both.high if high else both.low, high, best if high else "turned to low"
        )
        for region, both, high in turned
    )


def _tie_ranks(
    table: PublicTable, placed: Sequence[tuple[RegionId, int]], lots: Sequence[int]
) -> dict[int, int]:
    """Return the rank of each token among those of equal power; empty where it is unknown."""
    if table.options["ai_high_token_tie"] == "random":
        return {token: rank for rank, token in enumerate(lots)}
    if not table.board.places_known:
        return {}
    order = table.board.left_to_right
    return {token: order.index(region) for region, token in placed}
