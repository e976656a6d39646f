"""Whirl, an example: a small invented game that loops where a test wants it to."""

from companion.rules.registry import GameInfo

ENTRY = GameInfo(
    id="whirl",
    title="Whirl (example)",
    seats=range(2, 7),
    does="Counts turns of a top, and never stops where a test wants that.",
    credits="Invented as an example.",
    package=__name__,
    rules="rules:GAME",
    panels="panels:PANELS",
    screen="screen:SCREEN",
    report="report:REPORT",
)
