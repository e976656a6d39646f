"""The keyboard of Sky Rise as data. Cards and pyramids need a place and are entered as facts; small letters stay free
for that."""

from __future__ import annotations

from dataclasses import replace

from companion.games.sky_rise.rules.model import State
from companion.rules.actions import Action, named, named_by
from companion.rules.game import SeatId, Setup

PREFIX = "sky-rise."
ZONE_KEYS = ("1", "2", "3", "4", "5")
NAME_KEYS = ("Q", "W", "E", "R", "T")

_COMMON = (
    Action("pass", ("space",), "pass", "Whoever is on turn places no pyramid (SR-7, SR-13).", "game", True),
    Action("reveal", ("G",), "goals up", "All Nest and Tree cards are turned up together (SR-14).", "game", True),
    Action("go", ("enter",), "on three!", "Start the clock of the Tower Showdown (SR-17).", "game", True),
    Action("shared", ("S",), "share it", "Those who are tied share the victory (SR-17).", "game", True),
    Action(
        "deal",
        ("D",),
        "deal goals",
        "Without the cards: deal everybody a secret Nest and Tree, to be seen behind the curtain (SR-T9).",
        "game",
    ),
    Action(
        "restart",
        ("B",),
        "round again",
        "The tower fell: take back all cards and pyramids of this round at once (SR-T8).",
        "game",
    ),
)


def actions(setup: Setup) -> tuple[Action, ...]:
    """Return what the keyboard can do with these seats, those that joined included."""
    columns = [_column(place, seat.name, seat.initial) for place, seat in enumerate(setup.by_column)]
    rows = [action for row in zip(*columns, strict=True) for action in row]
    return tuple(replace(action, id=PREFIX + action.id) for action in (*rows, *_COMMON))


def _column(place: int, name: str, initial: str) -> tuple[Action, ...]:
    n = place + 1
    zone = f"{name}'s button: the turn is over (SR-T6); in the Tower Showdown: the seventh card lies (SR-17)."
    naming = f"Name {name}: who has the Start token (SR-4), or who won a photo finish (SR-17)."
    return (
        Action(f"zone.{n}", (ZONE_KEYS[place],), f"{initial} is done", zone, "turns"),
        Action(f"name.{n}", (NAME_KEYS[place],), f"name {initial}", naming, "names"),
    )


_ROWS = {"zone": ZONE_KEYS, "name": NAME_KEYS}


key_of = named_by(PREFIX, _COMMON)
"""The key that does one of these, for a sentence."""


def keys_of(row: str, state: State, seats: tuple[SeatId, ...]) -> str:
    """The keys of the `zone` or the `name` of these seats, in the order of the seats: `1 3`."""
    places = enumerate(state.setup.by_column)
    return " ".join(named(f"{PREFIX}{row}.{at + 1}", _ROWS[row][at]) for at, seat in places if seat.id in seats)
