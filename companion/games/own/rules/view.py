"""The views of a game of one's own, and the notes of players about their secret counters (OG-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from companion.display.panels import Answers, NoteField, NoteLine
from companion.games.own.rules.definition import Counter
from companion.games.own.rules.fold import standings
from companion.games.own.rules.model import NOBODY, State
from companion.games.own.rules.text import hidden, where
from companion.rules.facts import Moment, Refused, Seat, SeatId
from companion.rules.pauses import Pauses
from companion.rules.replacing import fields_of


@dataclass(frozen=True, slots=True)
class PlayerGlance(Seat):
    """A player and the score."""

    score: int
    turn: bool
    out: bool
    left: bool


@dataclass(frozen=True, slots=True)
class SheetPlayer(PlayerGlance):
    """A player with the counters.

    `counters` are titles and values, None for a secret one; `free` are the titles of counters to be
    used once that still are unused; `settable` maps the names of counters that can be set to their
    titles; `team` is 0 without teams.
    """

    counters: tuple[tuple[str, int | None], ...]
    free: frozenset[str]
    settable: Mapping[str, str]
    team: int


@dataclass(frozen=True, slots=True)
class Glance:
    """Where the game is, in words, the players, when the running clock started, and the pauses."""

    where: str
    players: tuple[PlayerGlance, ...]
    since: Moment | None
    pauses: Pauses


@dataclass(frozen=True, slots=True)
class SheetView(Glance):
    """A game as one viewer sees it.

    `table` has the table's counters, `rounds` the scores after each round in the order of the
    players. `secrets` are the counters that players note for themselves, by name; `settable` maps
    counters that can be set to their titles.
    """

    players: tuple[SheetPlayer, ...]
    table: tuple[tuple[str, int], ...]
    rounds: tuple[tuple[str, tuple[int, ...]], ...]
    secrets: Mapping[str, Counter]
    settable: Mapping[str, str]
    over: bool


def glance(state: State) -> Glance:
    """Return where the game is, the players and the clock."""
    players = tuple(_glance_at(state, seat) for seat in state.setup.seats)
    return Glance(where(state), players, _since(state), state.common.pauses)


def _since(state: State) -> Moment | None:
    return state.since if state.running and not state.over else None


def view(state: State, viewer: SeatId) -> SheetView:
    """Return the view of one seat, or of the table."""
    says = state.says
    of_table = [(name, counter) for name, counter in says.counters.items() if counter.of == "table"]
    titles = [
        says.rounds[closed.name].title if closed.name in says.rounds else "round"
        for closed in state.closed
    ]
    after = [
        tuple(closed.scores.get(seat.id, 0) for seat in state.setup.seats)
        for closed in state.closed
    ]
    return SheetView(
        where=where(state),
        players=tuple(_player(state, viewer, seat) for seat in state.setup.seats),
        table=tuple((counter.title, state.counters[NOBODY][name]) for name, counter in of_table),
        rounds=tuple(zip(titles, after, strict=True)),
        since=_since(state),
        pauses=state.common.pauses,
        secrets=says.secrets,
        settable={
            name: counter.title
            for name, counter in says.counters.items()
            if says.format > 1 and not counter.secret
        },
        over=state.over,
    )


def _player(state: State, viewer: SeatId, seat: Seat) -> SheetPlayer:
    own = [(name, counter) for name, counter in state.says.counters.items() if counter.of == "seat"]
    used = state.used.get(seat.id, frozenset())
    held = [
        None if hidden(state, viewer, seat.id, name) else state.counters[seat.id][name]
        for name, _ in own
    ]
    return SheetPlayer(
        **fields_of(_glance_at(state, seat)),
        counters=tuple(
            (counter.title, value) for (_, counter), value in zip(own, held, strict=True)
        ),
        free=frozenset(counter.title for name, counter in own if counter.once and name not in used),
        settable={
            name: counter.title
            for name, counter in own
            if not counter.secret and not (counter.once and name in used)
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
