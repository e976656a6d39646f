"""What Fractured Sky shows to the whole table."""

from __future__ import annotations

from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.rules.panels import Panels, SeatLine


def where(game: FracturedSkyView) -> str:
    """Return the round in words."""
    if game.phase == "over":
        return "the game is over"
    return "before round 1" if game.phase == "first" else f"round {game.round} of {game.rounds}"


def seats(game: FracturedSkyView) -> tuple[SeatLine, ...]:
    """Return the players with their Starfalls, AIs among them, and the pieces they have left."""
    return tuple(_player(game, player) for player in game.players)


def _player(game: FracturedSkyView, player: PlayerView) -> SeatLine:
    words = [f"slot {player.slot}"] if player.slot is not None else []
    words += ["done"] if player.done else []
    ships, fortresses = f"{player.airships} Airships", f"{player.fortresses} Fortresses"
    words += [f"{ships}, {fortresses}, {player.markets} Markets, {player.skimmers} Skimmers left"]
    if player.market_card is not None:
        words += [f"Market card {player.market_card} of {player.market_number or '?'}"]
    return SeatLine(
        player.id, player.name, player.color, player.glyph, player.initial, str(player.starfalls),
        turn=player.id == game.to_move, idle=player.left,
        note="left" if player.left else "winner" if player.id == game.winner else "", words=tuple(words),
    )  # fmt: skip


PANELS = Panels("Starfalls", where, seats)
