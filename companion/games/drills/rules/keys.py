"""Keys of the drills."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from companion.rules.actions import FIRST_PRESS, PRESS, Action, named, named_by, with_board
from companion.rules.facts import SeatId, Setup

PREFIX = "drills."
_SEAT_KEYS = "12345"
STARTS = " starts"
"""After the player's initial in the label of a key that only starts a string."""
DRAW, LAMP, SCREEN = f"{PREFIX}draw", f"{PREFIX}lamp", f"{PREFIX}screen"
"""Actions that happen automatically: drawing the delay, and the signal by the lamp, or by the screen without one.
"""
_COMMON = (
    Action(
        "begin",
        ("enter", "0"),
        "start",
        "The next player is ready: start a string (DR-2).",
        "game",
        True,
    ),
    Action(
        "shot", ("space", "plus"), "shot", "The trigger: a shot was fired (DR-4).", "game", True
    ),
    Action(
        "stop", ("s", "minus"), "stop", "Stop this string; it does not count (DR-7).", "game", True
    ),
)

key_of = named_by(PREFIX, _COMMON)
BEGIN = f"{FIRST_PRESS} {key_of('begin')} to begin one."
WAIT = f"Finish this string, or {PRESS} {key_of('stop')} to stop it."
PLATES_FIRST = (
    f"{with_board(f'Hit your own zone button, or {PRESS} its key', f'{FIRST_PRESS} your own key')}."
)
"""What to do instead, in a refusal."""


def own_keys(setup: Setup, seats: Collection[SeatId]) -> str:
    """Return these players' keys, for a sentence: `Ann 1, Bob 2`."""
    rows = zip(setup.by_column, _SEAT_KEYS, strict=False)
    places = enumerate(rows, start=1)
    return ", ".join(
        f"{seat.name} {named(f'{PREFIX}seat.{n}', key)}"
        for n, (seat, key) in places
        if seat.id in seats
    )


def actions(setup: Setup) -> tuple[Action, ...]:
    """Return the keyboard actions for these seats.

    At the plates the prompt names each player's own key while it acts as a button, so the footer does not.
    """
    plates = setup.options.get("drill") == "plates"
    does = "'s button" if plates else STARTS
    seats = [
        Action(
            f"seat.{place + 1}", (_SEAT_KEYS[place],), f"{seat.initial}{does}",
            f"{seat.name} is ready; at the plates, once a string is under way: {seat.name}'s button (DR-6).",
            "players", place == 0 and not plates,
        )
        for place, seat in enumerate(setup.by_column)
    ]  # fmt: skip
    return tuple(replace(action, id=PREFIX + action.id) for action in (*seats, *_COMMON))
