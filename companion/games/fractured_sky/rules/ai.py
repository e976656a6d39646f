"""The AI opponents (FS-31 to FS-45). They decide by `public.PublicTable`, what lies open, alone.

An AI's action card ranks candidates by the clauses of its kind, and those still tied by how far
they lie towards the stars of a compass. At the end of a round an AI's tokens are turned to their
high or low power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.fractured_sky.rules.board import (
    Board,
    Card,
    Direction,
    Platform,
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
    cards = [table.turned[index].card for index in earlier_turns(table, ai)]
    cards.append(current)
    first_only = table.options["several_large_stars"] == "first_only"
    return tuple(_large_stars_first(card, first_only=first_only) for card in cards)


def earlier_turns(table: PublicTable, ai: PlayerId) -> list[int]:
    """Return the indexes in `PublicTable.turned` of earlier cards whose compass counts, the nearest first (FS-35)."""
    own_only = table.options["compass_card_owner"] == "own_deck"
    done_only = table.options["compass_after_skip"] == "carried_out"
    indexes = []
    for index, turn in enumerate(table.turned):
        if own_only and turn.ai != ai:
            continue
        if done_only and not turn.carried_out:
            continue
        indexes.append(index)
    return indexes[::-1]


def _large_stars_first(card: Card, *, first_only: bool) -> Card:
    """Return the card with its large stars before the small ones, each as printed (FS-35).

    With `first_only`, only the first large star comes before the others.
    """
    large = tuple(star for star in card.stars if star in card.large) or card.stars[:1]
    if first_only:
        large = large[:1]
    small = tuple(star for star in card.stars if star not in large)
    return replace(card, stars=large + small, large=large)


def whose_compass(table: PublicTable, cards: Sequence[Card]) -> str:
    """Return which compass is that of the first of `compass_cards`: that of the card itself is the last of them."""
    if len(cards) == 1:
        return "this card's compass"
    if table.options["compass_card_owner"] == "own_deck":
        return "its previous card's compass"
    return "the previous AI card's compass"


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
    card, compass, left = cards[0], whose_compass(table, cards), tuple(places)
    known = {name: point for name, point in places.items() if point is not None}
    text = f"the table finds which is furthest {_pointing(table, cards)}"
    if table.options["compass_geometry"] == "table":
        reasons.append(Reason("FS-36", text, left))
        return left, False
    if len(known) < len(left):
        reasons.append(Reason("FS-36", f"the map is incomplete: {text}", left))
        return left, False
    for star in card.stars:
        left = _furthest(known, left, star)
        decided_by = compass if star in card.large else "a small star"
        text = f"tie broken by {decided_by}: furthest {DIRECTION_NAMES[star]}"
        reasons.append(Reason("FS-36", text, left))
        if len(left) == 1:
            return left, False
    if not card.stars or card.more:
        reasons.append(Reason("FS-36", f"tied: {compass} decides", left))
        return left, True
    left = _furthest(known, left, "W")
    reasons.append(Reason("FS-36", "still tied: the leftmost", left))
    return left, False


def _furthest(
    points: Mapping[str, Point], candidates: tuple[str, ...], direction: Direction
) -> tuple[str, ...]:
    """Return the candidates that lie furthest in a direction, all of them if tied."""
    distances = {name: distance_along(points[name], direction) for name in candidates}
    most = max(distances.values())
    return tuple(name for name in candidates if distances[name] == most)


def direction_names(stars: Sequence[Direction]) -> str:
    """Return `south-east, then west`."""
    return ", then ".join(DIRECTION_NAMES[star] for star in stars)


def _pointing(table: PublicTable, cards: Sequence[Card]) -> str:
    """Return where the first of `compass_cards` points, or whose compass it is while none of its stars is known."""
    return direction_names(cards[0].stars) or f"where {whose_compass(table, cards)} points"


def compass_side(cards: Sequence[Card], *, previous: bool) -> str | int:
    """Return whether a compass points `west` or `east`, or an empty string if neither (FS-40).

    With `previous`, earlier cards count where the large star points neither way, else the next
    stars of the card do. If the star that would settle it is not known yet, return the index of its
    card.
    """
    for index, card in enumerate(cards):
        if index and not previous:
            break
        stars = card.stars[:1] if previous else card.stars
        for star in stars:
            if "W" in star:
                return "west"
            if "E" in star:
                return "east"
        if not card.stars or (card.more and not previous):
            return index
    return ""


def decide(
    table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str] = frozenset()
) -> Decision:
    """Return the move of `ai` by `card`; the table could not serve the places in `excluded`."""
    return _KINDS[card.kind](table, ai, card, excluded)


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The candidates that are left of a decision, and the steps that led to them."""

    left: tuple[str, ...]
    reasons: tuple[Reason, ...]

    def best(self, clause: str, text: str, worth: Callable[[str], int]) -> _Candidates:
        """Return the candidates of most worth, which replaces `{most}` in `text`; a step is a reason only if it leaves
        fewer."""
        values = {name: worth(name) for name in self.left}
        most = max(values.values())
        best = tuple(name for name in self.left if values[name] == most)
        if len(best) == len(self.left):
            return self
        return _Candidates(best, (*self.reasons, Reason(clause, text.format(most=most), best)))


