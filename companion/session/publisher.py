"""Notifying subscribers that a view changed."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Publisher:
    """Calls its subscribers at each change, in the order in which they subscribed. Any thread may
    use it."""

    def __init__(self) -> None:
        self._subscribing = threading.Lock()
        self._subscribers: list[Callable[[], None]] = []

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback`, from any thread, at each change except of the link's timings; return a
        function that ends that."""
        with self._subscribing:
            self._subscribers.append(callback)

        def end() -> None:
            with self._subscribing:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return end

    def publish(self) -> None:
        """Call all subscribers."""
        for callback in tuple(self._subscribers):
            callback()
