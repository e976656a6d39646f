"""Keys of Panic Fire: a column for each seat, and one key for each ruling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.panic_fire.rules.model import State
from companion.rules.actions import PRESS, Action, keys_with_names, named, named_by
from companion.rules.facts import SeatId, Setup

PREFIX = "panic-fire."
_ROWS = {
    "draw": "12345",
    "name": "qwert",
    "shield": "asdfg",
    "table": "QWERT",
    "table-shield": "ASDFG",
}
_NAMES_ON_PAD = ("6", "7", "8", "9", "slash")

GAME = "game"
_COMMON = (
    Action("fire", ("enter", "0"), "fire!", "Start the round's clock when the dealer calls (PF-5).", GAME, True),
    Action("shot", ("space", "plus"), "shot", "The trigger: a shot was fired (PF-10).", GAME, True),
    Action("illegal", ("i", "minus"), "illegal", "No match: the shooter is out; again: legal (PF-11).", GAME, True),
    Action("hand", ("h", "full_stop"), "hand Shield", "A Shield from hand saved who was hit (PF-12).", GAME, True),
    Action("mend", ("n",), "rename", "Clear the names of the last shot; name it again (PF-10).", GAME, True),
    Action("miss", ("X",), "nobody hit", "The shot that waits hit nobody, so it does not count (PF-R3).", GAME),
    Action("match", ("m", "asterisk"), "whose match", "Shooter had a match; again: target; again: both (PF-14).", GAME),
    Action("promote", ("p",), "was a shot", "The last dry pull or knock was a shot: the sensor missed (PF-R3).", GAME),
    Action(
        "stalemate", ("k",), "stalemate", "Nobody can play, no Shield either: on three all draw (PF-16).", GAME, True
    ),
    Action("order", ("o",), "order shots", "Order two tied shots: as timed, swapped, both count (PF-R2).", GAME),
    Action("reshuffle", ("P",), "new pile", "The discards are the new pile; nobody counted it (PF-R1).", GAME),
    Action("nobody", ("N",), "no Bullet", "The table ends the round; nobody takes the Bullet card (PF-R5).", GAME),
)  # fmt: skip


def actions(setup: Setup) -> tuple[Action, ...]:
    """Return the keyboard actions for these seats."""
    columns = [
        _column(place, seat.name, seat.initial) for place, seat in enumerate(setup.by_column)
    ]
    rows = [action for row in zip(*columns, strict=True) for action in row]
    return tuple(replace(action, id=PREFIX + action.id) for action in (*rows, *_COMMON))


def _column(place: int, name: str, initial: str) -> tuple[Action, ...]:
    """Return the actions of one seat. Only the first seat's are in the footer: the other columns lie beside
    them."""
    first, n = place == 0, place + 1
    draw, name_key, shield_key, table_key, table_shield_key = (
        keys[place] for keys in _ROWS.values()
    )
    naming = f"Name {name}: first the target, then the shooter (PF-10)."
    shield = f"{name} has a Shield in play, or none any more (PF-6)."
    table = f"The players eliminate {name}, or take {name} back in (PF-13)."
    table_shield = f"The table gives {name} a Shield in play against the rules (PF-R6)."
    return (
        Action(
            f"draw.{n}", (draw,), f"{initial} draws", f"{name} draws a card (PF-9).", "draws", first
        ),
        Action(
            f"name.{n}", (name_key, _NAMES_ON_PAD[place]), f"name {initial}", naming, "names", first
        ),
        Action(f"shield.{n}", (shield_key,), f"{initial} Shield", shield, "Shields"),
        Action(f"table.{n}", (table_key,), f"{initial} in/out", table, "table"),
        Action(
            f"table-shield.{n}", (table_shield_key,), f"{initial}'s Shield", table_shield, "table"
        ),
    )


key_of = named_by(PREFIX, _COMMON)
FIRE_FIRST = f'On "fire!" {PRESS} {key_of("fire")}.'
SHOT_FIRST = f"For a shot {PRESS} {key_of('shot')}."
END_ANYWAY = f"To end it without a Bullet card {PRESS} {key_of('nobody')}."
NEW_PILE = f"Play without these cards, or {PRESS} {key_of('reshuffle')} for a new pile."
NO_NAMES = f'On "fire!" {PRESS} {key_of("fire")}; {key_of("miss")} deletes that shot.'
"""These five name a key inside a sentence."""


def keys_of(row: str, state: State, seats: Iterable[SeatId]) -> str:
    """Return the keys of `row` (`draw` or `name`) for these seats, in column order: `q Ann, e Cara`."""
    wanted = set(seats)
    pairs = []
    for place, seat in enumerate(state.setup.by_column):
        if seat.id in wanted:
            key = named(f"{PREFIX}{row}.{place + 1}", _ROWS[row][place])
            pairs.append((key, seat.name))
    return keys_with_names(pairs)