def _only(noun: str, which: str, candidates: Sequence[str]) -> str:
    """Return what the first candidates have in common: `regions without its Airship`, or of one
    `the only region ...`."""
    if len(candidates) == 1:
        return f"the only {noun} {which}"
    return f"{noun}s {which}"


def _decide_by_compass(
    table: PublicTable,
    ai: PlayerId,
    card: Card,
    reasons: list[Reason],
    places: Mapping[str, Point | None],
) -> Decision:
    """Return the decision once only the compass can tell the candidates apart (FS-36)."""
    left, more_stars_decide = tuple(places), False
    if len(left) > 1:
        cards = compass_cards(table, ai, card)
        left, more_stars_decide = rank(table, places, cards, reasons)
    if len(left) == 1:
        return Decision(ai, card, left[0], reasons=tuple(reasons))
    # stars are asked of the first card alone: `rank` compares no other
    compass = 0 if more_stars_decide else None
    return Decision(ai, card, ask=left, reasons=tuple(reasons), compass=compass)


def _airship(table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str]) -> Decision:
    """Place an Airship: most Starfalls showing, then Advantage, then the compass (FS-37)."""
    own = {ship.region for ship in table.ships_of(ai)}
    if len(table.ships_of(ai)) >= SHIPS:
        return Decision(ai, card, impossible="all its Airships are placed")
    regions = tuple(name for name in table.board.ids if name not in own | excluded)
    if not regions:
        return Decision(ai, card, impossible="no region is left for its Airship")
    reason = Reason("FS-37", _only("region", "without its Airship", regions), regions)
    candidates = _Candidates(regions, (reason,))
    # without any Starfall all regions are equal, and Advantage decides
    if any(table.starfalls_in(region) for region in regions):
        candidates = candidates.best("FS-37", "it shows the most Starfalls", table.starfalls_in)
    own_platforms = [piece.platform for piece in table.buildings if piece.player == ai]

    def own_bridged(region: str) -> int:
        return sum(own_platforms.count(platform.id) for platform in table.board.bridges[region])

    advantage = "AI Advantage: most of its buildings bridged to it, {most}"
    candidates = candidates.best("FS-35", advantage, own_bridged)
    places = {name: table.board.by_id[name].point for name in candidates.left}
    return _decide_by_compass(table, ai, card, [*candidates.reasons], places)


