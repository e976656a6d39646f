"""The views of a game of one's own, and the notes of players about their secret counters (OG-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from companion.display.grids import NumberGrid
from companion.display.panels import Answers, NoteField, NoteLine
from companion.games.own.rules.definition import Counter
from companion.games.own.rules.fold import standings, start
from companion.games.own.rules.grids import grids
from companion.games.own.rules.model import NOBODY, State
from companion.games.own.rules.race import goal_of
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
    titles; `team` is 0 without teams. `anew` are the titles of counters that begin anew in each round,
    and `round` is what the present one is called, empty without rounds. `unnoted` are the titles of secret
    counters that the player has not noted since they began.
    """

    counters: tuple[tuple[str, int | None], ...]
    free: frozenset[str]
    settable: Mapping[str, str]
    team: int
    anew: frozenset[str] = frozenset()
    round: str = ""
    unnoted: frozenset[str] = frozenset()


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
    players, `first` those before anything was counted. `goal` is the score at which the game ends,
    None if it ends in another way. `secrets` are the counters that players note for themselves, by
    name; `settable` maps counters that can be set to their titles.
    """

    players: tuple[SheetPlayer, ...]
    table: tuple[tuple[str, int], ...]
    rounds: tuple[tuple[str, tuple[int, ...]], ...]
    secrets: Mapping[str, Counter]
    settable: Mapping[str, str]
    over: bool
    first: tuple[int, ...] = ()
    goal: int | None = None
    grids: tuple[NumberGrid, ...] = field(default=(), compare=False)


def glance(state: State) -> Glance:
    """Return where the game is, the players and the clock."""
    players = tuple(_glance_at(state, seat) for seat in state.setup.seats)
    return Glance(where(state), players, _since(state), state.common.pauses)


def _since(state: State) -> Moment | None:
    if state.running and not state.over:
        return state.since
    return None


def view(state: State, viewer: SeatId) -> SheetView:
    """Return the view of one seat, or of the table."""
    says = state.says
    table, settable = [], {}
    for name, counter in says.counters.items():
        if counter.of == "table":
            table.append((counter.title, state.counters[NOBODY][name]))
        if says.format > 1 and not counter.secret:
            settable[name] = counter.title
    rounds = []
    for closed in state.closed:
        title = says.rounds[closed.name].title if closed.name in says.rounds else "round"
        # a seat that joined later has no score in it
        rounds.append((title, tuple(closed.scores.get(seat.id, 0) for seat in state.setup.seats)))
    before = start(state.setup)
    return SheetView(
        where=where(state),
        players=tuple(_player(state, viewer, seat) for seat in state.setup.seats),
        table=tuple(table),
        rounds=tuple(rounds),
        since=_since(state),
        pauses=state.common.pauses,
        secrets=says.secrets,
        settable=settable,
        over=state.over,
        first=tuple(before.scores.get(seat.id, 0) for seat in state.setup.seats),
        goal=goal_of(says),
        grids=grids(state),
    )


def _player(state: State, viewer: SeatId, seat: Seat) -> SheetPlayer:
    counters: list[tuple[str, int | None]] = []
    free, anew, unnoted, settable = set(), set(), set(), {}
    used = state.used.get(seat.id, frozenset())
    for name, counter in state.says.counters.items():
        if counter.of != "seat":
            continue
        value = state.counters[seat.id][name]
        shown = None if hidden(state, viewer, seat.id, name) else value
        counters.append((counter.title, shown))
        if counter.lasts == "round":
            anew.add(counter.title)
        spent = counter.once and name in used
        if counter.once and not spent:
            free.add(counter.title)
        if counter.secret and shown is not None and name not in used:
            unnoted.add(counter.title)
        if not counter.secret and not spent:
            settable[name] = counter.title
    return SheetPlayer(
        **fields_of(_glance_at(state, seat)),
        counters=tuple(counters),
        free=frozenset(free),
        settable=settable,
        team=state.team_of(seat.id),
        anew=frozenset(anew),
        round=_round_now(state),
        unnoted=frozenset(unnoted),
    )


def _round_now(state: State) -> str:
    """Return what the round in play is called; empty without rounds, and after the end."""
    kind = state.says.rounds.get(state.round_name)
    return "" if kind is None or state.over else kind.title


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
    takes = "a whole number"
    if secret.least is not None:
        takes += f" from {secret.least}"
    if secret.most is not None:
        takes += f" to {secret.most}"
    field = NoteField(_VALUE, secret.title)
    return NoteLine(name, secret.title, "note", takes, (field,), partial(_body, name, takes, seat))


def _body(counter: str, takes: str, seat: SeatId, answers: Answers) -> dict[str, Any]:
    word = answers[_VALUE].strip()
    # int() takes time for very many digits; seven hold every bound of a file
    if not word.removeprefix("-").isdecimal() or len(word) > 7:
        raise Refused("OG-3", f"{word} is none", do=f"Enter {takes}.")
    return {"seat": seat, "counter": counter, "value": int(word)}
