"""Deadlines for driver calls that may hang: each runs in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
LIST_S = 2.0
"""Deadline for listing the system's ports or drives."""
CHECK_S = 0.05
"""How often a waiting caller checks whether it has been told to stop."""


@dataclass(slots=True, eq=False)
class OneJob(Generic[T]):
    """Run one job at a time with a deadline.

    A job that hangs keeps its thread, and no second one starts beside it. `late` receives a result that arrives after
    its caller gave up, so that it can be closed. While `stopping` returns True, nothing is waited for.
    """

    deadline_s: float = LIST_S
    late: Callable[[T], object] | None = None
    stopping: Callable[[], bool] = lambda: False
    _running: threading.Thread | None = field(default=None, init=False)

    def run(self, job: Callable[[], T]) -> T:
        """Return the job's result or raise its error; raise `TimeoutError` if it, or the previous one, hangs."""
        if not self._wait_until_idle():
            raise TimeoutError
        call: Future[T] = Future()
        self._running = threading.Thread(
            target=self._work, args=(job, call), name="link-driver-call", daemon=True
        )
        self._running.start()
        self._wait_until_idle()
        # Whether it was in time is decided here, in one step: `cancel` fails once the job has set its result.
        if call.cancel():
            raise TimeoutError
        return call.result()

    def _work(self, job: Callable[[], T], call: Future[T]) -> None:
        try:
            result = job()
        except BaseException as error:  # `call.result` raises it in the caller's thread
            with suppress(InvalidStateError):
                call.set_exception(error)
            return
        try:
            call.set_result(result)
        except InvalidStateError:  # cancelled: the caller gave up
            if self.late is not None:
                self.late(result)

    def _wait_until_idle(self) -> bool:
        """Wait up to the deadline for the running job to end; return whether it did."""
        until_s = time.monotonic() + self.deadline_s
        while self._running is not None and self._running.is_alive():
            remaining_s = until_s - time.monotonic()
            if remaining_s <= 0 or self.stopping():
                return False
            self._running.join(min(remaining_s, CHECK_S))
        return True
