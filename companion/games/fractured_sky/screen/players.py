"""The players: Starfalls, pieces left, turn slots, an AI's Market card."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView, SlotView
from companion.rules.columns import plural

STARFALLS_CELLS = 4
WORDS_CELLS = 38
"""Cells from which on pieces are told in words."""


def player_rows(game: FracturedSkyView, width: int, height: int) -> list[Content]:
    """Return the players in the order of the round's row, then the next row, in at most `height` lines."""
    players = sorted(game.players, key=lambda one: (one.slot is None, one.slot or 0))
    next_row = Content(next_slots(game)).wrap(width)
    roomy = 2 * len(players) + len(next_row) <= height
    in_words = are_in_words(game, width, height)
    rows = [row for player in players for row in _player(game, player, width, roomy=roomy, in_words=in_words)]
    return [*rows, *next_row][:height]


def are_in_words(game: FracturedSkyView, width: int, height: int) -> bool:
    """Return whether there is room for words, three rows a player, so that no sign is left to explain."""
    return width >= WORDS_CELLS and 3 * len(game.players) + len(Content(next_slots(game)).wrap(width)) <= height


def _player(game: FracturedSkyView, player: PlayerView, width: int, *, roomy: bool, in_words: bool) -> list[Content]:
    turn = player.id == (game.move.decision.ai if game.move is not None else game.to_move)
    mark = "> " if turn else "  "
    slot = f"{player.slot} " if player.slot is not None else "- "
    name = Content.assemble(
        (mark, "bold $accent"), (slot, "$quiet"), (f"{player.glyph} {player.name}", seat_style(player.color))
    )
    if not roomy:
        right = f" *{player.starfalls} ^{player.airships}{_state(player)}"
        return [Content.assemble(name.truncate(width - len(right), ellipsis=True, pad=True), right)]
    if in_words:
        right = f"{_state(player)} {plural(player.starfalls, 'Starfall')}"
        first = Content.assemble(name.truncate(width - len(right), ellipsis=True, pad=True), (right, "bold"))
        return [first, *(Content(f"    {line}") for line in piece_words(player))]
    right = f"{_state(player)}{f'*{player.starfalls}':>{STARFALLS_CELLS}}"
    left = Content(f"    {pieces(player)}").truncate(width, ellipsis=True)
    first = Content.assemble(name.truncate(width - len(right), ellipsis=True, pad=True), (right, "bold"))
    return [first, left]


def piece_words(player: PlayerView) -> tuple[str, str]:
    """Return the same in words, in two lines."""
    one = f"left: {plural(player.airships, 'Airship')}, {plural(player.fortresses, 'Fortress', 'Fortresses')}"
    two = f"{plural(player.markets, 'Market')}, {plural(player.skimmers, 'Skimmer')}"
    if player.market_card is None:
        return one, two
    return one, f"{two}, card {player.market_card}/{'?' if player.market_number is None else player.market_number}"


def pieces(player: PlayerView) -> str:
    """Return what a player may still place, and an AI's Market card: `^2 F5 M4 ~5`, `card 2/4`."""
    said = f"^{player.airships} F{player.fortresses} M{player.markets} ~{player.skimmers}"
    if player.market_card is None:
        return said
    number = "?" if player.market_number is None else player.market_number
    return f"{said} card {player.market_card}/{number}"


def _state(player: PlayerView) -> str:
    return " left" if player.left else " done" if player.done else ""


def next_slots(game: FracturedSkyView) -> str:
    """Return the turn slots of the next row: who took each, or the Gold it gives."""
    return f"Next row {'  '.join(_slot(game, slot) for slot in game.slots)}"


def _slot(game: FracturedSkyView, slot: SlotView) -> str:
    taken = next((player for player in game.players if player.id == slot.player), None)
    if taken is not None:
        return f"{slot.number} {taken.glyph}"
    gold = "?" if slot.gold is None else f"+{slot.gold} Gold" if slot.gold else "-"
    return f"{slot.number} {gold}"
