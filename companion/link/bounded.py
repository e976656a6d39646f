"""Calls into drivers that may hang: run in a thread, waited for up to a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
# How often it is looked whether nobody waits any more.
LOOK_S = 0.05


@dataclass(slots=True, eq=False)
class OneJob(Generic[T]):
    """Runs one job at a time; a job that hangs keeps its thread, and no second one is started beside it.

    `late` receives a result that came after its caller had gone, so that it can be closed. While `stopping` says so,
    nothing is waited for.
    """

    deadline_s: float
    late: Callable[[T], object] | None = None
    stopping: Callable[[], bool] = lambda: False
    _running: threading.Thread | None = field(default=None, init=False)

    def run(self, job: Callable[[], T]) -> T:
        """Return the job's result or raise its error; `TimeoutError` when it, or the one before, hangs."""
        before = self._running
        if before is not None and not self._waited(lambda: before.is_alive(), before.join):
            raise TimeoutError
        call: Future[T] = Future()
        self._running = threading.Thread(target=self._work, args=(job, call), name="link-driver-call", daemon=True)
        self._running.start()
        self._waited(lambda: not call.done(), lambda left_s: wait((call,), left_s))
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

    def _waited(self, running: Callable[[], bool], wait: Callable[[float], object]) -> bool:
        """Wait until it is over, up to the deadline; return whether it is."""
        until_s = time.monotonic() + self.deadline_s
        while running() and not self.stopping() and (left_s := until_s - time.monotonic()) > 0:
            wait(min(left_s, LOOK_S))
        return not running()
