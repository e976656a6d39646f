"""Panic Fire's part of a report."""

from __future__ import annotations

from collections.abc import Iterator, Set

from companion.games.panic_fire.rules import facts as f
from companion.games.panic_fire.rules.model import Pull, Round, Stalemate, State
from companion.games.panic_fire.rules.standings import bullets
from companion.games.panic_fire.rules.text import round_name, verdict_sentence
from companion.games.panic_fire.rules.timing import elapsed, lamp_lit, since_fire, since_lamp
from companion.games.panic_fire.rules.view import kill_matrix
from companion.reports.games import (
    SHOOTING_OVER_SESSIONS,
    FigureColumn,
    Figures,
    GameReport,
    Sign,
    TimeLine,
    TimeMark,
    is_board,
    time_mark,
)
from companion.reports.record import Record
from companion.rules.facts import Moment, SeatId
from companion.rules.pauses import Span
from companion.session.accessories import Lamp


class PanicFireReport(GameReport):
    """Rounds, draws and shots of Panic Fire."""

    no_rulings = frozenset({"draw"})

    def time_lines(self, record: Record) -> tuple[TimeLine, ...]:
        """Return a time line of draws and pulls for each round, from its *fire!*."""
        state: State = record.state
        rounds = zip(state.rounds, _draws(record), strict=True)
        lits = tuple(Lamp().read(record.entries))
        return tuple(_time_line(state, played, draws, lits) for played, draws in rounds)

    def matrix(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Return how often seat i eliminated seat j."""
        return kill_matrix(state, state.setup.seats)

    def over_sessions(self, _unit: str) -> tuple[FigureColumn, ...]:
        """Return rounds won, which are the Bullets, and what a seat did with draws and shots."""
        return SHOOTING_OVER_SESSIONS

    def seat_figures(self, record: Record, seat: SeatId) -> Figures:
        """Return a seat's totals over all rounds; reactions count from the board's lamp if it was lit."""
        state: State = record.state
        lits = tuple(Lamp().read(record.entries))
        by_hand = {line.entry.n for line in record.facts if line.by_hand}
        draws = timed_draws = timed_us = 0
        reactions: list[tuple[Span, bool]] = []
        for played in state.rounds:
            draws += played.tally(seat).draws
            # A rate needs the duration of the round too, which is unknown after a change of clock.
            span = elapsed(played)
            if seat in played.players and span is not None:
                timed_draws += played.tally(seat).draws
                timed_us += span.us
            reactions += _first_shot(played, seat, lits, by_hand)
        fastest, from_lamp = min(
            reactions,
            key=lambda reaction: (reaction[0].us, reaction[0].pm, reaction[1]),
            default=(None, False),
        )
        seats = [known.id for known in state.setup.seats]
        return Figures(
            rounds_won=bullets(state)[seat],
            eliminations=sum(self.matrix(state)[seats.index(seat)]),
            draws=draws,
            timed_draws=timed_draws,
            timed_us=timed_us,
            fastest=fastest,
            from_lamp=from_lamp,
        )


def _draws(record: Record) -> list[list[tuple[SeatId, Moment | None]]]:
    """Return the draws of each round: the seat and the moment of each."""
    state: State = record.state
    # A fact without seats means everybody still in; only the state knows who that was.
    stalemates = iter(
        [
            happening
            for played in state.rounds
            for happening in played.happenings
            if isinstance(happening, Stalemate)
        ]
    )
    rounds: list[list[tuple[SeatId, Moment | None]]] = []
    for line in record.facts:
        if not line.counts:
            continue
        match line.fact:
            case f.Fire():
                rounds.append([])
            case f.Draw(seat=seat, at=at):
                rounds[-1].append((seat, at))
            case f.StalemateDraw(at=at):
                rounds[-1].extend((seat, at) for seat in next(stalemates).seats)
    return rounds


def _time_line(
    state: State, played: Round, draws: list[tuple[SeatId, Moment | None]], lits: tuple[Moment, ...]
) -> TimeLine:
    pulls = [item for item in played.happenings if isinstance(item, Pull)]
    all_marks = [_mark(played, at, seat, "draw", f"{state.name(seat)} draws") for seat, at in draws]
    all_marks += [_pull_mark(state, played, pull) for pull in pulls]
    # Marks without a known time cannot be drawn; the line says how many these are.
    marks = sorted(filter(None, all_marks), key=lambda mark: mark.us)
    clock = played.fire.clock if played.fire is not None else None
    lit = lamp_lit(played.fire, lits, marks[-1].us) if marks else None
    return TimeLine(round_name(played), clock, tuple(marks), len(all_marks) - len(marks), lit)


def _mark(
    played: Round, at: Moment | None, seat: SeatId | None, sign: Sign, text: str
) -> TimeMark | None:
    span = since_fire(played, at)
    return None if span is None or span.us < 0 else time_mark(span, seat, sign, text)


def _pull_mark(state: State, played: Round, pull: Pull) -> TimeMark | None:
    if pull.fired:
        verdicts = {shot.entry: verdict for shot, verdict in played.reading.verdicts}
        text = verdict_sentence(state, pull, verdicts[pull.entry])
        return _mark(played, pull.at, pull.shooter, "shot", text)
    kind = "dry pull" if pull.cause == "dry_pull" else "knock"
    text = f"{kind}: {pull.reason}" if pull.reason else kind
    return _mark(played, pull.at, None, "other", text)


def _first_shot(
    played: Round, seat: SeatId, lits: tuple[Moment, ...], by_hand: Set[int]
) -> Iterator[tuple[Span, bool]]:
    """Yield the time to the seat's first shot of the round, and whether it counts from the lamp rather than *fire!*.

    Yield nothing unless a board stamped it: entries in `by_hand` are skipped.
    """
    own = [pull for pull, _ in played.reading.verdicts if pull.shooter == seat]
    if not own or own[0].entry in by_hand:
        return
    if played.fire is None or not is_board(played.fire.clock):
        return
    span = since_fire(played, own[0].at)
    if span is None or span.us < 0 or span.tapped:
        return
    lamp = since_lamp(played.fire, lits, span, played.pauses)
    yield (span, False) if lamp is None else (lamp, True)
