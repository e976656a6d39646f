"""The entry of a game: plain data, and strings that say where its parts are. Reading it imports none of them."""

from __future__ import annotations

import re
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
"""The group of entry points."""
API = 1
"""The version of the interface between the companion and its games."""
OPTIONAL = (
    "options",
    "box",
    "panels",
    "screen",
    "report",
    "players",
    "simulation",
    "map_editor",
)
"""The fields of a `GameInfo` that locate an optional part."""
OURS = "companion.games."
"""The packages of our own games begin with this."""
# A clause on a page of rules: an item of a list that begins with its id, and the lines indented below it.
_CLAUSE = re.compile(r"^- \*\*([A-Z]{2}-[A-Z]?\d+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)


class GameUnusable(CommandError):
    """A game is installed but cannot be used; `str()` is what is wrong and what to do, in sentences."""

    kind = ErrorKind.UNAVAILABLE


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Why an installed game is not among `GAMES`.

    `name` is that of its entry point, which is the game's id, and `package` the package it came in. `why` and `remedy`
    are a sentence each: what is wrong, and what to do.
    """

    name: str
    package: str
    why: str
    remedy: str

    @property
    def sentence(self) -> str:
        """What is wrong, as a sentence that names the game."""
        game = f"game {self.name!r} of the" if self.name else "games of the"
        return f"The {game} package {self.package} cannot be used: {self.why}."

    def __str__(self) -> str:
        return f"{self.sentence} {self.remedy}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """A game before it is opened.

    `id` is also the name of the entry point; `seats` are the possible numbers of players, `does` is a sentence about
    what the companion does for the game, `credits` says whose game it is, and `package` has its files (RULES.md,
    components.toml). `place` orders lists of games, small first; `api` is the version of the interface that the game
    was written for.

    The other fields say where its parts are, as `module:name` with the module relative to `package`: the rules (a
    `companion.rules.game.Game`), its house rules and its box (modules), what it shows (a
    `companion.display.panels.Panels`), its part of the dashboard and of the report, its scripted players for the demo
    and for simulations, and an editor of its map. Only the rules are required.
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
    map_editor: str | None = None
    place: int = 100
    api: int = API

    @property
    def carried(self) -> Mapping[str, Any]:
        """What each session records as its box: nothing, but for a game defined by a file the text of that file."""
        return {}

    @property
    def short_name(self) -> str:
        """The game in one word, for names of files: its id. A game defined by a file overrides it, because its id
        contains a digest of the text."""
        return self.id

    @property
    def player_count(self) -> str:
        """How many can play, in words: `2 to 5 players`."""
        return count_range(self.seats, "player")

    def part(self, where: str) -> Any:
        """Import and return a part; `where` is the value of one of the fields above.

        Raise `GameUnusable` if the import fails, whatever the game's code raised.
        """
        module, _, name = where.partition(":")
        full = f"{self.package}.{module}"
        try:
            return resolve_name(f"{full}:{name}") if name else import_module(full)
        except (Exception, SystemExit) as error:
            why = f"{self.title} cannot be used: importing {full} failed ({error_text(error)})."
            raise GameUnusable(f"{why} Update the package it came in.") from error

    def game(self) -> Game[Any]:
        """Return the rules; raise `GameUnusable` as `part` does, or if they are not those of this game."""
        rules = self.part(self.rules)
        from companion.rules.game import (
            Game,  # imports pydantic, which a list of games does not need
        )

        if isinstance(rules, Game) and rules.id == self.id:
            return rules
        why = f"its rules, {self.rules}, should be a Game with the id {self.id!r}"
        raise GameUnusable(f"{self.title} cannot be used: {why}. Update the package it came in.")

    def faults(self) -> tuple[str, ...]:
        """Import every part, and return a sentence for each that cannot be imported."""
        sentences: list[str] = []
        for field in ("rules", *OPTIONAL):
            where = getattr(self, field)
            try:
                if field == "rules":
                    self.game()
                elif where:
                    self.part(where)
            except GameUnusable as problem:
                sentences.append(str(problem))
        return tuple(sentences)

    def clauses(self) -> Mapping[str, str]:
        """Return the texts of the clauses in its RULES.md, in Markdown, by id. A game defined by a file overrides this,
        because its own checks are clauses as well."""
        items = _CLAUSE.findall(self.text("RULES.md"))
        return {name: " ".join(map(str.strip, words.splitlines())) for name, words in items}

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files in the folder of the game."""
        return tuple(file.name for file in files(self.package).iterdir())

    def text(self, name: str) -> str:
        """Return the text of a file in the folder of the game; empty if there is none."""
        file = files(self.package).joinpath(name)
        return file.read_text(encoding="utf-8") if file.is_file() else ""


def error_text(error: BaseException) -> str:
    """Return the type and the message of an exception, in one line."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
