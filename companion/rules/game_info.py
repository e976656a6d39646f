"""What a game says of itself before it is opened: plain data, and in strings where its parts are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from companion.errors import CommandError, ErrorKind
from companion.rules.columns import count_range

if TYPE_CHECKING:
    from companion.rules.game import Game

GROUP = "companion.games"


API = 1
"""The version of what the companion and its games expect of each other."""


OPTIONAL = (
    "options",
    "box",
    "panels",
    "screen",
    "report",
    "players",
    "simulation",
    "tour",
    "map_editor",
)
"""The fields of a `GameInfo` that say where a part is that a game may leave out."""


OURS = "companion.games."
"""What the packages of our own games begin with."""


class GameUnusable(CommandError):
    """A game is installed and cannot be used; `str()` is what is wrong and what to do, in sentences."""

    kind = ErrorKind.UNAVAILABLE


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Why a game that is installed is not among `GAMES`: the name of its entry point, which is the game's id, the
    package it came in, and what is wrong with it and what to do, in a sentence each."""

    name: str
    package: str
    why: str
    remedy: str

    @property
    def sentence(self) -> str:
        """What is wrong, in a sentence that names the game."""
        game = f"game {self.name!r} of the" if self.name else "games of the"
        return f"The {game} package {self.package} cannot be used: {self.why}."

    def __str__(self) -> str:
        return f"{self.sentence} {self.remedy}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """A game before it is opened: its id and title, how many can play, what the companion does for it in a sentence,
    whose game it is, and the package its files lie in (RULES.md, components.toml).

    The other fields say where its parts are, as `module:name`, the module relative to `package`: the rules (a
    `companion.rules.game.Game`), its house rules and its box (modules), what it shows (a
    `companion.display.panels.Panels`), its part of the dashboard and of the report, who plays its demo,
    what plays many games of it, the steps of the tour, and an editor of its map. Only the rules must be there. `id` is
    also the name of the entry point. `place` orders lists of games, small first; `api` is the version of all this that
    the game was written for.
    """

    id: str
    title: str
    seats: range
    does: str
    credits: str
    package: str
    rules: str
    options: str | None = None
    box: str | None = None
    panels: str | None = None
    screen: str | None = None
    report: str | None = None
    players: str | None = None
    simulation: str | None = None
    tour: str | None = None
    map_editor: str | None = None
    place: int = 100
    api: int = API

    @property
    def carried(self) -> Mapping[str, Any]:
        """What a session of it states as its box beside the seats: nothing, but for a game that a file states."""
        return {}

    @property
    def short_name(self) -> str:
        """What people call it in one word: its id; that of a game that a file states tells its texts apart, this does
        not."""
        return self.id

    @property
    def player_count(self) -> str:
        """How many can play, in words."""
        return count_range(self.seats, "player")

    def part(self, where: str) -> Any:
        """Return what `where` names, a value of one of the fields above; it is imported now. Raise `GameUnusable` when
        that fails, whatever the game's code raised."""
        module, _, name = where.partition(":")
        full = f"{self.package}.{module}"
        try:
            return resolve_name(f"{full}:{name}") if name else import_module(full)
        except (Exception, SystemExit) as error:
            why = f"{self.title} cannot be used: importing {full} failed ({error_text(error)})."
            raise GameUnusable(f"{why} Update the package it came in.") from error

    def game(self) -> Game[Any]:
        """Return the rules; raise `GameUnusable` as `part` does, and where they are none of this game."""
        found = self.part(self.rules)
        from companion.rules.game import Game  # pydantic, which no list of games needs

        if isinstance(found, Game) and found.id == self.id:
            return found
        why = f"its rules, {self.rules}, should be a Game with the id {self.id!r}"
        raise GameUnusable(f"{self.title} cannot be used: {why}. Update the package it came in.")

    def faults(self) -> tuple[str, ...]:
        """Import every part, and return a sentence for each that cannot be imported."""
        found = []
        for field in ("rules", *OPTIONAL):
            try:
                if field == "rules":
                    self.game()
                elif where := getattr(self, field):
                    self.part(where)
            except GameUnusable as problem:
                found.append(str(problem))
        return tuple(found)

    @property
    def files(self) -> tuple[str, ...]:
        """The names of what lies beside the game."""

        return tuple(each.name for each in files(self.package).iterdir())

    def text(self, name: str) -> str:
        """Return the text of a file that lies beside the game; empty where there is none."""

        file = files(self.package).joinpath(name)
        return file.read_text(encoding="utf-8") if file.is_file() else ""


def error_text(error: BaseException) -> str:
    """Return what an exception says of itself, in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
