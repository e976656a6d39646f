"""Which keys stand in which column: read from the registry, so that a screen never names a key of its own."""

from __future__ import annotations

from companion.dashboard.registry import first_key
from companion.games.skyfire.rules.keys import GAME, PREFIX
from companion.rules.actions import Action

CARDS = Action(
    "skyfire-form.cards",
    ("a",),
    "cards",
    "Enter the cards turned up, the target, and backs in sight (SF-6, SF-8, SF-11).",
    GAME,
    footer=True,
)
CARDS_IN = ("open", "question", "over", "finished")
"""The phases in which there are cards to enter."""
SHOWN = ("place", "launch", "inout")
"""What the columns of zones and seats do."""
MISFIRE = "misfire"


class SkyFireKeys:
    """The keys of the columns."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        self._keys = {action.id: first_key(action) for action in actions}

    def of(self, what: str, place: int | None = None) -> str:
        """Return the key that does `what`, for the zone or seat at `place` (from 1)."""
        return self._keys.get(PREFIX + (what if place is None else f"{what}.{place}"), "")

    def count(self, what: str) -> int:
        """Return how many zones or seats have a key that does `what`."""
        return sum(action.startswith(f"{PREFIX}{what}.") for action in self._keys)


def in_a_column(action: Action) -> bool:
    """Return whether the key stands beside what it is about."""
    word = action.id.removeprefix(PREFIX)
    return action.id.startswith(PREFIX) and (word == MISFIRE or word.partition(".")[0] in SHOWN)
