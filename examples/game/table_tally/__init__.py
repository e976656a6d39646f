"""Tally, an example: an invented game in a package of its own."""

from companion.rules.registry import GameInfo

ENTRY = GameInfo(
    id="tally",
    title="Tally (example)",
    seats=range(2, 7),
    does="Counts points, one per key.",
    credits="Invented as an example.",
    package=__name__,
    rules="rules:GAME",
)
