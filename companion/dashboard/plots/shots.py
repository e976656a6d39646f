"""The draws and shots of the round as a time line in characters. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.rules.game import Seat
from companion.rules.spans import US_PER_S
from companion.session.marshal_view import MarshalView, RulingLine

SHOTS = frozenset({"shot", "dry_pull", "knock"})
DRAW, SHOT, SEVERAL = "|", "X", "#"
LEGEND = f"{DRAW} draw   {SHOT} shot   {SEVERAL} several"
NAME_CELLS = 12
LEAST = 20


@dataclass(frozen=True, slots=True)
class ShotMark:
    """Something that happened so long after the round's beginning; no `seat`: the gun."""

    us: int
    seat: object


def shot_plot(view: MarshalView, seats: Sequence[Seat], starts: Collection[str], width: int) -> list[Content]:
    """Return the last round, counted from the last standing fact of a kind in `starts`: a lane for each seat with its
    draws, one for the gun with its shots, seconds and what the signs mean below. Nothing where no clock ran, or nothing
    happened by it."""
    marks, cells = _marks(view.rulings, starts), width - NAME_CELLS
    if not marks or cells < LEAST:
        return []
    span_us = max(US_PER_S, *(mark.us for mark in marks))

    def lane(name: str, style: str, seat: object, sign: str) -> Content:
        places = [mark.us * (cells - 1) // span_us for mark in marks if mark.seat == seat]
        signs = [SEVERAL if places.count(cell) > 1 else sign if cell in places else "." for cell in range(cells)]
        return Content.assemble(_name(name, style), "".join(signs))

    lanes = [lane(f"{seat.glyph} {seat.name}", seat_style(seat.color), seat.id, DRAW) for seat in seats]
    return [*lanes, lane("gun", "bold", None, SHOT), _seconds(span_us, cells)]


def _marks(rulings: Sequence[RulingLine], starts: Collection[str]) -> list[ShotMark]:
    """The draws and shots of the last round, by the clock of its beginning."""
    standing = [line for line in rulings if line.stands and line.problem is None and line.at is not None]
    begun = next((place for place in reversed(range(len(standing))) if standing[place].kind in starts), None)
    start = standing[begun].at if begun is not None else None
    if begun is None or start is None:
        return []
    return [
        ShotMark(max(0, line.at.us - start.us), line.body.get("seat") if line.kind == "draw" else None)
        for line in standing[begun + 1 :]
        if line.at is not None and line.at.clock == start.clock and (line.kind in SHOTS or line.kind == "draw")
    ]


def _name(name: str, style: str) -> Content:
    return Content.assemble((name, style)).truncate(NAME_CELLS - 1, ellipsis=True, pad=True) + Content(" ")


def _seconds(span_us: int, cells: int) -> Content:
    end = f"{span_us / US_PER_S:.1f} s"
    between = cells - 1 - len(end)
    legend = LEGEND if len(LEGEND) + 2 <= between else ""
    return Content.assemble((f"{' ' * NAME_CELLS}0{legend.center(between)}{end}", "$quiet"))
