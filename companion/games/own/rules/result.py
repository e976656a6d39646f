"""Who won a game of one's own (OG-9)."""

from __future__ import annotations

from companion.games.own.rules.expressions import Value
from companion.games.own.rules.fold import standings
from companion.games.own.rules.model import State, valued
from companion.rules.ending import GameResult, scores_after
from companion.rules.game import SeatId


def result(state: State) -> GameResult:
    """Return who won, as far as the game has come, and the scores after each round."""
    scores = standings(state)
    after, held = [], dict.fromkeys(scores, 0)
    for number, one in enumerate(state.closed, start=1):
        after.append((str(number), {seat: one.scores.get(seat, 0) - held[seat] for seat in scores}))
        held = {seat: one.scores.get(seat, 0) for seat in scores}
    if not after:
        after = [("game", dict(state.scores))]
    winners, tie_break = _winners(state, scores) if state.over else ((), "")
    kind = next(iter(state.says.rounds.values()), None)
    return GameResult(winners, scores_after(after, scores), kind.title if kind else "round", tie_break)


def _winners(state: State, scores: dict[SeatId, int]) -> tuple[tuple[SeatId, ...], str]:
    if state.says.wins == "together":
        won = state.rules.won
        if won is not None and valued(state, won, "who won"):
            return state.playing, "All of you won together."
        return (), "All of you lost together."
    sign = 1 if state.says.wins == "highest" else -1
    best = _best({seat: sign * scores[seat] for seat in state.playing})
    for number, tie in enumerate(state.rules.ties, start=1):
        if len(best) < 2:
            break
        kept = _best({seat: valued(state, tie, "who is ahead", seat) for seat in best})
        if len(kept) < len(best):
            return kept, f"Equal scores were settled by {state.says.ties[number - 1]}."
    return best, ""


def _best(of: dict[SeatId, Value]) -> tuple[SeatId, ...]:
    top = max(of.values(), default=0)
    return tuple(seat for seat, value in of.items() if value == top)
