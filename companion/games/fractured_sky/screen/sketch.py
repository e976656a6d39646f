"""A map as somebody enters it from the box: regions, resources, names, platforms and bridges; and its picture.

Each thing is drawn in the cell of the grid where it was put.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import TypeAdapter
from textual.content import Content

from companion.dashboard.widgets.tables import drawn_line
from companion.display.cells import LINK, MARK, QUIET, STRONG, Canvas
from companion.games.fractured_sky.rules.box import place_of, regions_on, shown_name
from companion.games.fractured_sky.rules.controls import ANSWERS
from companion.games.fractured_sky.rules.picture import NO_RESOURCES
from companion.rules.columns import plural
from companion.rules.components import Box, ComponentRow, Status

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
        if key not in ANSWERS:
            return None
        place = ANSWERS.index(key)
        return self.regions[place] if place < len(self.regions) else None

    def label(self, region: str) -> str:
        return self.labels.get(region, shown_name(region))

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
        cells, piers = dict(self.cells), dict(self.piers)
        cells.pop(name, None)
        piers.pop(name, None)
        return replace(self, cells=cells, piers=piers)

    def with_resource(self, region: str, resource: str) -> Sketch:
        """Add a resource, or remove it if the region has it; a third one replaces the oldest."""
        resources = [*self.resources.get(region, ())]
        if resource in resources:
            resources.remove(resource)
        else:
            resources.append(resource)
        return replace(self, resources={**self.resources, region: tuple(resources[-2:])})

    def with_doubt(self, name: str) -> Sketch:
        """Mark a region or platform as uncertain, or certain again."""
        unsure = [*self.unsure]
        if name in unsure:
            unsure.remove(name)
        else:
            unsure.append(name)
        return replace(self, unsure=tuple(unsure))

    def with_label(self, region: str, label: str) -> Sketch:
        """Name a region; an empty label restores its name in the box."""
        labels = dict(self.labels)
        if label in ("", region):
            labels.pop(region, None)
        else:
            labels[region] = label
        return replace(self, labels=labels)

    def with_pier(self, name: str, pier: Pier) -> Sketch:
        return replace(self, piers={**self.piers, name: pier})

    def new_pier(self) -> str:
        """Return the lowest number that no platform has."""
        number = 1
        while str(number) in self.piers:
            number += 1
        return str(number)

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
        known = places if places > 0 else None
        return self.with_pier(name, replace(pier, places=known))


def sketch_of(box: Box, side: str) -> Sketch:
    """Return one side of the board as the box describes it; a platform without a place gets a free cell."""
    regions = regions_on(box, side)
    cells, resources, labels = {}, {}, {}
    for name in regions:
        cell = place_of(box.row(f"place_{side}", name))
        if cell is not None:
            cells[name] = cell
        row = box.row("region", name)
        if row is not None and row.fields:
            resources[name] = tuple(row.fields["resources"])
        label = box.row("label", name)
        if label is not None and label.value:
            labels[name] = label.value
    sketch = Sketch(side, regions, cells, resources, labels)
    for platform in box.table(f"platform_{side}"):
        if platform.fields:
            bridged = tuple(platform.fields["regions"])
            cell = place_of(platform) or _free_cell(sketch, bridged)
            pier = Pier(cell, bridged, platform.fields.get("places"))
            sketch = sketch.with_pier(platform.name, pier)
    # the owner's doubts alone: an entry of the packaged file is not the owner's to doubt
    doubted = set()
    for row in box.rows:
        if row.own and row.fields and row.status == "provisional":
            doubted.add(row.name)
    names = (*sketch.regions, *sketch.piers)
    return replace(sketch, unsure=tuple(name for name in names if name in doubted))


def _free_cell(sketch: Sketch, regions: tuple[str, ...]) -> Cell:
    """Return a free cell near the middle of the regions, or near the corner if none is placed."""
    around = [sketch.cells[name] for name in regions if name in sketch.cells] or [(0, 0)]
    x = sum(right for right, _ in around) // len(around)
    y = sum(down for _, down in around) // len(around)
    taken = sketch.places.values()
    while (x, y) in taken:
        x += 1
    return x, y


def rows_of(sketch: Sketch, box: Box, source: str) -> tuple[list[ComponentRow], list[RowId]]:
    """Return the rows that `box` does not state yet, and the owner's rows to remove."""
    known = {(row.table, row.name): row for row in box.rows}
    before = sketch_of(box, sketch.side)
    doubt_changed = set(sketch.unsure) ^ set(before.unsure)
    wanted = _stated(sketch)
    new = []
    for (table, name), fields in wanted.items():
        old = known.get((table, name))
        same = old is not None and dict(old.fields) == fields
        if same and not (old is not None and old.own and name in doubt_changed):
            continue
        status: Status = "provisional" if name in sketch.unsure else "confirmed"
        new.append(ComponentRow(table, name, fields, status, source))
    gone = []
    for table, name in _stated(before):
        # a region's resources belong to both sides of the board
        if table != "region" and known[table, name].own and (table, name) not in wanted:
            gone.append((table, name))
    return new, gone


