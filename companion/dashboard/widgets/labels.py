"""A label with what it names beside it."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content


def labelled(
    label: str, rows: Iterable[str | Content], cells: int, width: int, *, style: str = "$quiet"
) -> list[Content]:
    """Return the rows beside a label of `cells` cells, wrapped so that label and text together fit `width`."""
    contents = [row if isinstance(row, Content) else Content(row) for row in rows]
    wrapped = [line for row in contents for line in row.wrap(max(10, width - cells))]
    heads = [label, *[""] * (len(wrapped) - 1)]
    pairs = zip(heads, wrapped, strict=True)
    return [Content.assemble((head.ljust(cells), style), line) for head, line in pairs]
