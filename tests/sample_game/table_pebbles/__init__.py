"""Pebbles, an example: a small invented game in a package of its own."""

from companion.rules.registry import GameInfo

ENTRY = GameInfo(
    id="pebbles",
    title="Pebbles (example)",
    seats=range(2, 7),
    does="Counts the pebbles left in the bowl, and keeps each player's guess to itself.",
    credits="Invented as an example.",
    package=__name__,
    rules="rules:GAME",
    box="box",
    panels="panels:PANELS",
)
