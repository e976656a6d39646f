"""JSON in lines for people, as `json.dumps` indents it, in less than half of its time: it leaves its fast encoder where
it indents."""

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
    """Return `value` as JSON, each item in a line that begins with `before` and, for each container around it, with
    `step`; not in ASCII."""
    leaf = _LEAVES.get(type(value))
    if leaf is not None:
        return leaf(value)
    inner = f"{before}{step}"
    rows = []
    if value and isinstance(value, dict):
        for name, each in value.items():
            # most are, and a call more for each is a third of the time
            leaf = _LEAVES.get(type(each))
            words = indented(each, step, inner) if leaf is None else leaf(each)
            rows.append(f"{inner}{_name(name)}: {words}")
        return "{\n" + ",\n".join(rows) + f"\n{before}}}"
    if value and isinstance(value, list | tuple):
        rows = [f"{inner}{indented(each, step, inner)}" for each in value]
        return "[\n" + ",\n".join(rows) + f"\n{before}]"
    return json.dumps(value, ensure_ascii=False)


@lru_cache(1024, typed=True)
def _name(name: Any) -> str:
    """A name; a number or a constant is made one, as `json` does. A long list has the same few in each of its items."""
    return encode_basestring(name) if isinstance(name, str) else f'"{json.dumps(name)}"'
