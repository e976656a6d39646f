"""The meanings of a game's house rules, from its code or from the table of rulings in its RULES.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from companion.rules.house_rules import HouseRule
from companion.rules.registry import info_of, part_of

_ROW = re.compile(
    r"^\| (?P<clause>[^|]+) \| `(?P<name>\w+)` \| (?P<default>[^|]+) \| (?P<others>[^|]+) \|$",
    re.MULTILINE,
)
# Facts and clauses in brackets, which are for developers, and marks of Markdown.
_NOT_FOR_PLAYERS = re.compile(r" \((?:`\w+`|[A-Z]{2}-\w+)\)|[`*]")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A house rule in words for players: its clause, the default and the other alternatives with their meanings."""

    clause: str
    default: str
    others: str


@cache
def rulings(game_id: str) -> Mapping[str, Ruling]:
    """Return the rulings of a game by the names of its house rules; empty if nothing says what they mean."""
    declared = _declared(game_id)
    if declared:
        return {rule.name: _ruling(rule.clause, *rule.stated) for rule in declared}
    rows = _ROW.finditer(info_of(game_id).text("RULES.md"))
    return {row["name"]: _ruling(row["clause"], row["default"], row["others"]) for row in rows}


def _declared(game_id: str) -> Sequence[HouseRule]:
    """Return the house rules of a game if its code says what they mean, else none."""
    options = part_of(game_id, "options")
    if options is None:
        return ()
    rules: Sequence[HouseRule] = options.HOUSE_RULES
    return rules if any(rule.meanings for rule in rules) else ()


def _ruling(clause: str, default: str, others: str) -> Ruling:
    return Ruling(_plain(clause), _plain(default), _plain(others))


def _plain(cell: str) -> str:
    return _NOT_FOR_PLAYERS.sub("", cell).strip()
