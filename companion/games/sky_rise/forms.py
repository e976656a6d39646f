"""The form of Sky Rise for pieces and turns, which its screen and the pages have."""

from __future__ import annotations

from companion.display.panels import GameForm
from companion.games.sky_rise.rules.controls import PIECES_ID, PIECES_KEY
from companion.rules.actions import Action

PIECES = Action(
    PIECES_ID,
    (PIECES_KEY,),
    "pieces",
    "Set who has which opaque pyramids (SR-1), each suit's color (SR-2), who starts, whose turn it is.",
    "game",
)
KINDS = ("opaque", "assign", "start_token", "turn")
"""What the form for pieces and turns enters."""
FORMS = (GameForm(PIECES, KINDS),)
