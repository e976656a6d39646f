"""The immutable state of a game as text, and back.

A state consists of dataclasses, facts and moments, enums, tuples, mappings and sets, over plain values. The text is
JSON: a list of nodes, and the root. Each object is one node, however often it is in the state, because rules may
compare by identity. A text can only name classes of the game and of `companion.rules` that are already imported; it
holds their fields, and nothing in it is executed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import MappingProxyType, NoneType
from typing import Any, Final

from pydantic import BaseModel

_PLAIN: Final = (str, int, float, bool, NoneType)
_OURS: Final = "companion.rules"
_OF_MANY: Final[Mapping[str, type]] = {
    each.__name__: each for each in (tuple, frozenset, list, set)
}


class NoText(ValueError):
    """A state contains something without a text, or a text is not that of a state."""


def text_of(state: Any, package: str) -> str:
    """Return the state of a game in `package` as text; raise `NoText`."""
    writer = _Writer(package)
    try:
        root = writer.put(state)
        return json.dumps([writer.nodes, root], separators=(",", ":"))
    except RecursionError as error:
        raise NoText("nested too deep") from error


def state_of(text: str, package: str) -> Any:
    """Return the state that `text_of` wrote; raise `NoText` for any other text."""
    try:
        nodes, root = json.loads(text)
        known: list[Any] = []

        def got(value: Any) -> Any:
            return known[value[0]] if type(value) is list else value

        for node in nodes:
            known.append(_made(node, got, package))
        return got(root)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise NoText(f"no state: {error}") from error


class _Writer:
    """Collects values as nodes; a node comes after the nodes inside it, and refers to them by their places."""

    def __init__(self, package: str) -> None:
        self.nodes: list[list[Any]] = []
        self._package = package
        self._places: dict[int, int] = {}
        self._held: list[
            Any
        ] = []  # what a place is for lives as long as this: its `id` is nobody else's

    def put(self, value: Any) -> Any:
        """Return a plain value as it is, and any other as a list with the place of its node."""
        if type(value) in _PLAIN:
            return value
        if id(value) not in self._places:
            node = self._node(value)
            self._places[id(value)] = len(self.nodes)
            self._held.append(value)
            self.nodes.append(node)
        return [self._places[id(value)]]

    def _node(self, value: Any) -> list[Any]:
        kind = type(value)
        if kind in _OF_MANY.values():
            return [kind.__name__, *map(self.put, value)]
        if kind is dict or kind is MappingProxyType:
            return [
                kind.__name__,
                *((self.put(key), self.put(each)) for key, each in value.items()),
            ]
        if kind is range:
            return ["range", value.start, value.stop, value.step]
        name = f"{kind.__module__}:{kind.__qualname__}"
        _named(name, self._package)
        if isinstance(value, Enum):
            return ["enum", name, value.name]
        if isinstance(value, BaseModel):
            return [
                "model",
                name,
                sorted(value.model_fields_set),
                *((at, self.put(it)) for at, it in value),
            ]
        if is_dataclass(value):
            return [
                "dataclass",
                name,
                *(self.put(getattr(value, each.name)) for each in fields(value)),
            ]
        if isinstance(value, tuple):
            return ["named", name, *map(self.put, value)]
        raise NoText(f"a value of {name}")


def _named(name: str, package: str) -> Any:
    """The class with that name, of the game or of what all games share."""
    module, _, path = name.partition(":")
    if not any(module == ours or module.startswith(f"{ours}.") for ours in (package, _OURS)):
        raise NoText(f"{name} is none of {package}")
    found: Any = sys.modules[module]
    for part in path.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) or found.__module__ != module:
        raise NoText(f"{name} is no class")
    return found


def _made(node: list[Any], got: Callable[[Any], Any], package: str) -> Any:
    kind, *rest = node
    if kind in _OF_MANY:
        return _OF_MANY[kind]([got(each) for each in rest])
    if kind in ("dict", "mappingproxy"):
        made = {got(key): got(each) for key, each in rest}
        return made if kind == "dict" else MappingProxyType(made)
    if kind == "range":
        return range(*rest)
    cls, values = _named(rest[0], package), rest[1:]
    bare: type[object] = cls
    match kind:
        case "enum" if issubclass(cls, Enum):
            return cls[values[0]]
        case "model" if issubclass(cls, BaseModel):
            return cls.model_construct(
                set(values[0]), **{name: got(each) for name, each in values[1:]}
            )
        case "dataclass" if is_dataclass(cls):
            same = object.__new__(bare)
            for field, each in zip(fields(cls), values, strict=True):
                object.__setattr__(same, field.name, got(each))
            return same
        case "named" if issubclass(cls, tuple):
            return tuple.__new__(cls, map(got, values))
    raise NoText(f"a {kind}")
