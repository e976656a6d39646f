"""The keyboard of Panic Fire as data: seat columns, and one key for each thing a table says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.panic_fire.rules.model import State
from companion.rules.actions import PRESS, Action, named, named_by
from companion.rules.game import SeatId, Setup

PREFIX = "panic-fire."
DRAW_KEYS = ("1", "2", "3", "4", "5")
NAME_KEYS = ("q", "w", "e", "r", "t")
NAME_KEYS_ON_PAD = ("6", "7", "8", "9", "slash")
SHIELD_KEYS = ("a", "s", "d", "f", "g")
TABLE_KEYS = ("Q", "W", "E", "R", "T")
TABLE_SHIELD_KEYS = ("A", "S", "D", "F", "G")

GAME = "game"
_COMMON = (
    Action("fire", ("enter", "0"), "fire!", "Start the round's clock when the dealer calls (PF-5).", GAME, True),
    Action("shot", ("space", "plus"), "shot", "The trigger: a shot was fired (PF-10).", GAME, True),
    Action("illegal", ("i", "minus"), "illegal", "No match: the shooter is out; again: legal (PF-11).", GAME, True),
    Action("hand", ("h", "full_stop"), "hand Shield", "A Shield from hand saved who was hit (PF-12).", GAME, True),
    Action("mend", ("n",), "mend", "Take back the names of the last shot; name it again (PF-10).", GAME, True),
    Action("match", ("m", "asterisk"), "whose match", "Shooter, target or both held it, or unknown (PF-14).", GAME),
    Action("promote", ("p",), "was a shot", "The last dry pull or knock was a shot: the sensor missed (PF-R3).", GAME),
    Action("stalemate", ("k",), "stalemate", "Nobody can play, no Shield either: on three all draw (PF-16).", GAME),
    Action("order", ("o",), "order shots", "Order two tied shots: as stamped, swapped, both count (PF-R2).", GAME),
    Action("reshuffle", ("P",), "new pile", "The discards are the new pile; nobody counted it (PF-R1).", GAME),
    Action("nobody", ("N",), "no Bullet", "The table ends the round; nobody takes the Bullet card (PF-R5).", GAME),
)  # fmt: skip


def actions(setup: Setup) -> tuple[Action, ...]:
    """Return what the keyboard can do with these seats."""
    columns = [_column(place, seat.name, seat.initial) for place, seat in enumerate(setup.by_column)]
    rows = [action for row in zip(*columns, strict=True) for action in row]
    return tuple(replace(action, id=PREFIX + action.id) for action in (*rows, *_COMMON))


def _column(place: int, name: str, initial: str) -> tuple[Action, ...]:
    """The keys of one seat; only the first seat's stand in the footer, for the others lie beside them."""
    first, n = place == 0, place + 1
    name_keys = (NAME_KEYS[place], NAME_KEYS_ON_PAD[place])
    naming = f"Name {name}: first the target, then the shooter (PF-10)."
    shield = f"{name} has a Shield in play, or none any more (PF-6)."
    table = f"The table puts {name} out of the round, or back in (PF-13)."
    table_shield = f"The table gives {name} a Shield in play against the rules (PF-R6)."
    return (
        Action(f"draw.{n}", (DRAW_KEYS[place],), f"{initial} draws", f"{name} draws a card (PF-9).", "draws", first),
        Action(f"name.{n}", name_keys, f"name {initial}", naming, "names", first),
        Action(f"shield.{n}", (SHIELD_KEYS[place],), f"{initial} Shield", shield, "Shields"),
        Action(f"table.{n}", (TABLE_KEYS[place],), f"{initial} in/out", table, "table"),
        Action(f"table-shield.{n}", (TABLE_SHIELD_KEYS[place],), f"{initial}'s Shield", table_shield, "table"),
    )


_ROWS = {"draw": DRAW_KEYS, "name": NAME_KEYS}


key_of = named_by(PREFIX, _COMMON)
FIRE_FIRST = f'On "fire!" {PRESS} {key_of("fire")}.'
SHOT_FIRST = f"For a shot {PRESS} {key_of('shot')}."
END_ANYWAY = f"To end it without a Bullet card {PRESS} {key_of('nobody')}."
NEW_PILE = f"Play without these cards, or {PRESS} {key_of('reshuffle')} for a new pile."
"""The key that does one of these, for a sentence."""


def keys_of(row: str, state: State, seats: Iterable[SeatId]) -> str:
    """The keys that `draw` or `name` these seats, in the order of their columns: `q e`."""
    wanted = set(seats)
    columns = enumerate(state.setup.by_column)
    keys = (named(f"{PREFIX}{row}.{place + 1}", _ROWS[row][place]) for place, seat in columns if seat.id in wanted)
    return " ".join(keys)
