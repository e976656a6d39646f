"""What Pebbles shows to the whole table."""

from __future__ import annotations

from typing import Any

from companion.rules.panels import Panels
from companion.rules.tables import PanelTable


def tables(game: Any) -> tuple[PanelTable, ...]:
    """What was taken, in order; and before anything was, the bowl alone."""
    takes = tuple((number, seat, count) for number, (seat, count) in enumerate(game["takes"], start=1))
    return (
        PanelTable("Pebbles", (), (("left in the bowl", game["bowl"]),)),
        PanelTable("Taken, in order", ("turn", "who", "pebbles"), takes),
    )


def turn(game: Any) -> tuple[str, ...]:
    """Whose turn it is; nobody's once the bowl is empty."""
    return (game["next"],) if game["bowl"] else ()


PANELS = Panels("pebbles", tables=tables, turn=turn)
