"""What a seat of Sky Rise can note for itself: its goals (SR-3)."""

from __future__ import annotations

from functools import partial
from typing import Any

from companion.games.sky_rise.rules.view import SkyRiseView
from companion.rules.game import SeatId
from companion.rules.panels import Answers, NoteField, NoteLine

GOALS = "goals"


def note_lines(game: SkyRiseView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return the line of both goals; none once the companion dealt them."""
    if game.dealt and game.own:
        return ()
    colors = tuple((color.name, color.name) for color in game.colors)
    fields = (NoteField("nest", "Nest", colors), NoteField("tree", "Tree", colors))
    return (NoteLine(GOALS, "your goals", "goal_noted", "a color for each", fields, partial(_goals, seat)),)


def _goals(seat: SeatId, answers: Answers) -> dict[str, Any]:
    return {"seat": seat, **answers}
