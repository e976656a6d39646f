"""View of a game of SkyFire: everything a screen shows, ready to show.

A seat's own notes and odds are only in its own view.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from companion.games.skyfire.rules import flow
from companion.games.skyfire.rules.box import notes
from companion.games.skyfire.rules.deck import Deck, Face
from companion.games.skyfire.rules.known import OddsAsked, odds_asked
from companion.games.skyfire.rules.model import Move, Note, Round, State, Zone
from companion.games.skyfire.rules.notes import note_of
from companion.games.skyfire.rules.standings import (
    earned,
    ended,
    is_final,
    next_first,
    open_targets,
    rounds_won,
    scores,
    winners,
)
from companion.games.skyfire.rules.text import result_sentence, round_name
from companion.rules.clauses import without_clauses
from companion.rules.facts import TABLE, Moment, Seat, SeatId
from companion.rules.once import once
from companion.rules.pauses import Pauses

Phase = Literal["ready", "open", "question", "over", "finished"]
SeatStatus = Literal["in", "on turn", "eliminated", "left", "sits out", "winner"]


@dataclass(frozen=True, slots=True)
class SeatGlance(Seat):
    """A seat: its `status` in the round and its `score` in the game, points set by hand included."""

    status: SeatStatus
    score: int


@dataclass(frozen=True, slots=True)
class SeatView(SeatGlance):
    """A seat in full: `hand` and `earned` are of the round, `won` counts its rounds won in the game. `shown` are the
    cards of an eliminated seat's hand, if it was laid open (SF-R4)."""

    hand: int
    earned: int
    won: int
    begins: bool
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView(Zone):
    """A launch zone; a right launch scores as many points as it has cards (SF-15).

    `satisfies` is None if only the players can tell. The first `face_up` cards lie face up. `asked` is True while
    a launch or misfire waits for an answer on this zone.
    """

    number: int
    satisfies: bool | None
    closed: bool
    face_up: int
    asked: bool

    @property
    def lies(self) -> str:
        """Which way up the cards lie after a failed launch (SF-R1)."""
        return f"{self.face_up} face up" if self.face_up else "face down"


@dataclass(frozen=True, slots=True)
class TargetView:
    """The target of the round: `name` and `symbols` as far as known, and `text` in words. `stack` are the names of the
    targets that may still be on the stack."""

    name: str | None
    symbols: tuple[str, ...] | None
    finale: bool
    stack: tuple[str, ...]
    text: str = "unknown"


@dataclass(frozen=True, slots=True)
class RoundView:
    """A finished round: its target and result in words, and the points of each seat that played."""

    name: str
    target: str
    result: str
    points: tuple[tuple[SeatId, int], ...]


@dataclass(frozen=True, slots=True)
class OwnView:
    """A seat's private notes: its hand, the cards it placed, and its own odds while a round is open.

    Each item of `placed` is a group: some zones, and the cards in them. It is known that these cards are in these
    zones, but not which of them is in which zone.
    """

    hand: tuple[str, ...] | None
    placed: tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]
    odds: OddsAsked | None


@dataclass(frozen=True, slots=True)
class Glance:
    """The status of a game of SkyFire, and its seats."""

    phase: Phase
    round_name: str
    seats: tuple[SeatGlance, ...]


@dataclass(frozen=True, slots=True)
class SkyFireView(Glance):
    """A game of SkyFire as one viewer may see it.

    `misfire_points` is what a right misfire scores now (SF-16). After a wrong one, each seat of
    `misfire_others` scores `WRONG_MISFIRE` (SF-17). `backs_missing` counts the cards whose back everybody has
    seen (SF-6) and nobody has entered. `deck` are the cards in play by the component file, `moves` those of the
    round in order, `history` the finished rounds, `pauses` those of the game. `odds` are by what everybody can
    see, None while no round is open. `own` is the viewing seat's alone, None in the public view.
    """

    seats: tuple[SeatView, ...]
    round: int
    target: TargetView
    turn: SeatId | None
    clockwise: bool
    zones: tuple[ZoneView, ...]
    misfire_points: int
    misfire_others: tuple[SeatId, ...]
    left_over: int
    left_over_backs: tuple[str | None, ...]
    backs_missing: int
    begun: Moment | None
    result: str
    paused: bool
    example: bool
    notes: tuple[str, ...]
    deck: Deck
    moves: tuple[Move, ...] = ()
    history: tuple[RoundView, ...] = ()
    odds: OddsAsked | None = None
    own: OwnView | None = None
    pauses: Pauses = ()


def glance(state: State) -> Glance:
    """Return the status of the game."""
    held = scores(state)
    seats = (
        # `look`: the fields of `Seat`, with which `SeatGlance` begins
        SeatGlance(*seat.look, _status(state, seat.id), held[seat.id])
        for seat in state.setup.seats
    )
    return Glance(phase(state), round_name(_shown(state).number), tuple(seats))


def _shown(state: State) -> Round:
    """Return the round to show: the current one, or before the first one an empty round."""
    if state.current is not None:
        return state.current
    return Round(
        number=1,
        players=(),
        first=next_first(state),
        turn=None,
        zones=(),
        target=None,
        left_over=0,
    )


