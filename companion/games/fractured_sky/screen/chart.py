"""A sketch of the map as a picture: each thing in the one cell of the grid where it was put."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.tables import drawn_line
from companion.games.fractured_sky.rules.signs import NO_RESOURCES
from companion.games.fractured_sky.screen.sketch import Cell, Sketch
from companion.rules.cells import LINK, MARK, QUIET, STRONG, Canvas

COLUMNS = 4
"""Cells of the screen that one cell of the grid takes; from top to bottom it takes one."""


@dataclass(frozen=True, slots=True)
class ChartGrid:
    """How the grid lies on the screen: `step` cells of the grid to each place where something can stand."""

    width: int
    height: int
    step: int = 1

    def clamped(self, cell: Cell) -> Cell:
        """The nearest place on the grid."""
        return max(0, min(cell[0], self.width - 1)), max(0, min(cell[1], self.height - 1))


def grid_of(sketch: Sketch, width: int, height: int) -> ChartGrid:
    """Return the grid for a picture of `width` by `height` cells, coarse enough for what is there already."""
    across, down = max(1, width // COLUMNS - 2), max(1, height)
    cells = [*sketch.cells.values(), *(pier.cell for pier in sketch.piers.values())]
    far = [x // across for x, _ in cells] + [y // down for _, y in cells]
    return ChartGrid(across, down, 1 + max(far, default=0))


def chart(sketch: Sketch, grid: ChartGrid, cursor: Cell, width: int, carried: str = "") -> list[Content]:
    """Return the picture; `carried` is the thing that goes with the cursor."""
    canvas = Canvas(width, grid.height)
    for row in range(0, grid.height, 2):
        for column in range(0, grid.width, 2):
            canvas.put(column * COLUMNS + 1, row, ".", QUIET)
    things = _things(sketch, grid)
    _bridges(canvas, sketch, grid)
    for (column, row), text in sorted(things.items(), reverse=True):
        nearest = min((x for x, y in things if y == row and x > column), default=grid.width + 2)
        room = max(COLUMNS - 1, (nearest - column) * COLUMNS - 1)
        pen = LINK if text.startswith("[") else STRONG
        canvas.put(column * COLUMNS + 1, row, text[:room], pen)
    mark = f">{carried}<" if carried else ">" if cursor in things else " +"
    canvas.put(cursor[0] * COLUMNS, cursor[1], mark, MARK)
    return [*map(drawn_line, canvas.rows())]


def _things(sketch: Sketch, grid: ChartGrid) -> dict[Cell, str]:
    """What stands where, in words."""
    found: dict[Cell, str] = {}
    for name, cell in sketch.cells.items():
        pair = "".join(each[0] for each in sketch.resources.get(name, ())) or NO_RESOURCES
        found[_on(grid, cell)] = f"{sketch.key(name)} {sketch.label(name)} {pair}{_sign(sketch, name)}"
    for name, pier in sketch.piers.items():
        bridges = "".join(sketch.key(region) for region in pier.regions)
        places = "?" if pier.places is None else pier.places
        found[_on(grid, pier.cell)] = f"[{name}]{bridges}/{places}{_sign(sketch, name)}"
    return found


def _sign(sketch: Sketch, name: str) -> str:
    """A mark on what nobody is sure of."""
    return " ?" if name in sketch.unsure else ""


def _on(grid: ChartGrid, cell: Cell) -> Cell:
    return grid.clamped((cell[0] // grid.step, cell[1] // grid.step))


def _bridges(canvas: Canvas, sketch: Sketch, grid: ChartGrid) -> None:
    for pier in sketch.piers.values():
        for region in pier.regions:
            if region in sketch.cells:
                ends = (_on(grid, pier.cell), _on(grid, sketch.cells[region]))
                (x0, y0), (x1, y1) = ends
                canvas.line((x0 * COLUMNS + 1, y0), (x1 * COLUMNS + 1, y1))
