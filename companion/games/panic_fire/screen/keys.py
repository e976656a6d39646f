"""Which keys belong to a seat: read from the registry, so that a screen never names a key of its own."""

from __future__ import annotations

from companion.dashboard.registry import first_key
from companion.games.panic_fire.rules.keys import PREFIX
from companion.rules.actions import Action

SHOWN = ("draw", "name", "shield")
"""The three things a seat's column does; the fourth, the table's override, is on the help page."""


def is_seat_key(action: Action) -> bool:
    """Return whether the action is one that every seat has, such as `panic-fire.draw.2`."""
    return action.id.startswith(PREFIX) and action.id.rsplit(".", 1)[-1].isdigit()


def seat_keys(actions: tuple[Action, ...], place: int) -> dict[str, str]:
    """Return the key names of the seat at `place` (from 1): what it does -> the key to press."""
    keys = {action.id: first_key(action) for action in actions}
    return {what: keys.get(f"{PREFIX}{what}.{place}", "") for what in SHOWN}
