"""JSON in lines for people, as `json.dumps` indents it, in less than half of its time: it leaves its fast encoder where
it indents."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any, Final

_CONSTANTS: Final = {None: "null", True: "true", False: "false"}


def indented(value: Any, step: str, before: str = "") -> str:
    """Return `value` as JSON, each item in a line that begins with `before` and, for each container around it, with
    `step`; not in ASCII."""
    kind, inner = type(value), f"{before}{step}"
    if kind is str:
        return encode_basestring(value)
    if kind is int:
        return str(value)
    if value and isinstance(value, dict):
        rows = [f"{inner}{_name(name)}: {indented(each, step, inner)}" for name, each in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{before}}}"
    if value and isinstance(value, list | tuple):
        rows = [f"{inner}{indented(each, step, inner)}" for each in value]
        return "[\n" + ",\n".join(rows) + f"\n{before}]"
    if value is None or kind is bool:
        return _CONSTANTS[value]
    return json.dumps(value, ensure_ascii=False)


def _name(name: Any) -> str:
    """A name; a number or a constant is made one, as `json` does."""
    return encode_basestring(name) if isinstance(name, str) else f'"{json.dumps(name)}"'
