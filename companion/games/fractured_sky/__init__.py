"""Fractured Sky: the rules of RULES.md, and the AI opponents of its solo game."""

from __future__ import annotations

from companion.rules.game_info import GameInfo

ENTRY = GameInfo(
    id="fractured-sky",
    title="Fractured Sky",
    seats=range(1, 6),
    does="Runs the AI opponents and says why they move so, resolves the regions, keeps the score.",
    credits="Design: M. Anderson, Z. Dixon, A. Harrison; solo mode: N. Shaw, D. Digby, D. Turczi. IV Studio. "
    "Unofficial.",
    package=__name__,
    rules="rules.game:GAME",
    options="rules.options",
    box="rules.box",
    panels="panels:PANELS",
    screen="screen.game_screen:FracturedSkyScreen",
    report="report:FracturedSkyReport",
    players="players:FracturedSkyPlayers",
    simulation="simulation:FracturedSkySimulation",
    map_editor="screen.editor",
    place=4,
)
