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
    first = winners(state)
    closing = (
        f"winner: {state.names(first)} (SF-18)"
        if first
        else not_finished(state.common, awaiting(state))
    )
    return (*example, *_standings(state), *_rounds(state), closing)


def _standings(state: State) -> Iterator[str]:
    held = scores(state)
    for seat in sorted(state.setup.seats, key=lambda seat: -held[seat.id]):
        won = sum(
            played.result is not None and seat.id in played.result.winners
            for played in state.rounds
        )
        left = ", left the game" if seat.id in state.common.left else ""
        by_hand = (
            f", {state.common.added(seat.id):+d} by hand" if state.common.added(seat.id) else ""
        )
        yield f"{seat.name}: {plural(held[seat.id], 'point')}, {plural(won, 'round')} won{by_hand}{left}"


def _rounds(state: State) -> Iterator[str]:
    for played in state.rounds:
        target = f", target {played.target}" if played.target is not None else ""
        ending = (
            result_sentence(state, played.result) if played.result is not None else "not finished"
        )
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
