"""The seats as text while the tower is built, and as a table of points once the goals are up."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.games.sky_rise.rules.scoring import COLUMN_POINTS, UNPLACED_POINTS
from companion.games.sky_rise.rules.view import SeatView, SkyRiseView

ROOM_FOR_REMARKS = 46
_NAME = 12
_NUMBERS = " pts hand LMS"


def seat_rows(game: SkyRiseView, width: int) -> list[Content]:
    """Return a row for each seat: points, cards in hand, own opaque pyramids by size; whose turn it is, and remarks."""
    wide = width >= ROOM_FOR_REMARKS
    cells = 18 if wide else max(6, width - len(_NUMBERS) - 2)
    rows = [Content.assemble((f"{'':<{cells + 2}}{_NUMBERS}", "$quiet"))]
    rows += [_seat(seat, cells, _remarks(seat) if wide else "") for seat in game.seats]
    return [*rows, *(Content(line) for line in _said(game, wide=wide))]


def _seat(seat: SeatView, cells: int, remarks: str) -> Content:
    sizes = "".join("?" if number is None else str(number) for number in seat.opaque_sizes)
    waiting = f" +{seat.to_enter}" if seat.to_enter else ""
    name = named(seat, cells - len(waiting))
    numbers = f"{seat.points + seat.score.by_hand:>4}{seat.hand:>5} {sizes}"
    weight = "$quiet" if seat.left else "bold"
    return Content.assemble(
        ("> " if seat.on_turn else "  ", "bold $accent"),
        name,
        (waiting, "bold $accent"),
        (numbers, weight),
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


def result_rows(game: SkyRiseView) -> list[Content]:
    """Return the points of each seat by their sources, its goals turned up (SR-14 to SR-16)."""
    by_hand = any(seat.score.by_hand for seat in game.seats)
    hand = f"{'by hand':>8}" if by_hand else ""
    head = f"{'':<{_NAME + 2}}{'placed':>7}{'Nest':>12}{'Tree':>15}{'opaque':>8}{hand}{'total':>7}"
    return [Content.assemble((head, "$quiet")), *(_result(seat, game, by_hand=by_hand) for seat in game.seats)]


def _result(seat: SeatView, game: SkyRiseView, *, by_hand: bool) -> Content:
    score = seat.score
    nest = f"{seat.nest} {score.nest}" if seat.nest else "-"
    tree = f"{seat.tree} {len(seat.columns)}×{COLUMN_POINTS}" if seat.tree else "-"
    opaque = f"{score.unplaced // UNPLACED_POINTS}×{UNPLACED_POINTS}" if score.unplaced is not None else "-"
    hand = f"{score.by_hand:>+8}" if by_hand else ""
    first = seat.id in game.winners
    return Content.assemble(
        ("> " if first else "  ", "bold $accent"),
        named(seat, _NAME),
        f"{score.placed:>7}{nest:>12}{tree:>15}{opaque:>8}{hand}",
        (f"{score.total:>7}", "bold"),
        ("  WINS" if first and len(game.winners) == 1 else "  SHARES" if first else "", "bold $success"),
    )
