"""Collects the bounds of the numbers and lists in a game's facts and component file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.rules.components import ComponentTable
from companion.rules.game import Game

UNBOUNDED = 2**31
_LEAST, _MOST = ("minimum", "minLength", "minItems"), ("maximum", "maxLength", "maxItems")


def of_facts(game: Game[Any]) -> dict[str, str]:
    """Return the bounds of each field of a game's own facts, `scout.card: 1 to 5`; list items have brackets,
    `deal.cards[]`."""
    bounds: dict[str, str] = {}
    for kind, fact in sorted(game.facts.items()):
        if fact.__module__.startswith("companion.games."):
            schema = fact.model_json_schema()
            for name, field in schema.get("properties", {}).items():
                bounds |= dict(_bounds(f"{kind}.{name}", field))
    return bounds


def _bounds(path: str, field: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    least = next((field[key] for key in _LEAST if key in field), None)
    most = next((field[key] for key in _MOST if key in field), None)
    if (least, most) != (None, None):
        yield path, f"{'' if least is None else least} to {'' if most is None else most}"
    for choice in field.get("anyOf", ()):
        yield from _bounds(path, choice)
    if "items" in field:
        yield from _bounds(f"{path}[]", field["items"])


def of_box(tables: Sequence[ComponentTable]) -> dict[str, str]:
    """Return the bounds of each number of a component file, `token_black.low: 0 to 20`."""
    return {
        f"{table.name}.{field.name}": f"{field.least} to {field.most}"
        for table in tables
        for field in table.fields
        if field.kind in ("number", "numbers") and (field.least, field.most) != (0, UNBOUNDED)
    }
