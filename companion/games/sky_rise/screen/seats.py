"""The players: a row for each on a small screen, the words of their cards on a larger one."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.cards import PlayerText
from companion.games.sky_rise.panels import opaque_words
from companion.games.sky_rise.rules.view import SeatView, SkyRiseView
from companion.rules.columns import plural, width as cells_of

ROOM_FOR_SIZES = 30
"""Cells of a card with room for the opaque pyramids by size."""
ROOM_FOR_UNIT = 21
"""Cells of a card with room for the unit beside a score of two digits."""
_HEAD = f"{'points':>8}{'cards':>7}{'opaque: large':>15}{'med':>5}{'small':>7}"
_GAP = "   "  # between two parts of a row
_LONGEST = 34
"""Cells of glyph and name that leave room for the numbers at 80 columns."""


def seat_rows(game: SkyRiseView, width: int) -> list[Content]:
    """Return a head, a row for each player, and one for draw pile, Start token and noted goals."""
    cells = min(_LONGEST, 2 + max(cells_of(seat.name) for seat in game.seats))
    rows = [Content.assemble((f"{'':{cells + 2}}{_HEAD}", "$quiet"))]
    rows += [_seat(seat, cells, width) for seat in game.seats]
    return [*rows, Content.styled(common_words(game, width), "$quiet")]


def _seat(seat: SeatView, cells: int, width: int) -> Content:
    mark = ">" if seat.on_turn else ""
    points = seat.score.placed + seat.score.by_hand
    large, medium, small = ("?" if number is None else number for number in seat.opaque_sizes)
    numbers = f"{points:>8}{seat.hand:>7}{large:>15}{medium:>5}{small:>7}"
    row = Content.assemble(
        (f"{mark:<2}", "bold $accent"),
        named(seat, cells),
        (numbers, "$quiet" if seat.left else "bold"),
    )
    remarks = ", ".join(_remarks(seat))
    if row.cell_length + len(f"  {remarks}") > width:
        return row
    return Content.assemble(row, (f"  {remarks}", "bold $accent"))


def _remarks(seat: SeatView) -> list[str]:
    remarks = []
    if seat.left:
        remarks.append("left")
    if seat.to_enter:
        remarks.append(f"{seat.to_enter} to enter")
    return remarks


def named(seat: SeatView, cells: int) -> Content:
    """Return glyph and name in `cells` cells."""
    style = "$quiet" if seat.left else f"bold {seat_style(seat.color)}"
    return Content.assemble((f"{seat.glyph} {seat.name}", style)).truncate(
        cells, ellipsis=True, pad=True
    )


def common_words(game: SkyRiseView, width: int) -> str:
    """Return what all players share, and what double lines mean, as fully as fits in `width`.

    First the draw pile and who has the Start token, then whose goals are noted.
    """
    text = pile_words(game)
    for more in (_goal_words(game, width - cells_of(text)), group_legend(game)):
        if more and cells_of(text + _GAP + more) <= width:
            text += _GAP + more
    return text


def _goal_words(game: SkyRiseView, width: int) -> str:
    playing = [seat for seat in game.seats if not seat.left]
    noted = [seat.name for seat in playing if seat.goals_noted]
    if not noted:
        return ""
    if len(noted) == len(playing):
        return "all goals noted"
    fullest = f"goals noted by {', '.join(noted)}"
    if cells_of(_GAP + fullest) <= width:
        return fullest
    return f"goals noted by {len(noted)} of {len(playing)}"


def group_legend(game: SkyRiseView) -> str:
    """Return what the double lines of the grid mean; empty on the roof, which has no groups."""
    return "" if game.levels[-1].size is None else "═ joins a group"


def pile_words(game: SkyRiseView) -> str:
    """Return the draw pile, and who has the Start token."""
    parts = ["draw pile ?" if game.pile is None else f"draw pile {game.pile}"]
    parts += [f"Start token: {seat.name}" for seat in game.seats if seat.start_token]
    return _GAP.join(parts)


def card_texts(game: SkyRiseView, cells: int, *, ended: bool) -> list[PlayerText]:
    """Return the texts of the players' cards of so many cells; once the game has `ended` it is nobody's turn."""
    return [_card_text(game, seat, cells, ended=ended) for seat in game.seats]


def _card_text(game: SkyRiseView, seat: SeatView, cells: int, *, ended: bool) -> PlayerText:
    turn = seat.on_turn and not ended
    status = "turn" if turn else ""
    if seat.left:
        status = "left"
    elif seat.id in game.winners:
        status = "winner"
    narrow = cells < ROOM_FOR_SIZES
    facts = _narrow_facts(seat) if narrow else _facts(seat)
    unit = "points" if cells >= ROOM_FOR_UNIT else ""
    return PlayerText(
        seat.glyph, seat.name, seat.color, str(seat.score.total), unit, status, tuple(facts),
        turn=turn, idle=seat.left,
    )  # fmt: skip


def _facts(seat: SeatView) -> Iterator[str]:
    if seat.to_enter:
        yield f"{seat.to_enter} to enter"
    if seat.nest is not None and seat.tree is not None:
        yield f"Nest {seat.nest}, Tree {seat.tree}"
        return
    yield f"{plural(seat.hand, 'card')} in hand"
    yield opaque_words(seat)
    if seat.start_token:
        yield "Start token"
    if seat.goals_noted:
        yield "goals noted"


def _narrow_facts(seat: SeatView) -> Iterator[str]:
    """Yield what fits in two rows; whose the Start token is, is also below the grid."""
    if seat.nest is not None and seat.tree is not None:
        yield f"Nest {seat.nest}"
        yield f"Tree {seat.tree}"
        return
    yield f"{plural(seat.hand, 'card')} in hand"
    yield f"{seat.to_enter} to enter" if seat.to_enter else f"{seat.opaque or 'no'} opaque left"
