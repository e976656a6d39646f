"""`dataclasses.replace` in two thirds of the time, because a fold does little else; and the fields of a dataclass."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(instance: Any, /, **changes: Any) -> Any:
        """Return a copy of a dataclass instance with some fields changed.

        The dataclass must have at least two fields, and take all of them by position.
        """
        kind = type(instance)
        read, places = _fields_of(kind)
        values = [*read(instance)]
        for name, value in changes.items():
            values[places[name]] = value
        return kind(*values)


def fields_of(instance: Any) -> dict[str, Any]:
    """Return the values of a dataclass instance by field name; the dataclass must have at least two fields."""
    kind: Any = type(instance)
    read, places = _fields_of(kind)
    return dict(zip(places, read(instance), strict=True))


@cache
def _fields_of(kind: Any) -> tuple[attrgetter[tuple[Any, ...]], dict[str, int]]:
    """Return a function that reads all fields of a dataclass, and the place of each by name."""
    names = [field.name for field in fields(kind)]
    # An attrgetter reads all of them in C; with a single name it would not return a tuple.
    return attrgetter(*names), {name: place for place, name in enumerate(names)}
