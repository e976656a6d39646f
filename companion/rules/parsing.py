"""Facts read from a record, a transcript or a form, checked against the kinds of facts a game knows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from companion.rules.game import Fact, Refused


def by_kind(*classes: type[Fact]) -> dict[str, type[Fact]]:
    """Return the classes of facts by their kind, in this order."""
    return {str(fact.model_fields["kind"].default): fact for fact in classes}


def parse(facts: Mapping[str, type[Fact]], kind: str, body: Mapping[str, Any]) -> Fact:
    """Return the fact; raise `Refused` (clause `FORMAT`) for an unknown kind or a body that does not fit it."""
    if kind not in facts:
        raise Refused("FORMAT", f"there is no fact {kind!r}", f"one of {', '.join(facts)}")
    try:
        return facts[kind].model_validate_json(json.dumps({**body, "kind": kind}), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the fact"
        raise Refused("FORMAT", f"{kind}: {where}: {first['msg']}", _shape(facts[kind])) from error
    except (TypeError, ValueError) as error:
        raise Refused("FORMAT", f"{kind}: {error}", _shape(facts[kind])) from error


def _shape(fact: type[Fact]) -> str:
    kind, fields = fact.model_fields["kind"].default, fact.model_fields
    named = [name if field.is_required() else f"[{name}]" for name, field in fields.items() if name != "kind"]
    return f"{kind} with {', '.join(named)}"
