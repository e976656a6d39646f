"""Calls into drivers that may hang: run in a thread, waited for up to a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
# How often it is looked whether nobody waits any more.
LOOK_S = 0.05


class OneJob(Generic[T]):
    """Runs one job at a time; a job that hangs keeps its thread, and no second one is started beside it.

    `late` receives a result that came after its caller had gone, so that it can be closed. While `stopping` says so,
    nothing is waited for.
    """

    def __init__(
        self,
        deadline_s: float,
        late: Callable[[T], object] | None = None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._deadline_s = deadline_s
        self._late = late
        self._stopping = stopping
        self._running: threading.Thread | None = None

    def run(self, job: Callable[[], T]) -> T:
        """Return the job's result or raise its error; `TimeoutError` when it, or the one before, hangs."""
        before = self._running
        if before is not None and not self._waited(lambda: before.is_alive(), before.join):
            raise TimeoutError
        call = _Call(job, self._late)
        self._running = threading.Thread(target=call.run, name="link-driver-call", daemon=True)
        self._running.start()
        self._waited(lambda: not call.done.is_set(), call.done.wait)
        return call.result()

    def _waited(self, running: Callable[[], bool], wait: Callable[[float], object]) -> bool:
        """Wait until it is over, up to the deadline; return whether it is."""
        until_s = time.monotonic() + self._deadline_s
        while running() and not self._stopping() and (left_s := until_s - time.monotonic()) > 0:
            wait(min(left_s, LOOK_S))
        return not running()


class _Call(Generic[T]):
    def __init__(self, job: Callable[[], T], late: Callable[[T], object] | None) -> None:
        self._job = job
        self._late = late
        self._lock = threading.Lock()
        self.done = threading.Event()
        self._abandoned = False
        self._results: list[T] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            result = self._job()
        except BaseException as error:  # raised again where the result is asked for
            self._error = error
        else:
            self._keep(result)
        self.done.set()

    def _keep(self, result: T) -> None:
        with self._lock:
            if not self._abandoned:
                self._results.append(result)
                return
        if self._late is not None:
            self._late(result)

    def result(self) -> T:
        with self._lock:
            self._abandoned = not self._results
        if self._results:
            return self._results[0]
        if self._error is not None:
            raise self._error
        raise TimeoutError
