"""An event handed to a command of the person's own."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from companion.outbound.undelivered import LIMIT_S, UndeliveredError
from companion.session.feed_events import Event, line_of

SEARCHED = "/usr/local/bin:/usr/bin:/bin"


def environment() -> dict[str, str]:
    """Return the whole environment of a command: nothing of what the game was started with reaches it."""
    return {"PATH": SEARCHED, "HOME": str(Path.home()), "LANG": "C.UTF-8"}


class RunCommand:
    """Runs a command for each event, with it as one line of JSON on standard input. What it prints is not kept."""

    def __init__(self, words: tuple[str, ...], limit_s: float = LIMIT_S) -> None:
        self._words = words
        self._limit_s = limit_s
        self._stopped = False
        self._running: subprocess.Popen[bytes] | None = None

    def __call__(self, event: Event) -> None:
        """Run it once, to its end; raise `UndeliveredError` where it did not end well in time. What it left running in
        its process group is ended in any case."""
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment(),
                cwd=Path.home(),
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            why = getattr(problem, "strerror", None) or "its words make no sense"
            raise UndeliveredError(f"it cannot be started: {why}") from None
        self._running = process
        if self._stopped:
            _kill(process)
        try:
            process.communicate(f"{line_of(event)}\n".encode(), timeout=self._limit_s)
        except subprocess.TimeoutExpired:
            raise UndeliveredError(f"it did not end within {self._limit_s:g} s") from None
        finally:
            _kill(process)
            process.wait()
            self._running = None
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
        if process.returncode != 0:
            ended = f"signal {-process.returncode}" if process.returncode < 0 else f"code {process.returncode}"
            raise UndeliveredError(f"it ended with {ended}")

    def stop(self) -> None:
        """End what runs, and whatever is started after this; any thread may call it."""
        self._stopped = True
        running = self._running
        if running is not None:
            _kill(running)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End it with all that it began and that made no session of its own."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
