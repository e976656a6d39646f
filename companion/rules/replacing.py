"""A state with some of its parts replaced, as `dataclasses.replace` makes it, in two thirds of the time: a fold does
little else; and the fields of a dataclass, of which another one that has more of them is made."""

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
    """Return the fields of an instance of a dataclass that has several, by their names."""
    kind: Any = type(instance)
    read, places = _fields_of(kind)
    return dict(zip(places, read(instance), strict=True))


@cache
def _fields_of(kind: Any) -> tuple[attrgetter[tuple[Any, ...]], dict[str, int]]:
    """What reads all fields of a dataclass, and the place of each among them."""
    names = [each.name for each in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}