def _building(table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str]) -> Decision:
    """Build: near the most Starfalls, most bridges, Advantage, compass (FS-38)."""
    board = table.board
    built = [piece for piece in table.buildings if piece.player == ai]
    if sum(piece.building == card.kind for piece in built) >= buildings_of_each(table.options):
        return Decision(ai, card, impossible=f"no {card.kind.capitalize()} is left")
    known = {platform.id: platform for platform in board.platforms if platform.id not in excluded}
    free = tuple(name for name, platform in known.items() if _has_place(table, platform))
    if not free and not board.platforms_open:
        return Decision(ai, card, impossible="no platform has a free place")
    if found_by_table(board, card.kind):
        return Decision(ai, card, ask=free, reasons=tuple(_instructions(table, ai, card, free)))
    reason = Reason("FS-38", _only("platform", "with a free place", free), free)
    candidates = _Candidates(free, (reason,))
    candidates = _nearest_starfalls(table, known, candidates)
    bridges = "it has the most bridges"
    candidates = candidates.best("FS-38", bridges, lambda name: len(known[name].regions))
    counted = _advantage_buildings(table, ai)
    candidates = candidates.best(
        "FS-38",
        "AI Advantage: most buildings bridged to its regions, {most}",
        lambda name: _advantage(table, name, known[name].regions, counted),
    )
    places = {name: platform_point(board, known[name]) for name in candidates.left}
    return _decide_by_compass(table, ai, card, [*candidates.reasons], places)


def _has_place(table: PublicTable, platform: Platform) -> bool:
    """Return whether a platform has a free place, as far as is known."""
    return platform.places is None or len(table.built_on(platform.id)) < platform.places


def _nearest_starfalls(
    table: PublicTable, platforms: Mapping[str, Platform], candidates: _Candidates
) -> _Candidates:
    def around(name: str) -> list[int]:
        return [table.starfalls_in(region) for region in platforms[name].regions]

    if table.options["near_starfalls"] == "best_region":
        text = "it is next to the most Starfalls"
        return candidates.best("FS-38", text, lambda name: max(around(name)))
    text = "its regions show the most Starfalls"
    return candidates.best("FS-38", text, lambda name: sum(around(name)))


def found_by_table(board: Board, kind: str) -> bool:
    """Return whether the table has to find the place on the board, because not all platforms are known (FS-U4)."""
    return board.platforms_open and kind in ("fortress", "market")


def _instructions(
    table: PublicTable, ai: PlayerId, card: Card, free: tuple[str, ...]
) -> Iterator[Reason]:
    """Yield the steps by which the table finds the platform on the board (FS-U4, FS-38)."""
    regions = table.board.ids
    most = max(map(table.starfalls_in, regions), default=0)
    if not most:
        nearest = "no Starfall shows, all are equal"
    elif table.options["near_starfalls"] == "best_region":
        best = [table.board.name(name) for name in regions if table.starfalls_in(name) == most]
        nearest = f"a free place next to the most Starfalls ({most} in {', '.join(best)})"
    else:
        nearest = "a free place with the most Starfalls in all regions around it"
    yield Reason("FS-38", f"A: {nearest}")
    yield Reason("FS-38", "B: the most bridges")
    platforms = sorted({piece.platform for piece in _advantage_buildings(table, ai)})
    advantage = "no building yet"
    if platforms:
        some = f"there are some on {', '.join(platforms)}"
        advantage = f"the most buildings bridged to its regions ({some})"
    yield Reason("FS-38", f"C: AI Advantage, {advantage}")
    cards = compass_cards(table, ai, card)
    compass = f"{whose_compass(table, cards)}, " if cards[0].stars else ""
    yield Reason("FS-36", f"D: {compass}furthest {_pointing(table, cards)}")
    yield Reason("FS-U4", "not all platforms are known", free)


def _advantage_buildings(table: PublicTable, ai: PlayerId) -> tuple[Built, ...]:
    if table.options["advantage_buildings"] == "all":
        return table.buildings
    return tuple(piece for piece in table.buildings if piece.player == ai)


def _advantage(
    table: PublicTable, platform: str, regions: Sequence[RegionId], counted: Sequence[Built]
) -> int:
    """Count the buildings bridged to the regions around a platform (FS-38)."""
    built_on = [piece.platform for piece in counted]
    if table.options["building_advantage"] == "on_platform":
        return built_on.count(platform)
    bridged = [bridge.id for region in regions for bridge in table.board.bridges[region]]
    if table.options["advantage_count"] == "distinct_buildings":
        bridged = list(set(bridged))  # a platform bridged to two of the regions counts once
    return sum(built_on.count(name) for name in bridged)


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
    reasons = (Reason("FS-39", "the Public Starfall is there", (table.public,)),)
    return Decision(ai, card, table.public, reasons=reasons)


