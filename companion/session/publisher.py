"""Whoever wants to be told that a view changed."""

from __future__ import annotations

import threading
from collections.abc import Callable

Callback = Callable[[], None]


class Subscribers:
    """Callbacks, called in the order in which they came; any thread may add, end and call them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: list[Callback] = []

    def add(self, callback: Callback) -> Callback:
        """Have `callback` called from now on; return what ends that."""
        with self._lock:
            self._callbacks.append(callback)

        def remove() -> None:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)

        return remove

    def call(self) -> None:
        """Call them all."""
        for callback in tuple(self._callbacks):
            callback()
