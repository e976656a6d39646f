"""Text beside a label, such as the unknown facts of a box, or beside a code to scan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from textual.content import Content

from companion.dashboard.widgets.static import GAP
from companion.rules.components import rules_of
from companion.session.views import LineKind, TableView

PLAYED = frozenset({LineKind.FACT, LineKind.VOIDED, LineKind.BROKEN})
"""The kinds of log lines that show that play has begun."""


def labelled(
    label: str, rows: Iterable[str | Content], cells: int, width: int, *, style: str = "$quiet"
) -> list[Content]:
    """Return the rows beside a label of `cells` cells, wrapped to `width`; below it if it is
    longer."""
    if len(label) >= cells > 0:
        return [*Content.styled(label, style).wrap(width), *labelled("", rows, cells, width)]
    lines: list[Content] = []
    for row in rows:
        content = row if isinstance(row, Content) else Content(row)
        for line in content.wrap(max(10, width - cells)):
            head = "" if lines else label
            lines.append(Content.assemble((head.ljust(cells), style), line))
    return lines


def packed(parts: Iterable[Content], width: int, gap: str) -> Content:
    """Return the parts in as few rows of `width` cells as possible, `gap` between them, none
    broken."""
    rows: list[Content] = []
    for part in parts:
        if rows and rows[-1].cell_length + len(gap) + part.cell_length <= width:
            rows[-1] = Content.assemble(rows[-1], gap, part)
        else:
            rows.append(part)
    return Content("\n").join(rows)


def box_rows(view: TableView, label: int, width: int, key: str) -> list[Content]:
    """Return what the companion does not know of the box, and who decides instead.

    Empty once something was played, or if nothing follows from it. The label takes `label` cells;
    `key` opens the statistics, which have the rest.
    """
    if any(line.kind in PLAYED for line in view.log):
        return []
    notice = rules_of(view.setup.game).notice(view.setup)
    if not notice:
        return []
    return labelled("Box", [f"{notice} ({key}: statistics)"], label, width)


LEAST_BESIDE = 20  # minimum cells for the text beside a code


def beside_code(
    code: Sequence[str], words: Sequence[str], columns: int, rows: int
) -> list[Content]:
    """Return a code, white on black for scanning, with text beside it.

    Without a code, or without room for both, return only the text.
    """
    room = columns - len(code[0]) - len(GAP) if code else 0
    if room < LEAST_BESIDE or len(code) > rows:
        return [Content(line) for line in words]
    beside = [line for text in words for line in Content(text).wrap(room)]
    lines = []
    for row, text in zip_longest(code, beside):
        left = Content(" " * len(code[0]))
        if row is not None:
            left = Content.styled(row, "#ffffff on #000000")
        lines.append(Content.assemble(left, GAP, text or ""))
    return lines
