"""The statistics of Panic Fire: the round, the seats, and who shot whom."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.dashboard.words import plus_minus, span
from companion.games.panic_fire.rules.timing import since_lamp
from companion.games.panic_fire.rules.view import PanicFireView, SeatView
from companion.rules.game import Moment
from companion.rules.pauses import Span

NAME_CELLS = 16


def statistics(game: PanicFireView, lit: Moment | None = None) -> Content:
    """Return the page; `lit` is when the board's lamp was lit last, the true zero of a reaction to *fire!*."""
    blocks = [_round(game, lit), _seats(game), _kills(game)]
    if game.notes:
        blocks.append([_title("Not confirmed"), *(Content(f"  {note}") for note in game.notes)])
    return Content("\n\n").join(Content("\n").join(block) for block in blocks)


def _title(text: str) -> Content:
    return Content.assemble((text, "bold"))


def interval(value: Span | None) -> str:
    """Return a span with its error, `unknown` where there is none."""
    return "unknown" if value is None else f"{span(value.us)} {plus_minus(value.pm)}"


def _round(game: PanicFireView, lit: Moment | None) -> list[Content]:
    calm = interval(game.longest_calm)
    rate = "unknown" if game.draws_per_min is None else f"{game.draws_per_min:.1f}"
    lamp = since_lamp(game.fire, [] if lit is None else [lit], game.first_shot, game.pauses)
    rows = (
        *([("lamp to the first shot", interval(lamp))] if lamp is not None else []),
        ("fire! to the first shot", interval(game.first_shot) if game.last_shot else "no shot yet"),
        ("longest calm", f"{calm}, with a gap nobody can know" if game.gap else calm),
        ("draws a minute", rate),
        ("cards left", game.cards_text),
    )
    return [_title("This round"), *(Content.assemble((f"  {name:<26}", "$quiet"), value) for name, value in rows)]


def _seats(game: PanicFireView) -> list[Content]:
    head = Content.assemble((f"  {'':<{NAME_CELLS}}  Bullets  put out  draws, round  draws, game  a minute", "$quiet"))
    return [_title("Seats"), head, *(_seat(seat) for seat in game.seats)]


def _seat(seat: SeatView) -> Content:
    rate = "?" if seat.draws_per_min is None else f"{seat.draws_per_min:.1f}"
    numbers = f"  {seat.bullets:>7}  {seat.kills:>7}  {seat.draws:>12}  {seat.draws_total:>11}  {rate:>8}"
    return Content.assemble("  ", _name(seat), numbers, _remark(seat))


def _remark(seat: SeatView) -> str:
    """That the seat was left, and what of its Bullet cards was set by hand."""
    said = ["left the game"] if seat.status == "left" else []
    said += [f"{seat.by_hand:+d} Bullets by hand"] if seat.by_hand else []
    return f"  {', '.join(said)}" if said else ""


def _name(seat: SeatView) -> Content:
    name = Content.assemble((f"{seat.glyph} {seat.name}", seat_style(seat.color)))
    return name.truncate(NAME_CELLS, ellipsis=True, pad=True)


def _kills(game: PanicFireView) -> list[Content]:
    heads = "".join(f"{seat.initial:>5}" for seat in game.seats)
    rows = [
        Content.assemble("  ", _name(seat), "".join(_count(number, i == j) for j, number in enumerate(numbers)))
        for i, (seat, numbers) in enumerate(zip(game.seats, game.kill_matrix, strict=True))
    ]
    head = Content.assemble((f"  {'put out':<{NAME_CELLS}}{heads}", "$quiet"))
    return [_title("Who put out whom, in the whole game"), head, *rows]


def _count(number: int, same: bool) -> str:
    return f"{'.' if same or not number else number:>5}"
