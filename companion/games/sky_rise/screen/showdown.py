"""The Tower Showdown: its contenders with buttons and times, and a photo finish."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.registry import first_key
from companion.games.sky_rise.rules.controls import PREFIX as GAME
from companion.games.sky_rise.rules.text import seconds
from companion.games.sky_rise.rules.view import ContenderView, SeatView, SkyRiseView
from companion.games.sky_rise.screen.seats import named
from companion.rules.actions import Action
from companion.rules.columns import listed


def showdown_rows(game: SkyRiseView, actions: tuple[Action, ...]) -> list[Content]:
    """Return a row for each contender with button, key and time, and a line for a photo finish."""
    showdown = game.showdown
    if showdown is None:
        return []
    seats = {seat.id: seat for seat in game.seats}
    rows = [Content.assemble(("Tower Showdown", "bold"))]
    rows += [
        _contender(contender, seats[contender.seat], showdown.close, game, actions)
        for contender in showdown.contenders
    ]
    if showdown.close:
        names = listed(seats[seat].name for seat in showdown.close)
        text = f"! photo finish: {names} are too close to tell"
        rows.append(Content.assemble((text, "bold $warning")))
    return rows


def _contender(
    contender: ContenderView,
    seat: SeatView,
    close: tuple[str, ...],
    game: SkyRiseView,
    actions: tuple[Action, ...],
) -> Content:
    running = game.showdown is not None and game.showdown.running
    button = ""
    if contender.done:
        status = seconds(contender.span) if contender.span else "done, time unknown"
        style = "bold"
    else:
        status, style = "building" if running else "not done", "$quiet"
        if running:
            keys = {action.id: first_key(action) for action in actions}
            button = f"button {seat.zone}, key {keys.get(f'{GAME}zone.{seat.zone}', '')}"
    mark = ""
    if seat.id in close:
        mark = "photo finish"
    elif seat.id in game.winners:
        mark = "first"
    return Content.assemble(
        "  ",
        named(seat, 16),
        (f" {status:<26}", style),
        (button, "bold $primary"),
        (mark, "bold $success"),
    )
