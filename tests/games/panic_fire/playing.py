"""A record of Panic Fire for tests: enter facts, void them, and fold again."""

from __future__ import annotations

from typing import Any

from companion.games.panic_fire.rules.game import GAME as GAME
from companion.games.panic_fire.rules.model import Round, State
from companion.games.panic_fire.rules.standings import Outcome, bullets, cards_left, outcome
from companion.games.panic_fire.rules.view import PanicFireView
from companion.rules.facts import Moment, Setup
from companion.rules.seats import seats_from_names
from tests.games.record import GameRecord


def setup(seats: str = "red blue green", **options: str) -> Setup:
    return Setup("panic-fire", 3, seats_from_names(seats.split()), options)


def at(us: int, clock: str = "board-1", pm: int = 0) -> Moment:
    return Moment(us=us, pm=pm, clock=clock)


class Record(GameRecord[State]):
    """A game of Panic Fire."""

    game = GAME

    def __init__(self, seats: str = "red blue green", **options: str) -> None:
        super().__init__(setup(seats, **options))

    def do(self, kind: str, when: Moment | None = None, **body: Any) -> int:
        return self.enter(self.fact(kind, when, **body))

    def shoot(self, shooter: str, target: str, **body: Any) -> int:
        entry = self.do("shot", **body)
        self.do("target", seat=target)
        self.do("shooter", seat=shooter)
        return entry

    def win(self, winner: str) -> None:
        """Play a whole round in which one seat shoots everybody."""
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
        """Return the game's winner."""
        assert GAME.result is not None
        return next(iter(GAME.result(self.state).winners), None)

    @property
    def view(self) -> PanicFireView:
        view: PanicFireView = GAME.view(self.state, "table")
        return view


def begun(seats: str = "red blue green", **options: str) -> Record:
    record = Record(seats, **options)
    record.do("fire", when=at(0))
    return record