def _scout(table: PublicTable, ai: PlayerId, card: Card, excluded: frozenset[str]) -> Decision:
    """Scout the leftmost or the rightmost Hidden card that this AI has not scouted (FS-40)."""
    candidates = _scoutable(table, ai, excluded)
    if not candidates:
        return Decision(ai, card, impossible="no Hidden card is left to scout")
    text = _only("Hidden card", "it has not scouted", candidates)
    reasons = [Reason("FS-40", text, candidates)]
    leftmost, rightmost = candidates[0], candidates[-1]
    if leftmost == rightmost:
        return Decision(ai, card, leftmost, reasons=tuple(reasons))
    cards = compass_cards(table, ai, card)
    previous = table.options["scout_compass_no_east_west"] == "previous_card"
    side = compass_side(cards, previous=previous)
    if isinstance(side, int):
        text = f"{whose_compass(table, cards[side:])} decides, leftmost or rightmost"
        reasons.append(Reason("FS-40", text, candidates))
        ends = (leftmost, rightmost)
        return Decision(ai, card, ask=ends, reasons=tuple(reasons), compass=side)
    if side == "east":
        target, text = rightmost, f"{whose_compass(table, cards)} points east: the rightmost"
    elif side == "west":
        target, text = leftmost, f"{whose_compass(table, cards)} points west: the leftmost"
    else:
        target, text = leftmost, "no star points west or east: the leftmost"
    reasons.append(Reason("FS-40", text, (target,)))
    return Decision(ai, card, target, reasons=tuple(reasons))


def _scoutable(table: PublicTable, ai: PlayerId, excluded: frozenset[str]) -> tuple[str, ...]:
    """Return the numbers of the Hidden cards that an AI may scout, from left to right."""
    unavailable = excluded | {str(mark.card) for mark in table.marks if mark.player == ai}
    face_up_too = table.options["early_reveal_scoutable"] == "yes"
    cards = []
    for number, region in enumerate(table.hidden, start=1):
        if str(number) not in unavailable and (region is None or face_up_too):
            cards.append(str(number))
    return tuple(cards)


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
    """Return which of an AI's tokens the table turns high, where only the table sees them (FS-43)."""
    placed = [ship.region for ship in table.ships_of(ai)]
    regions = [region for region in placed if table.starfalls_in(region)]
    if not regions and table.options["ai_none_eligible"] == "best_high":
        regions = placed
    if not regions:
        return "all low: none is in a Starfall region"
    most = high_tokens(table.options)
    names = ", ".join(map(table.board.name, regions))
    if len(regions) <= most:
        return f"high in {names}, else low"
    printed = "low value" if table.options["ai_high_token_by"] == "low_value" else "high value"
    best = f"the highest {printed}" if most == 1 else f"the {most} highest {printed}s"
    return f"high: {best} in {names}; all others low"


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
    eligible = [token for region, token in placed if table.starfalls_in(region)]
    why = "highest in a Starfall region"
    if not eligible:
        why = "no token in a Starfall region: the best is turned high"
        if table.options["ai_none_eligible"] == "best_high":
            eligible = [token for _, token in placed]
    by_low = table.options["ai_high_token_by"] == "low_value"
    printed = {}
    for token in eligible:
        both = values[token - 1]
        printed[token] = both.low if by_low else both.high
    # without ranks, equal tokens are left to the table below
    tie = _tie_ranks(table, placed, lots)
    ranked = sorted(eligible, key=lambda token: (-printed[token], tie.get(token, 0)))
    most = high_tokens(table.options)
    if not tie and len(ranked) > most and printed[ranked[most - 1]] == printed[ranked[most]]:
        return None  # the last high token is tied with the first low one
    turned = []
    for region, token in placed:
        both = values[token - 1]
        if token in ranked[:most]:
            turned.append(TurnedToken(region, both.high, high=True, why=why))
        else:
            turned.append(TurnedToken(region, both.low, high=False, why="turned to low"))
    return tuple(turned)


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
