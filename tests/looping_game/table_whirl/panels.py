"""What Whirl shows to the whole table."""

from __future__ import annotations

from typing import Any

from companion.display.panels import Panels
from companion.display.tables import PanelTable

from .loops import whirl


def tables(game: Any) -> tuple[PanelTable, ...]:
    whirl("tables", game["turns"])
    return (PanelTable("Whirl", (), (("turns", game["turns"]),)),)


def turn(game: Any) -> tuple[str, ...]:
    whirl("turn", game["turns"])
    return (game["next"],)


PANELS = Panels("turns", tables=tables, turn=turn)
