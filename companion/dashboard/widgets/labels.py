"""A label with what it names beside it; so what the companion does not know of the box."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from companion.rules.components import rules_of
from companion.session.views import LineKind, TableView

PLAYED = frozenset({LineKind.FACT, LineKind.VOIDED, LineKind.BROKEN})
"""The lines of the log that say that the game goes on, not that it began."""


def labelled(
    label: str, rows: Iterable[str | Content], cells: int, width: int, *, style: str = "$quiet"
) -> list[Content]:
    """Return the rows beside a label of `cells` cells, wrapped so that label and text together fit `width`."""
    contents = [row if isinstance(row, Content) else Content(row) for row in rows]
    wrapped = [line for row in contents for line in row.wrap(max(10, width - cells))]
    heads = [label, *[""] * (len(wrapped) - 1)]
    pairs = zip(heads, wrapped, strict=True)
    return [Content.assemble((head.ljust(cells), style), line) for head, line in pairs]


def box_rows(view: TableView, label: int, width: int, key: str) -> list[Content]:
    """Return what the companion does not know of the box and who decides instead, its label `label` cells wide, in as
    many rows of `width` as it takes; none once something was played, or where nothing follows. `key` shows more."""
    begun = any(line.kind in PLAYED for line in view.log)
    said = "" if begun else rules_of(view.setup.game).notice(view.setup)
    return labelled("Box", [f"{said} ({key}: details)"], label, width) if said else []
