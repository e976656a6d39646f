"""The state of a game of one's own: counters, closed rounds, whose turn it is, the clock."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.games.own.rules.definition import ADDS, PLAYERS, ROUND, SCORE, TURNS, Definition
from companion.games.own.rules.expressions import (
    Expression,
    NoValue,
    OutOfWork,
    Value,
    Work,
    evaluated,
)
from companion.games.own.rules.reading import OwnRules, rules_of
from companion.rules.common import GameState
from companion.rules.facts import Moment, Refused, SeatId, Setup
from companion.rules.registry import DEFINITION_KEY, GAMES

NOBODY: Final = ""
"""The owner of the table's counters."""

Counters = Mapping[SeatId, Mapping[str, int]]
"""The value of each counter, by owner."""


def own_rules(setup: Setup) -> OwnRules:
    """Return the rules that a session was begun with, or those of the file as it is now if none has begun.

    Raise `FileFault`, or `KeyError` for a game that is not registered.
    """
    text = setup.components.get(DEFINITION_KEY)
    if not isinstance(text, str):
        text = GAMES[setup.game].carried[DEFINITION_KEY]
    return rules_of(text)


@dataclass(frozen=True, slots=True)
class Counted:
    """How a counter got its value since it was reset.

    `number` counts the facts, `last` is the entry of the last one, and `by` what that one added, or None
    if it set a number.
    """

    number: int
    last: int
    by: int | None


CountedBy = Mapping[SeatId, Mapping[str, Counted]]
"""How counters got their values, by owner; one that nobody counted is missing."""


@dataclass(frozen=True, slots=True)
class ClosedRound:
    """A round that is over: its kind, and the scores after it.

    `counted` and `until`, the last entry before the one that ended it, say where a number can still be corrected.
    """

    name: str
    scores: Mapping[SeatId, int]
    counted: CountedBy = field(default_factory=dict, compare=False)
    until: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The state of a game.

    `kept` has the values of each player's counters and values, and of the table's, at the end of
    each closed round. `turn` is whose turn it is, empty without turns; `before` are the counters
    when it began, `adds` counts its additions. `turns` counts each player's turns in this round,
    `number_of_turns` all turns of the game. `running` says that the clock runs, since `since`.
    """

    counters: Counters = field(default_factory=dict)
    closed: tuple[ClosedRound, ...] = ()
    kept: Mapping[SeatId, Mapping[str, tuple[Value, ...]]] = field(default_factory=dict)
    turn: SeatId = NOBODY
    before: Counters = field(default_factory=dict)
    adds: int = 0
    turns: Mapping[SeatId, int] = field(default_factory=dict)
    number_of_turns: int = 0
    running: bool = False
    since: Moment | None = None
    scores: Mapping[SeatId, int] = field(default_factory=dict)
    over: bool = False
    happened: str = ""
    """A consequence of the last fact (`bust`), for its sentence."""
    used: Mapping[SeatId, frozenset[str]] = field(default_factory=dict)
    used_before: Mapping[SeatId, frozenset[str]] = field(default_factory=dict)
    """Counters that were counted or set since they were reset, by owner: now, and when the turn began."""
    out: frozenset[SeatId] = frozenset()
    """Seats that are out of the game but have not left the table."""
    winners: tuple[SeatId, ...] = ()
    tie_break: str = ""
    """The winners once the game is over, and which of the file's ties settled it."""
    # Entry numbers differ between two records of the same facts, so two states are equal without them.
    entry: int = field(default=0, compare=False)
    """The entry of the last fact."""
    until: int = field(default=0, compare=False)
    """The entry of the fact before that one."""
    counted: CountedBy = field(default_factory=dict, compare=False)
    counted_before: CountedBy = field(default_factory=dict, compare=False)
    """How the counters got their values: now, and when the turn began."""
    work: Work | None = field(default=None, compare=False)
    """Steps that the fact being applied may take; None between facts, and in sessions without a bound."""

    @property
    def rules(self) -> OwnRules:
        """The rules of this session."""
        return own_rules(self.setup)

    @property
    def says(self) -> Definition:
        """The file's definition."""
        return self.rules.says

    @property
    def playing(self) -> tuple[SeatId, ...]:
        """The seats in the game, in order, without those who left or are out."""
        return tuple(seat.id for seat in self.common.playing if seat.id not in self.out)

    def team_of(self, seat: SeatId) -> int:
        """Return the number of a seat's team, from 1, or 0 without teams; teams sit in turn around the table."""
        if self.says.teams is None:
            return 0
        return [other.id for other in self.setup.seats].index(seat) % self.says.teams + 1

    def partners(self, seat: SeatId) -> tuple[SeatId, ...]:
        """Return the seats of a seat's team, those who left included; without teams that seat alone."""
        team = self.team_of(seat)
        if not team:
            return (seat,)
        return tuple(other.id for other in self.setup.seats if self.team_of(other.id) == team)

    @property
    def round_name(self) -> str:
        """The kind of the running round; empty if the game names none, and after the last."""
        left = len(self.closed)
        for name, kind in self.says.rounds.items():
            if not kind.times or left < kind.times:
                return name
            left -= kind.times
        return ""


