"""Ways of bridges on a map: straight, or bent around what lies between their ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Place = tuple[float, float]
_BENDS = (0, 24, -24, 48, -48, 80, -80, 120, -120, 170, -170)
"""How far the middle of a way is moved sideways, the least first."""
_STEPS = 40
_CLEAR = 4.0  # between a bridge and a box that it passes


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of a drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Place:
        """The point in its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def has(self, place: Place, margin: float = 0) -> bool:
        """Return whether a point lies in the box, or closer to it than `margin`."""
        x, y = place
        beside = self.x - margin <= x <= self.x + self.width + margin
        return beside and self.y - margin <= y <= self.y + self.height + margin


@dataclass(frozen=True, slots=True)
class Way:
    """A curve from one point to another, drawn towards a third one (a quadratic Bézier curve)."""

    start: Place
    toward: Place
    end: Place

    @property
    def path(self) -> str:
        """The curve as SVG path data."""
        (x0, y0), (x1, y1), (x2, y2) = self.start, self.toward, self.end
        return f"M{x0:.5g} {y0:.5g}Q{x1:.5g} {y1:.5g} {x2:.5g} {y2:.5g}"

    def points(self) -> Iterator[Place]:
        """Yield points along the curve."""
        for step in range(_STEPS + 1):
            t = step / _STEPS
            x, y = (
                (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c
                for a, b, c in zip(self.start, self.toward, self.end, strict=True)
            )
            yield x, y


def way_between(first: Box, second: Box, others: Iterable[Box], sheet: Box) -> Way:
    """Return the straightest way that passes no other box and stays on the sheet, or the best there is."""
    between = [*others]
    (x0, y0), (x2, y2) = first.middle, second.middle
    length = max(1.0, ((x2 - x0) ** 2 + (y2 - y0) ** 2) ** 0.5)
    best, least = None, 0
    for bend in _BENDS:
        # sideways is at a right angle to the straight line
        toward = (
            (x0 + x2) / 2 - 2 * bend * (y2 - y0) / length,
            (y0 + y2) / 2 + 2 * bend * (x2 - x0) / length,
        )
        way = Way((x0, y0), toward, (x2, y2))
        faults = sum(
            not sheet.has(point) or any(box.has(point, _CLEAR) for box in between)
            for point in way.points()
        )
        if best is None or faults < least:
            best, least = way, faults
        if not faults:
            break
    assert best is not None
    return best
