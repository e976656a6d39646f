"""The games on this computer: ours and other people's, found by the entry-point group `companion.games`.

The entry of a game, a `GameInfo`, is plain data. It says in strings where the parts of the game are, so that nothing of
a game is imported before it is needed. Every optional part has a plain default. A game that cannot be used is not in
`GAMES` but in `problems()`, and does not affect the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from companion.rules.columns import capitalized, did_you_mean
from companion.rules.game_info import OURS, GameInfo as GameInfo, GameProblem, GameUnusable

if TYPE_CHECKING:
    from companion.rules.game import Game

DEFINITION_KEY = "definition"
"""The key, in the box of a session whose game is defined by a file, of the text of that file."""
OWN_GAMES = "companion.games.own"
"""The package that makes a game from such a text."""


class _Games(Mapping[str, GameInfo]):
    """The games by id, in the order of lists, searched when first needed, not on import.

    `learned` are games defined by a file that this run has read, from the file or from a session.
    """

    def __init__(self) -> None:
        self.learned: dict[str, GameInfo] = {}

    @cached_property
    def installed(self) -> tuple[dict[str, GameInfo], tuple[GameProblem, ...]]:
        """The usable games, and why others cannot be used."""
        # Imported late: importlib.metadata takes 20 ms, and reads all installed packages.
        from companion.rules.finding import find

        usable, unusable = find()
        usable.sort(key=lambda info: (info.place, info.title))
        return {info.id: info for info in usable}, tuple(unusable)

    def __getitem__(self, game_id: str) -> GameInfo:
        if game_id in self.learned:  # without a search of the installed packages
            return self.learned[game_id]
        return self.installed[0][game_id]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.installed[0], *self.learned])

    def __len__(self) -> int:
        return len(self.installed[0]) + len(self.learned)


_GAMES = _Games()
GAMES: Mapping[str, GameInfo] = _GAMES


def problems() -> tuple[GameProblem, ...]:
    """Return the games that are installed but cannot be used, with the reasons."""
    return _GAMES.installed[1]


def games_of_others() -> tuple[GameInfo, ...]:
    """Return the games from packages of other people, without a search: none if there was none yet."""
    installed = vars(_GAMES).get("installed")  # where cached_property keeps its value
    if installed is None:
        return ()
    return tuple(info for info in installed[0].values() if not info.package.startswith(OURS))


def learn(text: str) -> GameInfo:
    """Add the game defined by the text of a file to `GAMES` for this run, and return it; raise `ValueError`."""
    info: GameInfo = own_game_part("rules.game:info_of")(text)
    _GAMES.learned[info.id] = info
    return info


def own_game_part(where: str) -> Any:
    """Import and return a part of the package for games defined by files, given as `module:name`.

    By its name, because the rules may not import a game.
    """
    return resolve_name(f"{OWN_GAMES}.{where}")


def learn_of(components: object) -> None:
    """Add the game that a session has with it, if any, to `GAMES`; raise `ValueError` if its text is wrong."""
    if not isinstance(components, dict):
        return
    text = components.get(DEFINITION_KEY)
    if isinstance(text, str):
        learn(text)


def info_of(game_id: str, known: Collection[str] = GAMES) -> GameInfo:
    """Return the entry of the game with that id.

    Raise `GameUnusable` for one that is installed but cannot be used, and `ValueError` with one sentence, which names
    those that are `known`, if there is none.
    """
    if game_id in GAMES:
        return GAMES[game_id]
    for problem in problems():
        if problem.name == game_id:
            raise GameUnusable(str(problem))
    if not known:
        why = " ".join(map(str, problems()))
        raise ValueError(f"there is no game {game_id!r}, nor any other. {why}")
    hint = f"the games are: {', '.join(sorted(known))}"
    near = did_you_mean(game_id, known)
    if near:
        hint = f"{near} {capitalized(hint)}"
    raise ValueError(f"there is no game {game_id!r}; {hint}")


def example_game() -> str:
    """Return the id of the game for hints, the first one; `GAME` if there is none."""
    return next(iter(GAMES), "GAME")


def part_of(game_id: str, field: str) -> Any:
    """Import and return the part of a game that its `GameInfo` names in `field`.

    Return None if it has no such part or there is no such game; raise `GameUnusable` if the import fails.
    """
    info = GAMES.get(game_id)
    where = getattr(info, field) if info is not None else None
    if info is None or not where:
        return None
    return info.part(where)


def open_game(game_id: str) -> Game[Any]:
    """Return the rules of a game; raise as `info_of` does, and `GameUnusable` if they cannot be imported or are not
    those of this game."""
    return info_of(game_id).game()
