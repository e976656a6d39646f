"""Facts as lines that somebody types."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from companion.rules.facts import Fact
from companion.rules.form_fields import NOBODY
from companion.rules.forms import _NOT_ASKED


def to_words(fact: type[Fact], kind: str, body: Mapping[str, Any]) -> str:
    """Return the line that `from_words` reads as this kind and body; `at` is not in it."""
    named = [
        f"{name}={_word(body[name])}"
        for name in fact.model_fields
        if name in body and name not in _NOT_ASKED
    ]
    return shlex.join([kind, *named])


def _word(value: Any) -> str:
    """Return a JSON value as one word."""
    match value:
        case None:
            return NOBODY
        case bool():
            return "yes" if value else "no"
        case str():
            return value
    return json.dumps(value, ensure_ascii=False)
