"""Signals, which Windows has few of: those that end the program, and what else needs one."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

# Signals that end the program in order: it is asked to, or its terminal is gone. SIGINT is missing: in a raw terminal
# Ctrl+C is a key.
if sys.platform == "win32":
    ENDING = (signal.SIGTERM, signal.SIGBREAK)
else:
    ENDING = (signal.SIGTERM, signal.SIGHUP)


def hidden_end(error: BaseException) -> KeyboardInterrupt | SystemExit | None:
    """Return what a signal's handler raised if `error` only took its place, else None.

    A handler may raise at any moment, also between the steps in which `threading` takes and leaves a lock. Leaving a
    lock that is not held then fails with a `RuntimeError`, which is all that a caller sees.
    """
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    is_in_threading = place is not None and place.tb_frame.f_code.co_filename == threading.__file__
    if not isinstance(error, RuntimeError) or not is_in_threading:
        return None
    before = error.__context__
    while before is not None and not isinstance(before, KeyboardInterrupt | SystemExit):
        before = before.__context__
    return before


def join_if_started(thread: threading.Thread) -> None:
    """Wait for the end of a thread. One that was never started, or whose start was cut off by a signal, is not waited
    for: the caller has told it to end."""
    if thread.ident is None:
        return
    try:
        thread.join()
    except RuntimeError:  # `start` was waiting to hear that it runs
        if thread is threading.current_thread():
            raise


def ignore_lost_terminal() -> None:
    """Go on when the terminal is closed."""
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


def interrupt_other_threads() -> None:
    """Make threads that are blocked in a write restart it. Their file is the null device by now, but a write in
    progress stays with the old one until a signal interrupts it. SIGURG is used by nobody else."""
    if sys.platform != "win32":
        signal.signal(signal.SIGURG, lambda _number, _frame: None)
        for thread in threading.enumerate():
            if thread is not threading.main_thread() and thread.ident is not None:
                signal.pthread_kill(thread.ident, signal.SIGURG)


def call_every(seconds: float, call: Callable[[], object]) -> None:
    """Call it again and again in the main thread, whatever that waits for, until the interpreter ends; not on Windows.
    Call this from there."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, lambda _number, _frame: call())
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        # Later the interpreter drops its handlers, and the next signal would kill it: another exit code.
        atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)


def stop_this_process() -> None:
    """Stop until somebody continues it, as the shell's `fg` does; nothing on Windows."""
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGSTOP)


def kill_with_children(process: Popen[bytes]) -> None:
    """Kill a process that was started with a session of its own, and all that it started; on Windows it alone."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
