"""What the table of rulings in a game's RULES.md says of its house rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.rules.registry import info_of

_ROW = re.compile(
    r"^\| (?P<clause>[^|]+) \| `(?P<name>\w+)` \| (?P<default>[^|]+) \| (?P<others>[^|]+) \|$",
    re.MULTILINE,
)


_UNSAID = re.compile(r" \((?:`\w+`|[A-Z]{2}-\w+)\)|[`*]")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A row of the table of rulings: the clause, what the default means, and what the alternatives do, without what
    stands in brackets for developers: facts and clauses."""

    clause: str
    default: str
    others: str


@cache
def rulings(game_id: str) -> Mapping[str, Ruling]:
    """Return the rulings of a game by the names of its house rules; none where it has no page."""
    return {
        row["name"]: Ruling(
            *(_UNSAID.sub("", row[part]).strip() for part in ("clause", "default", "others"))
        )
        for row in _ROW.finditer(info_of(game_id).text("RULES.md"))
    }
