"""The pictures of a game. Other people's games import them under this name; `companion.display` defines them."""

from __future__ import annotations

from companion.display.pictures import (
    Chart as Chart,
    DrawnPyramid as DrawnPyramid,
    Floor as Floor,
    Lane as Lane,
    Lying as Lying,
    MapPiece as MapPiece,
    Point as Point,
    Race as Race,
    Shape as Shape,
    Site as Site,
    Size as Size,
    Stack as Stack,
    Stacks as Stacks,
    Tile as Tile,
    Tower as Tower,
)
