"""Draws a race: a bar for each player, with the player's sign where the bar ends."""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.pictures import Lane, Race
from companion.reports.markup import Markup, element
from companion.reports.pictures.drawing import BADGE, badge, scroll_box, svg_of, with_tooltip
from companion.reports.pictures.lettering import SIZE, cut, line_of_text, text_width
from companion.reports.tones import tone

_WIDTH = 288.0
_NAMED, _UNNAMED = 40.0, 22.0
"""Height of a lane with the name above its bar, and of a further one of the same player."""
_BAR = 8.0  # how thick a bar is


def draw_race(race: Race) -> Markup:
    """Return all lanes as one drawing, as wide as a phone."""
    parts: list[Markup] = []
    top, before = 0.0, ""
    ends = max(text_width(lane.end, SIZE, bold=True) for lane in race.lanes)
    for lane in race.lanes:
        named = lane.player.id != before
        parts += _lane(race, lane, top, ends, named=named)
        top += _NAMED if named else _UNNAMED
        before = lane.player.id
    return scroll_box(race.title, "race", [svg_of(_WIDTH, top + 2, race.words, parts, "lanes")])


def _lane(race: Race, lane: Lane, top: float, ends: float, *, named: bool) -> Iterator[Markup]:
    """Yield the name and the bar of a lane; the end text is to the right of the bar, `ends` wide."""
    seat, kind = lane.player, tone(lane.player.color)
    if named:
        name = cut(f"{seat.glyph} {seat.name}", _WIDTH - 4, bold=True)
        yield line_of_text(2, top + 14, name, f"owner {kind}")
        top += _NAMED - _UNNAMED
    middle = top + _UNNAMED / 2
    left, right = 2 + BADGE, _WIDTH - 10 - BADGE - ends
    reached = left + (right - left) * min(1.0, max(0.0, lane.part))
    place = {"y": middle - _BAR / 2, "height": _BAR, "rx": _BAR / 2}
    track = element(
        "rect", x=left, width=right - left, **place, class_="track" if race.goal else "scale"
    )
    bar = element("rect", x=left, width=reached - left, **place, class_=f"stripe {kind}")
    yield with_tooltip(
        f"{seat.name}: {lane.end}",
        track,
        bar,
        badge(reached, middle, seat.glyph, seat.color),
        line_of_text(_WIDTH - 2, middle + 5, lane.end, "strong", "end"),
    )
