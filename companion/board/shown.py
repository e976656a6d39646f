"""What a screen or a page shows of a board and of the procedure that runs with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.board.asking import AskedStep, StepKind
from companion.board.calibration import ProposedSettings
from companion.board.monitor import Monitor, step_summary, wave_lines
from companion.board.procedures import (
    SelftestBoard,
    calibrate,
    examine,
    proposal_outcome,
    verdict_outcome,
)
from companion.link.evidence import Numbered
from companion.session.board_pages import BoardPage, BoardView
from firmware_protocol.messages import Event

LINES = 60
STOPPED = "Stopped. Nothing was changed."


class BrokenOff(Exception):
    """The person left the running procedure."""


class ShownProcedure:
    """The view of a board and its procedure. One thread runs procedures; any may read the view and `skip`.

    `news` is called after each change. `outputs`: see `examine`.
    """

    def __init__(
        self,
        part: BoardPage,
        news: Callable[[], object],
        *,
        outputs: bool = True,
    ) -> None:
        self._news = news
        self._outputs = outputs
        self._lock = threading.Lock()
        self._to_skip = 0
        self._steps: Sequence[AskedStep] = ()
        self._step_events: list[Event] = []
        self.view = BoardView(part)
        """The current view; the same object until something changes."""
        self.proposal: ProposedSettings | None = None
        """What the last calibration proposes."""

    def change(self, **changes: Any) -> None:
        """Replace fields of the view."""
        with self._lock:
            self.view = replace(self.view, **changes)
        self._news()

    @property
    def step(self) -> int:
        """The number of the step that is asked, from one; 0 for none."""
        view = self.view
        return len(view.came) if view.asked else 0

    def skip(self, step: int) -> None:
        """Continue without an answer to the step with this number; nothing happens if it is over."""
        self._to_skip = step

    def take_skip(self) -> bool:
        """Return whether somebody skipped the step, once."""
        to_skip, self._to_skip = self._to_skip, 0
        return to_skip > 0 and to_skip == self.step

    def watch(
        self, board: SelftestBoard, skip_requested: Callable[[], bool], where: str = ""
    ) -> None:
        """Show what this board reports from now on; `skip_requested` is the board's."""
        monitor = Monitor(board.hello)
        board.plan, board.ask = self._on_plan, self._on_step
        board.hear = lambda message: self._on_message(monitor, message)
        board.draw = lambda wave: self.change(wave=wave_lines(wave), low_wave=wave_lines(wave, 1))
        board.skip_requested = skip_requested
        self.change(board=f"{board.hello.board}{where}", wires=monitor.wires())

    def say(self, sentence: str) -> None:
        """Show a sentence beside the steps."""
        self.change(notice=sentence)

    def calibrate(self, board: SelftestBoard) -> None:
        """Ask for every step of the calibration, and show the settings it proposes."""
        self.change(outcome=None, notice="")
        self.proposal = calibrate(board)
        self.change(asked=(), outcome=proposal_outcome(self.proposal))

    def selftest(self, board: SelftestBoard) -> None:
        """Ask for every step of the selftest, and show its verdicts."""
        self.change(outcome=None, notice="")
        results = examine(board, press=True, outputs=self._outputs)
        self.change(asked=(), outcome=verdict_outcome(results))

    def _on_message(self, monitor: Monitor, message: Numbered) -> None:
        line = monitor.line(message)
        if isinstance(message, Event):
            self._step_events.append(message)
        came = self.view.came
        if self.view.asked:
            came = (*came[:-1], step_summary(self._step_events, self._steps[len(came) - 1]))
        self.change(wires=monitor.wires(), lines=(*self.view.lines, line)[-LINES:], came=came)

    def _on_plan(self, steps: Sequence[AskedStep]) -> None:
        self._steps = steps

    def _on_step(self, step: AskedStep) -> None:
        place = self._steps.index(step)
        self._to_skip = 0
        done = []
        for came, earlier in zip(self.view.came[:place], self._steps, strict=False):
            if came:
                done.append(came)
            elif earlier.kind is StepKind.STILL:
                done.append("quiet")
            else:
                done.append("nothing came")
        self._step_events = []
        self.change(asked=tuple(ask.sentence for ask in self._steps), came=(*done, ""), notice="")
