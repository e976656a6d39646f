"""Which pins a drawing joins, read from its geometry alone: holes, strips, cuts, and the ends of wires.

Nothing here knows how a drawing is made. Joined are: a breadboard's five holes in a line, and all of a rail; a
stripboard's holes along a strip, up to a cut; in a schematic, lines that share an end or a dot, and labels of one name.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as Xml

from hardware_docs.circuit import Pin

SVG = "{http://www.w3.org/2000/svg}"
PITCH = 16.0
Spot = tuple[float, float]


class WrongDrawingError(Exception):
    """The drawing cannot be built as it is: an end in the air, or two in one hole."""


class Joined:
    """Spots that are joined (a union-find), and which pins are at them."""

    def __init__(self) -> None:
        self._parent: dict[object, object] = {}

    def root(self, spot: object) -> object:
        self._parent.setdefault(spot, spot)
        while self._parent[spot] != spot:
            self._parent[spot] = self._parent[self._parent[spot]]
            spot = self._parent[spot]
        return spot

    def join(self, first: object, second: object) -> None:
        self._parent[self.root(first)] = self.root(second)

    def groups(self, legs: Mapping[Pin, object]) -> set[frozenset[Pin]]:
        nets: dict[object, set[Pin]] = defaultdict(set)
        for pin, spot in legs.items():
            nets[self.root(spot)].add(pin)
        return {frozenset(pins) for pins in nets.values() if len(pins) > 1}


def spot(x: float | str, y: float | str) -> Spot:
    return round(float(x), 1), round(float(y), 1)


def circles(drawing: Xml.Element, kind: str) -> list[Spot]:
    return [
        spot(element.attrib["cx"], element.attrib["cy"])
        for element in drawing.iter(f"{SVG}circle")
        if element.attrib.get("class") == kind
    ]


def lines(drawing: Xml.Element, kind: str) -> list[list[Spot]]:
    """Return the corners of each line of a kind."""
    results = []
    for element in drawing.iter(f"{SVG}path"):
        if element.attrib.get("class") == kind:
            numbers = [
                float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", element.attrib["d"])
            ]
            results.append([spot(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)])
    return results


def legs(drawing: Xml.Element) -> dict[Pin, Spot]:
    results: dict[Pin, Spot] = {}
    parts = [element for element in drawing.iter(f"{SVG}g") if "data-part" in element.attrib]
    for part in parts:
        for element in part.iter(f"{SVG}circle"):
            if element.attrib.get("class") == "leg":
                pin = Pin(part.attrib["data-part"], element.attrib["data-pin"])
                if pin in results:
                    raise WrongDrawingError(f"{pin} is drawn twice")
                results[pin] = spot(element.attrib["cx"], element.attrib["cy"])
    return results


def runs(holes: Iterable[Spot], *, along: int, reach: float) -> Iterable[list[Spot]]:
    """Yield the holes in lines (along 0: x, 1: y), with a break where the next is farther than `reach`."""
    across = 1 - along
    ordered = sorted(holes, key=lambda hole: (hole[across], hole[along]))
    run: list[Spot] = []
    for hole in ordered:
        if run and (hole[across] != run[-1][across] or hole[along] - run[-1][along] > reach):
            yield run
            run = []
        run.append(hole)
    if run:
        yield run


def check_holes(holes: set[Spot], legs_at: dict[Pin, Spot], wires: list[list[Spot]]) -> None:
    """Check that each end of a wire is in a hole or at a leg beside the board, and that no hole holds two."""
    ends = [end for wire in wires for end in (wire[0], wire[-1])]
    outside = {at for at in legs_at.values() if at not in holes}
    in_the_air = [end for end in ends if end not in holes and end not in outside]
    if in_the_air:
        raise WrongDrawingError(f"a wire ends in the air at {in_the_air}")
    full = Counter(
        [*(at for at in legs_at.values() if at in holes), *(end for end in ends if end in holes)]
    )
    crowded = [at for at, count in full.items() if count > 1]
    if crowded:
        raise WrongDrawingError(f"two ends in one hole at {crowded}")
    bare = outside - set(ends)
    if bare:
        raise WrongDrawingError(f"no wire reaches the legs at {bare}")


def breadboard_joins(drawing: Xml.Element) -> set[frozenset[Pin]]:
    return breadboard_spots(drawing).groups(legs(drawing))


def stripboard_joins(drawing: Xml.Element) -> set[frozenset[Pin]]:
    return stripboard_spots(drawing).groups(legs(drawing))


def breadboard_spots(drawing: Xml.Element) -> Joined:
    """Return which holes of a breadboard are joined, with its wires in."""
    holes, rails = circles(drawing, "hole"), circles(drawing, "rail")
    joined = Joined()
    for run in runs(holes, along=1, reach=PITCH + 0.1):
        if len(run) != 5:
            raise WrongDrawingError(
                f"{len(run)} holes in a line at {run[0]}; a breadboard has five"
            )
        for hole in run:
            joined.join(hole, run[0])
    for run in runs(rails, along=0, reach=3 * PITCH):
        for hole in run:
            joined.join(hole, run[0])
    at, wires = legs(drawing), lines(drawing, "wire")
    check_holes({*holes, *rails}, at, wires)
    for wire in wires:
        joined.join(wire[0], wire[-1])
    return joined


def stripboard_spots(drawing: Xml.Element) -> Joined:
    """Return which holes of a stripboard are joined, with its cuts made and its links in."""
    holes, cuts = circles(drawing, "hole"), set(circles(drawing, "cut"))
    if not cuts <= set(holes):
        raise WrongDrawingError(f"cuts beside the holes: {cuts - set(holes)}")
    whole = [hole for hole in holes if hole not in cuts]
    joined = Joined()
    for run in runs(whole, along=0, reach=PITCH + 0.1):
        for hole in run:
            joined.join(hole, run[0])
    at, wires = legs(drawing), lines(drawing, "wire")
    check_holes(set(whole), at, wires)
    for wire in wires:
        joined.join(wire[0], wire[-1])
    return joined


def within(at: Spot, start: Spot, end: Spot) -> bool:
    """Return true if a spot lies on a straight line, its ends excluded."""
    if at in (start, end):
        return False
    (x, y), (x1, y1), (x2, y2) = at, start, end
    aside = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    return abs(aside) < 0.1 and min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2)


def tags(drawing: Xml.Element) -> list[tuple[Spot, str]]:
    results = []
    for element in drawing.iter(f"{SVG}g"):
        if element.attrib.get("class") == "tag":
            (at,) = circles(element, "end")
            name = element.attrib["data-net"]
            words = " ".join(text.text or "" for text in element.iter(f"{SVG}text"))
            if words not in (name, ""):
                raise WrongDrawingError(f"the frame of {name} says {words}")
            results.append((at, name))
    return results


def sheet_joins(sheets: Iterable[Xml.Element]) -> set[frozenset[Pin]]:
    """Return what several sheets join: lines by their ends and dots, and tags of one name on all of them."""
    joined, pins = Joined(), dict[Pin, tuple[int, Spot]]()
    for number, sheet in enumerate(sheets):
        wires, joints, at, names = (
            lines(sheet, "net"),
            set(circles(sheet, "joint")),
            legs(sheet),
            tags(sheet),
        )
        # A terminal's pole is a circle that lines run through.
        ends_of_parts = [place for pin, place in at.items() if pin.part[0] not in "JX"]
        poles = [place for pin, place in at.items() if pin.part[0] in "JX"]
        check_dots(wires, joints, [*ends_of_parts, *(place for place, _ in names)], poles)
        for wire in wires:
            joined.join((number, wire[0]), (number, wire[-1]))
            for start, end in itertools.pairwise(wire):
                for dot in joints:
                    if dot in (start, end) or within(dot, start, end):
                        joined.join((number, dot), (number, wire[0]))
        for place, name in names:
            joined.join((number, place), name)
        if pins.keys() & at.keys():
            raise WrongDrawingError(f"drawn on two sheets: {pins.keys() & at.keys()}")
        pins |= {pin: (number, place) for pin, place in at.items()}
    return joined.groups(pins)


def check_dots(
    wires: list[list[Spot]], joints: set[Spot], legs_at: list[Spot], poles: list[Spot]
) -> None:
    """Check that every junction has a dot (a line ending on another, or three ends in one place) and no line ends in
    the air."""
    ends = Counter([end for wire in wires for end in (wire[0], wire[-1])])
    for end in {*ends, *legs_at, *poles} - joints:
        for wire in wires:
            if any(within(end, *segment) for segment in itertools.pairwise(wire)):
                raise WrongDrawingError(f"a line is touched at {end} without a dot")
    meeting = ends + Counter(legs_at)
    crowded = [end for end, count in meeting.items() if count > 2 and end not in joints]
    if crowded:
        raise WrongDrawingError(f"three ends meet at {crowded} without a dot")
    air = [
        end for end, count in ends.items() if count == 1 and end not in {*legs_at, *poles, *joints}
    ]
    if air:
        raise WrongDrawingError(f"a line ends in the air at {air}")
