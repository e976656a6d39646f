"""The facts the rules allow in a state, for random play and for checks. It knows all secrets: not for a screen."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.sky_rise.rules import facts as f
from companion.games.sky_rise.rules.fold import is_ready
from companion.games.sky_rise.rules.model import OPAQUE, SIZES, State
from companion.games.sky_rise.rules.setting import given, share
from companion.rules.game import Fact, SeatId


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now.

    The table's own words (`turn`, whatever carries a reason, people and scores) are always possible and so not among
    them; neither is the rank of a card. Goals are while a seat has none, and only those nobody else has (SR-3).
    """
    yield from _goals(state)
    yield from (f.Pass(), f.Reveal(), f.Showdown(), f.ShowdownRuling())
    for seat in state.playing:
        yield from (f.TurnOver(seat=seat), f.ShowdownStop(seat=seat), f.ShowdownRuling(seat=seat))
        if is_ready(state):
            yield f.StartToken(seat=seat)
        yield from _shares(state, seat)
    if is_ready(state):
        yield from (f.Assign(suit=suit, color=color) for suit, _ in state.plan.suits for color in state.plan.colors)
    yield from _building(state)


def _building(state: State) -> Iterator[Fact]:
    if state.level.stage == "cards":
        cells, suits = state.plan.grid.cells, state.plan.suits
        yield from (f.Card(place=cell, suit=suit) for cell in cells for suit, _ in suits)
    if state.level.stage == "pyramids":
        sizes = SIZES if state.level.is_roof else (None,)
        pieces = (*state.plan.colors, OPAQUE)
        for place in state.plan.grid.places:
            yield from (f.Pyramid(place=place, color=piece, size=size) for piece in pieces for size in sizes)


def _shares(state: State, seat: SeatId) -> Iterator[Fact]:
    """Which opaque pyramids a seat may have been given, while nobody has said."""
    total = share(state, seat)
    if given(state, seat) is None and total:
        for large in range(4):
            for medium in range(4):
                if 0 <= total - large - medium <= 3:
                    yield f.Opaque(seat=seat, large=large, medium=medium, small=total - large - medium)


def _goals(state: State) -> Iterator[Fact]:
    if state.revealed or state.common.paused:
        return
    nests = [color for color in state.plan.colors if color not in [goals.nest for goals in state.goals]]
    trees = [color for color in state.plan.colors if color not in [goals.tree for goals in state.goals]]
    for seat in state.playing:
        if state.goals_of(seat) is None:
            yield from (f.GoalNoted(seat=seat, nest=nest, tree=tree) for nest in nests for tree in trees)
