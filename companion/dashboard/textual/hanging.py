"""What the screen does while another author's game does not return.

The screen's thread hangs with the game, so it can neither draw nor handle keys. A second thread
writes on the last rows whose game hangs and where. Esc and Ctrl+Q, read by a third thread, stop the
game or end the program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.rules.columns import fit, wrap
from companion.session.game_watch import GameWatch, Hanging, end_at_once, watched

if TYPE_CHECKING:
    from companion.dashboard.textual.private_textual import PrivateApp

HANGING_S: Final = 1.0
"""Seconds without an answer after which the screen's thread counts as hanging."""
QUIT_GRACE_S: Final = 4.0
"""Seconds after Ctrl+Q for a stopped game to return, before the process ends without it."""
LEAVING_S: Final = 0.5
"""After how many seconds a call hangs once somebody quits: a game that hangs in each of its calls is stopped in all of
them before `QUIT_GRACE_S` is over."""
STOP, QUIT = "escape", ("ctrl+q", "ctrl+c")


class HangGuard:
    """Watches one app. `check` runs in a thread of its own, `takes` in the one that reads keys."""

    def __init__(self, app: PrivateApp[Any], clock: Callable[[], float] = time.monotonic) -> None:
        self.watch = GameWatch()
        self._app = app
        self._clock = clock
        # When the screen's thread was asked for an answer that is still due.
        self._asked_s: float | None = None
        self._shown = False
        self._reported: set[int] = set()
        self._stop_wanted = False
        self._quit_s: float | None = None

    def takes(self, key: str) -> bool:
        """Return whether the guard takes a key, as it does while its message is shown; none is
        replayed."""
        if key in QUIT and self._late_s >= HANGING_S:
            self.quit()
        elif key == STOP and self._shown:
            self._stop_wanted = True
        return self._shown

    def quit(self) -> None:
        """End the program: stop what hangs, and if that fails, end the process."""
        if self._quit_s is None:
            self._quit_s = self._clock()
            self.watch.hangs_s = LEAVING_S

    @property
    def _late_s(self) -> float:
        return 0.0 if self._asked_s is None else self._clock() - self._asked_s

    def check(self, hanging: tuple[Hanging, ...]) -> None:
        """Report what hangs, stop it if asked to, and test whether the screen's thread answers."""
        # A busy machine or a large paint may make the thread late, too: a game has to hang as well.
        late = self._late_s >= HANGING_S
        if late and hanging:
            self._on_hang(hanging)
        elif self._shown and not late:
            self._on_back()
        elif hanging:
            self._report_beside(hanging)
        if not late and self._app.is_ending:
            self._stop(hanging)  # before it ends, the loop waits for the threads that it started
        self._ask()

    def _on_hang(self, hanging: tuple[Hanging, ...]) -> None:
        if self._stop_wanted or self._quit_s is not None:
            self._stop(hanging)
        if self._quit_s is not None and self._clock() - self._quit_s >= QUIT_GRACE_S:
            end_process(self._app, hanging[0])
        self._shown = True
        self._app.set_hanging(True)
        # Repeated at each check: the text changes once the game is being stopped.
        texts = lines(hanging[0], stopping=self._stop_wanted or self._quit_s is not None)
        self._app.write_past_screen(last_rows_text(texts, *self._app.size))

    def _on_back(self) -> None:
        self._shown = self._stop_wanted = False
        self._app.set_hanging(False)
        self._call(self._app.draw_again)
        if self._quit_s is not None:
            self._call(self._app.exit)

    def _report_beside(self, hanging: tuple[Hanging, ...]) -> None:
        """Report a hanging thread other than the screen's, once per call; keys keep working."""
        for hung in hanging:
            if hung.call not in self._reported:
                self._reported.add(hung.call)
                self._call(partial(self._app.notify_hanging, hung.sentence))

    def _stop(self, hanging: tuple[Hanging, ...]) -> None:
        for hung in hanging:
            self.watch.stop(hung, skips=self._quit_s is None)

    def _ask(self) -> None:
        if self._asked_s is None:
            self._asked_s = self._clock()  # before asking: another thread resets it
            if not self._call(self._answer):
                self._asked_s = None

    def _answer(self) -> None:
        self._asked_s = None

    def _call(self, callback: Callable[[], object]) -> bool:
        """Run `callback` in the screen's thread; return whether it will run."""
        loop = self._app.loop
        if loop is None:
            return False
        with suppress(RuntimeError):  # the loop has just closed
            loop.call_soon_threadsafe(callback)
            return True
        return False


def lines(hanging: Hanging, *, stopping: bool) -> tuple[str, str, str]:
    """Return the text of the last rows: what to do, whose game hangs and where, and the
    consequence."""
    if stopping:
        return (
            "Stopping it. If nothing happens, press Ctrl+Q to quit.",
            hanging.sentence,
            NOTHING_RECORDED,
        )
    return (
        "Press Esc to stop the game's code, or Ctrl+Q to quit.",
        hanging.sentence,
        NOTHING_RECORDED,
    )


NOTHING_RECORDED: Final = "Nothing is recorded of what it was asked. All before that is kept."


def last_rows_text(lines: tuple[str, ...], width: int, height: int) -> str:
    """Return what writes lines in reverse on a terminal's last rows, keeping its cursor."""
    wrapped = [row for line in lines for row in wrap(line, width - 1)]
    first = max(1, height - len(wrapped) + 1)
    rows = ""
    for row, text in enumerate(wrapped, start=first):
        rows += f"\x1b[{row};1H\x1b[7m{fit(f' {text}', width)}"
    return f"\x1b7\x1b[0m{rows}\x1b[0m\x1b8"


def end_process(app: PrivateApp[Any], hanging: Hanging) -> None:
    """End the process although a game cannot be stopped: save the record, restore the terminal, say
    why."""
    app.close_record()
    app.leave_terminal()
    sentence = (
        f"{hanging.sentence} It could not be stopped, so the companion ended. The session is kept."
    )
    end_at_once(sentence)


@contextmanager
def guarded(guard: HangGuard) -> Iterator[None]:
    """Watch the app inside the block."""
    with watched(guard.watch, guard.check):
        yield
