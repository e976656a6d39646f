"""Calls into drivers that may hang: run in a thread, waited for up to a deadline."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Bounded(Generic[T]):
    """Runs one job at a time; a job that hangs keeps its thread, and no second one is started beside it.

    `late` receives a result that came after its caller had gone, so that it can be closed.
    """

    def __init__(self, deadline_s: float, late: Callable[[T], object] | None = None) -> None:
        self._deadline_s = deadline_s
        self._late = late
        self._running: threading.Thread | None = None

    def run(self, job: Callable[[], T]) -> T:
        """Return the job's result or raise its error; `TimeoutError` when it, or the one before, hangs."""
        if self._running is not None:
            self._running.join(self._deadline_s)
            if self._running.is_alive():
                raise TimeoutError
        call = _Call(job, self._late)
        self._running = threading.Thread(target=call.run, name="link-driver-call", daemon=True)
        self._running.start()
        return call.result(self._deadline_s)


class _Call(Generic[T]):
    def __init__(self, job: Callable[[], T], late: Callable[[T], object] | None) -> None:
        self._job = job
        self._late = late
        self._lock = threading.Lock()
        self._done = threading.Event()
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
        self._done.set()

    def _keep(self, result: T) -> None:
        with self._lock:
            if not self._abandoned:
                self._results.append(result)
                return
        if self._late is not None:
            self._late(result)

    def result(self, deadline_s: float) -> T:
        self._done.wait(deadline_s)
        with self._lock:
            self._abandoned = not self._results
        if self._results:
            return self._results[0]
        if self._error is not None:
            raise self._error
        raise TimeoutError
