"""The games: rules over an immutable state. Opening a game imports its models; the registry itself imports nothing."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.games.base import Game

GAMES = {
    "fractured-sky": "companion.games.fractured_sky.game:FracturedSky",
    "panic-fire": "companion.games.panic_fire.game:PanicFire",
    "sky-rise": "companion.games.sky_rise.game:SkyRise",
    "skyfire": "companion.games.skyfire.game:SkyFire",
}


def open_game(game_id: str) -> Game[Any]:
    """Return the game with that id; raise `ValueError` with one sentence for an id nobody registered."""
    if game_id not in GAMES:
        raise ValueError(f"there is no game {game_id!r}; the games are: {', '.join(sorted(GAMES))}")
    game: Game[Any] = resolve_name(GAMES[game_id])()
    return game
