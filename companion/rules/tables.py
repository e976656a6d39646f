"""The tables of a game. Other people's games import them under this name; `companion.display` defines them."""

from __future__ import annotations

from companion.display.tables import (
    GAP as GAP,
    Cell as Cell,
    Drawing as Drawing,
    PanelTable as PanelTable,
    Piece as Piece,
    Shown as Shown,
    drawn_lines as drawn_lines,
    laid_out as laid_out,
    plain_lines as plain_lines,
    words as words,
)
