"""Indented JSON, equal to that of `json.dumps(value, indent=..., ensure_ascii=False)`, in less than half the time.

`json.dumps` does not use its encoder in C if it indents.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any, Final

_CONSTANTS: Final = {None: "null", True: "true", False: "false"}
_LEAVES: Final[dict[type, Callable[[Any], str]]] = {
    str: encode_basestring,
    int: str,
    bool: _CONSTANTS.__getitem__,
    type(None): _CONSTANTS.__getitem__,
}


def indented(value: Any, step: str, before: str = "") -> str:
    """Return `value` as JSON, one item per line, each line indented by `before` and one `step` per container."""
    leaf = _LEAVES.get(type(value))
    if leaf is not None:
        return leaf(value)
    inner = f"{before}{step}"
    rows = []
    if value and isinstance(value, dict):
        for name, item in value.items():
            # Most items are leaves, and one more call for each would take a third of the time.
            leaf = _LEAVES.get(type(item))
            text = indented(item, step, inner) if leaf is None else leaf(item)
            rows.append(f"{inner}{_name(name)}: {text}")
        return "{\n" + ",\n".join(rows) + f"\n{before}}}"
    if value and isinstance(value, list | tuple):
        rows = [f"{inner}{indented(item, step, inner)}" for item in value]
        return "[\n" + ",\n".join(rows) + f"\n{before}]"
    return json.dumps(value, ensure_ascii=False)


@lru_cache(1024, typed=True)
def _name(name: Any) -> str:
    """Return a name in quotes; a number or a constant becomes a name, as in `json`.

    Cached, because a long list has the same few names in each item. `typed`, because 1 and True are equal keys.
    """
    return encode_basestring(name) if isinstance(name, str) else f'"{json.dumps(name)}"'
