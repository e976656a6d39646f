"""The games this computer has: found by the entry-point group `companion.games`, ours like anybody's.

What a game says of itself before it is opened is plain data, a `GameInfo`; where its parts are is said in strings, so
that nothing of a game is imported before it is wanted. A part that a game leaves out has a plain default that works.
A game that cannot be used is none of `GAMES`: `problems` names it, and the other games never notice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from companion.rules.columns import did_you_mean
from companion.rules.game_info import OURS, GameInfo as GameInfo, GameProblem, GameUnusable

if TYPE_CHECKING:
    from companion.rules.game import Game

DEFINITION_KEY = "definition"
"""Where a session whose game a file states holds the text of that file, among what it states of its box."""
OWN_GAMES = "companion.games.own"
"""The package that makes a game of such a text."""


class _Found(Mapping[str, GameInfo]):
    """The games by id, in the order of lists; looked for when somebody asks, not at the import of this module;
    `learned` are those that a file or a session told this run of."""

    def __init__(self) -> None:
        self.learned: dict[str, GameInfo] = {}

    @cached_property
    def looked(self) -> tuple[dict[str, GameInfo], tuple[GameProblem, ...]]:
        """The games that can be used, and what was found and cannot."""
        # importlib.metadata: 20 ms, and it looks at all that is installed
        from companion.rules.finding import find

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
    info: GameInfo = own_game_part("rules.game:info_of")(text)
    _FOUND.learned[info.id] = info
    return info


def own_game_part(where: str) -> Any:
    """Return a part of what makes games of files, as `module:name`; it is imported now."""
    return resolve_name(f"{OWN_GAMES}.{where}")


def learn_of(components: object) -> None:
    """Learn the game that a session carries with it, if it does; raise `ValueError` for one that makes no sense."""
    if isinstance(components, dict) and isinstance(text := components.get(DEFINITION_KEY), str):
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


def example_game() -> str:
    """Return the id of the game that the tour is of, and that hints name: the first that brings a tour, else the first
    of all; `GAME` where there is none."""
    with_tour = (game_id for game_id, info in GAMES.items() if info.tour)
    return next(with_tour, next(iter(GAMES), "GAME"))


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
