"""What the first entry of a session says if it is a lesson and no game. It imports nothing of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

LESSON: Final = "lesson"


def lesson_in(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the first entry of a session says of the lesson that it is; empty for a game, which counts."""
    said = body.get(LESSON)
    return said if isinstance(said, dict) else {}