def _stated(sketch: Sketch) -> dict[RowId, dict[str, Any]]:
    """Return the fields of every row that the sketch has complete."""
    rows: dict[RowId, dict[str, Any]] = {}
    for name in sketch.regions:
        resources = sketch.resources.get(name, ())
        if len(resources) == 2:
            rows["region", name] = {"resources": resources}
        if name in sketch.labels:
            rows["label", name] = {"value": sketch.labels[name]}
        if name in sketch.cells:
            x, y = sketch.cells[name]
            rows[f"place_{sketch.side}", name] = {"x": x, "y": y}
    for name, pier in sketch.piers.items():
        if pier.regions:
            fields: dict[str, Any] = {"regions": pier.regions}
            if pier.places is not None:
                fields["places"] = pier.places
            x, y = pier.cell
            rows[f"platform_{sketch.side}", name] = fields | {"x": x, "y": y}
    return rows


def unfinished(sketch: Sketch) -> list[str]:
    """Return what cannot be written yet and stays in the draft, a sentence each."""
    sentences = []
    for name, resources in sketch.resources.items():
        if len(resources) == 1:
            one = f"{sketch.label(name)} has one resource, {resources[0]}"
            sentences.append(f"{one}, and needs two.")
    for name, pier in sketch.piers.items():
        if not pier.regions:
            sentences.append(f"Platform {name} has no bridge yet.")
    return sentences


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
    # two cells less across, for the name of what lies at the right edge
    across, down = max(1, width // COLUMNS - 2), max(1, height)
    far = 0
    for x, y in sketch.places.values():
        far = max(far, x // across, y // down)
    return ChartGrid(across, down, 1 + far)


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
    for x, row, text in _written(things, width, grid.height):
        canvas.put(x, row, text, LINK if text.startswith("[") else STRONG)
    if carried:
        mark = f">{carried}<"
    elif cursor in things:
        mark = ">"
    else:
        mark = " +"
    canvas.put(cursor[0] * COLUMNS, cursor[1], mark, MARK)
    return [*map(drawn_line, canvas.rows())]


def _written(things: Mapping[Cell, str], columns: int, rows: int) -> Iterator[tuple[int, int, str]]:
    """Yield first cell, row and text of everything on the picture.

    A name that its neighbor or the edge would cut is written whole in a free row near by; at its
    place are then only its key and dots.
    """
    taken: list[tuple[int, int, int]] = []  # row, first cell, and the cell after the last
    too_long = []
    for (column, row), text in sorted(things.items()):
        x = column * COLUMNS + 1
        to_the_right = [other * COLUMNS for other, y in things if y == row and other > column]
        room = min(to_the_right, default=columns) - x
        if len(text) > room:
            too_long.append((x, row, text, max(COLUMNS - 1, room)))
            text = _short(text)
        else:
            yield x, row, text
        taken.append((row, x, x + len(text) + 1))
    for x, row, text, room in too_long:
        start = max(0, min(x, columns - len(text)))
        for near in (row + 1, row - 1, row + 2, row - 2):
            end = start + len(text) + 1
            free = all(y != near or start >= after or end <= first for y, first, after in taken)
            if free and 0 <= near < rows:
                taken.append((near, start, end))
                yield x, row, _short(text)
                yield start, near, text
                break
        else:
            yield x, row, text[:room]


def _short(text: str) -> str:
    """Return the number of a platform, or the key of a region followed by dots: `[1]`, `2..`."""
    head = text.partition(" ")[0]
    return head if head.startswith("[") else f"{head}.."


def _things(sketch: Sketch, grid: ChartGrid) -> dict[Cell, str]:
    """Return the text in each cell, with a mark on what somebody has doubts about."""
    texts: dict[Cell, str] = {}
    doubt = dict.fromkeys(sketch.unsure, " ?")
    for name, cell in sketch.cells.items():
        resources = sketch.resources.get(name, ())
        letters = "".join(resource[0] for resource in resources) or NO_RESOURCES
        text = f"{sketch.key(name)} {sketch.label(name)} {letters}"
        texts[grid.shown(cell)] = text + doubt.get(name, "")
    for name, pier in sketch.piers.items():
        places = "? places"
        if pier.places is not None:
            places = plural(pier.places, "place")
        texts[grid.shown(pier.cell)] = f"[{name}] {places}{doubt.get(name, '')}"
    return texts


def _bridges(canvas: Canvas, sketch: Sketch, grid: ChartGrid) -> None:
    for pier in sketch.piers.values():
        x0, y0 = grid.shown(pier.cell)
        for region in pier.regions:
            if region in sketch.cells:
                x1, y1 = grid.shown(sketch.cells[region])
                canvas.line((x0 * COLUMNS + 1, y0), (x1 * COLUMNS + 1, y1))
