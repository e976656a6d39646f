"""A cache by identity, for what the rules derive from a state, its parts, or a box."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

MAX_CACHED = 32
"""Answers remembered; when one more comes, all are forgotten. A state has only a handful of parts."""

R = TypeVar("R")
Things = TypeVarTuple("Things")


def once(read: Callable[[*Things], R]) -> Callable[[*Things], R]:
    """Return `read`, a pure function of immutable arguments, with its latest answers cached.

    The arguments are a state, or parts of one, most of which are also parts of the next state. They are compared by
    identity: comparing their contents would take longer than most of these functions.
    """
    # By numbers of things that are kept alive here: no other thing has one of them meanwhile.
    kept: dict[tuple[int, ...], tuple[tuple[*Things], R]] = {}

    @wraps(read)
    def known(*things: *Things) -> R:
        nonlocal kept
        key = tuple(map(id, things))
        found = kept.get(key)
        if found is None:
            found = things, read(*things)
            if len(kept) >= MAX_CACHED:
                kept = {}  # another thread may read the one before
            kept[key] = found
        return found[1]

    return known
