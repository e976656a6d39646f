"""The score that a game of one's own is played to, where its file says so in so many words."""

from __future__ import annotations

import re
from typing import Final

from companion.games.own.rules.definition import Definition

_RACE: Final = re.compile(r"(?:max|min)\(score\) *(?:>=|<=|==) *(-?\d+)")


def goal_of(says: Definition) -> int | None:
    """Return the score at which the game ends, or None if it ends in another way."""
    found = _RACE.fullmatch(says.over.strip())
    return None if found is None else int(found[1])
