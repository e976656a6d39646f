"""SkyFire: zones, targets, points, and each seat's private notes. RULES.md has the rules, clause by clause."""

from __future__ import annotations

from companion.rules.game_info import GameInfo

ENTRY = GameInfo(
    id="skyfire",
    title="SkyFire",
    seats=range(3, 6),
    does="Keeps zones, targets and points, remembers what was shown, and what each seat noted for itself.",
    credits="Design: Michael Purcell, CC BY-SA 4.0.",
    package=__name__,
    rules="rules.game:GAME",
    options="rules.options",
    box="rules.box",
    panels="panels:PANELS",
    screen="screen.game_screen:SkyFireScreen",
    report="report:SkyFireReport",
    players="players:SkyFirePlayers",
    place=2,
)
