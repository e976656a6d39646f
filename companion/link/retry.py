"""Repeated requests: at once, then after a delay that doubles up to a limit."""

from __future__ import annotations


class Retry:
    """A repeated request; all times are nanoseconds of one clock. `due_ns` is None while nothing is requested."""

    def __init__(self, first_ns: int, limit_ns: int) -> None:
        self._first_ns = first_ns
        self._limit_ns = limit_ns
        self._delay_ns = first_ns
        self.due_ns: int | None = None
        self.tries = 0

    def start(self, at_ns: int) -> None:
        """Request for the first time at `at_ns`; a request that is already running starts over."""
        self.due_ns = at_ns
        self._delay_ns = self._first_ns
        self.tries = 0

    def ensure(self, at_ns: int) -> None:
        """Request for the first time at `at_ns`, unless the request is already running."""
        if not self.running:
            self.start(at_ns)

    def hasten(self, at_ns: int) -> None:
        """Repeat a running request at `at_ns` at the latest; the delays after that stay."""
        if self.due_ns is not None:
            self.due_ns = min(self.due_ns, at_ns)

    def stop(self) -> None:
        """Stop: the answer came."""
        self.due_ns = None

    @property
    def running(self) -> bool:
        """True if an answer is still awaited."""
        return self.due_ns is not None

    def take(self, now_ns: int) -> bool:
        """Return whether to send now, and if so set the next time."""
        if self.due_ns is None or now_ns < self.due_ns:
            return False
        self.due_ns = now_ns + self._delay_ns
        self._delay_ns = min(2 * self._delay_ns, self._limit_ns)
        self.tries += 1
        return True
