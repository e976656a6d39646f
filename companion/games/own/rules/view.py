"""What a seat, or everybody, may see of a game of one's own, and what a player can note for itself (OG-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from companion.games.own.rules.definition import Counter
from companion.games.own.rules.fold import standings
from companion.games.own.rules.model import NOBODY, State
from companion.games.own.rules.text import hidden, where
from companion.rules.game import Moment, Refused, Seat, SeatId
from companion.rules.panels import Answers, NoteField, NoteLine
from companion.rules.pauses import Pauses


@dataclass(frozen=True, slots=True)
class SheetPlayer(Seat):
    """One player: the score, and what each counter stands at, None where that is secret; the titles of those to be used
    once that are `free`; those that can be set, name and title; the number of the team, 0 without teams."""

    score: int
    counters: tuple[tuple[str, int | None], ...]
    free: frozenset[str]
    settable: Mapping[str, str]
    team: int
    turn: bool
    out: bool
    left: bool


@dataclass(frozen=True, slots=True)
class SheetView:
    """A game of one's own: where it stands in words, the players, the counters of the table, and
    the scores after each round, in the order of the players; when the clock started, while it runs; the pauses; the
    counters that each player notes for itself, by their names in the file; those that can be set, name and title."""

    where: str
    players: tuple[SheetPlayer, ...]
    table: tuple[tuple[str, int], ...]
    rounds: tuple[tuple[str, tuple[int, ...]], ...]
    since: Moment | None
    pauses: Pauses
    secrets: Mapping[str, Counter]
    settable: Mapping[str, str]
    over: bool


def view(state: State, viewer: SeatId) -> SheetView:
    """Return the view of one seat, or of the table."""
    says = state.says
    of_table = [(name, each) for name, each in says.counters.items() if each.of == "table"]
    titles = [says.rounds[one.name].title if one.name in says.rounds else "round" for one in state.closed]
    after = [tuple(one.scores.get(seat.id, 0) for seat in state.setup.seats) for one in state.closed]
    return SheetView(
        where=where(state),
        players=tuple(_player(state, viewer, seat) for seat in state.setup.seats),
        table=tuple((each.title, state.counters[NOBODY][name]) for name, each in of_table),
        rounds=tuple(zip(titles, after, strict=True)),
        since=state.since if state.running and not state.over else None,
        pauses=state.common.pauses,
        secrets=says.secrets,
        settable={name: each.title for name, each in says.counters.items() if says.format > 1 and not each.secret},
        over=state.over,
    )


def _player(state: State, viewer: SeatId, seat: Seat) -> SheetPlayer:
    own = [(name, each) for name, each in state.says.counters.items() if each.of == "seat"]
    used = state.used.get(seat.id, frozenset())
    held = [None if hidden(state, viewer, seat.id, name) else state.counters[seat.id][name] for name, _ in own]
    return SheetPlayer(
        *seat.look,
        score=standings(state)[seat.id],
        counters=tuple((each.title, value) for (_, each), value in zip(own, held, strict=True)),
        free=frozenset(each.title for name, each in own if each.once and name not in used),
        settable={name: each.title for name, each in own if not each.secret and not (each.once and name in used)},
        team=state.team_of(seat.id),
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
