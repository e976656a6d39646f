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
        """Return an instance of the same dataclass, which has several fields and takes all of them by position, with
        these values in the place of its own."""
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
    names = [each.name for each in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}
