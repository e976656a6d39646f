"""Panic Fire, played from the gun, the zone buttons and the keyboard. RULES.md has the rules, clause by clause."""

from __future__ import annotations

from companion.rules.game_info import GameInfo

ENTRY = GameInfo(
    id="panic-fire",
    title="Panic Fire",
    seats=range(2, 6),
    does="Times each shot, counts draws and Bullet cards, names who is out; gun and buttons, or the keyboard.",
    credits="Design: Craig Nybo, 3 Headed Giant Games. Also sold as Shoot Your Friends. This companion is unofficial.",
    package=__name__,
    rules="rules.game:GAME",
    options="rules.options",
    box="rules.box",
    panels="panels:PANELS",
    screen="screen.game_screen:PanicFireScreen",
    report="report:PanicFireReport",
    players="players:PanicFirePlayers",
    place=1,
)
