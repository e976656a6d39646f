"""Reads the options and their values that a game's RULES.md names."""

from __future__ import annotations

import re

from companion.rules.registry import info_of

_ROW = re.compile(r"^\| [A-Z]+-\w+ \| `(\w+)` \| (.+) \| (.+) \|$", re.MULTILINE)


def named_values(game_id: str) -> dict[str, set[str]]:
    """Return the values of each option in the table of rulings: the words in backticks before a colon."""
    rows = _ROW.findall(info_of(game_id).text("RULES.md"))
    return {option: {*_values(default), *_values(others)} for option, default, others in rows}


def _values(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell.partition(":")[0])
