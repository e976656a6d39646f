"""The winner, and the result so far as text lines and as JSON values (DR-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.drills.rules.model import State, String
from companion.games.drills.rules.text import FALSE_START, NAMES, awaiting, in_seconds, timed
from companion.games.drills.rules.timing import (
    after_signal,
    fastest,
    figures,
    first_at_plates,
    measured_result,
    median,
    result as of_string,
    results,
    standings,
    trend,
)
from companion.rules.columns import listed, plural
from companion.rules.common import not_finished
from companion.rules.ending import GameResult, TimesAtEnd, leading, with_by_hand
from companion.rules.facts import SeatId
from companion.rules.pauses import Span
from companion.rules.spans import NOT_MEASURED


def winners(state: State) -> tuple[SeatId, ...]:
    """Return the seats with the most points; among equals the least median, unless that is a tie (DR-8)."""
    best = leading(
        {seat: score for seat, score in standings(state).items() if seat not in state.common.left}
    )
    medians = {seat: median(state, times) for seat in best if (times := results(state, seat))}
    # where a time is not known, nobody can say who was faster
    if len(medians) < len(best) or not best:
        return best
    return fastest(state, medians)


def result(state: State) -> GameResult:
    """Return the winners and the points after each string."""
    first = winners(state) if state.over else ()
    after = with_by_hand(figures(state).after, standings(state))
    # the times are asked for at the end alone
    ended = state.over or state.common.abandoned is not None
    return GameResult(
        first, after, "string", _decided(state, first), times=_times(state) if ended else None
    )


def _decided(state: State, first: tuple[SeatId, ...]) -> str:
    """Return what decided a finished session, in a sentence; empty without an opponent."""
    if not first or len(state.playing) < 2:
        return ""
    scores = standings(state)
    level = [seat for seat in state.playing if scores[seat] == scores[first[0]]]
    if len(level) == 1:
        return _by_points(state, scores)
    medians = []
    for seat in first:
        if times := results(state, seat):
            medians.append(timed(median(state, times)))
    names = state.names(level)
    if len(medians) < len(first):
        return f"{names} are level, and not all of them have a time."
    if len(first) == 1:
        return f"{names} are level; {state.name(first[0])} has the fastest median, {medians[0]}."
    if len(first) == len(level):
        return f"{names} are level, and their medians are a tie: {listed(medians)}."
    return f"{names} are level; the fastest medians are a tie: {state.names(first)} with {listed(medians)}."


def _by_points(state: State, scores: Mapping[SeatId, int]) -> str:
    """Return `Points decided: 4 clean strings for Ann, 2 for Ben.`"""
    first, *others = sorted(state.playing, key=lambda seat: -scores[seat])
    best = f"{counted(state.drill, scores[first])} for {state.name(first)}"
    rest = [f"{scores[seat]} for {state.name(seat)}" for seat in others]
    return f"Points decided: {', '.join((best, *rest))}."


def _times(state: State) -> TimesAtEnd:
    """Return the best and the median of each player, and all shots in order."""
    rows, shots_of = {}, {}
    between_strings = "; " if state.wanted > 1 else ", "
    for seat in state.setup.seats:
        statistics = trend(state, seat.id)
        rows[seat.id] = ("-", "-")
        if statistics is not None:
            rows[seat.id] = (in_seconds(statistics.best), in_seconds(statistics.median))
        strings = [string for string in state.strings if seat.id in string.players]
        shots = filter(None, (_shots(state, string, seat.id) for string in strings))
        shots_of[seat.id] = between_strings.join(shots) or "no time"
    return TimesAtEnd(("best s", "median s"), rows, shots_of)


def _shots(state: State, string: String, seat: SeatId) -> str:
    """Return a player's shots in a string: `0.231`, several of them, or `false start`; empty if it does not
    count."""
    if string.end == "false_start":
        return FALSE_START if string.early == seat else ""
    if string.end != "done":
        return ""
    if state.drill == "plates":
        spans = [of_string(state, string, seat)]
    else:
        spans = [after_signal(state, string, at) for at in string.shots]
    return " ".join(map(_shot, spans))


def _shot(span: Span | None) -> str:
    if span is None:
        return "unknown"
    return NOT_MEASURED if span.tapped else in_seconds(span)


def summary(state: State) -> tuple[str, ...]:
    """Return the standings with each player's times, and what the game waits for."""
    scores, lines = standings(state), [NAMES[state.drill]]
    for seat in state.setup.seats:
        line = f"{seat.name}: {counted(state.drill, scores[seat.id])}"
        if (statistics := trend(state, seat.id)) is not None:
            line += f", best {timed(statistics.best)}, median {timed(statistics.median)}"
        lines.append(line)
    first = winners(state) if state.over else ()
    if first:
        return (*lines, f"won by: {state.names(first)}")
    return (*lines, not_finished(state.common, awaiting(state)))


def counted(drill: str, score: int) -> str:
    """Return a score in words: `3 clean strings`, `2 wins`."""
    if drill == "par":
        return plural(score, "string within par", "strings within par")
    return plural(score, "win" if drill == "plates" else "clean string")


def report(state: State) -> dict[str, Any]:
    """Return each string as JSON values, times in microseconds."""
    return {
        "drill": state.drill,
        "strings": [_string(state, string) for string in state.strings],
    }


def _string(state: State, string: String) -> dict[str, Any]:
    spans = {seat: measured_result(state, string, seat) for seat in string.players}
    return {
        "seat": string.seat,
        "ended": string.end,
        "signal": string.by,
        # A secret until the signal is given (DR-3).
        "delay_ms": string.delay_ms if string.by else None,
        "times_us": {seat: span.us for seat, span in spans.items() if span is not None},
        "first": list(first_at_plates(state, string)) if state.drill == "plates" else [],
    }
