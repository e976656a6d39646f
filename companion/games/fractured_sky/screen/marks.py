"""What several forms of Fractured Sky say and ask."""

from __future__ import annotations

from textual import events

from companion.games.fractured_sky.rules.ai import Decision
from companion.games.fractured_sky.rules.hands import number_of
from companion.games.fractured_sky.rules.picture import answer_name
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.actions import key_name

EXAMPLE = "example map"


def tied_key(game: FracturedSkyView, decision: Decision, target: str) -> str:
    """Return the name of the key of a place among which the table says: that of its number on the map."""
    return answer_name(number_of(game.table.board, decision.card.kind, target), game.keys)


def tied_place(game: FracturedSkyView, decision: Decision, target: str) -> str:
    """Return such a place behind its key: `3 Copper Crag`."""
    named = game.table.board.place(decision.card.kind, target)
    return f"{tied_key(game, decision, target)} {named}".strip()


def presses(event: events.Key, name: str) -> bool:
    """Whether a key was pressed whose name on the screen is `name`."""
    return bool(name) and name in (event.character, key_name(event.key))


def none_of_these(event: events.Key) -> str:
    """Return why a key that answers nothing in a form did nothing; empty for one that types no sign."""
    return f"No answer has the key {event.character}. Press one of the keys shown." if event.is_printable else ""
