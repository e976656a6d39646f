"""The games this computer has: found by the entry-point group `companion.games`, ours like anybody's.

What a game says of itself before it is opened is plain data, a `GameInfo`; where its parts are is said in strings, so
that nothing of a game is imported before it is wanted. A part that a game leaves out has a plain default that works.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from companion.rules.game import Game

GROUP = "companion.games"
API = 1
"""The version of what the companion and its games expect of each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """A game before it is opened: its id and title, how many can play, what the companion does for it in a sentence,
    whose game it is, and the package its files lie in (RULES.md, components.toml).

    The other fields say where its parts are, as `module:name`, the module relative to `package`: the rules (a
    `companion.rules.game.Game`), its house rules and its box (modules), its part of the dashboard, of the pages and of
    the report, who plays its demo, and an editor of its map. Only the rules must be there. `place` orders lists of
    games, small first; `api` is the version of all this that the game was written for.
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
    screen: str | None = None
    page: str | None = None
    report: str | None = None
    players: str | None = None
    map_editor: str | None = None
    place: int = 100
    api: int = API

    @property
    def how_many(self) -> str:
        """How many can play, in words."""
        return f"{self.seats.start} to {self.seats[-1]} players"

    def part(self, where: str) -> Any:
        """Return what `where` names, a value of one of the fields above; it is imported now."""
        module, _, name = where.partition(":")
        full = f"{self.package}.{module}"
        return resolve_name(f"{full}:{name}") if name else import_module(full)

    def file(self, name: str) -> Traversable:
        """Return a file that lies beside the game, whether it exists or not."""
        return files(self.package).joinpath(name)


class _Found(Mapping[str, GameInfo]):
    """The games by id, in the order of lists; looked for when somebody asks, not at the import of this module."""

    @cached_property
    def _games(self) -> dict[str, GameInfo]:
        from importlib.metadata import entry_points  # 20 ms, and it looks at every package that is installed

        found: list[GameInfo] = [each.load() for each in entry_points(group=GROUP)]
        return {info.id: info for info in sorted(found, key=lambda info: (info.place, info.title))}

    def __getitem__(self, game_id: str) -> GameInfo:
        return self._games[game_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


GAMES: Mapping[str, GameInfo] = _Found()


def info_of(game_id: str) -> GameInfo:
    """Return what is known of the game with that id; raise `ValueError` with one sentence where there is none."""
    if game_id not in GAMES:
        raise ValueError(f"there is no game {game_id!r}; the games are: {', '.join(sorted(GAMES))}")
    return GAMES[game_id]


def open_game(game_id: str) -> Game[Any]:
    """Return the rules of a game; raise `ValueError` with one sentence for an id that no game has."""
    info = info_of(game_id)
    game: Game[Any] = info.part(info.rules)()
    return game
