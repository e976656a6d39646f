"""A table that plays Sky Rise at random and reaches what rulings are about: clusters and towers of opaque pyramids,
columns, roofs, people who come and go, ties. It goes by the second opinion and tries what the clauses refuse, too."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.games.sky_rise.second_opinion import SIZES, SecondOpinion
from tests.games.sky_rise.second_points import WILD, Spot

Entry = tuple[str, dict[str, Any], dict[str, Any] | None]
"""The kind of a fact, its body, and its moment."""
_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_REASON = "for the test"


def name(at: Spot) -> str:
    """Return the name of a cell or a corner."""
    return f"{'abcd'[at[0]]}{at[1] + 1}"


class RandomTable:
    """Chooses what a table enters next, by what the second opinion says is on it."""

    def __init__(self, game: SecondOpinion, rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.buttons = rng.random() < 0.3
        self.wild = rng.choice([0.1, 0.3, 0.6])

    def chance(self, share: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < share

    def entries(self) -> Iterator[Entry]:
        """Yield facts until the game is over; each is entered, or refused, before the next is asked for."""
        yield from self._setting()
        while self.game.stage != "built":
            yield self._odd() if self.chance(0.08) else self._next()
        yield from self._ending()

    # -- before the first card

    def _setting(self) -> Iterator[Entry]:
        game, rng = self.game, self.rng
        if self.chance(0.5):
            yield "start_token", {"seat": rng.choice(game.seats)}, None
        if self.chance(0.3):
            yield (
                "assign",
                {"suit": rng.choice(list(game.color_of)), "color": rng.choice(game.colors)},
                None,
            )
        told = rng.choice([0, 0.6, 1])
        row = list(SIZES * 3)
        rng.shuffle(row)
        for seat in game.seats:
            own, row = row[: game.share(seat)], row[game.share(seat) :]
            if self.chance(told):
                counts = {size: own.count(size) for size in SIZES}
                yield "opaque", {"seat": seat, **counts}, None
        if self.chance(0.5):
            yield "goals_dealt", self._shuffled_goals(), None

    def _shuffled_goals(self) -> dict[str, Any]:
        colors = list(self.game.colors)
        return {
            "nests": self.rng.sample(colors, len(colors)),
            "trees": self.rng.sample(colors, len(colors)),
        }

    # -- the tower

    def _next(self) -> Entry:
        game = self.game
        if self.buttons and game.room() > 0 and self.chance(0.4):
            return "turn_over", {"seat": game.mover}, None
        seat = game.due
        if not game.waiting and self.chance(0.04):
            seat = self.rng.choice(game.playing)
        body = self._card(seat) if game.stage == "cards" else self._pyramid(seat)
        if seat != game.due:
            body |= {"seat": seat, "reason": _REASON}
        return (
            ("card" if game.stage == "cards" else "pyramid" if "place" in body else "pass"),
            body,
            None,
        )

    def _card(self, seat: str) -> dict[str, Any]:
        game, rng = self.game, self.rng
        cells = [
            (x, y)
            for x in range(game.wide)
            for y in range(game.deep)
            if (x, y) not in game.level.cards
        ]
        body: dict[str, Any] = {
            "place": name(rng.choice(cells)),
            "suit": rng.choice(list(game.color_of)),
        }
        if self.chance(0.2):
            body["rank"] = rng.choice(_RANKS)
        if game.hands[seat] == 0 or self.chance(0.05):
            body["reason"] = _REASON
        return body

    def _pyramid(self, seat: str) -> dict[str, Any]:
        """Return a pyramid, or a pass."""
        game, rng = self.game, self.rng
        if game.level.roof and self.chance(0.3):
            return {}
        size = rng.choice(game.sizes_now())
        colors = [color for color in game.colors if game.placed(color, size) < 3]
        wild = game.wild_left_of(seat, size) != {0}
        if (
            game.placed(WILD, size) < 3
            and (wild or self.chance(0.5))
            and (not colors or self.chance(self.wild))
        ):
            body = {"place": name(self._corner(WILD)), "color": WILD}
            if not wild or self.chance(0.2):
                body["reason"] = _REASON
        elif colors:
            corner = self._corner("")
            below = [
                pyramid.color
                for level in game.levels
                for pyramid in level.pyramids
                if pyramid.at == corner
            ]
            alike = [color for color in colors if color in below]
            body = {
                "place": name(corner),
                "color": rng.choice(alike if alike and self.chance(0.6) else colors),
            }
        else:
            return {}
        return body | ({"size": size} if game.level.roof or self.chance(0.1) else {})

    def _corner(self, color: str) -> Spot:
        """Return a corner, mostly a free one; opaque pyramids gather above and beside each other."""
        game = self.game
        stand = {pyramid.at for pyramid in game.level.pyramids}
        every = [(x, y) for x in range(game.wide + 1) for y in range(game.deep + 1)]
        free = [corner for corner in every if corner not in stand] or every
        if game.level.roof and self.chance(0.4):
            free = every
        if color == WILD and self.chance(0.7):
            wild = [
                pyramid.at
                for level in game.levels
                for pyramid in level.pyramids
                if pyramid.color == WILD
            ]
            free = [
                corner for corner in free if any(self._near(corner, pyramid) for pyramid in wild)
            ] or free
        return self.rng.choice(free)

    @staticmethod
    def _near(one: Spot, other: Spot) -> bool:
        return abs(one[0] - other[0]) + abs(one[1] - other[1]) <= 1

    # -- what happens beside it, and what the clauses may refuse

    def _odd(self) -> Entry:
        game, rng = self.game, self.rng
        kind = rng.choice(
            ["turn", "turn", "leaves", "joins", "pass", "card", "pyramid", "pyramid", "reveal"]
        )
        seat = rng.choice(game.seats)
        if kind == "turn":
            return "turn", {"seat": seat, "reason": _REASON}, None
        if kind == "leaves":
            return (
                ("seat_leaves", {"seat": seat}, None)
                if game.began and self.chance(0.3)
                else ("pass", {}, None)
            )
        if kind == "joins":
            if not game.began:
                return "pass", {}, None
            return "seat_joins", {"name": rng.choice([*sorted(game.left), "Zoe"])}, None
        if kind == "card":
            place = f"{rng.choice('abc')}{rng.choice('123')}"
            return (
                "card",
                {"place": place, "suit": rng.choice(("hearts", "royals", "fifth", "clubs"))},
                None,
            )
        if kind == "pyramid":
            place = f"{rng.choice('abcd')}{rng.choice('1234')}"
            body = {
                "place": place,
                "color": rng.choice([*game.colors, WILD, "purple"]),
                "size": rng.choice(SIZES),
            }
            return "pyramid", body | ({"seat": seat} if self.chance(0.3) else {}), None
        return kind, {}, None

    # -- the end

    def _ending(self) -> Iterator[Entry]:
        game, rng = self.game, self.rng
        missing = [seat for seat in game.playing if seat not in game.goals]
        goals = self._shuffled_goals()
        for seat, nest, tree in zip(missing, goals["nests"], goals["trees"], strict=False):
            if self.chance(0.05):
                nest = game.colors[0]
            yield "goal_noted", {"seat": seat, "nest": nest, "tree": tree}, None
        even = rng.sample(game.playing, min(len(game.playing), rng.choice([1, 2, 2, 2, 3, 4])))
        most = max(game.points(seat) + game.ending(seat) for seat in game.playing)
        for seat in even if len(even) > 1 else []:
            yield (
                "score_set",
                {"seat": seat, "score": most - game.ending(seat), "reason": _REASON},
                None,
            )
        yield "reveal", {}, None
        if not game.revealed:
            yield "reveal", {"reason": _REASON}, None
        if game.winners():
            return
        yield from self._showdown()

    def _showdown(self) -> Iterator[Entry]:
        game, rng = self.game, self.rng
        if self.chance(0.5):
            yield "showdown_ruling", {}, None  # to share the victory: where the option asks
        if game.winners():
            return
        clock = {"clock": "board-1", "pm": 1}
        yield "showdown", {}, {"us": 1_000_000, **clock} if self.chance(0.8) else None
        for seat in rng.sample(game.tied(), len(game.tied())):
            at = {
                "us": 61_000_000
                + rng.choice([0, 0, 1, 2, 3, 4, 5, 1_000, 100_000, 200_000, 450_000]),
                **clock,
            }
            at |= {"pm": rng.choice([0, 1, 2])}
            if self.chance(0.1):
                at["clock"] = "board-2"
            yield "showdown_stop", {"seat": seat}, at if self.chance(0.9) else None
        if not game.winners():
            yield "showdown_ruling", {"seat": rng.choice(game.seats)}, None
        if not game.winners():
            yield "showdown_ruling", {"reason": rng.choice(["", _REASON])}, None
        if not game.winners():
            yield "showdown_ruling", {"seat": game.tied()[0], "reason": _REASON}, None
