"""What the dashboard needs of a table, and nothing more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.actions import Action
from companion.views import TableView

Source = Callable[[], TableView]
"""What answers with the view that stands now."""

Clock = Callable[[], float]
"""A monotonic clock in seconds."""


class TableLike(Protocol):
    """A table that can be looked at and acted on. Every method may be called from any thread."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the keyboard can do at this table: the game's actions, then the table's own."""

    def view(self) -> TableView:
        """Return the immutable view that stands now."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` from any thread whenever the view has changed; return what ends that."""

    def do(self, action_id: str) -> None:
        """Do an action; a refusal becomes the notice of the next view, never an exception."""

    def take_back(self, n: int) -> None:
        """Take back fact `n` whatever came later, or bring it back; a refusal becomes the notice of the next view."""
