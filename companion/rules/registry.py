"""The games this computer has: found by the entry-point group `companion.games`, ours like anybody's.

What a game says of itself before it is opened is plain data, a `GameInfo`; where its parts are is said in strings, so
that nothing of a game is imported before it is wanted. A part that a game leaves out has a plain default that works.
A game that cannot be used is none of `GAMES`: `problems` names it, and the other games never notice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from companion.exits import CommandError, Exit
from companion.rules.columns import did_you_mean, so_many

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
CARRIED = "definition"
"""Where a session whose game a file states holds the text of that file, among what it states of its box."""
STATED = "companion.games.own"
"""The package that makes a game of such a text."""
EXAMPLE = "panic-fire"
"""The game that the demo and the tour are of where nobody names one, and that hints name."""


class GameUnusable(CommandError):  # noqa: N818  an answer to whoever asks for the game
    """A game is installed and cannot be used; `str()` is what is wrong and what to do, in sentences."""

    exit_code = Exit.UNAVAILABLE


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Why a game that is installed is not among `GAMES`: the name of its entry point, which is the game's id, the
    package it came in, and what is wrong with it and what to do, in a sentence each."""

    name: str
    package: str
    why: str
    mend: str

    @property
    def sentence(self) -> str:
        """What is wrong, in a sentence that names the game."""
        game = f"game {self.name!r} of the" if self.name else "games of the"
        return f"The {game} package {self.package} cannot be used: {self.why}."

    def __str__(self) -> str:
        return f"{self.sentence} {self.mend}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """A game before it is opened: its id and title, how many can play, what the companion does for it in a sentence,
    whose game it is, and the package its files lie in (RULES.md, components.toml).

    The other fields say where its parts are, as `module:name`, the module relative to `package`: the rules (a
    `companion.rules.game.Game`), its house rules and its box (modules), what it shows (a
    `companion.rules.panels.Panels`), its part of the dashboard and of the report, who plays its demo,
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
    def word(self) -> str:
        """What people call it in one word: its id; that of a game that a file states tells its texts apart, this does
        not."""
        return self.id

    @property
    def how_many(self) -> str:
        """How many can play, in words."""
        return so_many(self.seats, "player")

    def part(self, where: str) -> Any:
        """Return what `where` names, a value of one of the fields above; it is imported now. Raise `GameUnusable` when
        that fails, whatever the game's code raised."""
        module, _, name = where.partition(":")
        full = f"{self.package}.{module}"
        try:
            return resolve_name(f"{full}:{name}") if name else import_module(full)
        except (Exception, SystemExit) as error:
            why = f"{self.title} cannot be used: importing {full} failed ({said(error)})."
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
        from importlib.resources import files  # 4 ms, for a game's documents alone

        return tuple(each.name for each in files(self.package).iterdir())

    def text(self, name: str) -> str:
        """Return the text of a file that lies beside the game; empty where there is none."""
        from importlib.resources import files

        file = files(self.package).joinpath(name)
        return file.read_text(encoding="utf-8") if file.is_file() else ""


def said(error: BaseException) -> str:
    """Return what an exception says of itself, in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


class _Found(Mapping[str, GameInfo]):
    """The games by id, in the order of lists; looked for when somebody asks, not at the import of this module;
    `learned` are those that a file or a session told this run of."""

    def __init__(self) -> None:
        self.learned: dict[str, GameInfo] = {}

    @cached_property
    def looked(self) -> tuple[dict[str, GameInfo], tuple[GameProblem, ...]]:
        """The games that can be used, and what was found and cannot."""
        from companion.rules.finding import (
            find,
        )  # importlib.metadata: 20 ms, and it looks at all that is installed

        found, wrong = find()
        return {
            info.id: info for info in sorted(found, key=lambda info: (info.place, info.title))
        }, tuple(wrong)

    def __getitem__(self, game_id: str) -> GameInfo:
        return self.learned[game_id] if game_id in self.learned else self.looked[0][game_id]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.looked[0], *self.learned])

    def __len__(self) -> int:
        return len(self.looked[0]) + len(self.learned)


_FOUND = _Found()
GAMES: Mapping[str, GameInfo] = _FOUND


def problems() -> tuple[GameProblem, ...]:
    """Return the games that are installed and cannot be used, each with the reason."""
    return _FOUND.looked[1]


def games_of_others() -> tuple[GameInfo, ...]:
    """Return the games from packages of other people, of those that were looked for by now: nothing is looked for."""
    looked = vars(_FOUND).get("looked")
    found = {} if looked is None else looked[0]
    return tuple(info for info in found.values() if not info.package.startswith(OURS))


def learn(text: str) -> GameInfo:
    """Return the game that a file states by its text; it is one of `GAMES` in this run. Raise `ValueError`."""
    info: GameInfo = of_stated("rules.game:info_of")(text)
    _FOUND.learned[info.id] = info
    return info


def of_stated(where: str) -> Any:
    """Return a part of what makes games of files, as `module:name`; it is imported now."""
    return resolve_name(f"{STATED}.{where}")


def learn_of(components: object) -> None:
    """Learn the game that a session carries with it, if it does; raise `ValueError` for one that makes no sense."""
    if isinstance(components, dict) and isinstance(text := components.get(CARRIED), str):
        learn(text)


def info_of(game_id: str, known: Collection[str] = GAMES) -> GameInfo:
    """Return what is known of the game with that id; raise `GameUnusable` for one that is installed and cannot be used,
    and `ValueError` with one sentence where there is none: it names those that are `known`."""
    if game_id in GAMES:
        return GAMES[game_id]
    if wrong := next((one for one in problems() if one.name == game_id), None):
        raise GameUnusable(str(wrong))
    if not known:
        raise ValueError(
            f"there is no game {game_id!r}, nor any other. {' '.join(map(str, problems()))}"
        )
    games = f"the games are: {', '.join(sorted(known))}"
    near = did_you_mean(game_id, known)
    raise ValueError(f"there is no game {game_id!r}; {f'{near} T{games[1:]}' if near else games}")


def part_of(game_id: str, field: str) -> Any:
    """Return the part of a game that its `GameInfo` names in `field`; None where it leaves that out, or where there is
    no such game. Raise `GameUnusable` for one that cannot be imported."""
    info = GAMES.get(game_id)
    where = None if info is None else getattr(info, field)
    return info.part(where) if info is not None and where else None


def open_game(game_id: str) -> Game[Any]:
    """Return the rules of a game; raise `ValueError` as `info_of` does, and `GameUnusable` for rules that cannot be
    imported, or are none of this game."""
    return info_of(game_id).game()
