"""The Tower Showdown: who builds, for how long, and who was first."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.registry import first_key
from companion.games.sky_rise.rules.keys import PREFIX
from companion.games.sky_rise.rules.text import seconds
from companion.games.sky_rise.rules.view import ContenderView, SeatView, SkyRiseView
from companion.games.sky_rise.screen.seat_text import named
from companion.rules.actions import Action


def showdown_rows(game: SkyRiseView, actions: tuple[Action, ...]) -> list[Content]:
    """Return a row for each contender with its button, key and time; those too close to tell apart are named."""
    showdown = game.showdown
    if showdown is None:
        return []
    seats = {seat.id: seat for seat in game.seats}
    rows = [Content.assemble(("Tower Showdown (SR-17)", "bold"))]
    rows += [_contender(one, seats[one.seat], showdown.close, game, actions) for one in showdown.contenders]
    if showdown.close:
        names = " and ".join(seats[seat].name for seat in showdown.close)
        said = f"! photo finish: the stamps of {names} are closer than their error"
        rows.append(Content.assemble((said, "bold $warning")))
    return rows


def _contender(
    one: ContenderView, seat: SeatView, close: tuple[str, ...], game: SkyRiseView, actions: tuple[Action, ...]
) -> Content:
    key = next((first_key(action) for action in actions if action.id == f"{PREFIX}zone.{seat.zone}"), "")
    running = game.showdown is not None and game.showdown.running
    if one.done:
        state, style = seconds(one.span) if one.span else "done, at a time nobody can compare", "bold"
    else:
        state, style = ("building" if running else "not done", "$quiet")
    mark = "photo finish" if seat.id in close else "first" if seat.id in game.winners else ""
    button = f"button {seat.zone}, key {key}" if running and not one.done else ""
    return Content.assemble(
        "  ", named(seat, 16), (f" {state:<26}", style), (button, "bold $primary"), (mark, "bold $success")
    )
