"""The grid of scores on a page: fields for the numbers that are missing now, and all rounds to look at and correct."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from companion.display.grids import CellEntry, ColumnEntry, Entering, GridCell, GridRow, NumberGrid
from companion.display.panels import panels_of
from companion.reports.markup import Markup, element, join, paragraph, scrolled, text
from companion.reports.tones import seat_mark
from companion.rules.columns import capitalized, listed
from companion.rules.facts import Seat, SeatId
from companion.session.tap_meanings import shown_in
from companion.session.views import TableView
from companion.web.role_buttons import button, seat_label, wish

NO_NUMBERS = "No numbers are typed in this game."


def grids_of(view: TableView) -> tuple[NumberGrid, ...]:
    """Return what can be typed now, also in games that have a screen of their own for it."""
    if view.ended:
        return ()
    grids = panels_of(view.setup.game).own_number_grids(view.game)
    return tuple(grid for grid in grids if grid.rows)


def grid_block(
    view: TableView, stopped: Collection[str] = (), *, has_fields: bool = True
) -> Markup:
    """Return the grids: what is missing first, unless `fields_block` shows that elsewhere. The pause refuses the kinds
    of facts in `stopped`."""
    parts = []
    for place, grid in enumerate(grids_of(view)):
        running = _while_paused(grid, stopped)
        parts.append(_grid(view, running, f"grid-{place}", has_fields=has_fields))
    return join(parts)


def fields_block(view: TableView, stopped: Collection[str] = ()) -> Markup:
    """Return the fields for what is missing now in all grids, without the grids."""
    parts: list[Markup] = []
    for place, grid in enumerate(grids_of(view)):
        parts += _fields_now(view, _while_paused(grid, stopped), f"grid-{place}")
    return element("div", *parts, class_="own-numbers") if parts else Markup("")


def columns_of(view: TableView) -> dict[str, list[SeatId]]:
    """Return by kinds of facts whose numbers can be typed now, all of a player together."""
    columns: dict[str, list[SeatId]] = {}
    for grid in grids_of(view):
        for column in grid.columns:
            if grid.own_column(column.seat) is not None:
                columns.setdefault(column.kind, []).append(column.seat)
    return columns


def column_label(view: TableView, kind: str, seat: SeatId) -> str:
    """Return the button for a player's numbers that become a fact of that kind, "" if there is none."""
    for grid in grids_of(view):
        for column in grid.columns:
            if (column.kind, column.seat) == (kind, seat) and grid.own_column(seat) is not None:
                return f"{people_in(view)[seat].name}: enter {grid.number}s"
    return ""


def people_in(view: TableView) -> dict[SeatId, Seat]:
    """Return everybody who may have a column, by ids: the people, and players that the game moves itself."""
    return {one.id: one for one in (*view.players, *view.setup.seats)}


def _while_paused(grid: NumberGrid, stopped: Collection[str]) -> NumberGrid:
    """Return the grid without the fields that record a fact of these kinds now; what was recorded can be corrected."""
    if not stopped:
        return grid

    def cell_of(cell: GridCell) -> GridCell:
        entry = None if is_stopped(cell.entry, stopped) else cell.entry
        return replace(cell, entry=entry, in_column=cell.in_column and cell.seat in columned)

    columns = tuple(column for column in grid.columns if column.kind not in stopped)
    columned = {column.seat for column in columns}
    rows = tuple(replace(row, cells=tuple(map(cell_of, row.cells))) for row in grid.rows)
    lacks = any(row.missing for row in grid.rows if row.now)
    end = None if lacks or grid.end is None or grid.end.kind in stopped else grid.end
    return replace(grid, rows=rows, columns=columns, end=end)


def is_stopped(entry: CellEntry | None, stopped: Collection[str]) -> bool:
    """Return whether a number would become a new fact of one of these kinds."""
    return entry is not None and entry.how is Entering.NOW and entry.kind in stopped


def _grid(view: TableView, grid: NumberGrid, anchor: str, *, has_fields: bool) -> Markup:
    parts = [element("h2", text(capitalized(grid.title)))]
    fields = [*_fields_now(view, grid, anchor)] if has_fields else []
    if fields:
        parts.append(element("div", *fields, class_="own-numbers"))
    parts += _about_row(view, grid)
    parts.append(_table(view, grid, anchor))
    return element("section", *parts, class_="grid")


def _fields_now(view: TableView, grid: NumberGrid, anchor: str) -> Iterable[Markup]:
    """Yield a field for each number that the round waits for, and for those of a column together."""
    people = people_in(view)
    for seat in [people[cell.seat] for cell in grid.rows[0].cells if cell.seat in people]:
        column = grid.own_column(seat.id)
        if column is not None:
            yield _column_button(grid, seat, *column)
            continue
        for place, (row, cell) in enumerate(grid.own_cells(seat.id)):
            several = len(grid.own_cells(seat.id)) > 1
            yield _field(grid, row, cell, seat, f"{anchor}-{seat.id}-{place}", several=several)


