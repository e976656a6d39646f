"""What the rules read off a state, its parts, or a box, is worked out once for it, however many ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

MAX_CACHED = 32
"""Of how many things an answer is kept; then all are forgotten: a state has a handful of parts."""

R = TypeVar("R")
Things = TypeVarTuple("Things")


def once(read: Callable[[*Things], R]) -> Callable[[*Things], R]:
    """Return `read`, a pure function of immutable things, such that it runs once for those it was asked for lately: a
    state, or the parts of one, of which most stand in the next one too.

    Two are told apart by identity: to compare them by what they hold takes longer than most of what is read.
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
