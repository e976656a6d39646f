"""The screens to look at: of each game in its middle and at its end, common pages and its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.recorded import recorded
from tests.games.own.files import learned, own

Keys: TypeAlias = tuple[str, ...]
Pages: TypeAlias = Mapping[str, Keys]
"""The keys that open each page from the table, by its name."""
SIZES = ((80, 24), (110, 32), (160, 50), (200, 60))
OF_ALL: Pages = {
    "table": (),
    "big": ("f8",),
    "statistics": ("v",),
    "log": ("l",),
    "correct": ("c",),
    "missed": ("c", "f3"),
    "reading": ("f4",),
    "levels": ("f5",),
    "people": ("f6",),
    "settings": ("f7",),
    "details": ("b",),
    "why": ("ctrl+r",),
    "palette": ("ctrl+p",),
}
OF_A_CURTAIN: Pages = {"curtain": ("j",), "curtain-open": ("j", "1", "enter")}
OF_A_GAME: Mapping[str, Pages] = {
    "skyfire": {"cards": ("a",), **OF_A_CURTAIN},
    "sky-rise": {"pieces": ("p",), **OF_A_CURTAIN},
    "fractured-sky": {"by-hand": ("o",), "powers": ("p",), "resolution": ("r",), **OF_A_CURTAIN},
    "bidding": OF_A_CURTAIN,
}
OF_A_GLANCE: Pages = {"table": (), "big": ("f8",)}
OF_AN_END: Pages = {"ending": (), "ending-big": ("f8",), "ending-statistics": ("v",)}
HELP: Pages = {"help": ("question_mark",)}


@dataclass(frozen=True, slots=True)
class Game:
    """A recorded game, how many of its facts are entered (None: all), and whether it shows other
    things."""

    id: str
    name: str
    facts: int | None
    at_a_glance: bool = False

    def __str__(self) -> str:
        return (
            f"{self.id}-{self.name}"
            if self.facts is None
            else f"{self.id}-{self.name}-{self.facts}"
        )

    @property
    def pages(self) -> Pages:
        """Return its pages, without the page of keys."""
        if self.facts is None:
            return OF_AN_END
        return OF_A_GLANCE if self.at_a_glance else {**OF_ALL, **OF_A_GAME.get(self.id, {})}

    @contextmanager
    def at_table(self, folder: Path) -> Iterator[Table]:
        """Return a table in this state; its record is in `folder`."""
        with recorded(self.id, self.name, self.facts, folder) as table:
            yield table


@dataclass(frozen=True, slots=True)
class FileGame:
    """A game from a definition file, and the facts entered in it."""

    name: str
    seats: tuple[str, ...]
    does: Keys

    def __str__(self) -> str:
        return self.name

    @property
    def id(self) -> str:
        """The companion's id for the game."""
        return own(self.name).id

    @property
    def pages(self) -> Pages:
        """Return its pages, without the page of keys and those that are the same in every game."""
        return {
            **OF_A_GLANCE,
            **OF_A_GAME.get(self.name, {}),
            "statistics": OF_ALL["statistics"],
            "why": OF_ALL["why"],
        }

    @contextmanager
    def at_table(self, folder: Path) -> Iterator[Table]:
        """Return a table in this state; its record is in `folder`."""
        with learned():
            table = begin(self.id, self.seats, {}, folder / f"{self.name}.sqlite")
            try:
                for action in self.does:
                    table.do(action)
                yield table
            finally:
                table.close()


PLAYED = (
    Game("panic-fire", "six-rounds", 60),
    Game("panic-fire", "six-rounds", 25, at_a_glance=True),
    Game("skyfire", "a-tie-broken", 20),
    Game("skyfire", "misfires-by-hand", 30, at_a_glance=True),
    Game("sky-rise", "two-players", 60),
    Game("sky-rise", "two-players", 30, at_a_glance=True),
    Game("fractured-sky", "virtual-decks", 45),
    Game("fractured-sky", "two-seats-and-an-ai", 60, at_a_glance=True),
    Game("drills", "reaction-with-a-false-start", 5),
    Game("drills", "plates-with-a-tie", 8, at_a_glance=True),
    FileGame("hearts", ("North", "East", "South", "West"), ("own.queen.1", "own.heart.2")),
    FileGame("bidding", ("Ann", "Ben"), ("own.trick.1",)),
    FileGame("darts-501", ("Ann", "Ben"), ("own.treble-twenty", "own.bull")),
)
FULL = tuple(game for game in PLAYED if isinstance(game, FileGame) or not game.at_a_glance)
"""Each game once."""
ENDED = (
    Game("panic-fire", "six-rounds", None),
    Game("drills", "plates-with-a-tie", None),
    Game("skyfire", "a-tie-broken", None),
    Game("sky-rise", "two-players", None),
    Game("fractured-sky", "four-seats", None),
)
