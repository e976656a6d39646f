"""Keys of SkyFire: the zones, the answers, and rulings on a turn or the round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.skyfire.rules.facts import MOST_ZONES
from companion.rules.actions import FIRST_PRESS, PRESS, Action, either, named, named_by
from companion.rules.facts import Setup

PREFIX = "skyfire."
_ROWS = {"place": ("1", "2", "3", "4"), "launch": ("q", "w", "e", "r")}

CARDS_FORM, CARDS_KEY = "skyfire-form.cards", "a"
"""The form for entering cards and the target, and its key."""
PLACE_FORM, PLACE_KEY = "skyfire-form.place", "k"
"""The form for placing a card together with its back, and its key."""

GAME = "game"
_COMMON = (
    Action(
        "deal", ("enter",), "deal", "Deal four cards each and start a round (SF-7).", GAME, True
    ),
    Action(
        "misfire",
        ("m",),
        "misfire",
        "With an empty hand: turn up all zones (SF-12).",
        GAME,
        True,
    ),
    Action(
        "satisfied",
        ("s",),
        "yes",
        "The zone, or any zone, meets the target (SF-14).",
        GAME,
        True,
    ),
    Action(
        "unsatisfied", ("n",), "no", "No zone asked about meets the target (SF-14).", GAME, True
    ),
    Action("first", ("f",), "who starts", "The next player starts the round (SF-R3).", GAME),
    Action(
        "target",
        ("g",),
        "target",
        "Before the first turn: the next of the targets known by name is this round's (SF-8).",
        GAME,
    ),
    Action("direction", ("d",), "direction", "Turns go the other way round (SF-R8).", GAME),
    Action(
        "turn",
        ("t",),
        "whose turn",
        "The table says that it is the next player's turn (SF-T5).",
        "table",
    ),
    Action(
        "nobody", ("N",), "no points", "The table ends the round without points (SF-T5).", "table"
    ),
)


def actions(setup: Setup) -> tuple[Action, ...]:
    """Return the keyboard actions for these seats."""
    zones = min(MOST_ZONES, len(setup.seats) - 1)
    rows = [action for zone in range(1, zones + 1) for action in _zone(zone)]
    return tuple(replace(action, id=PREFIX + action.id) for action in (*rows, *_COMMON))


def _zone(number: int) -> tuple[Action, Action]:
    """Return the actions of one zone. Only the first zone's are in the footer: the other columns lie beside them."""
    place, launch = (keys[number - 1] for keys in _ROWS.values())
    placing = f"Place a card in zone {number} for the player whose turn it is (SF-10)."
    launching = f"Launch zone {number} for the player whose turn it is (SF-11)."
    return (
        Action(f"place.{number}", (place,), f"place {number}", placing, "zones", number == 1),
        Action(f"launch.{number}", (launch,), f"launch {number}", launching, "zones", number == 1),
    )


key_of = named_by(PREFIX, _COMMON)
"""Returns the key of an action, for use in a sentence."""
DEAL_FIRST = f"Deal four cards to each player, then {PRESS} {key_of('deal')}."
TYPE_TARGET = either(f"Press {named(CARDS_FORM, CARDS_KEY)}", "Type target and its symbols")
ENTER_TARGET = f"{TYPE_TARGET} to enter the target."
CHANGE_TARGET = f"{TYPE_TARGET} to correct the target."
ASK_TARGET = f"Which target is on top? {TYPE_TARGET}."
NEXT_TURN = f"To pass the turn, {PRESS} {key_of('turn')}."
YES_OR_NO = f"{FIRST_PRESS} {key_of('satisfied')} for yes, {key_of('unsatisfied')} for no."


def keys_of(row: str, zones: Iterable[int]) -> str:
    """Return the keys that `place` in or `launch` these zones (counted from 0), for a sentence."""
    return " ".join(named(f"{PREFIX}{row}.{zone + 1}", _ROWS[row][zone]) for zone in zones)
