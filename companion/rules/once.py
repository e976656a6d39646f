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
    # By `id` of the arguments. The value keeps them alive, so no other object can get their ids.
    answers: dict[tuple[int, ...], tuple[tuple[*Things], R]] = {}

    @wraps(read)
    def cached(*things: *Things) -> R:
        nonlocal answers
        key = tuple(map(id, things))
        answer = answers.get(key)
        if answer is None:
            answer = things, read(*things)
            if len(answers) >= MAX_CACHED:
                answers = {}  # not clear(): another thread may be reading the old one
            answers[key] = answer
        return answer[1]

    return cached
