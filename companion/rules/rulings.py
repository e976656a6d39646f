"""What the house rules mean, in the words of each game's RULES.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.rules.registry import info_of

_ROW = re.compile(
    r"^\| (?P<clause>[^|]+) \| `(?P<name>\w+)` \| (?P<default>[^|]+) \| (?P<others>[^|]+) \|$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A row of the table of rulings: the clause, what the default means, and what the alternatives do."""

    clause: str
    default: str
    others: str


@cache
def rulings(game_id: str) -> Mapping[str, Ruling]:
    """Return the rulings of a game by the names of its house rules; none where it has no page."""
    file = info_of(game_id).file("RULES.md")
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return {
        row["name"]: Ruling(*(_plain(row[part]) for part in ("clause", "default", "others")))
        for row in _ROW.finditer(text)
    }


def _plain(words: str) -> str:
    return words.replace("`", "").replace("*", "").strip()