def view(state: State, viewer: SeatId = TABLE) -> SkyFireView:
    """Return the view of that seat, or the public one."""
    played = _shown(state)
    return SkyFireView(
        phase=phase(state),
        round=played.number,
        round_name=round_name(played.number),
        target=_target(state, played),
        seats=_seats(state, played),
        turn=played.turn,
        clockwise=state.clockwise,
        zones=tuple(
            _zone(state, played, number, zone) for number, zone in enumerate(played.zones, start=1)
        ),
        misfire_points=flow.misfire_points(played, state.options),
        misfire_others=_misfire_others(state),
        left_over=played.left_over,
        left_over_backs=played.left_over_backs,
        backs_missing=played.backs_missing,
        begun=played.begun,
        result=_result(state, played),
        paused=state.common.paused,
        example=state.deck.example,
        notes=notes(state),
        deck=state.deck,
        moves=played.moves,
        history=tuple(_round(state, played) for played in ended(state)),
        odds=_odds(state, played),
        own=_own(state, viewer),
        pauses=state.common.pauses,
    )


def phase(state: State) -> Phase:
    """Return the phase: no round yet, a turn, a question, a round over, or finished."""
    if (current := flow.still_open(state)) is not None:
        return "open" if current.question is None else "question"
    if state.current is None:
        return "ready"
    return "finished" if winners(state) else "over"


def _result(state: State, played: Round) -> str:
    return "" if played.result is None else without_clauses(result_sentence(state, played.result))


def _round(state: State, played: Round) -> RoundView:
    target = "unknown" if played.target is None else str(played.target)
    points = tuple((seat, earned(played, seat)) for seat in played.players)
    return RoundView(round_name(played.number), target, _result(state, played), points)


def _target(state: State, played: Round) -> TargetView:
    face = played.target or Face(None, None)
    stack = tuple(name for open_ in open_targets(state) if (name := open_.name) is not None)
    text = str(face) if face.name or face.symbols else "unknown"
    return TargetView(face.name, face.symbols, is_final(played.number), stack, text)


def _seats(state: State, played: Round) -> tuple[SeatView, ...]:
    held, hands, won = scores(state), dict(played.shown), rounds_won(ended(state))
    never_won = (0, 0)  # rounds, and the points of them
    return tuple(
        SeatView(
            *seat.look,
            status=_status(state, seat.id),
            hand=played.hand(seat.id),
            score=held[seat.id],
            earned=earned(played, seat.id),
            won=won.get(seat.id, never_won)[0],
            begins=seat.id == played.first,
            shown=tuple(map(str, hands.get(seat.id, ()))),
        )
        for seat in state.setup.seats
    )


def _status(state: State, seat: SeatId) -> SeatStatus:
    current = state.current
    if seat in winners(state):
        return "winner"
    if seat in state.common.left:
        return "left"
    if current is None:
        return "in"
    if seat not in current.players:
        return "sits out"
    if seat in current.out:
        return "eliminated"
    return "on turn" if seat == current.turn and state.common.abandoned is None else "in"


def _zone(state: State, current: Round, number: int, zone: Zone) -> ZoneView:
    # A misfire asks about all zones; then the question names none.
    asked = current.question is not None and current.question.zone in (number, None)
    stays_up = state.options["failed_launch_cards"] == "stay_up"
    face_up = zone.turned if asked or stays_up or current.result else 0
    # An empty zone satisfies nothing, whatever the target is.
    satisfies = flow.zone_satisfies(current, zone, state.options) if zone.cards else False
    return ZoneView(
        # All of it is public: who placed cards, the backs in sight, and faces that were turned up, even if the
        # cards lie face down again: everybody has seen them. What a player noted of a card is in that player's
        # own notes (`_own`).
        **{field.name: getattr(zone, field.name) for field in fields(zone)},
        number=number,
        satisfies=satisfies,
        closed=flow.closed(zone, state.options),
        face_up=face_up,
        asked=asked,
    )


def _misfire_others(state: State) -> tuple[SeatId, ...]:
    current = flow.still_open(state)
    if current is None:
        return ()
    declarer = current.question.seat if current.question is not None else current.turn
    # An open round always has a turn; `first` is there for the type checker.
    return flow.misfire_winners(current, declarer or current.first, state.options)


def _own(state: State, viewer: SeatId) -> OwnView | None:
    current = state.current
    if current is None or viewer == TABLE:
        return None
    note = note_of(state, current, viewer)
    if note is None:
        return None
    hand = None if note.hand is None else tuple(map(str, note.hand))
    placed = []
    for group in note.groups:
        if group.slots:
            zones = tuple(zone for zone, _ in group.slots)
            placed.append((zones, tuple(map(str, group.cards))))
    return OwnView(hand, tuple(placed), _odds(state, current, viewer, note))


@once  # the odds take long, and many views of one state ask for the same ones
def _public_odds(state: State, played: Round) -> OddsAsked:
    return odds_asked(state, played)


def _odds(
    state: State, played: Round, seat: SeatId | None = None, note: Note | None = None
) -> OddsAsked | None:
    if played is not flow.still_open(state) or state.common.abandoned is not None:
        return None
    return _public_odds(state, played) if note is None else odds_asked(state, played, seat, note)
