"""The result so far, as text lines and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.skyfire.rules.model import Round, State
from companion.games.skyfire.rules.standings import earned, scores, winners
from companion.games.skyfire.rules.text import awaiting, result_sentence, round_name
from companion.rules.columns import plural
from companion.rules.common import not_finished

EXAMPLE = "example deck: these cards are made up"


def summary(state: State) -> tuple[str, ...]:
    """Return the standings, each round with its result, and what the game waits for."""
    example = (EXAMPLE,) if state.deck.example else ()
    lines = (*example, *_standings(state), *_rounds(state))
    if first := winners(state):
        return (*lines, f"winner: {state.names(first)} (SF-18)")
    return (*lines, not_finished(state.common, awaiting(state)))


def _standings(state: State) -> Iterator[str]:
    held = scores(state)
    results = [played.result for played in state.rounds if played.result is not None]
    for seat in sorted(state.setup.seats, key=lambda seat: -held[seat.id]):
        won = sum(seat.id in result.winners for result in results)
        added = state.common.added(seat.id)
        by_hand = f", {added:+d} by hand" if added else ""
        left = ", left the game" if seat.id in state.common.left else ""
        yield f"{seat.name}: {plural(held[seat.id], 'point')}, {plural(won, 'round')} won{by_hand}{left}"


def _rounds(state: State) -> Iterator[str]:
    for played in state.rounds:
        target = f", target {played.target}" if played.target is not None else ""
        ending = "not finished"
        if played.result is not None:
            ending = result_sentence(state, played.result)
        yield f"{round_name(played.number)}{target}: {ending}"


def report(state: State) -> dict[str, Any]:
    """Return the result as JSON values; None if something is unknown or did not happen."""
    return {
        "scores": scores(state),
        "won_by": list(winners(state)),
        "by_hand": dict(state.common.by_hand),
        "left": sorted(state.common.left),
        "example_deck": state.deck.example,
        "rounds": [_round(played) for played in state.rounds],
    }


def _round(played: Round) -> dict[str, Any]:
    """Return one round; `winner` is set only if one seat won it alone."""
    result = played.result
    won_by = result.winners if result is not None else ()
    return {
        "number": played.number,
        "how": result.how if result is not None else "open",
        "clause": result.clause if result is not None else None,
        "winner": won_by[0] if len(won_by) == 1 else None,
        "winners": list(won_by),
        "points": {seat: earned(played, seat) for seat in played.players},
        "first": played.first,
        "target": str(played.target) if played.target is not None else None,
        "zones": [len(zone.cards) for zone in played.zones],
        "eliminated": list(played.out),
        "moves": len(played.moves),
    }
