"""The result so far, as text lines and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.panic_fire.rules.model import Round, State
from companion.games.panic_fire.rules.standings import bullets, cards_left, champion, outcome
from companion.games.panic_fire.rules.text import awaiting, round_name, verdict_sentence
from companion.games.panic_fire.rules.timing import first_shot
from companion.games.panic_fire.rules.view import kill_matrix
from companion.rules.columns import plural
from companion.rules.common import not_finished
from companion.rules.spans import seconds


def summary(state: State) -> tuple[str, ...]:
    """Return the standings, each round with its shots, and what the game waits for."""
    first = champion(state)
    lines = (*_standings(state), *_rounds(state))
    if first is not None:
        return (*lines, f"champion: {state.name(first)}")
    return (*lines, not_finished(state.common, awaiting(state)))


def _standings(state: State) -> Iterator[str]:
    held, kills = bullets(state), kill_matrix(state, state.setup.seats)
    rows = zip(state.setup.seats, kills, strict=True)
    for seat, eliminated in sorted(rows, key=lambda row: -held[row[0].id]):
        draws = sum(played.tally(seat.id).draws for played in state.rounds)
        added = state.common.added(seat.id)
        score = plural(held[seat.id], "Bullet card")
        if added:
            score += f" ({added:+d} by hand)"
        left = ", left the game" if seat.id in state.common.left else ""
        kill_count = plural(sum(eliminated), "elimination")
        yield f"{seat.name}: {score}, {kill_count}, {plural(draws, 'draw')}{left}"


def _rounds(state: State) -> Iterator[str]:
    for played in state.rounds:
        first = ""
        if played.reading.verdicts:
            span = first_shot(played)
            time = "?" if span is None else seconds(span.us, span.pm)
            first = f"; first shot {time}"
        yield f"{round_name(played)}: {_ending(state, played)}{first}"
        for pull, verdict in played.reading.verdicts:
            yield f"  {verdict_sentence(state, pull, verdict)}"


def _ending(state: State, played: Round) -> str:
    now = outcome(played, state.options)
    if now.winner is not None and played.end is not None:
        return f"{state.name(now.winner)} wins by the table's word"
    if now.winner is not None:
        return f"{state.name(now.winner)} survives"
    return {"open": "not finished", "replay": "played again", "table": "the table decides"}[
        now.status
    ]


def report(state: State) -> dict[str, Any]:
    """Return the result as JSON values; None is unknown, times are in microseconds."""
    return {
        "bullets": bullets(state),
        "champion": champion(state),
        "by_hand": dict(state.common.by_hand),
        "left": sorted(state.common.left),
        "rounds": [_round(state, played) for played in state.rounds],
        "kills": [list(row) for row in kill_matrix(state, state.setup.seats)],
    }


def _round(state: State, played: Round) -> dict[str, Any]:
    now, first = outcome(played, state.options), first_shot(played)
    left = cards_left(played, state.options)
    return {
        "number": played.number,
        "sudden_death": played.sudden_death,
        "status": now.status,
        "winner": now.winner,
        "dealer": played.dealer,
        "draws": {seat: tally.draws for seat, tally in played.tallies},
        "cards_left": None if left is None else list(left),
        "first_shot_us": None if first is None else first.us,
        # After a gap the longest measured interval need not be the longest.
        "longest_calm_us": None if played.calm is None or played.gap else played.calm.us,
        "shots": [
            {
                "entry": pull.entry,
                "shooter": pull.shooter,
                "target": pull.target,
                "result": verdict.result,
                "eliminated": verdict.eliminated,
                "clause": verdict.clause,
                "lag_us": pull.lag_us,
            }
            for pull, verdict in played.reading.verdicts
        ],
    }
