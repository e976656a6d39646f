"""The kinds of event in the public feed; settings name them, too."""

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
"""All kinds, in the order of events of the same entry. The place of a kind is part of the numbers of its events, so
none may move."""
