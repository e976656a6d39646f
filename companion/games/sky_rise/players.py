"""Demo players for Sky Rise: three people with pyramids, playing cards and a button each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, ClassVar

from companion.demo.steps import LIFT_S, TAP_MS, DemoStep, ScriptedPlayers, See, zone
from companion.games.sky_rise.rules.facts import Color
from companion.games.sky_rise.rules.model import EACH, OPAQUE, SIZES
from companion.games.sky_rise.rules.scoring import COLUMN_POINTS, UNPLACED_POINTS
from companion.games.sky_rise.rules.view import SkyRiseView
from firmware_protocol.virtual import physics

Deal = tuple[tuple[Color, ...], tuple[Color, ...]]
"""A Nest and a Tree for each seat, in seat order."""
BUILDING_S = 12.0
"""Seconds that demo contenders need for the six levels."""
MOST_OF_A_SUIT = 12  # SR-2, with three players


@dataclass(slots=True)
class SkyRisePlayers(ScriptedPlayers[SkyRiseView]):
    """Three people who like points.

    They end most turns with their buttons and enter afterwards what they did. Goals are dealt so that two of them
    are tied at the end where the tower allows it; then they build a Tower Showdown.
    """

    game: ClassVar[str] = "sky-rise"
    seats: ClassVar[tuple[str, ...]] = ("Ada", "Ben", "Cleo")

    def steps(self) -> Iterator[DemoStep]:
        """Yield steps until somebody has won."""
        start = self.random.randrange(len(self.seats))
        if self.may("start_token", seat=self.look().seats[start].id):
            yield self.hold(
                zone(start),
                lambda view: view.seats[start].start_token,
                "the Start token has a seat",
            )
        yield from self._shares()
        while self.look().phase not in ("goals", "showdown", "finished"):
            yield from self._turn()
        yield from self._goals()
        if self.look().phase == "showdown":
            yield from self._showdown()

    def enter(self, kind: str, body: Mapping[str, Any], until: See, wanted: str) -> DemoStep:
        """Enter a fact on the screen; a key at the cursor takes no longer than a tap."""
        return replace(
            ScriptedPlayers.enter(self, kind, body, until, wanted), takes_s=TAP_MS / 1000
        )

    def _shares(self) -> Iterator[DemoStep]:
        """Enter which opaque pyramids everybody was given (SR-1)."""
        pyramids = [size for size in range(len(SIZES)) for _ in range(EACH)]
        self.random.shuffle(pyramids)
        for place, seat in enumerate(self.look().seats):
            own, pyramids = pyramids[: seat.opaque_given], pyramids[seat.opaque_given :]
            body = {"seat": seat.id} | {
                size: own.count(number) for number, size in enumerate(SIZES)
            }
            yield self.enter(
                "opaque", body, _sizes_known(place), f"{seat.name}'s opaque pyramids are known"
            )

    def _turn(self) -> Iterator[DemoStep]:
        """Play a turn, or two in a row, ended by buttons; then enter what was laid."""
        for chance in (0.7, 0.2):
            view = self.look()
            if (
                self.random.random() < chance
                and view.turn
                and self.may("turn_over", seat=view.turn)
            ):
                yield self._button(view)
        for _ in range(max(1, len(self.look().to_enter))):
            view = self.look()
            yield self._card(view) if view.phase in ("floor", "roof") else self._pyramid(view)

    def _button(self, view: SkyRiseView) -> DemoStep:
        seat = next(seat for seat in view.seats if seat.on_turn)
        waiting = len(view.to_enter)
        return self.tap(
            zone(seat.zone - 1),
            lambda view: len(view.to_enter) > waiting,
            f"{seat.name}'s turn is over",
        )

    def _card(self, view: SkyRiseView) -> DemoStep:
        """Lay a card of a suit that is not used up."""
        level, cell = (
            view.level,
            self.random.choice([free.place for free in view.levels[-1].cells if free.suit is None]),
        )
        lying = [card.suit for level in view.levels for card in level.cells]
        suit = self.random.choice(
            [color.suit for color in view.colors if lying.count(color.suit) < MOST_OF_A_SUIT]
        )
        return self.enter(
            "card", {"place": cell, "suit": suit}, _laid(level, cell), f"a card lies at {cell}"
        )

    def _pyramid(self, view: SkyRiseView) -> DemoStep:
        """Place the best of a few offers, on the roof sometimes none."""
        size = view.size or self.random.choice(SIZES)
        offers = [
            (points, place, color) for place, color, points in _offers(view, SIZES.index(size))
        ]
        if not offers or (view.phase == "antennas" and self.random.random() < 0.2):
            due = (view.due, view.phase)
            return self.key("pass", lambda view: (view.due, view.phase) != due, "the turn passed")
        _, corner, color = max(self.random.sample(offers, min(6, len(offers))))
        body = {"place": corner, "color": color} | ({} if view.size else {"size": size})
        return self.enter(
            "pyramid", body, _stands(view.level, corner), f"a pyramid stands at {corner}"
        )

    # -- the end

    def _goals(self) -> Iterator[DemoStep]:
        nests, trees = self._deal(self.look())
        for place, seat in enumerate(self.look().seats):
            body = {"seat": seat.id, "nest": nests[place], "tree": trees[place]}
            yield self.enter("goal_noted", body, _noted(place), f"{seat.name}'s goals are noted")
        yield self.key("reveal", lambda view: view.revealed, "the goals are turned up")

    def _deal(self, view: SkyRiseView) -> Deal:
        colors = [color.name for color in view.colors]
        deals = [
            (nests, trees) for nests in permutations(colors, 3) for trees in permutations(colors, 3)
        ]
        self.random.shuffle(deals)
        # A tie makes a Tower Showdown, which a demo should show if the tower allows one.
        return next((deal for deal in deals if _is_tie(view, deal)), deals[0])

    def _showdown(self) -> Iterator[DemoStep]:
        """Start the clock on three, then tap one button, or two at once and rule on the photo finish (SR-17)."""
        seats = self.look().seats
        most = max(seat.score.total for seat in seats)
        tied = self.random.sample([seat for seat in seats if seat.score.total == most], 2)
        yield self.hold(
            zone(tied[0].zone - 1), lambda view: view.showdown is not None, "the clock runs"
        )
        yield DemoStep(lambda: None, lambda _: True, "they build", BUILDING_S, 0)
        if self.random.random() < 0.5:
            yield self.tap(
                zone(tied[0].zone - 1), lambda view: bool(view.winners), f"{tied[0].name} is done"
            )
            return
        both = [zone(seat.zone - 1) for seat in tied]
        yield DemoStep(
            lambda: self._together(both),
            _is_close,
            "it is a photo finish",
            2.0,
            TAP_MS / 1000 + LIFT_S,
        )
        yield self.hold(
            both[0], lambda view: bool(view.winners), f"the table says that {tied[0].name} won"
        )

    def _together(self, channels: list[str]) -> int:
        edges = [
            edge
            for channel in channels
            for edge in physics.press(channel, TAP_MS * 1000, self.random)
        ]
        return self.board.play(sorted(edges))


def _offers(view: SkyRiseView, size: int) -> Iterator[tuple[str, str, int]]:
    """Yield each corner, color and points that the next seat can place in that size."""
    due = next(seat for seat in view.seats if seat.id == view.due)
    stock: dict[str, int] = {color.name: color.stock[size] for color in view.colors}
    stock[OPAQUE] = due.opaque_sizes[size] or 0
    for corner in view.levels[-1].corners:
        if not corner.pieces:
            yield from (
                (corner.place, color, points) for color, points in corner.offers if stock[color]
            )


def _is_tie(view: SkyRiseView, deal: Deal) -> bool:
    """Return True if several seats would be first with these goals (SR-14 to SR-16)."""
    nest = {color.name: color.total for color in view.colors}
    tree = {color.name: COLUMN_POINTS * len(color.columns) for color in view.colors}
    points = [
        seat.score.placed + nest[own] + tree[other] + UNPLACED_POINTS * seat.opaque
        for seat, own, other in zip(view.seats, *deal, strict=True)
    ]
    return points.count(max(points)) > 1


def _is_close(view: SkyRiseView) -> bool:
    return view.showdown is not None and len(view.showdown.close) > 1


def _sizes_known(place: int) -> See:
    return lambda view: None not in view.seats[place].opaque_sizes


def _laid(level: int, place: str) -> See:
    return lambda view: any(
        cell.place == place and cell.suit for cell in view.levels[level - 1].cells
    )


def _stands(level: int, place: str) -> See:
    return lambda view: any(
        corner.place == place and corner.pieces for corner in view.levels[level - 1].corners
    )


def _noted(place: int) -> See:
    return lambda view: bool(view.seats[place].goals_noted)
