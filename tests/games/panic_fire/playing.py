"""A record of Panic Fire for tests: facts are entered, voided and folded again."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.panic_fire.rules import fold as rules
from companion.games.panic_fire.rules.game import GAME as GAME
from companion.games.panic_fire.rules.model import Round, State
from companion.games.panic_fire.rules.standings import Outcome, bullets, cards_left, outcome
from companion.games.panic_fire.rules.view import PanicFireView
from companion.rules.actions import with_keys
from companion.rules.facts import Fact, Moment, Refused, Setup
from companion.rules.seats import seats_from_names


def setup(seats: str = "red blue green", **options: str) -> Setup:
    return Setup("panic-fire", 3, seats_from_names(seats.split()), options)


def at(us: int, clock: str = "board-1", pm: int = 0) -> Moment:
    return Moment(us=us, pm=pm, clock=clock)


class Record:
    """Facts with entry numbers from 2 on, and the state they fold to."""

    def __init__(self, seats: str = "red blue green", **options: str) -> None:
        self.setup = setup(seats, **options)
        self.entries: dict[int, Fact] = {}
        self.state: State = rules.start(self.setup)

    def do(self, kind: str, when: Moment | None = None, **body: Any) -> int:
        fact = GAME.parse(kind, body).model_copy(update={"at": when})
        return self.enter(fact)

    def enter(self, fact: Fact) -> int:
        entry = len(self.entries) + 2
        self.state = rules.apply(self.state, fact, entry)
        self.entries[entry] = fact
        return entry

    def press(self, action: str) -> None:
        answer = GAME.pressed(self.state, f"panic-fire.{action}")
        assert isinstance(answer, Fact)
        self.enter(answer)

    def void(self, *entries: int) -> None:
        """Fold again without these; facts that make no sense then are left out, as a table does."""
        state = rules.start(self.setup)
        for entry, fact in self.entries.items():
            if entry not in entries:
                try:
                    state = rules.apply(state, fact, entry)
                except Refused:
                    continue
        self.state = state

    def shoot(self, shooter: str, target: str, **body: Any) -> int:
        entry = self.do("shot", **body)
        self.do("target", seat=target)
        self.do("shooter", seat=shooter)
        return entry

    def win(self, winner: str) -> None:
        """A whole round, shot empty by one seat."""
        self.do("fire")
        for seat in self.round.players:
            if seat != winner:
                self.shoot(winner, seat)

    @property
    def round(self) -> Round:
        assert self.state.current is not None
        return self.state.current

    @property
    def alive(self) -> set[str]:
        return set(self.round.reading.alive)

    @property
    def outcome(self) -> Outcome:
        return outcome(self.round, self.state.options)

    @property
    def cards(self) -> tuple[int, int] | None:
        return cards_left(self.round, self.state.options)

    @property
    def bullets(self) -> dict[str, int]:
        return bullets(self.state)

    @property
    def champion(self) -> str | None:
        """Who the game says has won."""
        assert GAME.result is not None
        return next(iter(GAME.result(self.state).winners), None)

    @property
    def awaiting(self) -> str:
        """What the table is asked for, with the companion's own keys."""
        return with_keys(GAME.awaiting(self.state))

    @property
    def view(self) -> PanicFireView:
        view: PanicFireView = GAME.view(self.state, "table")
        return view

    def refuses(self, kind: str, clause: str, **body: Any) -> Refused:
        before = self.state
        with pytest.raises(Refused) as caught:
            self.do(kind, **body)
        assert caught.value.clause == clause, caught.value
        assert self.state is before
        return caught.value


def begun(seats: str = "red blue green", **options: str) -> Record:
    record = Record(seats, **options)
    record.do("fire", when=at(0))
    return record
