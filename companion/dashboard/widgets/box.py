"""How many facts about the box are open, and what that costs: one line beside the game."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.widgets.labels import labelled
from companion.rules.components import box_of, rules_of
from companion.rules.game import Setup


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
