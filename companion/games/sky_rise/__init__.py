"""Sky Rise: floors of cards, pyramids on their corners, secret goals. RULES.md has the rules, clause by clause."""

from __future__ import annotations

from companion.rules.game_info import GameInfo

ENTRY = GameInfo(
    id="sky-rise",
    title="Sky Rise",
    seats=range(2, 6),
    does="Draws the tower, scores every pyramid, group and column; times the Tower Showdown.",
    credits="Design: M. Weberg, for Looney Pyramids. This companion is unofficial.",
    package=__name__,
    rules="rules.game:GAME",
    options="rules.options",
    box="rules.box",
    panels="panels:PANELS",
    screen="screen.game_screen:SkyRiseScreen",
    report="report:SkyRiseReport",
    players="players:SkyRisePlayers",
    place=3,
)
