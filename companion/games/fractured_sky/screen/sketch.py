"""A map as somebody enters it from the box: regions, resources, names, platforms and bridges; and its picture.

Each thing is drawn in the cell of the grid where it was put.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import TypeAdapter
from textual.content import Content

from companion.dashboard.widgets.tables import drawn_line
from companion.display.cells import LINK, MARK, QUIET, STRONG, Canvas
from companion.games.fractured_sky.rules.box import place_of, regions_on
from companion.games.fractured_sky.rules.controls import ANSWERS
from companion.games.fractured_sky.rules.picture import NO_RESOURCES
from companion.rules.components import Box, ComponentRow

MOST_PLACES = 20
Cell = tuple[int, int]
"""A place on the grid, to the right and down."""
RowId = tuple[str, str]
COLUMNS = 4
"""Cells of the screen to each cell of the grid, across; down it is one."""


@dataclass(frozen=True, slots=True)
class Pier:
    """A platform as entered: its place, the regions it is bridged to, its places for buildings."""

    cell: Cell
    regions: tuple[str, ...] = ()
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Sketch:
    """One side of the board.

    Regions go by their names in the box; `labels` are their names at the table. `unsure` are
    regions and platforms that somebody has doubts about.
    """

    side: str
    regions: tuple[str, ...]
    cells: Mapping[str, Cell] = field(default_factory=dict)
    resources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    piers: Mapping[str, Pier] = field(default_factory=dict)
    unsure: tuple[str, ...] = ()

    @property
    def unplaced(self) -> tuple[str, ...]:
        """The regions that are not on the grid yet."""
        return tuple(name for name in self.regions if name not in self.cells)

    def key(self, region: str) -> str:
        return ANSWERS[self.regions.index(region)]

    def of_key(self, key: str) -> str | None:
        """Return the region with that key, or None."""
        place = ANSWERS.index(key) if key in ANSWERS else len(self.regions)
        return self.regions[place] if place < len(self.regions) else None

    def label(self, region: str) -> str:
        return self.labels.get(region, region)

    @property
    def places(self) -> dict[str, Cell]:
        """The cell of each region on the grid and of each platform."""
        return {**self.cells, **{name: pier.cell for name, pier in self.piers.items()}}

    # -- changes, each a new sketch

    def at(self, name: str, cell: Cell) -> Sketch:
        """Put a region or platform at a cell; an unknown name makes a new platform."""
        if name in self.regions:
            return replace(self, cells={**self.cells, name: cell})
        return self.with_pier(name, replace(self.piers.get(name, Pier(cell)), cell=cell))

    def without(self, name: str) -> Sketch:
        """Take a region off the grid, leaving its bridges, or delete a platform."""
        cells = {other: cell for other, cell in self.cells.items() if other != name}
        return replace(
            self,
            cells=cells,
            piers={other: pier for other, pier in self.piers.items() if other != name},
        )

    def with_resource(self, region: str, resource: str) -> Sketch:
        """Add a resource, or remove it if the region has it; a third one replaces the oldest."""
        had = self.resources.get(region, ())
        now = (
            tuple(other for other in had if other != resource)
            if resource in had
            else (*had, resource)[-2:]
        )
        return replace(self, resources={**self.resources, region: now})

    def with_doubt(self, name: str) -> Sketch:
        """Mark a region or platform as uncertain, or certain again."""
        doubted = name in self.unsure
        return replace(
            self,
            unsure=tuple(other for other in (*self.unsure, name) if not doubted or other != name),
        )

    def with_label(self, region: str, label: str) -> Sketch:
        """Name a region; an empty label restores its name in the box."""
        labels = {name: old for name, old in self.labels.items() if name != region}
        return replace(self, labels=labels if label in ("", region) else {**labels, region: label})

    def with_pier(self, name: str, pier: Pier) -> Sketch:
        return replace(self, piers={**self.piers, name: pier})

    def new_pier(self) -> str:
        """Return the lowest number that no platform has."""
        return next(
            str(number) for number in range(1, len(self.piers) + 2) if str(number) not in self.piers
        )

    def with_bridge(self, name: str, region: str) -> Sketch:
        """Add a bridge between a platform and a region, or remove it."""
        pier = self.piers[name]
        bridged = {*pier.regions} ^ {region}
        ordered = tuple(known for known in self.regions if known in bridged)
        return self.with_pier(name, replace(pier, regions=ordered))

    def with_places(self, name: str, by: int) -> Sketch:
        """Change the number of places on a platform; below one it is unknown."""
        pier = self.piers[name]
        places = min(MOST_PLACES, (pier.places or 0) + by)
        return self.with_pier(name, replace(pier, places=places if places > 0 else None))


def sketch_of(box: Box, side: str) -> Sketch:
    """Return one side of the board as the box describes it; a platform without a place gets a free cell."""
    regions = regions_on(box, side)
    cells = {
        name: cell
        for name in regions
        if (cell := place_of(box.row(f"place_{side}", name))) is not None
    }
    known = {name: box.row("region", name) for name in regions}
    resources = {
        name: tuple(row.fields["resources"])
        for name, row in known.items()
        if row is not None and row.fields
    }
    labels = {
        name: row.value
        for name in regions
        if (row := box.row("label", name)) is not None and row.value
    }
    sketch = Sketch(side, regions, cells, resources, labels)
    for platform in box.table(f"platform_{side}"):
        if platform.fields:
            cell = place_of(platform) or _somewhere(sketch, platform.fields["regions"])
            pier = Pier(cell, tuple(platform.fields["regions"]), platform.fields.get("places"))
            sketch = sketch.with_pier(platform.name, pier)
    doubted = {
        row.name for row in box.rows if row.own and row.fields and row.status == "provisional"
    }
    return replace(
        sketch, unsure=tuple(name for name in (*sketch.regions, *sketch.piers) if name in doubted)
    )


def _somewhere(sketch: Sketch, regions: tuple[str, ...]) -> Cell:
    """A free cell near the middle of the regions."""
    around = [sketch.cells[name] for name in regions if name in sketch.cells] or [(0, 0)]
    x, y = (
        sum(cell[0] for cell in around) // len(around),
        sum(cell[1] for cell in around) // len(around),
    )
    taken = [*sketch.places.values()]
    return next(
        (x + by, y)
        for by in range(len(sketch.regions) + len(sketch.piers) + 2)
        if (x + by, y) not in taken
    )


def rows_of(sketch: Sketch, box: Box, source: str) -> tuple[list[ComponentRow], list[RowId]]:
    """Return the rows that `box` does not state yet, and the owner's rows to remove."""
    wanted = {(table, name): fields for table, name, fields in _stated(sketch)}
    known = {(row.table, row.name): row for row in box.rows}
    before = sketch_of(box, sketch.side)
    doubts = {*sketch.unsure} ^ {*before.unsure}
    new = [
        ComponentRow(
            table, name, fields, "provisional" if name in sketch.unsure else "confirmed", source
        )
        for (table, name), fields in wanted.items()
        if (old := known.get((table, name))) is None
        or dict(old.fields) != fields
        or (old.own and name in doubts)
    ]
    stated = [
        (table, name)
        for table, name, _ in _stated(before)
        if table != "region" and known[table, name].own
    ]
    return new, [at for at in stated if at not in wanted]


