"""Selftests and calibrations for a page in a browser: one at a time, each in a thread that has the board only
meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from companion.board.procedures import Say, SelftestBoard
from companion.board.shown import STOPPED, BrokenOff, ShownProcedure
from companion.errors import CommandError
from companion.session.board_pages import BoardPage, BoardView
from companion.session.corrections import NotDone
from firmware_protocol.messages import Config

CLOSED_S = 5.0
"""Seconds after which a procedure stops if the page that began it is closed. A reload is shorter."""
END_S = 10.0
PAGE_CLOSED = "Stopped, because its page was closed. Nothing was changed."
LEFT = "Stopped. The board is needed elsewhere."
NEEDED_ELSEWHERE = "The board is needed elsewhere now. Look at the page again."
RUNS_ALREADY = "The board is being tested already. Stop that test first."
NOT_RUNNING = "No test is running. Look at the page again."
STEP_IS_OVER = "That step is over already. Do what the page asks now."
NOTHING_TO_STORE = "There are no new settings to keep. Calibrate first."
FAULT = "A fault of the program stopped the test ({fault}). The board is free again."
Open = Callable[[BoardPage, str, Say], AbstractContextManager[SelftestBoard]]
"""Opens the board for a procedure that somebody began; its sentences go to the last argument. Raises `CommandError` or
`NotDone`."""


class BoardRun:
    """A procedure in a thread of its own, from its beginning to what it shows in the end."""

    def __init__(
        self,
        shown: ShownProcedure,
        who: str,
        open_board: Open,
        is_wanted: Callable[[], bool],
        clock: Callable[[], float],
    ) -> None:
        self.shown, self.who = shown, who
        self._open, self._is_wanted, self._clock = open_board, is_wanted, clock
        self._wanted_s = clock()
        self._why = ""  # why it is to stop; empty while it goes on
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="board of a page", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether the board is free again."""
        return self._is_over.is_set()

    def stop(self, why: str = STOPPED) -> None:
        """Stop it, and wait for up to `END_S` until the board is free."""
        self._why = self._why or why
        self._is_over.wait(END_S)

    def _run(self) -> None:
        shown = self.shown
        try:
            with self._open(shown.view.part, self.who, shown.say) as board:
                shown.watch(board, self._skip_requested)
                if shown.view.part is BoardPage.CALIBRATE:
                    shown.calibrate(board)
                else:
                    shown.selftest(board)
        except BrokenOff:
            shown.change(asked=(), lost=self._why)
        except (CommandError, NotDone) as problem:
            shown.change(asked=(), lost=str(problem))
        except Exception as fault:  # the game goes on
            shown.change(asked=(), lost=FAULT.format(fault=f"{type(fault).__name__}: {fault}"))
        finally:
            self._is_over.set()
            shown.change()

    def _skip_requested(self) -> bool:
        now_s = self._clock()
        if self._is_wanted():
            self._wanted_s = now_s
        elif now_s - self._wanted_s >= CLOSED_S:
            self._why = self._why or PAGE_CLOSED
        if self._why:
            raise BrokenOff
        return self.shown.take_skip()


class BoardRuns:
    """The procedures of a page. Any thread may call these.

    `store` keeps calibrated settings and returns what was done with them; `news` is called after each change.
    `outputs`: see `examine`.
    """

    def __init__(
        self,
        open_board: Open,
        store: Callable[[Config], str],
        news: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        *,
        outputs: bool = True,
    ) -> None:
        self._open, self._store, self._news, self._clock = open_board, store, news, clock
        self._outputs = outputs
        self._lock = threading.Lock()
        self._is_closed = False
        self._run: BoardRun | None = None

    @property
    def view(self) -> BoardView | None:
        """What the present procedure shows, or the last one; None if there is nothing to show."""
        run = self._run
        return None if run is None else run.shown.view

    @property
    def is_running(self) -> bool:
        """Whether a procedure has the board."""
        run = self._run
        return run is not None and not run.is_over

    def begin(self, part: BoardPage, who: str, is_wanted: Callable[[], bool]) -> None:
        """Begin a procedure for `who`; it stops once `is_wanted` has been false for `CLOSED_S`. Raise `NotDone` while
        there is another one."""
        with self._lock:
            self._require_open()
            if self.is_running:
                raise NotDone(RUNS_ALREADY)
            shown = ShownProcedure(part, self._news, outputs=self._outputs)
            self._run = BoardRun(shown, who, self._open, is_wanted, self._clock)

    def skip(self, step: int) -> None:
        """Go on without an answer to the step with this number; raise `NotDone` if it is not asked now."""
        shown = self._running().shown
        if step != shown.step:
            raise NotDone(STEP_IS_OVER)
        shown.skip(step)

    def stop(self) -> None:
        """Stop the procedure; raise `NotDone` if nothing runs."""
        self._running().stop()

    def store(self) -> str:
        """Keep the settings that the last calibration proposes; return what was done. Raise `NotDone`."""
        with self._lock:
            self._require_open()
            run = self._run
            proposal = None if run is None or self.is_running else run.shown.proposal
            if run is None or proposal is None:
                raise NotDone(NOTHING_TO_STORE)
            try:
                said = self._store(proposal.config)
            except CommandError as problem:
                raise NotDone(str(problem)) from problem
            run.shown.proposal = None
            run.shown.change(outcome=None, notice=said)
        return said

    def put_away(self) -> None:
        """Show nothing of the last procedure any more; raise `NotDone` while it runs."""
        with self._lock:
            if self.is_running:
                raise NotDone(RUNS_ALREADY)
            self._run = None
        self._news()

    def close(self) -> None:
        """Stop what runs, and let nothing begin: the board is needed elsewhere."""
        with self._lock:  # settings on their way to the board get there first
            self._is_closed = True
        if self._run is not None:
            self._run.stop(LEFT)

    def _require_open(self) -> None:
        if self._is_closed:
            raise NotDone(NEEDED_ELSEWHERE)

    def _running(self) -> BoardRun:
        run = self._run
        if run is None or run.is_over:
            raise NotDone(NOT_RUNNING)
        return run
