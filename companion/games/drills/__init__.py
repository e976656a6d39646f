"""Drills with one gun: how fast somebody fires once the lamp is lit, alone or against others."""

from __future__ import annotations

from companion.rules.game_info import GameInfo

ENTRY = GameInfo(
    id="drills",
    title="Drills",
    seats=range(1, 6),
    does="Lights the lamp after a delay nobody knows, and times each shot; buttons against each other, too.",
    credits="Our own: nobody else's game, and nothing to buy.",
    package=__name__,
    rules="rules.game:GAME",
    options="rules.options",
    panels="panels:PANELS",
    screen="screen.game_screen:DrillsScreen",
    report="report:DrillsReport",
    players="players:DrillsPlayers",
    place=5,
)