@dataclass(frozen=True, slots=True)
class Standing:
    """The source of an expression's values: a state and its rules."""

    state: State
    rules: OwnRules

    def value(self, name: str, seat: str) -> Value | Expression:
        """Return the value or the expression of a name; `seat` is empty for the whole table."""
        state, rules = self.state, self.rules
        counter = rules.says.counters.get(name)
        if counter is not None:
            owner = self._owner(name, seat)
            return state.counters.get(owner, {}).get(name, counter.start)
        if name in rules.values:
            return rules.values[name]
        if name in rules.says.options:
            default = rules.says.options[name].default
            return int(state.setup.options.get(name, default) == "yes")
        if name == ROUND:
            return len(state.closed) + 1
        if name == PLAYERS:
            return len(state.playing)
        if name == TURNS:
            return state.turns.get(seat, 0)
        if name == ADDS:
            return state.adds if seat == state.turn else 0
        assert name == SCORE, name
        return self._score(seat)

    def _score(self, seat: str) -> Value | Expression:
        state = self.state
        # version 1 asked for the score without what the table set by hand
        by_hand = 0 if state.setup.rules_version == 1 else state.common.added(seat)
        if seat in state.scores:
            return state.scores[seat] + by_hand
        if not by_hand:
            return self.rules.score
        return Expression(ast.BinOp(self.rules.score, ast.Add(), ast.Constant(by_hand)))

    def _owner(self, name: str, seat: str) -> str:
        """Return whose counter of that name counts where `seat` is asked for."""
        counter = self.rules.says.counters.get(name)
        return NOBODY if counter is not None and counter.of == "table" else seat

    def seats(self) -> Sequence[str]:
        """Return the players in the game."""
        return self.state.playing

    def rounds(self, name: str, seat: str) -> Sequence[Value]:
        """Return the values of a name at the end of each round so far."""
        return self.state.kept.get(self._owner(name, seat), {}).get(name, ())

    def team(self, seat: str) -> Sequence[str]:
        """Return the players of a player's team, that player among them."""
        return self.state.partners(seat)

    def used(self, name: str, seat: str) -> bool:
        """Return whether a counter was counted or set since it was reset."""
        return name in self.state.used.get(self._owner(name, seat), ())


def valued(state: State, expression: Expression, subject: str, seat: SeatId = NOBODY) -> Value:
    """Return the value of an expression; raise `Refused`, naming `subject`, if it has none now."""
    try:
        return evaluated(expression, Standing(state, state.rules), seat, state.work)
    except OutOfWork as problem:
        why = f"this takes {problem}, the last of them for {subject}"
        do = "Make the expressions of the file shorter, then begin a new game."
        raise Refused("OG-10", why, do=do) from None
    except NoValue as problem:
        why = f"{subject} cannot be worked out: {problem}"
        raise Refused("OG-8", why, do="Undo, and mend the file.") from None


def scores_of(state: State) -> dict[SeatId, int]:
    """Return each player's score by the file, without what the table set by hand; raise `Refused`
    if one is no integer."""
    scores = {}
    for seat in state.setup.seats:
        score = valued(state, state.rules.score, "the score", seat.id)
        if not isinstance(score, int):
            why = f"the score would be {score}, no whole number"
            raise Refused("OG-8", why, "// for / in the file")
        scores[seat.id] = score
    return scores
