"""Whoever wants to be told that a view changed."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Publisher:
    """Tells its subscribers of changes, in the order in which they came; any thread may use it."""

    def __init__(self) -> None:
        self._subscribing = threading.Lock()
        self._subscribers: list[Callable[[], None]] = []

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called, from any thread, at changes but of the link's timings; return what ends that."""
        with self._subscribing:
            self._subscribers.append(callback)

        def end() -> None:
            with self._subscribing:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return end

    def publish(self) -> None:
        """Call them all."""
        for callback in tuple(self._subscribers):
            callback()
