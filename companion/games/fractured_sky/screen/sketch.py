"""A map as somebody enters it from the box: regions, resources, names, platforms and bridges; and its picture.

Each thing is drawn in the cell of the grid where it was put.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import TypeAdapter
from textual.content import Content

from companion.dashboard.widgets.tables import drawn_line
from companion.display.cells import LINK, MARK, QUIET, STRONG, Canvas, Pen
from companion.display.routes import Block, Routes
from companion.games.fractured_sky.rules.box import place_of, regions_on, shown_name
from companion.games.fractured_sky.rules.controls import ANSWERS
from companion.games.fractured_sky.rules.picture import NO_RESOURCES
from companion.rules.columns import plural, width as cells_of
from companion.rules.components import Box, ComponentRow, Status

MOST_PLACES = 20
Cell = tuple[int, int]
"""A place on the grid, to the right and down."""
RowId = tuple[str, str]
COLUMNS = 4
"""Cells of the screen to each cell of the grid, across, at least; down it is one."""
ACROSS, DOWN = 17, 10
"""Cells of the grid on the smallest screen; a larger one has larger cells."""
SPARE = 2
"""Cells less across, for the name of what lies at the right edge."""
LEAST_ROOM = 3
"""Cells of the screen that a key and dots take: `1..`."""
PLATFORM_WORD = "platform"


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
    """The grid on the screen, of cells that are `columns` wide and `rows` high.

    `step` cells of the sketch share one cell of the grid in each direction.
    """

    width: int
    height: int
    step: int = 1
    columns: int = COLUMNS
    rows: int = 1

    def clamped(self, cell: Cell) -> Cell:
        return max(0, min(cell[0], self.width - 1)), max(0, min(cell[1], self.height - 1))

    def shown(self, cell: Cell) -> Cell:
        """Return where a cell of the sketch is drawn."""
        return self.clamped((cell[0] // self.step, cell[1] // self.step))

    def at(self, x: int, y: int) -> Cell:
        """Return the cell at a place of the screen."""
        return self.clamped((x // self.columns, y // self.rows))

    def point(self, cell: Cell) -> tuple[int, int]:
        """Return the place on the screen where the text of a cell begins."""
        return cell[0] * self.columns + 1, cell[1] * self.rows


def grid_of(sketch: Sketch, width: int, height: int) -> ChartGrid:
    """Return the grid that fills `width` by `height`, coarse enough for everything placed so far.

    It depends on the room alone while that suffices, so nothing moves when something is placed.
    """
    columns, rows = max(COLUMNS, width // (ACROSS + SPARE)), max(1, height // DOWN)
    across, down = max(1, width // columns - SPARE), max(1, height // rows)
    far = 0
    for x, y in sketch.places.values():
        far = max(far, x // across, y // down)
    return ChartGrid(across, down, 1 + far, columns, rows)


def chart(
    sketch: Sketch, grid: ChartGrid, cursor: Cell, size: tuple[int, int], carried: str = ""
) -> list[Content]:
    """Return the picture; `carried` is the name of the thing that moves with the cursor."""
    canvas = Canvas(*size)
    blocks = list(_blocks(_things(sketch, grid), size))
    for block in blocks:
        _write(canvas, block, under=block.cell == cursor and not carried)
    x, y = grid.point(cursor)
    if carried:
        canvas.put(x - 1, y, f">{carried}<", MARK)
    elif canvas.is_free((x, y)):
        canvas.put(x, y, "+", MARK)
    _bridges(canvas, sketch, grid, blocks)
    for row in range(0, grid.height, 2):
        for column in range(0, grid.width, 2):
            x, y = grid.point((column, row))
            if all(map(canvas.is_free, ((x - 1, y), (x, y), (x + 1, y)))):
                canvas.put(x, y, ".", QUIET)
    return [*map(drawn_line, canvas.rows())]


@dataclass(frozen=True, slots=True)
class _Block:
    """Text on the picture, of the thing in `cell`, from a place of the screen on."""

    cell: Cell
    x: int
    y: int
    lines: tuple[str, ...]
    is_platform: bool

    @property
    def wide(self) -> int:
        """The cells of the longest line."""
        return max(map(cells_of, self.lines))

    def places(self, around: int = 0) -> set[tuple[int, int]]:
        """Return the places of the screen that it covers, and `around` more at both sides."""
        columns = range(self.x - around, self.x + self.wide + around)
        return {(x, self.y + row) for x in columns for row in range(len(self.lines))}


def _write(canvas: Canvas, block: _Block, *, under: bool) -> None:
    head = LINK if block.is_platform else STRONG
    for row, text in enumerate(block.lines):
        pen = head if row == 0 or block.is_platform else Pen()
        if under:
            pen = Pen("mark", reverse=True)
        canvas.keep_clear(block.x - 1, block.y + row, cells_of(text) + 2, 1)
        canvas.put(block.x, block.y + row, text, pen)


def _blocks(things: Sequence[_Block], size: tuple[int, int]) -> Iterator[_Block]:
    """Yield everything on the picture, moved where its neighbor or the edge would cut it.

    Text begins in its cell, else further left, else in free rows near by; in its cell are then only
    its key and dots.
    """
    short = {thing.cell: replace(thing, lines=(_short(thing.lines[0]),)) for thing in things}
    taken: set[tuple[int, int]] = set()
    for thing in things:
        others = set(taken)
        for cell, other in short.items():
            if cell != thing.cell:
                others |= other.places(around=1)
        block = _free(thing, others, size)
        if block is None:
            block = replace(thing, lines=tuple(_cut(thing, others, size)))
        elif block.y != thing.y:
            yield short[thing.cell]
            taken |= short[thing.cell].places(around=1)
        taken |= block.places(around=1)
        yield block


def _free(thing: _Block, taken: set[tuple[int, int]], size: tuple[int, int]) -> _Block | None:
    """Return the text where it covers nothing that is taken, as near to its cell as possible."""
    columns, rows = size
    high = len(thing.lines)
    for down in (0, high, -high, high + 1, -high - 1):
        for x in range(thing.x, thing.x + min(-1, LEAST_ROOM - thing.wide - 1), -1):
            block = replace(thing, x=x, y=thing.y + down)
            inside = 0 <= x <= columns - block.wide and 0 <= block.y <= rows - high
            if inside and not block.places() & taken:
                return block
    return None


def _cut(thing: _Block, taken: set[tuple[int, int]], size: tuple[int, int]) -> Iterator[str]:
    """Yield the lines as far as there is room to the right of the cell."""
    room = LEAST_ROOM
    while thing.x + room < size[0] and (thing.x + room, thing.y) not in taken:
        room += 1
    for line in thing.lines:
        yield line[:room]


def _short(text: str) -> str:
    """Return the number of a platform, or the key of a region followed by dots: `[1]`, `2..`."""
    head, _, rest = text.partition(" ")
    if head == PLATFORM_WORD:
        return f"[{rest}]"
    return head if head.startswith("[") else f"{head}.."


def _things(sketch: Sketch, grid: ChartGrid) -> list[_Block]:
    """Return the text of each thing in its cell, with a mark on what somebody has doubts about.

    Where a cell is more than a row high, it has two rows without signs.
    """
    things: dict[Cell, _Block] = {}
    doubt = dict.fromkeys(sketch.unsure, " ?")
    in_words = grid.rows > 1
    for name, cell in sketch.cells.items():
        head = f"{sketch.key(name)} {sketch.label(name)}"
        resources = sketch.resources.get(name, ())
        letters = "".join(resource[0] for resource in resources) or NO_RESOURCES
        lines = [f"{head} {letters}{doubt.get(name, '')}"]
        if in_words:
            lines = [head + doubt.get(name, ""), ", ".join(resources) or "resources unknown"]
        _put(things, grid, cell, lines)
    for name, pier in sketch.piers.items():
        places = "? places"
        if pier.places is not None:
            places = plural(pier.places, "place")
        lines = [f"[{name}] {places}{doubt.get(name, '')}"]
        if in_words:
            lines = [f"{PLATFORM_WORD} {name}{doubt.get(name, '')}", places]
        _put(things, grid, pier.cell, lines, is_platform=True)
    return sorted(things.values(), key=lambda thing: (thing.y, thing.x))


def _put(
    things: dict[Cell, _Block],
    grid: ChartGrid,
    cell: Cell,
    lines: Sequence[str],
    *,
    is_platform: bool = False,
) -> None:
    shown = grid.shown(cell)
    things[shown] = _Block(shown, *grid.point(shown), tuple(lines), is_platform)


def _bridges(canvas: Canvas, sketch: Sketch, grid: ChartGrid, blocks: Sequence[_Block]) -> None:
    """Draw the bridges around what is written."""
    rows: dict[Cell, list[tuple[int, int, int]]] = {}
    for block in blocks:
        # a thing whose text moved out of its cell has two blocks
        for y, line in enumerate(block.lines, start=block.y):
            rows.setdefault(block.cell, []).append((y, block.x, block.x + cells_of(line)))
    texts = {}
    for cell, written in rows.items():
        head = grid.point(cell)[1]
        heads = {y for y, _, _ in written}
        texts[str(cell)] = Block(
            tuple(sorted(written)), head if head in heads else min(heads), (*grid.point(cell), 0, 0)
        )
    bridges = []
    for pier in sketch.piers.values():
        start = grid.shown(pier.cell)
        for region in pier.regions:
            if region in sketch.cells and grid.shown(sketch.cells[region]) != start:
                bridges.append((str(start), str(grid.shown(sketch.cells[region]))))
    routes = Routes(canvas.width, canvas.height, texts)
    routes.add(bridges)
    for cell, sign in routes.signs():
        if canvas.is_free(cell):
            canvas.put(*cell, sign, LINK)
