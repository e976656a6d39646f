"""The kinds of event of the public feed, which settings name too."""

from __future__ import annotations

from typing import Final

KINDS: Final = (
    "session",
    "correction",
    "ruling",
    "draw",
    "shot",
    "pause",
    "elimination",
    "score",
    "round",
    "turn",
    "end",
)
"""All kinds, in the order in which those of one entry come. The place of a kind is part of its numbers: never moved."""
