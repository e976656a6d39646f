"""The tables of a game. Games of other people import them under this name; they are defined in `companion.display`."""

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
