"""What a seat of Fractured Sky can note for itself: the regions on the cards that it looked at (FS-46)."""

from __future__ import annotations

from functools import partial
from typing import Any

from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.game import SeatId
from companion.rules.panels import Answers, NoteField, NoteLine

Card = tuple[str, int]
"""Where a card was seen, `hidden` or `explore`, and its number there."""


def note_lines(game: FracturedSkyView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return a line for each card that the seat looked at; none where the companion dealt them: it shows them."""
    return () if game.dealt else tuple(_line(game, seat, card) for card in cards_of(game, seat))


def cards_of(game: FracturedSkyView, seat: SeatId) -> list[Card]:
    """Return the cards a seat looked at in this round."""
    scouted = [("hidden", mark.card) for mark in game.table.marks if mark.player == seat]
    draws = next((player.draws for player in game.players if player.id == seat), 0)
    return [*scouted, *(("explore", number) for number in range(1, draws + 1))]


def id_of(card: Card) -> str:
    """Return the id of a card's line."""
    return f"{card[0]}-{card[1]}"


def name_of(card: Card) -> str:
    """Return what a card is called."""
    return f"{'Hidden card' if card[0] == 'hidden' else 'Explore draw'} {card[1]}"


def _line(game: FracturedSkyView, seat: SeatId, card: Card) -> NoteLine:
    board = game.table.board
    field = NoteField("region", name_of(card), tuple((region, board.name(region)) for region in board.ids))
    return NoteLine(id_of(card), name_of(card), "saw", "the region that it shows", (field,), partial(_saw, seat, card))


def _saw(seat: SeatId, card: Card, answers: Answers) -> dict[str, Any]:
    return {"seat": seat, "where": card[0], "number": card[1], "region": answers["region"]}
