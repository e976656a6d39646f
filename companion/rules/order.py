"""A session's place among the sessions of its folder, recorded in the entries that begin and resume it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeGuard

_NUMBER, _FOLDER, _SEEN = "order", "order_in", "order_seen"
_MOST = 1 << 53  # larger numbers lose digits in JSON readers that use doubles
_LONGEST = 32  # characters of a folder's name


class Place(NamedTuple):
    """The place of a session: its number is one more than the greatest in the folder.

    `folder` is a random name for the sequence of numbers, so that the sequences of two computers are never compared.
    `seen` has the greatest number of each other sequence that had sessions in the folder, too.
    """

    number: int
    folder: str
    seen: tuple[tuple[str, int], ...] = ()


NO_PLACE = Place(0, "")


def place_fields(place: Place) -> dict[str, Any]:
    """Return the fields for the entry that begins or resumes a session; none for `NO_PLACE`."""
    if not place.number:
        return {}
    fields: dict[str, Any] = {_NUMBER: place.number, _FOLDER: place.folder}
    if place.seen:
        fields[_SEEN] = dict(place.seen)
    return fields


def place_of(body: Mapping[str, Any]) -> Place:
    """Return the place that `place_fields` wrote, or `NO_PLACE` if there is no valid one."""
    number, folder, seen = body.get(_NUMBER), body.get(_FOLDER), body.get(_SEEN, {})
    if not (_is_number(number) and _is_name(folder) and isinstance(seen, dict)):
        return NO_PLACE
    usable = [(name, last) for name, last in seen.items() if _is_name(name) and _is_number(last)]
    return Place(number, folder, tuple(sorted(usable)))


def _is_number(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 < value < _MOST


def _is_name(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST


def without_place(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body without its place: a copy in another folder is counted there."""
    return {name: value for name, value in body.items() if name not in (_NUMBER, _FOLDER, _SEEN)}
