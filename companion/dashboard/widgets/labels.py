"""A label with what it names beside it; so how many facts about the box are open, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from companion.rules.components import box_of, rules_of
from companion.rules.game import Setup


def labelled(
    label: str, rows: Iterable[str | Content], cells: int, width: int, *, style: str = "$quiet"
) -> list[Content]:
    """Return the rows beside a label of `cells` cells, wrapped so that label and text together fit `width`."""
    contents = [row if isinstance(row, Content) else Content(row) for row in rows]
    wrapped = [line for row in contents for line in row.wrap(max(10, width - cells))]
    heads = [label, *[""] * (len(wrapped) - 1)]
    pairs = zip(heads, wrapped, strict=True)
    return [Content.assemble((head.ljust(cells), style), line) for head, line in pairs]


def box_rows(setup: Setup, label: int, width: int, key: str) -> list[Content]:
    """Return the line, its label `label` cells wide, in as many rows of `width` as it takes; none when all is known.
    `key` shows more."""
    box = box_of(setup)
    if not box.open_rows:
        return []
    costs = rules_of(setup.game).costs(box)
    more = f"; {len(costs) - 1} more: {key}" if len(costs) > 1 else ""
    said = f"{len(box.open_rows)} of {len(box.rows)} facts open; {''.join(costs[:1])}{more}"
    return labelled("Box", [said], label, width)
