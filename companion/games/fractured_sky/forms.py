"""The forms of Fractured Sky, which its screen and the pages have: what opens each, what it enters, and when."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.display.panels import GameForm
from companion.games.fractured_sky.rules.controls import (
    BY_HAND,
    COMPASS,
    GAME,
    OWN_BY_HAND,
    OWN_COMPASS,
    PREFIX,
)
from companion.games.fractured_sky.rules.powers import WITH_POWERS
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.actions import Action

EXAMPLE = "example map"
AIRSHIP, TAKE, PEEK = (f"{PREFIX}{word}" for word in ("airship", "take", "peek"))
POWERS = f"{PREFIX}powers"
TURN_FORMS = tuple(
    Action(f"{PREFIX}{word}", (key,), label, text, GAME, footer=True)
    for word, key, label, text in (
        (
            "airship",
            "a",
            "Airship",
            "Place an Airship; on an AI's turn: it turned up an Airship card (FS-8, FS-34).",
        ),
        (
            "fortress",
            "f",
            "Fortress",
            "Build a Fortress; on an AI's turn: its card is a Fortress (FS-12, FS-34).",
        ),
        (
            "market",
            "m",
            "Market",
            "Build a Market; on an AI's turn: its card is a Market (FS-12, FS-34).",
        ),
        (
            "skimmer",
            "i",
            "Skimmer",
            "Build a Skimmer; on an AI's turn: its card is a Skimmer (FS-12, FS-34).",
        ),
        (
            "scout",
            "s",
            "scout",
            "Scout a Hidden card; on an AI's turn: its card is a Scout (FS-16, FS-34).",
        ),
        ("take", "g", "take", "Take a resource by the card that was just scouted (FS-16)."),
        ("peek", "t", "peek", "Peek at an Objective (FS-17)."),
        (
            "compass",
            OWN_COMPASS,
            "compass",
            "Name the compass that an AI's move asks for, star by star (FS-35).",
        ),
    )
)
POWERS_FORM = Action(
    POWERS, ("p",), "powers", "Enter the powers under the Airships (FS-21).", GAME, footer=True
)
BY_HAND_FORM = Action(
    BY_HAND,
    (OWN_BY_HAND,),
    "by hand",
    "Set a count, a turn, a piece, an AI's move or the map by hand.",
    GAME,
)
BY_HAND_KINDS = (
    "turn", "ai_choose", "ai_cannot", "adjust", "remove", "move", "objective", "powers", "ai_tokens", "ai_sits_out",
    "map_platform", "map_region", "score_set",
)  # fmt: skip
_KINDS = {
    AIRSHIP: ("airship", "ai_turn"),
    **{f"{PREFIX}{word}": ("build", "ai_turn") for word in ("fortress", "market")},
    f"{PREFIX}skimmer": ("skimmer", "ai_turn"),
    f"{PREFIX}scout": ("scout", "ai_turn"),
    TAKE: ("take",),
    PEEK: ("peek",),
    COMPASS: ("ai_compass",),
    POWERS: ("powers",),
    BY_HAND: BY_HAND_KINDS,
}


def asks_compass(game: FracturedSkyView) -> bool:
    """Return whether a pending move of an AI asks for stars of a compass (FS-35)."""
    return game.move is not None and game.move.decision.compass is not None


def has_powers(game: FracturedSkyView) -> bool:
    """Return whether powers can be entered: once the Hidden cards are revealed (FS-21)."""
    return game.phase in WITH_POWERS


def title(game: FracturedSkyView) -> str:
    """Return the game's title with the word that its map is the example; empty for a map of a box."""
    return f"Fractured Sky, {EXAMPLE}" if game.example else ""


def _means_on_a_turn(action: Action, game: FracturedSkyView) -> bool:
    if action.id == TAKE:
        return game.looking is not None
    if action.id == COMPASS:
        return asks_compass(game)
    mover = game.mover
    if game.phase != "turn" or mover is None or mover.virtual:
        return False
    if action.id == AIRSHIP:
        return mover.ai  # a seat's Airship goes to the region whose key is pressed
    if action.id == PEEK:
        return not mover.ai and sum(player.ai for player in game.players) < 2  # FS-5
    return True


def _forms() -> tuple[GameForm, ...]:
    means: dict[str, Callable[[FracturedSkyView], bool]] = {
        action.id: partial(_means_on_a_turn, action) for action in TURN_FORMS
    }
    means[POWERS] = has_powers
    means[BY_HAND] = lambda _game: True
    actions = (*TURN_FORMS, POWERS_FORM, BY_HAND_FORM)
    return tuple(GameForm(action, _KINDS[action.id], means[action.id]) for action in actions)


FORMS = _forms()
