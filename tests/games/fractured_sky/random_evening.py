"""Random evenings of Fractured Sky on random maps with random decks.

A round begins on a table that is laid out already and follows what the second opinion awaits; facts
that the clauses refuse are tried, too.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.games.fractured_sky.second_ai import Card
from tests.games.fractured_sky.second_opinion import CHIPS, SecondOpinion

Entry = tuple[str, dict[str, Any]]
"""The kind of a fact, and what it says."""
_STARS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
_KINDS = ("airship", "fortress", "market", "skimmer", "scout")
_REASON = "for the test"
_GRIDS = (2, 4)
"""Places are so few that a compass often leaves a tie."""


def random_box(tables: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the box with a map, decks, tokens and numbers at random."""
    box: dict[str, Any] = copy.deepcopy(dict(tables))
    grid, bridges = rng.choice(_GRIDS), rng.choice([(2,), (1, 2, 2, 3, 3, 4)])
    for side in ("eight", "ten"):
        regions = next(row["regions"] for row in box["side"] if row["name"] == side)
        for row in box[f"place_{side}"]:
            row |= _point(grid, rng)
        box[f"platform_{side}"] = [
            _platform(str(number), rng.sample(regions, rng.choice(bridges)), grid, rng)
            for number in range(1, 8)
        ]
        for row in box[f"slot_{side}"]:
            row["value"] = rng.choice([0, 0, 1, 2])
    for color in ("black", "orange"):
        kinds = ["airship", *rng.choices(_KINDS, (3, 2, 2, 2, 2), k=9)]
        box[f"card_{color}"] = [_card(str(at), kind, rng) for at, kind in enumerate(kinds, start=1)]
        for row in box[f"token_{color}"]:
            row["low"] = rng.randint(0, 3)
            row["high"] = row["low"] + rng.randint(0, 3)
    for row in box["market_card"]:
        row["value"] = rng.randint(1, 4)
    return box


def _point(grid: int, rng: random.Random) -> dict[str, int]:
    return {"x": rng.randint(0, grid), "y": rng.randint(0, grid)}


def _platform(name: str, regions: Sequence[str], grid: int, rng: random.Random) -> dict[str, Any]:
    row: dict[str, Any] = _row(name, regions=regions)
    if rng.random() < 0.8:
        row["places"] = rng.randint(1, 3)
    if rng.random() < 0.5:
        row |= _point(grid, rng)
    return row


def _card(name: str, kind: str, rng: random.Random) -> dict[str, Any]:
    stars = rng.sample(_STARS, rng.choice([1, 2, 3, 4]))
    large = [star for star in stars if rng.random() < 0.5]
    return _row(name, kind=kind, stars=stars, **({"large": large} if large else {}))


def _row(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, **fields, "status": "example", "source": "made up for a test"}


