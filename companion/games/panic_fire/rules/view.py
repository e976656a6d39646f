"""View of a game of Panic Fire: everything a screen shows, ready to show. The game has no secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from companion.games.panic_fire.rules import standings, timing
from companion.games.panic_fire.rules.box import notes
from companion.games.panic_fire.rules.judge import read_round
from companion.games.panic_fire.rules.model import Pull, Round, State
from companion.games.panic_fire.rules.text import verdict_sentence
from companion.rules.clauses import without_clauses
from companion.rules.facts import Moment, Seat, SeatId
from companion.rules.pauses import Pauses, Span
from companion.rules.replacing import fields_of

Phase = Literal["ready", "open", "shot", "over", "table", "finished"]
SeatStatus = Literal["in", "out", "winner", "champion", "left", "next"]


@dataclass(frozen=True, slots=True)
class SeatGlance(Seat):
    """A seat with its Bullet cards and status: `left` has left the game, `next` joined after *fire!* and plays
    from the next round."""

    status: SeatStatus
    bullets: int


@dataclass(frozen=True, slots=True)
class SeatView(SeatGlance):
    """A seat in full. `draws`, `last_draw` and `draws_per_min` are of the round; `kills` and `draws_total` of
    the game.

    `by_hand` is the part of `bullets` that was set by hand.
    """

    shield: bool
    draws: int
    draws_total: int
    last_draw: Moment | None
    draws_per_min: float | None
    kills: int
    by_hand: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotView(Pull):
    """A pull that counts as a shot; `tie` is True if the players have to say its place."""

    open: bool
    tie: bool
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """The status of the game, its seats in column order, when the round began and its pauses since then."""

    phase: Phase
    round: int
    sudden_death: bool
    fire: Moment | None
    dealer: SeatId
    seats: tuple[SeatGlance, ...]
    pauses: Pauses = ()


@dataclass(frozen=True, slots=True)
class FirstShot:
    """The first shot of a round: when it fell after *fire!*, and who fired it, each None if unknown."""

    round_name: str
    after: Span | None
    shooter: SeatId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PanicFireView(Glance):
    """The whole game; None in a time means unknown.

    `unsaid_matches` are earlier shots, as words, for which nobody said who held the match. `cards_left` is the
    least and most, None if unknown. `seats` are in column order. `kill_matrix[i][j]` counts how often seat i
    eliminated seat j over the whole game. `pauses` are the round's, the last one without an end while the clock is
    `paused`; the round's times leave them out. `first_shots` are those of the rounds of a game that has ended,
    replayed rounds included.
    """

    seats: tuple[SeatView, ...]
    open_shots: tuple[ShotView, ...]
    last_shot: ShotView | None
    cards_left: tuple[int, int] | None
    cards_text: str
    first_shot: Span | None
    longest_calm: Span | None
    gap: bool
    draws_per_min: float | None
    kill_matrix: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...]
    paused: bool = False
    unsaid_matches: tuple[str, ...] = ()
    first_shots: tuple[FirstShot, ...] = ()


def glance(state: State) -> Glance:
    """Return the status of the game."""
    played = state.current or _before(state)
    return Glance(
        phase=phase(state),
        round=played.number,
        sudden_death=played.sudden_death,
        fire=played.fire,
        dealer=_dealer(state, played),
        seats=tuple(_glance_at(state, seat) for seat in state.setup.by_column),
        pauses=played.pauses,
    )


def view(state: State) -> PanicFireView:
    """Return the view of the whole game, which is also every seat's."""
    played = state.current or _before(state)
    left = standings.cards_left(played, state.options)
    shots = _shots(state)
    ended = standings.champion(state) is not None or state.common.abandoned is not None
    return PanicFireView(
        phase=phase(state),
        round=played.number,
        sudden_death=played.sudden_death,
        fire=played.fire,
        dealer=_dealer(state, played),
        seats=_seats(state, played),
        open_shots=tuple(shot for shot in shots if shot.open),
        unsaid_matches=tuple(
            f"{state.name(pull.shooter or '')} shot {state.name(pull.target or '')}"
            for pull in standings.unsaid_matches(state)
        ),
        last_shot=shots[-1] if shots else None,
        cards_left=left,
        cards_text=cards_text(left) if state.current is not None else "-",
        first_shot=timing.first_shot(played),
        longest_calm=played.calm,
        gap=played.gap,
        draws_per_min=timing.rate(
            sum(tally.draws for _, tally in played.tallies), timing.elapsed(played)
        ),
        kill_matrix=kill_matrix(state, state.setup.by_column),
        notes=notes(state),
        pauses=played.pauses,
        paused=state.common.paused,
        first_shots=tuple(_first_shots(state)) if ended else (),
    )