def _stated(sketch: Sketch) -> list[tuple[str, str, dict[str, Any]]]:
    rows: list[tuple[str, str, dict[str, Any]]] = []
    for name in sketch.regions:
        if len(pair := sketch.resources.get(name, ())) == 2:
            rows.append(("region", name, {"resources": pair}))
        if name in sketch.labels:
            rows.append(("label", name, {"value": sketch.labels[name]}))
        if name in sketch.cells:
            rows.append(
                (f"place_{sketch.side}", name, dict(zip("xy", sketch.cells[name], strict=True)))
            )
    for name, pier in sketch.piers.items():
        if pier.regions:
            places = {} if pier.places is None else {"places": pier.places}
            at = dict(zip("xy", pier.cell, strict=True))
            rows.append(
                (f"platform_{sketch.side}", name, {"regions": pier.regions, **places, **at})
            )
    return rows


def unfinished(sketch: Sketch) -> list[str]:
    """Return what cannot be written yet and stays in the draft, a sentence each."""
    sentences = [
        f"{sketch.label(name)} has one resource, {pair[0]}, and needs two."
        for name, pair in sketch.resources.items()
        if len(pair) == 1
    ]
    bare = [name for name, pier in sketch.piers.items() if not pier.regions]
    return sentences + [f"Platform {name} has no bridge yet." for name in bare]


DRAFTS: Final = TypeAdapter(Sketch)
"""Sketches to JSON and back; raises `ValidationError`, a `ValueError`, for anything else."""


@dataclass(frozen=True, slots=True)
class ChartGrid:
    """The grid on the screen; `step` cells of the sketch share one cell of it in each direction."""

    width: int
    height: int
    step: int = 1

    def clamped(self, cell: Cell) -> Cell:
        return max(0, min(cell[0], self.width - 1)), max(0, min(cell[1], self.height - 1))

    def shown(self, cell: Cell) -> Cell:
        """Return where a cell of the sketch is drawn."""
        return self.clamped((cell[0] // self.step, cell[1] // self.step))


def grid_of(sketch: Sketch, width: int, height: int) -> ChartGrid:
    """Return the grid for a picture of `width` by `height` cells, coarse enough for everything placed so far."""
    across, down = max(1, width // COLUMNS - 2), max(1, height)
    far = [max(x // across, y // down) for x, y in sketch.places.values()]
    return ChartGrid(across, down, 1 + max(far, default=0))


def chart(
    sketch: Sketch, grid: ChartGrid, cursor: Cell, width: int, carried: str = ""
) -> list[Content]:
    """Return the picture; `carried` is the name of the thing that moves with the cursor."""
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
    """Return the text in each cell, with a mark on what somebody has doubts about."""
    texts: dict[Cell, str] = {}
    sign = dict.fromkeys(sketch.unsure, " ?")
    for name, cell in sketch.cells.items():
        pair = "".join(resource[0] for resource in sketch.resources.get(name, ())) or NO_RESOURCES
        texts[grid.shown(cell)] = (
            f"{sketch.key(name)} {sketch.label(name)} {pair}{sign.get(name, '')}"
        )
    for name, pier in sketch.piers.items():
        bridges = "".join(sketch.key(region) for region in pier.regions)
        places = "?" if pier.places is None else pier.places
        texts[grid.shown(pier.cell)] = f"[{name}]{bridges}/{places}{sign.get(name, '')}"
    return texts


def _bridges(canvas: Canvas, sketch: Sketch, grid: ChartGrid) -> None:
    for pier in sketch.piers.values():
        for region in pier.regions:
            if region in sketch.cells:
                (x0, y0), (x1, y1) = grid.shown(pier.cell), grid.shown(sketch.cells[region])
                canvas.line((x0 * COLUMNS + 1, y0), (x1 * COLUMNS + 1, y1))