class RandomEvening:
    """The facts that a table enters, by what the second opinion awaits."""

    def __init__(self, game: SecondOpinion, rng: random.Random) -> None:
        self.game, self.rng = game, rng

    def chance(self, share: float) -> bool:
        """Return true with that probability."""
        return self.rng.random() < share

    def lay_out(self) -> None:
        """A table in the middle of an evening."""
        game, rng = self.game, self.rng
        order = rng.sample([*game.seats, *game.ais], len(game.seats) + len(game.ais))
        for player in order:
            game.held[player] = rng.randint(0, 3)
        counts = rng.choice([(0, 0, 0, 1, 1, 2), (0, 0, 0, 0, 0, 1), (0,)])
        for region in game.board.regions:
            game.starfalls[region] = rng.choice(counts)
        for _ in range(rng.choice([0, 0, 3, 6, 9])):
            player, building = rng.choice(order), rng.choice(("fortress", "market"))
            free = [platform for platform in game.board.platforms if game.has_room(platform)]
            if free and sum(piece[:2] == (player, building) for piece in game.buildings) < 2:
                game.buildings.append((player, building, rng.choice(free)))
        game.begin_round(rng.choice([1, 2, 3, 4, 5, 5]), order)

    def scatter(self, ships: Sequence[int]) -> None:
        """Pieces and cards all over a table: as many Airships of each player as one of `ships` says."""
        game, rng = self.game, self.rng
        game.public = self._region()
        for player in game.order:
            for region in rng.sample(game.board.regions, rng.choice(ships)):
                game.ships.append((player, region))
            for _ in range(rng.choice([0, 0, 1, 2])):
                game.skimmers.append(
                    (player, rng.choice([self._region(), *game.regions_of(player)]))
                )
        rng.shuffle(game.ships)
        regions = rng.sample(game.board.regions, len(game.tray))
        game.tray = [region if self.chance(0.3) else None for region in regions]
        for card in range(1, len(game.tray) + 1):
            game.marks += [(player, card, "something") for player in game.order if self.chance(0.2)]
        for _ in range(rng.randint(0, 6) if game.ais else 0):
            game.turned.append((rng.choice(game.ais), self.card(), self.chance(0.6)))

    def card(self) -> Card:
        """An action card; of some the table named no star."""
        row = _card("", self.rng.choice(_KINDS), self.rng)
        stars = row["stars"] if self.chance(0.9) else []
        large = [star for star in row.get("large", ()) if star in stars]
        return Card(row["kind"], stars, large, more=bool(stars) and self.chance(0.1))

    def end_round(self) -> None:
        """All Airships placed, slots taken, powers told, on a table that was scattered."""
        game, rng = self.game, self.rng
        for slot, player in enumerate(rng.sample(game.order, len(game.order)), start=1):
            game.slots[slot] = player
            number = len(game.regions_of(player))
            if player in game.ais and self.chance(0.7):
                game.tokens[player], game.lots[player] = (
                    rng.sample(range(1, 7), number),
                    rng.sample(range(1, 7), 6),
                )
            elif number:
                game.chips[player] = self._chips(number)
        game.objective = rng.sample(game.order, 1) if self.chance(0.5) else []
        for ai in game.ais:
            game.market_card[ai] = rng.randint(0, 2)

    def entries(self) -> Iterator[Entry]:
        """Yield the facts of a round, and now and then of the next; each is entered before the next is asked for."""
        game = self.game
        last = game.number + self.chance(0.2)
        while not game.over and game.number <= last:
            if self.chance(0.01):
                yield "seat_leaves", {"seat": self.rng.choice(game.seats)}
            yield from getattr(self, f"_at_{game.awaits()}")()

    def _region(self) -> str:
        return self.rng.choice(self.game.board.regions)

    def _at_public(self) -> Iterator[Entry]:
        game = self.game
        if game.chosen["starfalls"] == "virtual" and not game.dealt:
            yield "deal", {"cards": self.rng.sample(game.board.regions, len(game.board.regions))}
        yield "public", {"region": self._region()}

    def _at_shuffle(self) -> Iterator[Entry]:
        ai, rng = self.game.to_shuffle(), self.rng
        body: dict[str, Any] = {"ai": ai, "cards": rng.sample(range(1, 11), 10)}
        if self.game.deck[ai] is None:
            body["tokens"] = rng.sample(range(1, 7), 6)
            if self.chance(0.8):
                body["lots"] = rng.sample(range(1, 7), 6)
        yield "shuffle", body

    def _at_slot(self) -> Iterator[Entry]:
        game = self.game
        free = game.free_slots() if self.chance(0.9) else list(range(1, len(game.order) + 1))
        yield "slot", {"seat": game.owes_slot(), "slot": self.rng.choice(free)}

    # -- turns

    def _at_turn(self) -> Iterator[Entry]:
        game, rng = self.game, self.rng
        if self.chance(0.03):
            yield "turn", {"player": rng.choice(game.order), "reason": _REASON}
        player = game.mover()
        if player in game.ais:
            yield "ai_turn", self._ai_turn(player)
            return
        if game.looking and self.chance(0.6):
            seat, card = game.looking
            yield (
                "take",
                {"seat": seat, "card": card, "resource": rng.choice(("gold", "iron", "wood"))},
            )
            return
        yield self._action(player if self.chance(0.97) else rng.choice(game.seats))

    def _ai_turn(self, ai: str) -> dict[str, Any]:
        rng = self.rng
        if self.game.chosen["ai_cards"] == "virtual":
            return {"ai": ai}
        stars = rng.sample(_STARS, rng.choice([0, 1, 1, 2, 3]))
        return {"ai": ai, "card": rng.choice((*_KINDS, "airship", "airship")), "stars": stars}

    def _action(self, seat: str) -> Entry:
        game, rng = self.game, self.rng
        own = game.regions_of(seat)
        if self.chance(0.6):
            return "airship", {"seat": seat, "region": self._wanted(seat, game.board.regions)}
        kind = rng.choice(("build", "build", "skimmer", "skimmer", "scout", "scout", "peek"))
        if kind == "build":
            building = rng.choice(("fortress", "market"))
            near = [name for name, around in game.board.platforms.items() if set(around) & set(own)]
            platforms = near if near and self.chance(0.6) else list(game.board.platforms)
            return kind, {"seat": seat, "building": building, "platform": rng.choice(platforms)}
        if kind == "skimmer":
            return kind, {
                "seat": seat,
                "region": rng.choice(own) if own and self.chance(0.7) else self._region(),
            }
        if kind == "peek":
            return kind, {"seat": seat, "card": rng.randint(1, 5)}
        body = {"seat": seat, "card": rng.randint(1, len(game.tray))}
        return kind, body | (
            {"resource": rng.choice(("gold", "iron", "wood"))} if self.chance(0.5) else {}
        )

    def _wanted(self, seat: str, regions: Sequence[str]) -> str:
        """A region, mostly one where a seat's building or Skimmer works, or Starfalls show."""
        game, rng = self.game, self.rng
        good = [region for region in regions if game.showing(region)]
        good += [region for owner, region in game.skimmers if owner == seat]
        for owner, _, platform in game.buildings:
            good += game.board.platforms[platform] if owner == seat else []
        others = [region for region in good if region not in game.regions_of(seat)]
        wanted = others if others and self.chance(0.7) else regions
        return rng.choice(wanted)

    def _at_ai(self) -> Iterator[Entry]:
        game, rng, move = self.game, self.rng, self.game.waiting
        assert move is not None
        if self.chance(0.08):
            yield self._corrected(self._region(), rng.randint(0, 3))
            return
        if move.target is None and move.asks is not None and self.chance(0.7):
            left = [star for star in _STARS if star not in move.asks.stars]
            stars = rng.sample(left, min(len(left), rng.choice([0, 1, 1, 2])))
            yield "ai_compass", {"ai": game.waiting_for, "stars": stars, "whole": self.chance(0.5)}
        elif move.target is None and self.chance(0.9):
            yield "ai_choose", {"target": rng.choice(move.ask)}
        elif self.chance(0.1):
            yield (
                "ai_choose",
                {"target": self._anywhere(move.card.kind), "reason": rng.choice(["", _REASON])},
            )
        elif self.chance(0.08):
            yield "ai_cannot", {"reason": _REASON}
        else:
            yield "ai_done", {}

    @staticmethod
    def _corrected(region: str, starfalls: int) -> Entry:
        return "adjust", {"counter": "region", "of": region, "value": starfalls, "reason": _REASON}

    def _anywhere(self, kind: str) -> str:
        game = self.game
        if kind in ("airship", "skimmer"):
            return self._region()
        platforms = list(game.board.platforms)
        return (
            str(self.rng.randint(1, len(game.tray)))
            if kind == "scout"
            else self.rng.choice(platforms)
        )

    # -- the end of the round

    def _at_early(self) -> Iterator[Entry]:
        return self._at_hidden()

    def _at_hidden(self) -> Iterator[Entry]:
        game, rng = self.game, self.rng
        card = rng.choice([at for at, region in enumerate(game.tray, start=1) if region is None])
        if game.at_once() and self.chance(0.9):
            card = game.at_once()
        known = game.dealt[card - 1] if game.dealt and self.chance(0.95) else self._region()
        yield "reveal", {"card": card, "region": known}

    def _at_powers(self) -> Iterator[Entry]:
        game, rng = self.game, self.rng
        players = [player for player, _ in game.ships if game.powers(player) is None]
        player = players[0] if self.chance(0.9) else rng.choice([owner for owner, _ in game.ships])
        number = len(game.regions_of(player))
        # not one of its tokens in a Starfall region (FS-43)
        if player in game.ais and self.chance(0.3):
            for region in game.regions_of(player):
                yield self._corrected(region, 0)
        if player in game.ais and self.chance(0.5):
            values = [f"{low}/{high}" for low, high in game.board.tokens[player]]
            body: dict[str, Any] = {"ai": player, "tokens": rng.sample(values, number)}
            if len(set(values)) == len(values):
                body["lots"] = rng.sample(values, len(values))
            yield "ai_tokens", body
        elif player in game.ais:
            yield "powers", {"player": player, "chips": [rng.randint(0, 6) for _ in range(number)]}
        else:
            yield "powers", {"player": player, "chips": self._chips(number)}

    def _chips(self, number: int) -> list[int]:
        """Chips of which many are 0, or become 0 where all are more than 10."""
        weak, strong = [0, 0, 1, 2, 3], [0, 1, 6, 8, 10]
        if self.chance(0.03):
            return [5] * number
        return self.rng.sample(self.rng.choice([CHIPS, weak, weak, strong]), number)

    def _at_objective(self) -> Iterator[Entry]:
        game, rng = self.game, self.rng
        players = rng.sample(game.order, rng.randint(0, len(game.order)))
        yield (
            "objective",
            {"players": players, "reason": "" if players or self.chance(0.5) else _REASON},
        )

    def _at_resolve(self) -> Iterator[Entry]:
        game = self.game
        if game.ais and self.chance(0.2):
            for region in game.regions_of(self.rng.choice(game.ais)):
                yield self._corrected(region, 0)
        if self.chance(0.2):
            yield from self._at_powers_again()
        if len(game.ais) < 2 and self.chance(0.2):
            yield from self._at_objective()
        if game.awaits() == "resolve":
            yield "round_end", {}

    def _at_powers_again(self) -> Iterator[Entry]:
        player = self.rng.choice([player for player, _ in self.game.ships])
        yield "powers", {"player": player, "chips": self._chips(len(self.game.regions_of(player)))}
