"""Calls into drivers that may hang: run in a thread, waited for up to a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
LIST_S = 2.0  # for what lists the system's ports or drives
# How often it is looked whether nobody waits any more.
CHECK_S = 0.05


@dataclass(slots=True, eq=False)
class OneJob(Generic[T]):
    """Runs one job at a time; a job that hangs keeps its thread, and no second one is started beside it.

    `late` receives a result that came after its caller had gone, so that it can be closed. While `stopping` says so,
    nothing is waited for.
    """

    deadline_s: float = LIST_S
    late: Callable[[T], object] | None = None
    stopping: Callable[[], bool] = lambda: False
    _running: threading.Thread | None = field(default=None, init=False)

    def run(self, job: Callable[[], T]) -> T:
        """Return the job's result or raise its error; `TimeoutError` when it, or the one before, hangs."""
        if not self._wait_until_idle():
            raise TimeoutError
        call: Future[T] = Future()
        self._running = threading.Thread(
            target=self._work, args=(job, call), name="link-driver-call", daemon=True
        )
        self._running.start()
        self._wait_until_idle()
        if call.cancel():
            raise TimeoutError
        return call.result()

    def _work(self, job: Callable[[], T], call: Future[T]) -> None:
        try:
            result = job()
        except BaseException as error:  # raised again where the result is asked for
            with suppress(InvalidStateError):
                call.set_exception(error)
            return
        try:
            call.set_result(result)
        except InvalidStateError:  # its caller has gone
            if self.late is not None:
                self.late(result)

    def _wait_until_idle(self) -> bool:
        """Wait until the job that was begun last is over, up to the deadline; return whether it is."""
        until_s = time.monotonic() + self.deadline_s
        while self._running is not None and self._running.is_alive():
            remaining_s = until_s - time.monotonic()
            if remaining_s <= 0 or self.stopping():
                return False
            self._running.join(min(remaining_s, CHECK_S))
        return True
