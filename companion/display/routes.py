"""Routes of bridges over a map in cells: along rows and columns, around what is written, from platform to region.

Slanted strokes of characters do not meet, and a straight line stops at the texts in its way; a line along rows and
columns can be followed. Bridges of one platform may share cells. Those of different platforms only cross.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

Cell = tuple[int, int]
NORTH, EAST, SOUTH, WEST = range(4)
WAYS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""One step north, east, south and west."""
LEVEL, UPRIGHT = 1 << EAST | 1 << WEST, 1 << NORTH | 1 << SOUTH
_SIGNS = {
    LEVEL: "─",
    UPRIGHT: "│",
    1 << NORTH | 1 << EAST: "╰",
    1 << NORTH | 1 << WEST: "╯",
    1 << SOUTH | 1 << EAST: "╭",
    1 << SOUTH | 1 << WEST: "╮",
    UPRIGHT | 1 << EAST: "├",
    UPRIGHT | 1 << WEST: "┤",
    LEVEL | 1 << SOUTH: "┬",
    LEVEL | 1 << NORTH: "┴",
    LEVEL | UPRIGHT: "┼",
}
# What a route costs. A row is about as high as two cells are wide.
_STEP = (2, 1, 2, 1)
_BEND, _FORK = 4, 10
_CROSSING = 16
_CROWDED = 2
"""For a cell beside a line of another platform."""
_OTHER_ROOM = 3
"""For a cell that is kept for more text of another place: pieces may soon lie there."""
_OFF_MIDDLE = 4
"""Cells from the middle of a text that cost as much as a step."""


_State = tuple[Cell, int]
"""A cell of a route, and the way in which the route enters it."""


@dataclass(frozen=True, slots=True)
class Block:
    """What is written of a place: `rows` as y, first cell and the cell after the last. Bridges reach the row `head`
    from its sides. `room` is what is kept free for it: x, y, width, height."""

    rows: tuple[tuple[int, int, int], ...]
    head: int
    room: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Port:
    """A cell beside a text, the way that leads into the text, and what it costs to use this one."""

    cell: Cell
    into: int
    cost: int