def _field(
    grid: NumberGrid, row: GridRow, cell: GridCell, seat: Seat, field_id: str, *, several: bool
) -> Markup:
    words = [seat_label(seat)]
    if several:
        words.append(text(f" {row.title}"))
    now = shown_in(row, cell)
    if now is not None:
        words.append(text(f" (now {now})"))
    label = element("label", *words, for_=field_id)
    field = element(
        "input", type="number", step="1", autocomplete="off", id=field_id, name="number"
    )
    send = element(
        "button", element("b", text("Enter")), type="submit", aria_label=f"Enter: {seat.name}"
    )
    return element("form", label, field, send, class_="own-number", **_asks(grid, row, cell))


def _asks(grid: NumberGrid, row: GridRow, cell: GridCell) -> dict[str, str]:
    asks = wish(
        "numbers", grid=grid.title, row=row.title, seat=cell.seat, shown=[shown_in(row, cell)]
    )
    # An id for each cell, so that what is typed is not lost when another number arrives.
    return {"data_wish": asks, "id": f"type-{grid.title}-{row.title}-{cell.seat}".replace(" ", "-")}


def _column_button(
    grid: NumberGrid, seat: Seat, column: ColumnEntry, cells: Sequence[tuple[GridRow, GridCell]]
) -> Markup:
    rows = [row.title for row, _ in cells]
    shown = [cell.value for _, cell in cells]
    asks = wish("numbers", grid=grid.title, row="", seat=seat.id, shown=shown)
    label = join((seat_mark(seat), text(f" {seat.name}: enter {grid.number}s")))
    kind = {"class_": "main"} if None in shown else {}
    return element(
        "button",
        label,
        type="button",
        **kind,
        data_open="numbers",
        data_wish=asks,
        data_records=column.kind,
        data_rows=json.dumps(rows),
    )


def _about_row(view: TableView, grid: NumberGrid) -> list[Markup]:
    """Return what is off with the row that is played and who is missing, or what ends it."""
    now = [row for row in grid.rows if row.now]
    if not now:
        return []
    parts = []
    row = now[0]
    if len(now) == 1 and not row.adds:
        parts.append(paragraph(f"{capitalized(row.title)}: {row.total} in all.", "soft"))
    for each in now:
        parts.append(paragraph(each.check, "alarm"))
    missing = _missing(now, grid.turn)
    if missing and len(now) == 1 and not row.adds:
        names = [view.setup.name_of(seat) for seat in missing]
        parts.append(paragraph(f"Missing: {listed(names)}."))
    is_complete = not any(each.missing or each.check for each in now)
    if grid.end is not None and is_complete:
        asks = wish("end_row", grid=grid.title, label=grid.end.label)
        parts.append(button(capitalized(grid.end.label), asks, main=True))
    return parts


def _missing(rows: Sequence[GridRow], turn: SeatId) -> list[SeatId]:
    missing = [seat for row in rows for seat in row.missing]
    return [seat for seat in dict.fromkeys(missing) if turn in ("", seat)]


def _table(view: TableView, grid: NumberGrid, anchor: str) -> Markup:
    """Return all rows, the newest first; a number that can be typed or corrected is a button."""
    by_id = people_in(view)
    heads = [element("td")]
    for cell in grid.rows[0].cells:
        seat = by_id.get(cell.seat)
        label = text(cell.seat) if seat is None else seat_mark(seat)
        heads.append(element("th", label, scope="col", class_="number"))
    has_totals = not any(row.adds for row in grid.rows)
    if has_totals:
        heads.append(element("th", text("in all"), scope="col", class_="number"))
    body = []
    for row in grid.rows:
        head = element("th", text(row.title), scope="row")
        shown = [_cell(grid, row, cell, by_id) for cell in row.cells]
        cells = [element("td", each, class_="number") for each in shown]
        if has_totals:
            cells.append(element("td", text(str(row.total)), class_="number"))
        kind = {"class_": "now"} if row.now else {}
        body.append(element("tr", head, *cells, **kind))
    if grid.has_sums and len(grid.rows) > 1:
        body.append(_sums(grid, has_totals=has_totals))
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *body))
    title = f"All numbers: {grid.title}"
    return element(
        "details",
        element("summary", text("All numbers")),
        scrolled(title, table),
        id=f"{anchor}-all",
    )


def _cell(grid: NumberGrid, row: GridRow, cell: GridCell, seats: dict[SeatId, Seat]) -> Markup:
    shown = "-" if cell.value is None else str(cell.value)
    if cell.entry is None:
        return text(shown)
    seat = seats.get(cell.seat)
    name = cell.seat if seat is None else seat.name
    asks = wish(
        "numbers", grid=grid.title, row=row.title, seat=cell.seat, shown=[shown_in(row, cell)]
    )
    label = f"{row.title}, {name}: {'nothing yet' if cell.value is None else shown}"
    records = {"data_records": cell.entry.kind} if cell.entry.how is Entering.NOW else {}
    return element(
        "button",
        text(shown),
        type="button",
        data_open="numbers",
        data_wish=asks,
        data_rows=json.dumps([f"{row.title}: {name}"]),
        aria_label=label,
        **records,
    )


def _sums(grid: NumberGrid, *, has_totals: bool) -> Markup:
    sums = [
        sum(row.cells[column].value or 0 for row in grid.rows)
        for column in range(len(grid.rows[0].cells))
    ]
    if has_totals:
        sums.append(sum(sums))
    cells = [element("td", element("b", text(str(number))), class_="number") for number in sums]
    return element("tr", element("th", text("sum"), scope="row"), *cells)
