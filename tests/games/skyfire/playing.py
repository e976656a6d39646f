"""A record of SkyFire for tests: enter facts, void them, and fold again."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from companion.games.skyfire.rules.box import TABLES
from companion.games.skyfire.rules.game import GAME as GAME
from companion.games.skyfire.rules.model import Result, Round, State
from companion.games.skyfire.rules.view import SkyFireView
from companion.rules.components import Box, as_json, overlay, packaged, read_box
from companion.rules.facts import Moment, Setup
from companion.rules.seats import seats_from_names
from tests.games.record import GameRecord

THREE, FOUR, FIVE = "ada bo cleo", "ada bo cleo dan", "ada bo cleo dan eve"


def setup(seats: str = THREE, components: Any = None, **options: str) -> Setup:
    """Return a session with a box without known faces, or with these `components`; none for the packaged file's."""
    box = unknown_deck() if components is None else components
    return Setup("skyfire", GAME.rules_version, seats_from_names(seats.split()), options, box)


@cache
def example_box() -> Box:
    """Return an odd deck: names, faces of two symbols, uninformative backs; none of its cards is real."""
    text = (Path(__file__).parent / "example.toml").read_text(encoding="utf-8")
    return overlay(packaged("skyfire"), read_box(text, "example.toml", TABLES))


def example_deck() -> dict[str, Any]:
    return as_json(example_box())


def published_deck() -> dict[str, Any]:
    """Return the cards that the designer published."""
    return as_json(packaged("skyfire"))


def unknown_deck() -> dict[str, Any]:
    """Return a box without known faces."""
    return as_json(packaged("skyfire", 2))


def at(us: int, clock: str = "board-1", pm: int = 0) -> Moment:
    return Moment(us=us, pm=pm, clock=clock)


class Record(GameRecord[State]):
    """A game of SkyFire."""

    game = GAME

    def __init__(self, seats: str = THREE, components: Any = None, **options: str) -> None:
        super().__init__(setup(seats, components, **options))

    def do(self, kind: str, when: Moment | None = None, **body: Any) -> int:
        return self.enter(self.fact(kind, when, **body))

    def place(self, *zones: int) -> None:
        for zone in zones:
            self.do("place", zone=zone)

    def launch(self, zone: int, *, satisfied: bool) -> None:
        self.do("launch", zone=zone)
        if self.round.question is not None:
            self.do("satisfied", satisfied=satisfied)

    def play_out(self, *zones: int) -> None:
        """Place every card, taking the zones in turn."""
        zones = zones or tuple(range(1, len(self.round.zones) + 1))
        place = 0
        while self.round.turn is not None and self.round.hand(self.round.turn):
            self.do("place", zone=zones[place % len(zones)])
            place += 1

    def win(self, winner: str, cards: int = 1) -> None:
        """Play a whole round that one seat wins by launching that many cards."""
        self.do("deal")
        self.do("first", seat=winner) if self.round.first != winner else None
        for _ in range(cards):
            self.do("place", zone=1)
        self.do("turn", seat=winner) if self.round.turn != winner else None
        self.launch(1, satisfied=True)

    @property
    def round(self) -> Round:
        assert self.state.current is not None
        return self.state.current

    @property
    def result(self) -> Result:
        assert self.round.result is not None
        return self.round.result

    @property
    def counts(self) -> list[int]:
        return [len(zone.cards) for zone in self.round.zones]

    @property
    def scores(self) -> dict[str, int]:
        return dict(GAME.standings(self.state))

    @property
    def view(self) -> SkyFireView:
        view: SkyFireView = GAME.view(self.state, "table")
        return view

    def says(self, kind: str, viewer: str = "table", **body: Any) -> str:
        """Enter a fact; return its sentence."""
        fact = GAME.parse(kind, body)
        sentence = GAME.describe(self.state, fact, viewer)
        self.enter(fact)
        return sentence


def begun(seats: str = THREE, components: Any = None, **options: str) -> Record:
    record = Record(seats, components, **options)
    record.do("deal", when=at(0))
    return record
