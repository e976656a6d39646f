"""How a game of one's own stands: what is counted, the rounds so far, whose turn it is, the clock."""

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
"""Whose the counters of the table are."""

Counters = Mapping[SeatId, Mapping[str, int]]
"""What each counter stands at, by whose it is."""


def own_rules(setup: Setup) -> OwnRules:
    """Return the rules that a session was begun with, those of the file as it is now where nothing was begun; raise
    `FileFault`, or `KeyError` for a game that nobody told of."""
    text = setup.components.get(DEFINITION_KEY)
    return rules_of(text if isinstance(text, str) else GAMES[setup.game].carried[DEFINITION_KEY])


@dataclass(frozen=True, slots=True)
class Counted:
    """How a counter came to what it is since it began anew: the `number` of facts, the entry of the `last` one, and by
    how much that one added, or None if it set a number."""

    number: int
    last: int
    by: int | None


CountedBy = Mapping[SeatId, Mapping[str, Counted]]
"""How counters came to what they are, by whose they are; one that nobody counted is missing."""


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
    """`kept` is what each player's counters and values, and the table's, stood at when each of the `closed` rounds
    ended. `turn` is whose turn it is, empty without turns; `before` what the counters stood at when it began, `adds`
    how many additions it had, `turns` how many turns each had in this round, `number_of_turns` how many there were in
    all. `running`: the clock runs, since `since`."""

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
    """What the last fact led to beside itself (`bust`), for its sentence."""
    used: Mapping[SeatId, frozenset[str]] = field(default_factory=dict)
    used_before: Mapping[SeatId, frozenset[str]] = field(default_factory=dict)
    """Which counters were counted or set since they began anew, by whose they are: now, and when the turn began."""
    out: frozenset[SeatId] = frozenset()
    """Who is out of the game, and has not left the table."""
    winners: tuple[SeatId, ...] = ()
    tie_break: str = ""
    """Who won once it is over, and which of the file's ties settled it."""
    # Entry numbers differ between two records of the same facts, so two states are equal without them.
    entry: int = field(default=0, compare=False)
    """The entry of the last fact."""
    until: int = field(default=0, compare=False)
    """The entry of the fact before that one."""
    counted: CountedBy = field(default_factory=dict, compare=False)
    counted_before: CountedBy = field(default_factory=dict, compare=False)
    """How the counters came to what they are: now, and when the turn began."""
    work: Work | None = field(default=None, compare=False)
    """The steps that the fact which is being applied may take; None between facts, and for sessions without a bound."""

    @property
    def rules(self) -> OwnRules:
        """The rules of this session."""
        return own_rules(self.setup)

    @property
    def says(self) -> Definition:
        """What the file says."""
        return self.rules.says

    @property
    def playing(self) -> tuple[SeatId, ...]:
        """The seats that are in the game, in order: who has left or is out is not."""
        return tuple(seat.id for seat in self.common.playing if seat.id not in self.out)

    def team_of(self, seat: SeatId) -> int:
        """The number of a seat's team, from 1; 0 in a game without teams. Teams sit in turn around the table."""
        if self.says.teams is None:
            return 0
        return [one.id for one in self.setup.seats].index(seat) % self.says.teams + 1

    def partners(self, seat: SeatId) -> tuple[SeatId, ...]:
        """The players of a seat's team, it among them and whoever has left: that seat alone without teams."""
        seats = self.setup.seats
        return tuple(
            one.id
            for one in seats
            if one.id == seat or 0 < self.team_of(one.id) == self.team_of(seat)
        )

    @property
    def round_name(self) -> str:
        """The kind of the round that is played; empty for a game that names none, and behind the last."""
        left = len(self.closed)
        for name, each in self.says.rounds.items():
            if not each.times or left < each.times:
                return name
            left -= each.times
        return ""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the expressions of a game find their values, as it stands."""

    state: State
    rules: OwnRules

    def value(self, name: str, seat: str) -> Value | Expression:
        """Return what a name stands for; `seat` is empty where it is asked for the whole table."""
        state, rules = self.state, self.rules
        counter = rules.says.counters.get(name)
        if counter is not None:
            whose = NOBODY if counter.of == "table" else seat
            return state.counters.get(whose, {}).get(name, counter.start)
        if name in rules.values:
            return rules.values[name]
        if name in rules.says.options:
            return int(state.setup.options.get(name, rules.says.options[name].default) == "yes")
        if name == ROUND:
            return len(state.closed) + 1
        if name == PLAYERS:
            return len(state.playing)
        if name == TURNS:
            return state.turns.get(seat, 0)
        if name == ADDS:
            return state.adds if seat == state.turn else 0
        assert name == SCORE, name
        by_hand = 0 if state.setup.rules_version == 1 else state.common.added(seat)
        if seat in state.scores:
            return state.scores[seat] + by_hand
        return (
            Expression(ast.BinOp(rules.score, ast.Add(), ast.Constant(by_hand)))
            if by_hand
            else rules.score
        )

    def seats(self) -> Sequence[str]:
        """Return the players in the game."""
        return self.state.playing

    def rounds(self, name: str, seat: str) -> Sequence[Value]:
        """Return what a name stood for at the end of each round so far."""
        counter = self.rules.says.counters.get(name)
        whose = NOBODY if counter is not None and counter.of == "table" else seat
        return self.state.kept.get(whose, {}).get(name, ())

    def team(self, seat: str) -> Sequence[str]:
        """Return the players of a player's team, that player among them."""
        return self.state.partners(seat)

    def used(self, name: str, seat: str) -> bool:
        """Return whether a counter was counted or set since it began anew."""
        whose = NOBODY if self.rules.says.counters[name].of == "table" else seat
        return name in self.state.used.get(whose, ())


def valued(state: State, expression: Expression, what: str, seat: SeatId = NOBODY) -> Value:
    """Return the value of an expression; raise `Refused` for one that has none now."""
    try:
        return evaluated(expression, Standing(state, state.rules), seat, state.work)
    except OutOfWork as problem:
        do = "Make the expressions of the file shorter, then begin a new game."
        raise Refused(
            "OG-10", f"this takes {problem}, the last of them for {what}", do=do
        ) from None
    except NoValue as problem:
        raise Refused(
            "OG-8", f"{what} cannot be worked out: {problem}", do="Undo, and mend the file."
        ) from None


def scores_of(state: State) -> dict[SeatId, int]:
    """Return each player's score as the file says it, without what the table set by hand; raise `Refused`."""
    found = {}
    for seat in state.setup.seats:
        score = valued(state, state.rules.score, "the score", seat.id)
        if not isinstance(score, int):
            raise Refused(
                "OG-8", f"the score would be {score}, no whole number", "// for / in the file"
            )
        found[seat.id] = score
    return found
