"""Figures of a tuple that grows at its end, such as the rounds of a game, computed incrementally.

Without this, each fact of a long evening would count the whole evening again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

MAX_SEQUENCES = 8
"""Tuples remembered; when one more comes, all are forgotten."""
FIGURES_KEPT = 64
"""Figures remembered of each tuple, the last ones: each figure may be as large as its tuple is long. An undo of more
parts than this counts all of them again, once."""

Figure = TypeVar("Figure")
Part = TypeVar("Part")
About = TypeVar("About")


class Incremental(Generic[About, Part, Figure]):
    """A figure of a tuple of immutable parts: `step(about, figure, part)` returns the figure after one more part.

    The latest tuple with each first part is remembered, and a longer one continues from it. `holds(before, now,
    figure)` returns whether a figure, and all before it, would be equal if `about` were `now` instead of `before`; the
    default reuses figures only for the same object.
    """

    def __init__(
        self,
        first: Figure,
        step: Callable[[About, Figure, Part], Figure],
        holds: Callable[[About, About, Figure], bool] = lambda before, now, _figure: before is now,
    ) -> None:
        self._first, self._step, self._holds = first, step, holds
        # By `id` of the first part. `_Known` keeps that part alive, so no other object can get its id.
        self._known: dict[int, _Known[About, Part, Figure]] = {}

    def __call__(self, about: About, parts: tuple[Part, ...]) -> Figure:
        """Return the figure after all these parts."""
        if not parts:
            return self._first
        known = self._known.get(id(parts[0]))
        if known is not None and parts is known.parts and about is known.about:
            return known.figures[-1]
        figures = [self._first]
        done = 0
        if known is not None:
            shared = shared_prefix(known.parts, parts)
            # The figures end with the one after all known parts, so this many reach up to the shared ones.
            usable = len(known.figures) - (len(known.parts) - shared)
            if usable > 0 and self._holds(known.about, about, known.figures[usable - 1]):
                figures, done = known.figures[:usable], shared
        for part in parts[done:]:
            figures.append(self._step(about, figures[-1], part))
        if len(self._known) >= MAX_SEQUENCES:
            self._known = {}  # not clear(): another thread may be reading the old one
        # Remembered even if nothing is new: comparing the same objects next time takes no time.
        self._known[id(parts[0])] = _Known(about, parts, figures[-FIGURES_KEPT:])
        return figures[-1]


class _Known(NamedTuple, Generic[About, Part, Figure]):
    """A tuple with its last figures, of which the last is the one after all parts."""

    about: About
    parts: tuple[Part, ...]
    figures: list[Figure]


def shared_prefix(known: tuple[Part, ...], parts: tuple[Part, ...]) -> int:
    """Return how many parts both tuples begin with."""
    shorter = min(len(known), len(parts))
    # Almost always all of the shorter one, or all but its last: slices compare in C.
    for length in (shorter, shorter - 1):
        if length >= 0 and known[:length] == parts[:length]:
            return length
    place = 0
    while known[place] == parts[place]:  # they differ somewhere, or a slice above would be equal
        place += 1
    return place