class Routes:
    """The bridges over `width` by `height` cells, each found around those before it."""

    def __init__(self, width: int, height: int, blocks: Mapping[str, Block]) -> None:
        self._size = width, height
        self._blocks = blocks
        self._text: set[Cell] = set()
        self._beside: dict[Cell, set[str]] = {}
        self._rooms: dict[Cell, set[str]] = {}
        self._nets: dict[Cell, dict[str, int]] = {}
        self._paths: dict[tuple[str, str], list[Cell]] = {}
        for name, block in blocks.items():
            for y, start, end in block.rows:
                self._text |= {(x, y) for x in range(start, end)}
                for x in (start - 1, end):
                    self._beside.setdefault((x, y), set()).add(name)
            left, top, wide, high = block.room
            for x in range(left, left + wide):
                for y in range(top, top + high):
                    self._rooms.setdefault((x, y), set()).add(name)

    def add(self, bridges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Route the bridges, each from a platform to a region, the shortest first; return those without a way."""
        ordered = sorted(bridges, key=lambda bridge: (self._distance(*bridge), bridge))
        return [bridge for bridge in ordered if not self._connect(*bridge)]

    def signs(self) -> Iterator[tuple[Cell, str]]:
        """Yield each cell of a bridge with its sign; where two cross, the upright one goes on."""
        for cell, nets in self._nets.items():
            masks = list(nets.values())
            yield cell, _SIGNS[UPRIGHT if len(masks) > 1 else masks[0]]

    def path(self, bridge: tuple[str, str]) -> Sequence[Cell]:
        """Return the cells of a bridge from the platform on."""
        return self._paths.get(bridge, ())

    def _distance(self, platform: str, region: str) -> int:
        (x0, y0), (x1, y1) = self._middle(platform), self._middle(region)
        return abs(x0 - x1) + 2 * abs(y0 - y1)

    def _middle(self, name: str) -> Cell:
        y, start, end = self._blocks[name].rows[0]
        return (start + end) // 2, y

    def _ports(self, name: str) -> Iterator[_Port]:
        block = self._blocks[name]
        for y, start, end in block.rows:
            if y == block.head:
                yield _Port((end, y), WEST, 0)
                yield _Port((start - 1, y), EAST, 0)
        for (y, start, end), into in ((block.rows[0], SOUTH), (block.rows[-1], NORTH)):
            middle = (start + end) // 2
            for x in range(start, end):
                above_or_below = (x, y - 1 if into == SOUTH else y + 1)
                yield _Port(above_or_below, into, abs(x - middle) // _OFF_MIDDLE)

    def _is_free(self, cell: Cell, platform: str, region: str) -> bool:
        x, y = cell
        if not (0 <= x < self._size[0] and 0 <= y < self._size[1]) or cell in self._text:
            return False
        return self._beside.get(cell, set()) <= {platform, region}

    def _entry_cost(self, cell: Cell, way: int, platform: str, region: str) -> int | None:
        """Return what it costs to enter a cell that way, or None if that cannot be."""
        if not self._is_free(cell, platform, region):
            return None
        cost, nets = _STEP[way], self._nets.get(cell, {})
        if platform in nets or len(nets) > 1:
            return None
        if nets:
            (mask,) = nets.values()
            if mask != (UPRIGHT if way in (EAST, WEST) else LEVEL):
                return None
            cost += _CROSSING
        elif self._is_crowded(cell, platform):
            cost += _CROWDED
        if self._rooms.get(cell, set()) - {platform, region}:
            cost += _OTHER_ROOM
        return cost

    def _is_crowded(self, cell: Cell, platform: str) -> bool:
        for way in range(len(WAYS)):
            nets = self._nets.get(_ahead(cell, way), {})
            if nets and platform not in nets:
                return True
        return False

    def _connect(self, platform: str, region: str) -> bool:
        """Find the cheapest route from the platform, or from one of its bridges, into the region's text (A*)."""
        goals: dict[Cell, list[_Port]] = {}
        for port in self._usable_ports(region, platform, region):
            goals.setdefault(port.cell, []).append(port)
        texts = [_ahead(port.cell, port.into) for ports in goals.values() for port in ports]
        order = count()
        waiting: list[tuple[int, int, int, _State, _State | None]] = []
        for state, cost in self._starts(platform, region) if texts else ():
            heappush(waiting, (cost + _least(state[0], texts), next(order), cost, state, None))
        came: dict[_State, _State | None] = {}
        while waiting:
            _, _, cost, state, before = heappop(waiting)
            if state in came:
                continue
            came[state] = before
            if state[0] in self._text:
                self._keep(platform, region, _traced(came, state))
                return True
            for onward, step in self._onward(state, platform, region, goals):
                total = cost + step
                estimate = total + _least(onward[0], texts)
                heappush(waiting, (estimate, next(order), total, onward, state))
        return False

    def _onward(
        self, state: _State, platform: str, region: str, goals: Mapping[Cell, Sequence[_Port]]
    ) -> Iterator[tuple[_State, int]]:
        """Yield the cells that a route can enter next, and what that costs; a crossing goes straight on."""
        cell, way = state
        for port in goals.get(cell, ()):
            turned = _turned(way, port.into)
            if turned is not None:
                yield (_ahead(cell, port.into), port.into), turned + port.cost + _STEP[port.into]
        crosses = any(owner != platform for owner in self._nets.get(cell, {}))
        for turn in (way,) if crosses else range(len(WAYS)):
            turned = _turned(way, turn)
            ahead = _ahead(cell, turn)
            entered = self._entry_cost(ahead, turn, platform, region)
            if turned is not None and entered is not None:
                yield (ahead, turn), turned + entered

    def _usable_ports(self, name: str, platform: str, region: str) -> Iterator[_Port]:
        for port in self._ports(name):
            if self._is_free(port.cell, platform, region) and port.cell not in self._nets:
                yield port

    def _starts(self, platform: str, region: str) -> Iterator[tuple[_State, int]]:
        """Yield the cells from which a bridge can begin, the way it goes there, and what that costs."""
        for port in self._usable_ports(platform, platform, region):
            yield (port.cell, _back(port.into)), port.cost
        for cell, nets in self._nets.items():
            if len(nets) == 1 and platform in nets:
                for way in range(len(WAYS)):
                    # it forks off where the line of the other bridge does not go
                    if not nets[platform] >> way & 1:
                        yield (cell, way), _FORK

    def _keep(self, platform: str, region: str, states: Sequence[_State]) -> None:
        """Keep a route, of which the last cell is in the region's text."""
        first, way = states[0]
        *cells, _ = (cell for cell, _ in states)
        self._paths[platform, region] = [*self._before(platform, first), *cells]
        if platform not in self._nets.get(first, {}):
            self._mark(first, platform, _back(way))
        for here, (cell, entered) in zip(cells, states[1:], strict=True):
            self._mark(here, platform, entered)
            if cell not in self._text:
                self._mark(cell, platform, _back(entered))

    def _before(self, platform: str, fork: Cell) -> Sequence[Cell]:
        """Return the cells of the platform's lines that lead to a fork."""
        for (owner, _), path in self._paths.items():
            if owner == platform and fork in path:
                return path[: path.index(fork)]
        return ()

    def _mark(self, cell: Cell, platform: str, way: int) -> None:
        nets = self._nets.setdefault(cell, {})
        nets[platform] = nets.get(platform, 0) | 1 << way


def _ahead(cell: Cell, way: int) -> Cell:
    right, down = WAYS[way]
    return cell[0] + right, cell[1] + down


def _back(way: int) -> int:
    return (way + 2) % 4


def _turned(way: int, onward: int) -> int | None:
    """Return what it costs to turn, or None to go back."""
    if onward == _back(way):
        return None
    return 0 if onward == way else _BEND


def _least(cell: Cell, goals: Sequence[Cell]) -> int:
    """Return the least that a route from a cell to the nearest of the goals costs."""
    return min(abs(x - cell[0]) * _STEP[EAST] + abs(y - cell[1]) * _STEP[NORTH] for x, y in goals)


def _traced(came: Mapping[_State, _State | None], last: _State) -> list[_State]:
    states = [last]
    while (before := came[states[-1]]) is not None:
        states.append(before)
    return states[::-1]
