"""The result so far, as text lines and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.display.cells import plain
from companion.display.towers import tower_lines
from companion.games.sky_rise.rules.model import State, TowerLevel
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.scoring import (
    color_points,
    color_total,
    columns,
    groups_on,
    placed_points,
)
from companion.games.sky_rise.rules.setting import opaque_left
from companion.games.sky_rise.rules.standings import (
    building_time,
    in_order,
    over,
    scores,
    totals,
    winners,
)
from companion.games.sky_rise.rules.text import awaiting, level_name, result, seconds
from companion.games.sky_rise.rules.view import view
from companion.rules.columns import plural
from companion.rules.common import not_finished
from companion.rules.facts import TABLE, SeatId

_COLUMNS = 80


def summary(state: State) -> Iterator[str]:
    """Yield the standings, the colors' totals, the groups, the tower, and the result or what the game waits for."""
    points = totals(state)
    for seat in sorted(state.setup.seats, key=lambda seat: -points[seat.id]):
        yield f"{seat.name}: {plural(points[seat.id], 'point')} ({_parts(state, seat.id)})"
    yield "colors: " + ", ".join(
        f"{color} {color_total(state, color)}" for color in state.plan.colors
    )
    for level in state.levels:
        for group in groups_on(state.plan, state.options, level):
            wild = f" with opaque {', '.join(group.opaque)}" if group.opaque else ""
            yield f"{level_name(level)}: {group.color} {', '.join(group.own)}{wild}: {group.points} (SR-10)"
    if state.showdown is not None:
        for stop in in_order(state.showdown.stops):
            yield f"Tower Showdown: {state.name(stop.seat)} {seconds(building_time(state, stop))} (SR-17)"
    yield from map(plain, tower_lines(tower(view(state, TABLE)), _COLUMNS, sides=False))
    yield result(state) if over(state) else not_finished(state.common, awaiting(state))


def _parts(state: State, seat: SeatId) -> str:
    """Return the sources of the points: `placed 14, Nest red 20, Tree blue 2 columns 12, 1 opaque left 2`."""
    own, goals = scores(state)[seat], state.goals_of(seat)
    parts = [f"placed {own.placed}"]
    if own.nest is not None and goals is not None:
        standing = len(columns(state, goals.tree))
        parts.append(f"Nest {goals.nest} {own.nest}")
        parts.append(f"Tree {goals.tree} {plural(standing, 'column')} {own.columns}")
        parts.append(f"{opaque_left(state, seat)} opaque left {own.unplaced}")
    if own.by_hand:
        parts.append(f"by hand {own.by_hand:+d}")
    if seat in state.common.left:
        parts.append("left")
    return ", ".join(parts)


def report(state: State) -> dict[str, Any]:
    """Return the result as JSON values; None if unknown or still secret."""
    return {
        "totals": totals(state),
        "won_by": list(winners(state)),
        "revealed": state.revealed,
        "seats": {seat.id: _seat(state, seat.id) for seat in state.setup.seats},
        "colors": {color: color_total(state, color) for color in state.plan.colors},
        "rounds": [_round(state, level) for level in state.levels],
        "pile": state.pile,
        "showdown": _times(state),
    }


def _seat(state: State, seat: SeatId) -> dict[str, Any]:
    own, goals = scores(state)[seat], state.goals_of(seat) if state.revealed else None
    return {
        "placed": own.placed,
        "nest": goals.nest if goals else None,
        "nest_points": own.nest,
        "tree": goals.tree if goals else None,
        "columns": list(columns(state, goals.tree)) if goals else None,
        "column_points": own.columns,
        "opaque_left": opaque_left(state, seat),
        "opaque_points": own.unplaced,
        "by_hand": own.by_hand,
        "left": seat in state.common.left,
    }


def _round(state: State, level: TowerLevel) -> dict[str, Any]:
    placed = placed_points(state.plan, level)
    return {
        "number": level.number,
        "size": level.size,
        "complete": level.stage == "done",
        "starter": level.starter,
        "cards": {card.place: card.suit for card in level.cards},
        "pyramids": [
            {
                "place": pyramid.place,
                "color": pyramid.color,
                "size": pyramid.size,
                "seat": pyramid.seat,
                "entry": pyramid.entry,
            }
            for pyramid in level.pyramids
        ],
        "points": {seat.id: placed[seat.id] for seat in state.setup.seats},
        "colors": {color: color_points(state, level, color) for color in state.plan.colors},
        "groups": [
            {
                "color": group.color,
                "own": list(group.own),
                "opaque": list(group.opaque),
                "points": group.points,
            }
            for group in groups_on(state.plan, state.options, level)
        ],
    }


def _times(state: State) -> list[dict[str, Any]] | None:
    if state.showdown is None:
        return None
    spans = [(stop.seat, building_time(state, stop)) for stop in in_order(state.showdown.stops)]
    return [
        {"seat": seat, "us": span.us if span else None, "pm": span.pm if span else None}
        for seat, span in spans
    ]
