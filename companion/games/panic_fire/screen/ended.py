"""What a finished game leaves to read: the first shot of each round, and who eliminated whom."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.bars import Bar, bar_rows
from companion.games.panic_fire.rules.view import PanicFireView, SeatView
from companion.rules.spans import seconds


def shot_rows(game: PanicFireView, width: int) -> list[Content]:
    """Return the times from *fire!* to the first shot as bars, then who eliminated whom."""
    rows: list[Content] = []
    seats = {seat.id: seat for seat in game.seats}
    bars = []
    for shot in game.first_shots:
        shooter = None if shot.shooter is None else seats.get(shot.shooter)
        style = "$quiet" if shooter is None else seat_style(shooter.color)
        label = Content(f"{shot.round_name}  ")
        if shooter is not None:
            label += Content.styled(shooter.glyph, style)
        if shot.after is None:
            bars.append(Bar(label, None, "time unknown", style))
        else:
            text = seconds(shot.after.us, shot.after.pm)
            bars.append(Bar(label, shot.after.us, text, style))
    if bars:
        rows += [Content.styled("From fire! to the first shot", "bold"), *bar_rows(bars, width)]
    eliminated = list(_eliminated(game))
    if eliminated:
        rows += [Content("")] if rows else []
        rows += [Content.styled("Who eliminated whom", "bold"), *eliminated]
    return [row.truncate(width, ellipsis=True) for row in rows]


def _eliminated(game: PanicFireView) -> list[Content]:
    """Return a row for each seat that eliminated somebody: `● Red: ■ Green 2 times, ▲ Blue once`."""
    rows = []
    names = max(len(seat.name) for seat in game.seats)
    for shooter, counts in zip(game.seats, game.kill_matrix, strict=True):
        targets = []
        for target, count in zip(game.seats, counts, strict=True):
            if count:
                often = "once" if count == 1 else f"{count} times"
                targets.append(_named(target) + Content(f" {often}"))
        if targets:
            padding = " " * (names - len(shooter.name) + 2)
            rows.append(_named(shooter) + Content(padding) + Content(", ").join(targets))
    return rows


def _named(seat: SeatView) -> Content:
    return Content.styled(f"{seat.glyph} {seat.name}", seat_style(seat.color))
