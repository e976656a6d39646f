"""What a seat, or everybody, may see of a game of one's own, and what a player can note for itself (OG-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from companion.display.grids import NumberGrid
from companion.display.panels import Answers, NoteField, NoteLine
from companion.games.own.rules.definition import Counter
from companion.games.own.rules.fold import standings
from companion.games.own.rules.grids import grids
from companion.games.own.rules.model import NOBODY, State
from companion.games.own.rules.text import hidden, where
from companion.rules.facts import Moment, Refused, Seat, SeatId
from companion.rules.pauses import Pauses
from companion.rules.replacing import fields_of


@dataclass(frozen=True, slots=True)
class PlayerGlance(Seat):
    """One player and the score."""

    score: int
    turn: bool
    out: bool
    left: bool


@dataclass(frozen=True, slots=True)
class SheetPlayer(PlayerGlance):
    """All of a player: what each counter stands at, None where that is secret; the titles of those to be used once that
    are `free`; those that can be set, name and title; the number of the team, 0 without teams."""

    counters: tuple[tuple[str, int | None], ...]
    free: frozenset[str]
    settable: Mapping[str, str]
    team: int


@dataclass(frozen=True, slots=True)
class Glance:
    """A game of one's own: where it stands in words, the players; when the clock started, while it runs; the pauses."""

    where: str
    players: tuple[PlayerGlance, ...]
    since: Moment | None
    pauses: Pauses


@dataclass(frozen=True, slots=True)
class SheetView(Glance):
    """All of a game of one's own: the counters of the table, and the scores after each round, in the order of the
    players; the counters that each player notes for itself, by their names in the file; those that can be set, name and
    title."""

    players: tuple[SheetPlayer, ...]
    table: tuple[tuple[str, int], ...]
    rounds: tuple[tuple[str, tuple[int, ...]], ...]
    secrets: Mapping[str, Counter]
    settable: Mapping[str, str]
    over: bool
    grids: tuple[NumberGrid, ...] = field(default=(), compare=False)


def glance(state: State) -> Glance:
    """Return where the game stands."""
    players = tuple(_glance_at(state, seat) for seat in state.setup.seats)
    return Glance(where(state), players, _since(state), state.common.pauses)


def _since(state: State) -> Moment | None:
    return state.since if state.running and not state.over else None


def view(state: State, viewer: SeatId) -> SheetView:
    """Return the view of one seat, or of the table."""
    says = state.says
    of_table = [(name, each) for name, each in says.counters.items() if each.of == "table"]
    titles = [
        says.rounds[one.name].title if one.name in says.rounds else "round" for one in state.closed
    ]
    after = [
        tuple(one.scores.get(seat.id, 0) for seat in state.setup.seats) for one in state.closed
    ]
    return SheetView(
        where=where(state),
        players=tuple(_player(state, viewer, seat) for seat in state.setup.seats),
        table=tuple((each.title, state.counters[NOBODY][name]) for name, each in of_table),
        rounds=tuple(zip(titles, after, strict=True)),
        since=_since(state),
        pauses=state.common.pauses,
        secrets=says.secrets,
        settable={
            name: each.title
            for name, each in says.counters.items()
            if says.format > 1 and not each.secret
        },
        over=state.over,
        grids=grids(state),
    )


def _player(state: State, viewer: SeatId, seat: Seat) -> SheetPlayer:
    own = [(name, each) for name, each in state.says.counters.items() if each.of == "seat"]
    used = state.used.get(seat.id, frozenset())
    held = [
        None if hidden(state, viewer, seat.id, name) else state.counters[seat.id][name]
        for name, _ in own
    ]
    return SheetPlayer(
        **fields_of(_glance_at(state, seat)),
        counters=tuple((each.title, value) for (_, each), value in zip(own, held, strict=True)),
        free=frozenset(each.title for name, each in own if each.once and name not in used),
        settable={
            name: each.title
            for name, each in own
            if not each.secret and not (each.once and name in used)
        },
        team=state.team_of(seat.id),
    )


def _glance_at(state: State, seat: Seat) -> PlayerGlance:
    return PlayerGlance(
        *seat.look,
        score=standings(state)[seat.id],
        turn=seat.id == state.turn and not state.over,
        out=seat.id in state.out,
        left=seat.id in state.common.left,
    )


_VALUE = "value"


def note_lines(game: SheetView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return a line for each secret counter."""
    return tuple(_line(name, secret, seat) for name, secret in game.secrets.items())


def _line(name: str, secret: Counter, seat: SeatId) -> NoteLine:
    least = "" if secret.least is None else f" from {secret.least}"
    most = "" if secret.most is None else f" to {secret.most}"
    takes = f"a whole number{least}{most}"
    field = NoteField(_VALUE, secret.title)
    return NoteLine(name, secret.title, "note", takes, (field,), partial(_body, name, takes, seat))


def _body(counter: str, takes: str, seat: SeatId, answers: Answers) -> dict[str, Any]:
    word = answers[_VALUE].strip()
    if not word.removeprefix("-").isdecimal() or len(word) > 7:
        raise Refused("OG-3", f"{word} is none", do=f"Enter {takes}.")
    return {"seat": seat, "counter": counter, "value": int(word)}
