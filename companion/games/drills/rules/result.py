"""Who won, the result so far as plain lines, and as plain JSON values (DR-8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.drills.rules.model import State
from companion.games.drills.rules.text import NAMES, awaiting, timed
from companion.games.drills.rules.timing import fastest, first_at_plates, median, points, results, standings, trend
from companion.games.drills.rules.timing import result as of_string
from companion.rules.columns import plural
from companion.rules.common import not_finished
from companion.rules.ending import GameResult, leading, scores_after
from companion.rules.game import SeatId


def winners(state: State) -> tuple[SeatId, ...]:
    """Return who has most points; among equals whoever has the least median, unless that is a tie (DR-8)."""
    best = leading({seat: score for seat, score in standings(state).items() if seat not in state.common.left})
    medians = {seat: median(state, times) for seat in best if (times := results(state, seat))}
    if len(medians) < len(best) or not best:  # where a time is not known, nobody can say who was faster
        return best
    return fastest(state, medians)


def result(state: State) -> GameResult:
    """Return who won, and the points after each string."""
    first = winners(state) if state.over else ()
    return GameResult(first, scores_after(_gains(state), standings(state)), "string", _settled(state))


def _gains(state: State) -> Iterator[tuple[str, dict[SeatId, int]]]:
    """What each string that counts brought to whom."""
    for number, string in enumerate(state.strings, start=1):
        if string.end in ("done", "false_start"):
            alone = State(state.common, state.options, (string,))
            yield str(number), {seat.id: points(alone, seat.id) for seat in state.setup.seats}


def _settled(state: State) -> str:
    """How equal scores were settled, in a sentence."""
    scores, first = standings(state), winners(state)
    level = [seat for seat in state.playing if first and scores[seat] == scores[first[0]]]
    if not state.over or len(first) != 1 or len(level) < 2:
        return ""
    least = timed(median(state, results(state, first[0])))
    return f"{state.names(level)} are level; {state.name(first[0])} has the fastest median, {least}."


def summary(state: State) -> tuple[str, ...]:
    """Return the standings with the times of each player, and what is awaited."""
    scores, lines = standings(state), [NAMES[state.drill]]
    for seat in state.setup.seats:
        told = trend(state, seat.id)
        times = "" if told is None else f", best {timed(told.best)}, median {timed(told.median)}"
        lines.append(f"{seat.name}: {counted(state.drill, scores[seat.id])}{times}")
    first = winners(state) if state.over else ()
    return (*lines, f"won by: {state.names(first)}" if first else not_finished(state.common, awaiting(state)))


def counted(drill: str, score: int) -> str:
    """Return what a score is in words: `3 clean strings`, `2 first`."""
    if drill == "par":
        return plural(score, "string within par", "strings within par")
    return plural(score, "win" if drill == "plates" else "clean string")


def report(state: State) -> dict[str, Any]:
    """Return each string as plain JSON values, times in microseconds."""
    return {
        "drill": state.drill,
        "strings": [
            {
                "seat": string.seat,
                "ended": string.end,
                "signal": string.by,
                "delay_ms": string.delay_ms if string.by else None,
                "times_us": {
                    seat: span.us for seat in string.players if (span := of_string(state, string, seat)) is not None
                },
                "first": list(first_at_plates(state, string)) if state.drill == "plates" else [],
            }
            for string in state.strings
        ],
    }
