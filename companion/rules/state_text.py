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
_COLLECTIONS: Final[Mapping[str, type]] = {
    "tuple": tuple,
    "frozenset": frozenset,
    "list": list,
    "set": set,
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

        def resolve(value: Any) -> Any:
            # A plain value stands for itself; a list has the place of a node.
            return known[value[0]] if type(value) is list else value

        for node in nodes:
            known.append(_object_of(node, resolve, package))
        return resolve(root)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise NoText(f"no state: {error}") from error


class _Writer:
    """Collects values as nodes; a node comes after the nodes inside it, and refers to them by their places."""

    def __init__(self, package: str) -> None:
        self.nodes: list[list[Any]] = []
        self._package = package
        self._places: dict[int, int] = {}
        # Keeps the values alive: `_places` has their `id`s, which must not be used again.
        self._values: list[Any] = []

    def put(self, value: Any) -> Any:
        """Return a plain value as it is, and any other as a list with the place of its node."""
        if type(value) in _PLAIN:
            return value
        if id(value) not in self._places:
            node = self._node(value)
            self._places[id(value)] = len(self.nodes)
            self._values.append(value)
            self.nodes.append(node)
        return [self._places[id(value)]]

    def _node(self, value: Any) -> list[Any]:
        kind = type(value)
        if kind in _COLLECTIONS.values():
            return [kind.__name__, *map(self.put, value)]
        if kind is dict or kind is MappingProxyType:
            items = [(self.put(key), self.put(item)) for key, item in value.items()]
            return [kind.__name__, *items]
        if kind is range:
            return ["range", value.start, value.stop, value.step]
        name = f"{kind.__module__}:{kind.__qualname__}"
        _class_named(name, self._package)
        if isinstance(value, Enum):
            return ["enum", name, value.name]
        if isinstance(value, BaseModel):
            # pydantic also remembers which fields were given, so the text has them.
            given = sorted(value.model_fields_set)
            return ["model", name, given, *((field, self.put(item)) for field, item in value)]
        if is_dataclass(value):
            items = [self.put(getattr(value, field.name)) for field in fields(value)]
            return ["dataclass", name, *items]
        if isinstance(value, tuple):
            return ["named", name, *map(self.put, value)]
        raise NoText(f"a value of {name}")


def _class_named(name: str, package: str) -> Any:
    """Return the class `module:qualname` of the game's package or of `companion.rules`; raise `NoText` or another error
    for anything else."""
    module, _, path = name.partition(":")
    if not f"{module}.".startswith((f"{package}.", f"{_OURS}.")):
        raise NoText(f"{name} is none of {package}")
    item: Any = sys.modules[module]
    for part in path.split("."):
        item = getattr(item, part)
    # An allowed module may import anything, so the class must also be defined there.
    if not isinstance(item, type) or item.__module__ != module:
        raise NoText(f"{name} is no class")
    return item


def _object_of(node: list[Any], resolve: Callable[[Any], Any], package: str) -> Any:
    """Return the object of a node, without calling its class: the values were valid when they were written."""
    kind, *rest = node
    if kind in _COLLECTIONS:
        return _COLLECTIONS[kind]([resolve(item) for item in rest])
    if kind in ("dict", "mappingproxy"):
        mapping = {resolve(key): resolve(item) for key, item in rest}
        return mapping if kind == "dict" else MappingProxyType(mapping)
    if kind == "range":
        return range(*rest)
    cls, values = _class_named(rest[0], package), rest[1:]
    bare: type[object] = cls
    match kind:
        case "enum" if issubclass(cls, Enum):
            return cls[values[0]]
        case "model" if issubclass(cls, BaseModel):
            given, *items = values
            by_field = {field: resolve(item) for field, item in items}
            return cls.model_construct(set(given), **by_field)
        case "dataclass" if is_dataclass(cls):
            instance = object.__new__(bare)
            for field, item in zip(fields(cls), values, strict=True):
                object.__setattr__(instance, field.name, resolve(item))  # it is frozen
            return instance
        case "named" if issubclass(cls, tuple):
            return tuple.__new__(cls, map(resolve, values))
    raise NoText(f"a {kind}")
