"""What a screen says and does while a game by others does not come back.

The thread of the screen hangs with the game, so it can neither draw nor take a key. A thread beside it says on the last
rows whose game hangs and where. The keys Esc and Ctrl+Q, which another thread reads, stop the game or end the program.
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

LATE_S: Final = 1.0
"""Seconds without an answer after which the thread of the screen hangs too, with the game or waiting for it."""
GIVEN_UP_S: Final = 4.0
"""Seconds after Ctrl+Q in which a game that is stopped has to come back, before the process is ended without it."""
STOP, QUIT = "escape", ("ctrl+q", "ctrl+c")


class HangGuard:
    """Looks after one app. `look` is called by a thread of its own, `took` by the thread that reads the keys."""

    def __init__(self, app: PrivateApp[Any], clock: Callable[[], float] = time.monotonic) -> None:
        self.watch = GameWatch()
        self._app = app
        self._clock = clock
        # when the screen's thread was asked for an answer that has not come yet
        self._asked_s: float | None = None
        self._shown = False
        self._told: set[int] = set()
        self._stops = False
        self._quit_s: float | None = None

    def took(self, key: str) -> bool:
        """Return whether the guard takes a key: all while it stands on the screen. None of them is done later."""
        if key in QUIT and self._late_s >= LATE_S:
            self.quit()
        elif key == STOP and self._shown:
            self._stops = True
        return self._shown

    def quit(self) -> None:
        """End the program: stop what hangs, and end without it where that does not help."""
        if self._quit_s is None:
            self._quit_s = self._clock()

    @property
    def _late_s(self) -> float:
        return 0.0 if self._asked_s is None else self._clock() - self._asked_s

    def look(self, hanging: tuple[Hanging, ...]) -> None:
        """Say what hangs, stop it where that is wanted, and look whether the screen's thread answers."""
        late = self._late_s >= LATE_S
        if late and hanging:
            self._hangs(hanging)
        elif self._shown and not late:
            self._is_back()
        elif hanging:
            self._goes_on(hanging)
        if not late and self._app.ends:
            self._stop(hanging)  # the loop waits at its end for the threads that it began
        self._ask()

    def _hangs(self, hanging: tuple[Hanging, ...]) -> None:
        if self._stops or self._quit_s is not None:
            self._stop(hanging)
        if self._quit_s is not None and self._clock() - self._quit_s >= GIVEN_UP_S:
            end_without(self._app, hanging[0])
        self._shown = True
        self._app.hangs(True)
        said = lines(hanging[0], stopping=self._stops or self._quit_s is not None)
        self._app.write_past_screen(on_last_rows(said, *self._app.size))

    def _is_back(self) -> None:
        self._shown = self._stops = False
        self._app.hangs(False)
        self._call(self._app.draw_again)
        if self._quit_s is not None:
            self._call(self._app.exit)

    def _goes_on(self, hanging: tuple[Hanging, ...]) -> None:
        """A thread beside the screen's hangs: that is said once, and the keys work."""
        for each in hanging:
            if each.call not in self._told:
                self._told.add(each.call)
                self._call(partial(self._app.tell_of_hanging, each.sentence))

    def _stop(self, hanging: tuple[Hanging, ...]) -> None:
        for each in hanging:
            self.watch.stop(each, skips=self._quit_s is None)

    def _ask(self) -> None:
        if self._asked_s is None:
            self._asked_s = self._clock()  # before the answer, which another thread gives
            if not self._call(self._answer):
                self._asked_s = None

    def _answer(self) -> None:
        self._asked_s = None

    def _call(self, what: Callable[[], object]) -> bool:
        """Have the screen's thread do something; return whether it will."""
        loop = self._app.loop
        if loop is None:
            return False
        with suppress(RuntimeError):  # the loop has just closed
            loop.call_soon_threadsafe(what)
            return True
        return False


def lines(hanging: Hanging, *, stopping: bool) -> tuple[str, str, str]:
    """Return the text of the last rows: what to do, whose game hangs and where, and what follows."""
    if stopping:
        return "Stopping it. If nothing happens, press Ctrl+Q to quit.", hanging.sentence, KEPT
    return "Press Esc to stop the game's code, or Ctrl+Q to quit.", hanging.sentence, KEPT


KEPT: Final = "Nothing is recorded of what it was asked. All before that is kept."


def on_last_rows(said: tuple[str, ...], width: int, height: int) -> str:
    """Return what writes lines on the last rows of a terminal, in reverse, and leaves its cursor where it was."""
    texts = [row for line in said for row in wrap(line, width - 1)]
    first = max(1, height - len(texts) + 1)
    rows = (f"\x1b[{first + at};1H\x1b[7m{fit(f' {text}', width)}" for at, text in enumerate(texts))
    return f"\x1b7\x1b[0m{''.join(rows)}\x1b[0m\x1b8"


def end_without(app: PrivateApp[Any], hanging: Hanging) -> None:
    """End the process although a game cannot be stopped: what is recorded goes to the disk, the terminal is given back,
    and one sentence says why."""
    app.close_record()
    app.leave_terminal()
    said = (
        f"{hanging.sentence} It could not be stopped, so the companion ended. The session is kept."
    )
    end_at_once(said)


@contextmanager
def guarded(guard: HangGuard) -> Iterator[None]:
    """Look after the app inside the block."""
    with watched(guard.watch, guard.look):
        yield
