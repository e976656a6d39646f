"""The forms of SkyFire, which its screen and the pages have: what opens each, what it enters, and when."""

from __future__ import annotations

from companion.display.panels import GameForm
from companion.games.skyfire.rules.keys import CARDS_FORM, CARDS_KEY, GAME, PLACE_FORM, PLACE_KEY
from companion.games.skyfire.rules.view import SkyFireView
from companion.rules.actions import Action

CARDS = Action(
    CARDS_FORM, (CARDS_KEY,), "cards",
    "Enter the cards turned up, the target, and backs in sight (SF-6, SF-8, SF-11).", GAME, footer=True,
)  # fmt: skip
PLACE = Action(
    PLACE_FORM, (PLACE_KEY,), "card's back",
    "Place a card and enter its back: the zone, then two letters (SF-6, SF-10).", "zones", footer=True,
)  # fmt: skip
CARD_KINDS = ("revealed", "target", "removed", "backs", "hand_shown")
"""What the form for visible cards enters."""
IN_ROUND = ("open", "question")
"""Phases in which a round is open."""


def has_cards(game: SkyFireView) -> bool:
    """Return True if cards can be entered: in a round, or if some were turned up in the last one."""
    return game.phase in IN_ROUND or any(zone.turned for zone in game.zones)


def is_open(game: SkyFireView) -> bool:
    """Return True if cards can be placed: on a turn."""
    return game.phase == "open"


FORMS = (GameForm(CARDS, CARD_KINDS, has_cards), GameForm(PLACE, ("place",), is_open))
