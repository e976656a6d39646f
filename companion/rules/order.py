"""A session's place among the sessions of its folder, as the entries that begin and resume it carry it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

_NUMBER, _FOLDER = "order", "order_in"
_MOST = 1 << 53  # JSON's readers agree on whole numbers up to here; nobody plays as often
_LONGEST = 32  # characters of what a folder is called


class Place(NamedTuple):
    """A number, one more than the greatest in the folder; `folder` is what the folder's numbers are called by: random,
    and the same for all that count on from one another, so that two computers are not taken for one."""

    number: int
    folder: str


NO_PLACE = Place(0, "")


def place_fields(place: Place) -> dict[str, Any]:
    """Return what the entry that begins or resumes a session says of its place."""
    return {_NUMBER: place.number, _FOLDER: place.folder} if place.number else {}


def place_of(body: Mapping[str, Any]) -> Place:
    """Return what `place_fields` wrote; `NO_PLACE` where there is none that can be used."""
    number, folder = body.get(_NUMBER), body.get(_FOLDER, "")
    if type(number) is not int or not 0 < number < _MOST:
        return NO_PLACE
    is_name = isinstance(folder, str) and len(folder) <= _LONGEST
    return Place(number, folder if is_name else "")


def without_place(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body without its place among the sessions of the folder in which it was written."""
    return {name: value for name, value in body.items() if name not in (_NUMBER, _FOLDER)}