def _first_shots(state: State) -> Iterator[FirstShot]:
    for played in state.rounds:
        shots = [pull for pull, _ in played.reading.verdicts if not pull.accident]
        if shots:
            name = "sudden death" if played.sudden_death else f"round {played.number}"
            yield FirstShot(name, timing.first_shot(played), shots[0].shooter)


def _before(state: State) -> Round:
    """Return round 1 before it begins, without players."""
    number, dealer = standings.taken(state) + 1, standings.next_dealer(state)
    version = state.setup.rules_version
    # A screen shows a round even before the first one; nobody plays this one.
    reading = read_round((), (), state.options, version)
    return Round(number, version, False, (), dealer, None, None, (), reading)


def _dealer(state: State, played: Round) -> SeatId:
    """Return who deals: once a round is over, who deals the next one."""
    if phase(state) == "over":
        return standings.next_dealer(state)
    return played.dealer


def phase(state: State) -> Phase:
    """Return the phase: no round yet, round open, shot waiting, round over, a ruling awaited, or finished."""
    if standings.champion(state) is not None:
        return "finished"
    status = standings.current_outcome(state).status
    if status == "open":
        return "shot" if standings.open_pulls(state) else "open"
    if status in ("ready", "table"):
        return status
    return "over"


def cards_text(left: tuple[int, int] | None) -> str:
    """Return `42`, `38-42`, or `?`."""
    if left is None:
        return "?"
    return str(left[0]) if left[0] == left[1] else f"{left[0]}-{left[1]}"


def kill_matrix(state: State, seats: Sequence[Seat]) -> tuple[tuple[int, ...], ...]:
    """Return how often seat i eliminated seat j over the whole game; an illegal shot eliminates only its
    shooter and is not counted."""
    hits = [
        (pull.shooter, verdict.eliminated)
        for played in state.rounds
        for pull, verdict in played.reading.verdicts
        if verdict.result == "eliminated"
    ]
    return tuple(
        tuple(hits.count((shooter.id, target.id)) for target in seats) for shooter in seats
    )


def _seats(state: State, played: Round) -> tuple[SeatView, ...]:
    seats, elapsed = state.setup.by_column, timing.elapsed(played)
    kills = kill_matrix(state, seats)
    return tuple(
        SeatView(
            **fields_of(_glance_at(state, seat)),
            shield=seat.id in played.reading.shields,
            draws=played.tally(seat.id).draws,
            draws_total=sum(past.tally(seat.id).draws for past in state.rounds),
            last_draw=played.tally(seat.id).last,
            draws_per_min=timing.rate(played.tally(seat.id).draws, elapsed),
            kills=sum(kills[place]),
            by_hand=state.common.added(seat.id),
        )
        for place, seat in enumerate(seats)
    )


def _glance_at(state: State, seat: Seat) -> SeatGlance:
    return SeatGlance(*seat.look, _status(state, seat.id), standings.bullets(state)[seat.id])


def _status(state: State, seat: SeatId) -> SeatStatus:
    if standings.champion(state) == seat:
        return "champion"
    if seat in state.common.left:
        return "left"
    if state.current is None:
        return "in"
    if standings.current_outcome(state).winner == seat:
        return "winner"
    # In sudden death everybody else is out, not waiting.
    if seat not in state.current.players and not state.current.sudden_death:
        return "next"
    return "in" if seat in state.current.reading.alive else "out"


def _shots(state: State) -> tuple[ShotView, ...]:
    if (current := state.current) is None:
        return ()
    waiting = standings.open_pulls(state)
    return tuple(
        ShotView(
            **{field.name: getattr(pull, field.name) for field in fields(pull)},
            open=pull in waiting,
            tie=standings.is_order_asked(state, pull),
            verdict=without_clauses(verdict_sentence(state, pull, verdict)),
        )
        for pull, verdict in current.reading.verdicts
    )
