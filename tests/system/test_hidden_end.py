"""Ctrl-C and SIGTERM come at any moment, also in the middle of taking or leaving a lock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from companion.system.signals import hidden_end, join_if_started
from companion.web.serving_thread import ServingThread

WAITING = {"wait", "_acquire_restore", "_release_save", "__exit__"}
"""Functions of `threading` in which a program that waits is found."""


@contextmanager
def raising_after(steps: int, end: BaseException) -> Iterator[Callable[[], bool]]:
    """Raise `end` in this thread after so many steps of the interpreter within a wait, as a handler does; yield whether
    it came."""
    left = steps

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        code = frame.f_code
        if code.co_filename != threading.__file__ or code.co_name not in WAITING:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and left >= 0:
            left -= 1
            if left < 0:
                raise end
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield lambda: left < 0
    finally:
        sys.settrace(before)


def server_started_and_closed() -> None:
    """Start a server's thread and close it, whatever happens meanwhile."""

    async def serve() -> None:
        serving.note_up()
        await serving.end.wait()

    serving = ServingThread("pages", serve)
    try:
        serving.start()
    finally:
        serving.close()


def waited_for_a_thread() -> None:
    told = threading.Event()
    thread = threading.Thread(target=told.set, daemon=True)
    try:
        thread.start()
        told.wait()
    finally:
        join_if_started(thread)


def waited_in_vain() -> None:
    threading.Event().wait(0.001)


def hidden_ends(work: Callable[[], None], end: KeyboardInterrupt | SystemExit) -> int:
    """Do the work again and again, raising `end` a step later each time; return how often another error hid it."""
    hidden = 0
    for steps in range(5000):
        raised: BaseException | None = None
        try:
            with raising_after(steps, end) as came:
                work()
        except BaseException as error:
            raised = error
        if raised is None:
            assert not came(), f"{end!r} was lost after {steps} steps"
            return hidden
        assert end in (raised, hidden_end(raised)), f"after {steps} steps"
        hidden += raised is not end
    pytest.fail("the work does not come to its end")


ENDS = pytest.mark.parametrize(
    "end", [KeyboardInterrupt(), SystemExit(143)], ids=["Ctrl-C", "SIGTERM"]
)


@ENDS
def test_an_end_that_an_error_of_a_lock_hides_is_known(end: KeyboardInterrupt | SystemExit) -> None:
    assert hidden_ends(waited_in_vain, end)


@ENDS
# An end between two steps of a lock can release it while the thread that just begins holds it: that thread then fails.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("work", [server_started_and_closed, waited_for_a_thread])
def test_no_other_error_comes_of_an_end_while_threads_start_and_end(
    work: Callable[[], None], end: KeyboardInterrupt | SystemExit
) -> None:
    hidden_ends(work, end)
