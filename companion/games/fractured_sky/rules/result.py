"""The result so far as lines of text and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.fractured_sky.rules.awaiting import awaiting
from companion.games.fractured_sky.rules.model import ROUNDS, Played, State
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.standing import (
    phase,
    standings,
    starfalls,
    starfalls_of,
    winner,
)
from companion.games.fractured_sky.rules.text import gained
from companion.rules.columns import plural
from companion.rules.common import not_finished


def summary(state: State) -> Iterator[str]:
    """Yield the scores, the gains of each round, and the winner or what the game waits for."""
    if state.board.example:
        yield "example map: regions, platforms and decks are invented"
    held = starfalls(state)
    for player in sorted(held, key=lambda player: -held[player]):
        yield f"{state.name(player)}: {plural(held[player], 'Starfall')}"
    for played in state.past:
        yield f"round {played.number} of {ROUNDS}: {gained(state, played)}"
    if phase(state) == "resolve":
        yield from resolution_lines(state)
    first = winner(state)
    if first is None:
        yield not_finished(state.common, awaiting(state))
    else:
        yield f"winner: {state.name(first)} (FS-30)"


def resolution_lines(state: State) -> Iterator[str]:
    """Yield the resolution of the round, a line for each step with its clause."""
    result = resolve(state)
    for step in result.steps:
        yield f"{step.text} ({step.clause})"
    for region in result.regions:
        yield f"{state.board.name(region.region)}: {plural(region.starfalls, 'Starfall')}"
        for step in region.steps:
            yield f"  {step.text} ({step.clause})"


def report(state: State) -> dict[str, Any]:
    """Return the result as JSON values."""
    return {
        "example": state.board.example,
        "standings": standings(state),
        "ais": {ai: starfalls_of(state, ai) for ai in state.ais},
        "rounds": [_round(played) for played in state.past],
        "buildings": [[piece.player, piece.building, piece.platform] for piece in state.buildings],
        "left_on_the_board": dict(state.starfalls),
        "market_cards": dict(state.market_cards),
        "winner": winner(state),
        "over": state.finished,
    }


def _round(played: Played) -> dict[str, Any]:
    best = max(played.gains, key=lambda player: played.gains[player], default=None)
    return {
        "number": played.number,
        "public": played.public,
        "winner": best,
        "gains": dict(played.gains),
        "next_order": list(played.next_order),
    }
