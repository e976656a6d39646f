"""The seats as text while the tower is built, and in a Tower Showdown."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.registry import first_key
from companion.dashboard.themes import seat_style
from companion.games.sky_rise.rules.keys import PREFIX
from companion.games.sky_rise.rules.text import seconds
from companion.games.sky_rise.rules.view import ContenderView, SeatView, SkyRiseView
from companion.rules.actions import Action
from companion.rules.columns import width as cells_of

ROOM_FOR_REMARKS = 46
_NUMBERS = " pts hand LMS"


def seat_rows(game: SkyRiseView, width: int) -> list[Content]:
    """Return a row for each seat: points, cards in hand, own opaque pyramids by size; whose turn it is, and remarks."""
    wide = width >= ROOM_FOR_REMARKS
    cells = 18 if wide else max(6, width - len(_NUMBERS) - 2)
    if not wide and any(cells_of(seat.name) + 2 > cells for seat in game.seats):
        return _tall_rows(game, width)
    rows = [Content.assemble((f"{'':<{cells + 2}}{_NUMBERS}", "$quiet"))]
    rows += [_seat(seat, cells, _remarks(seat) if wide else "") for seat in game.seats]
    return [*rows, *(Content(line) for line in _said(game, wide=wide))]


def _tall_rows(game: SkyRiseView, width: int) -> list[Content]:
    """A row for each name, and one for whose turn it is and the numbers below."""
    cells = max(6, width - len(_NUMBERS) - 2)
    rows = [Content.assemble((f"{'':<{cells + 2}}{_NUMBERS}", "$quiet"))]
    for seat in game.seats:
        waiting = f"+{seat.to_enter}" if seat.to_enter else ""
        turn = (f"{'>' if seat.on_turn else '':<2}{waiting:<{cells}}", "bold $accent")
        rows += [named(seat, width), Content.assemble(turn, (_numbers(seat), "$quiet" if seat.left else "bold"))]
    return [*rows, *(Content(line) for line in _said(game, wide=False))]


def _numbers(seat: SeatView) -> str:
    sizes = "".join("?" if number is None else str(number) for number in seat.opaque_sizes)
    return f"{seat.points + seat.score.by_hand:>4}{seat.hand:>5} {sizes}"


def _seat(seat: SeatView, cells: int, remarks: str) -> Content:
    waiting = f"+{seat.to_enter}" if seat.to_enter else ""
    # Where both have no room beside each other the count takes the place of the sign of whose turn it is.
    before = waiting and not seat.on_turn and cells_of(seat.name) + len(waiting) + 3 > cells
    behind = f" {waiting}" if waiting and not before else ""
    name = named(seat, cells - len(behind))
    weight = "$quiet" if seat.left else "bold"
    return Content.assemble(
        (f"{'>' if seat.on_turn else waiting if before else '':<2}", "bold $accent"),
        name,
        (behind, "bold $accent"),
        (_numbers(seat), weight),
        (f"  {remarks}" if remarks else "", "$quiet"),
    )


def named(seat: SeatView, cells: int) -> Content:
    """Return glyph and name in `cells` cells."""
    style = "$quiet" if seat.left else f"bold {seat_style(seat.color)}"
    name = Content.assemble((f"{seat.glyph} {seat.name}", style))
    return name.truncate(cells, ellipsis=True, pad=True)


def _remarks(seat: SeatView) -> str:
    said = ["left"] if seat.left else []
    said += ["Start token"] if seat.start_token else []
    said += ["goals noted"] if seat.goals_noted else []
    said += [f"{seat.to_enter} to enter"] if seat.to_enter else []
    said += [f"{seat.score.by_hand:+d} by hand"] if seat.score.by_hand else []
    return ", ".join(said)


def _said(game: SkyRiseView, *, wide: bool) -> list[str]:
    """The draw pile; and where no row has room for it, who has the Start token, noted goals, or left."""
    pile = f"draw pile {'?' if game.pile is None else game.pile}"
    if wide:
        return [pile]
    start = " ".join(seat.initial for seat in game.seats if seat.start_token)
    noted = " ".join(seat.initial for seat in game.seats if seat.goals_noted)
    left = " ".join(seat.initial for seat in game.seats if seat.left)
    lines = (f"{pile}  Start {start}", f"goals noted {noted}" if noted else "", f"left {left}" if left else "")
    return [line for line in lines if line]


def showdown_rows(game: SkyRiseView, actions: tuple[Action, ...]) -> list[Content]:
    """Return a row for each contender with its button, key and time; those too close to tell apart are named."""
    showdown = game.showdown
    if showdown is None:
        return []
    seats = {seat.id: seat for seat in game.seats}
    rows = [Content.assemble(("Tower Showdown", "bold"))]
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
