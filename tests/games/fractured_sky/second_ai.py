"""A second implementation of the AI opponents (FS-35 to FS-43), slow and plain, from the clauses of RULES.md.

It shares nothing with the rules: the box is plain JSON, and the table is lists and dicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Choices = Mapping[str, str]
Point = tuple[Fraction, Fraction]
"""East and south."""
BY_DIFFICULTY = {"easy": (False, 2, 1), "medium": (True, 3, 1), "hard": (True, 4, 2)}
"""Market card, buildings of a kind, high tokens (FS-32)."""


@dataclass(eq=False)
class Card:
    """An action card, with as much of its compass as the table named."""

    kind: str
    stars: list[str]
    large: list[str] = field(default_factory=list)
    more: bool = False


@dataclass
class Move:
    """An AI's move: to where, or among which places the table says; `asks` is the card whose stars would tell."""

    card: Card
    target: str | None = None
    ask: list[str] = field(default_factory=list)
    asks: Card | None = None
    possible: bool = True


def slug(name: str) -> str:
    """Return the id of a region."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))


class Board:
    """One side of the board, of plain tables of the box."""

    def __init__(self, tables: Mapping[str, Sequence[Mapping[str, Any]]], side: str) -> None:
        named = next(row["regions"] for row in tables["side"] if row["name"] == side)
        rows = {slug(row["name"]): row for row in tables[f"place_{side}"]}
        self.regions = [slug(name) for name in named]
        self.at = {
            region: (Fraction(rows[region]["x"]), Fraction(rows[region]["y"]))
            for region in self.regions
        }
        platforms = tables[f"platform_{side}"]
        self.platforms = {row["name"]: [slug(name) for name in row["regions"]] for row in platforms}
        self.places = {row["name"]: row.get("places") for row in platforms}
        self.platform_at = {row["name"]: self.middle(row) for row in platforms}
        self.gold = {int(row["name"]): row.get("value") or 0 for row in tables[f"slot_{side}"]}
        self.decks = {f"@{color}": tables[f"card_{color}"] for color in ("black", "orange")}
        self.tokens = {
            f"@{color}": [(row["low"], row["high"]) for row in tables[f"token_{color}"]]
            for color in ("black", "orange")
        }
        self.numbers = {row["name"]: row["value"] for row in tables["market_card"]}

    def middle(self, row: Mapping[str, Any]) -> Point:
        """Where a platform lies: as the box says, else in the middle of its regions (FS-T7)."""
        if "x" in row:
            return Fraction(row["x"]), Fraction(row["y"])
        around = [self.at[slug(name)] for name in row["regions"]]
        east, south = (sum(way, Fraction(0)) for way in zip(*around, strict=True))
        return east / len(around), south / len(around)

    def left_to_right(self) -> list[str]:
        """The regions as they resolve (FS-23)."""
        return sorted(self.regions, key=lambda region: self.at[region])


class OpenTable:
    """What lies open, and an AI's decisions by it."""

    def __init__(self, chosen: Choices, board: Board) -> None:
        self.chosen, self.board = chosen, board
        self.public: str | None = None
        self.starfalls: dict[str, int] = {}
        self.ships: list[tuple[str, str]] = []
        self.skimmers: list[tuple[str, str]] = []
        self.buildings: list[tuple[str, str, str]] = []
        self.tray: list[str | None] = []
        self.marks: list[tuple[str, int, str]] = []
        """Who scouted which Hidden card, and what it took: a resource, `something`, or nothing."""
        self.turned: list[tuple[str, Card, bool]] = []

    def setting(self, name: str, place: int) -> Any:
        """A part of the difficulty (FS-32)."""
        if self.chosen[name] == "by_difficulty":
            return BY_DIFFICULTY[self.chosen["difficulty"]][place]
        return self.chosen[name] == "yes" if name == "ai_market_card" else int(self.chosen[name])

    def showing(self, region: str) -> int:
        """The Starfalls that show in a region."""
        return self.starfalls.get(region, 0)

    def regions_of(self, player: str) -> list[str]:
        """Where a player's Airships stand, as they were placed."""
        return [region for owner, region in self.ships if owner == player]

    # -- the compass (FS-35, FS-36)

    def cards_before(self, ai: str) -> list[Card]:
        """The cards before whose compass counts, the last one first."""
        numbers = []
        for owner, card, done in reversed(self.turned):
            if self.chosen["compass_card_owner"] == "own_deck" and owner != ai:
                continue
            if self.chosen["compass_after_skip"] == "carried_out" and not done:
                continue
            numbers.append(card)
        return numbers

    def in_order(self, card: Card) -> list[str]:
        """A card's stars as they count: large ones before small ones."""
        large = [star for star in card.stars if star in card.large] or card.stars[:1]
        if self.chosen["several_large_stars"] == "first_only":
            large = large[:1]
        return large + [star for star in card.stars if star not in large]

    def by_compass(self, ai: str, card: Card, places: Mapping[str, Point]) -> Move:
        """Return the place that lies furthest where the compass points."""
        left = list(places)
        if len(left) == 1:
            return Move(card, left[0])
        if self.chosen["compass_geometry"] == "table":
            return Move(card, ask=left)
        compass = (self.cards_before(ai) or [card])[0]
        for star in self.in_order(compass):
            east = {"E": 1, "W": -1}.get(star[-1], 0)
            south = {"S": 1, "N": -1}.get(star[0], 0)
            far = {name: places[name][0] * east + places[name][1] * south for name in left}
            left = [name for name in left if far[name] == max(far.values())]
        if len(left) > 1:
            if compass.more or not compass.stars:
                return Move(card, ask=left, asks=compass)
            west = min(places[name][0] for name in left)
            left = [name for name in left if places[name][0] == west]
        return Move(card, left[0]) if len(left) == 1 else Move(card, ask=left)

    # -- the moves (FS-37 to FS-40)

    def move(self, ai: str, card: Card, cannot: Sequence[str] = ()) -> Move:
        """Return an AI's move by a card; the table could not serve the places in `cannot`."""
        kinds: dict[str, Callable[[str, Card, Sequence[str]], Move]] = {
            "airship": self.airship_move,
            "skimmer": self.skimmer_move,
            "scout": self.scout_move,
        }
        return kinds.get(card.kind, self.building_move)(ai, card, cannot)

    def airship_move(self, ai: str, card: Card, cannot: Sequence[str]) -> Move:
        """FS-37: where most Starfalls show, then Advantage, then compass."""
        own = self.regions_of(ai)
        left = [
            region for region in self.board.regions if region not in own and region not in cannot
        ]
        if len(own) == 3 or not left:
            return Move(card, possible=False)
        left = best(left, self.showing)
        mine = [platform for owner, _, platform in self.buildings if owner == ai]
        left = best(
            left, lambda region: sum(region in self.board.platforms[platform] for platform in mine)
        )
        return self.by_compass(ai, card, {region: self.board.at[region] for region in left})

    def building_move(self, ai: str, card: Card, cannot: Sequence[str]) -> Move:
        """FS-38: near the most Starfalls, then most bridges, then Advantage, then compass."""
        built = [piece for piece in self.buildings if piece[:2] == (ai, card.kind)]
        left = [
            platform
            for platform in self.board.platforms
            if platform not in cannot and self.has_room(platform)
        ]
        if len(built) >= self.setting("ai_buildings", 1) or not left:
            return Move(card, possible=False)
        around = self.board.platforms
        if self.chosen["near_starfalls"] == "sum":
            left = best(left, lambda platform: sum(map(self.showing, around[platform])))
        else:
            left = best(left, lambda platform: max(map(self.showing, around[platform])))
        left = best(left, lambda platform: len(around[platform]))
        left = best(left, lambda platform: self.advantage(ai, platform))
        return self.by_compass(
            ai, card, {platform: self.board.platform_at[platform] for platform in left}
        )

    def has_room(self, platform: str) -> bool:
        """Return whether a platform may have a free place."""
        places = self.board.places[platform]
        return places is None or sum(on == platform for _, _, on in self.buildings) < places

    def advantage(self, ai: str, platform: str) -> int:
        """Count an AI's buildings close to a platform (FS-35, FS-38)."""
        everybody = self.chosen["advantage_buildings"] == "all"
        counted = [on for owner, _, on in self.buildings if everybody or owner == ai]
        if self.chosen["building_advantage"] == "on_platform":
            return counted.count(platform)
        around = set(self.board.platforms[platform])
        shared = [len(around & set(self.board.platforms[on])) for on in counted]
        return (
            sum(shared)
            if self.chosen["advantage_count"] == "sum_over_regions"
            else sum(map(bool, shared))
        )

    def skimmer_move(self, ai: str, card: Card, cannot: Sequence[str]) -> Move:
        """FS-39: the Public Starfall's region."""
        own = [region for owner, region in self.skimmers if owner == ai]
        if len(own) == 2 or self.public in cannot:
            return Move(card, possible=False)
        if self.public in own and self.chosen["skimmer_stack"] == "one_per_region":
            return Move(card, possible=False)
        return Move(card, self.public)

    def may_scout(self, player: str, number: int) -> bool:
        """Return whether a player may scout a Hidden card (FS-16, FS-41)."""
        face_down = self.tray[number - 1] is None or self.chosen["early_reveal_scoutable"] == "yes"
        return face_down and all(mark[:2] != (player, number) for mark in self.marks)

    def scout_move(self, ai: str, card: Card, cannot: Sequence[str]) -> Move:
        """FS-40: the leftmost or the rightmost card, as the compass points west or east."""
        numbers = [number for number in range(1, len(self.tray) + 1) if self.may_scout(ai, number)]
        left = [str(number) for number in numbers if str(number) not in cannot]
        if not left:
            return Move(card, possible=False)
        if len(left) == 1:
            return Move(card, left[0])
        previous = self.chosen["scout_compass_no_east_west"] == "previous_card"
        cards = [*self.cards_before(ai), card]
        for compass in cards if previous else cards[:1]:
            for star in self.in_order(compass)[:1] if previous else self.in_order(compass):
                if star[-1] in "EW":
                    return Move(card, left[0] if star[-1] == "W" else left[-1])
            if not compass.stars or (compass.more and not previous):
                return Move(card, ask=[left[0], left[-1]], asks=compass)
        return Move(card, left[0])

    # -- the tokens at the end of a round (FS-43)

    def token_powers(self, ai: str, tokens: Sequence[int], lots: Sequence[int]) -> list[int] | None:
        """Return the powers of an AI's tokens once they are turned, in the order of placing; None
        while a tie has to be drawn.

        Tokens are numbers in the box's list, from 1.
        """
        values, regions = self.board.tokens[ai], self.regions_of(ai)
        placed = list(zip(regions, tokens, strict=False))
        eligible = [token for region, token in placed if self.showing(region)]
        if not eligible and self.chosen["ai_none_eligible"] == "best_high":
            eligible = [token for _, token in placed]
        by_low = self.chosen["ai_high_token_by"] == "low_value"
        printed = {token: values[token - 1][0 if by_low else 1] for token in eligible}
        most = self.setting("ai_high_tokens", 2)
        high: list[int] = []
        while eligible and len(high) < most:
            first = [
                token
                for token in eligible
                if printed[token] == max(printed[other] for other in eligible)
            ]
            if len(first) > most - len(high):
                if self.chosen["ai_high_token_tie"] == "random" and not lots:
                    return None
                rank = list(lots)
                if self.chosen["ai_high_token_tie"] == "left_most":
                    rank = [
                        token
                        for region in self.board.left_to_right()
                        for at, token in placed
                        if at == region
                    ]
                first.sort(key=rank.index)
            high.append(first[0])
            eligible.remove(first[0])
        return [values[token - 1][token in high] for _, token in placed]


def best(names: Sequence[str], worth: Callable[[str], int]) -> list[str]:
    """Return those of most worth."""
    return [name for name in names if worth(name) == max(map(worth, names))]
