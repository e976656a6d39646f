"""The thread that talks with a board for the screen: it watches every channel, asks step by step, and stores."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.board.asking import AskedStep, AskingPace, StepKind
from companion.board.calibrated import keep
from companion.board.calibration import ProposedSettings
from companion.board.monitor import Monitor, step_summary, wave_lines
from companion.board.procedures import (
    STORED,
    EventsKept,
    SelftestBoard,
    calibrate,
    examine,
    open_board,
    proposal_outcome,
    store,
    verdict_outcome,
)
from companion.dashboard.board.view import BoardPage, BoardView
from companion.errors import CommandError
from companion.link.evidence import Numbered
from firmware_protocol.messages import Config, Event

LINES = 60
IDLE_S = 0.5
END_S = 5.0


class BrokenOff(Exception):
    """The person left the running procedure."""


class BoardDesk:
    """The screen's `companion.dashboard.board.view.Desk`, with a real port behind it until `end`.

    `failure` is the exception that the thread itself ended with.
    """

    def __init__(
        self,
        port: str,
        part: BoardPage,
        *,
        discard: bool = False,
        pace: AskingPace | None = None,
        keep: Callable[[Config], str] = keep,
    ) -> None:
        self._port = port
        self._discard = discard
        self._pace = pace or AskingPace()
        self._keep = keep
        self._lock = threading.Lock()
        self._view = BoardView(part)
        self._orders: deque[Callable[[SelftestBoard], None]] = deque()
        self._again = threading.Event()
        self._ending = threading.Event()
        self._skip = self._break = False
        self._steps: Sequence[AskedStep] = ()
        self._step_events: list[Event] = []
        self._proposal: ProposedSettings | None = None
        self.changed = threading.Event()
        """Set with every new view; cleared by whoever waits for one."""
        self.failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="board desk", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Disconnect from the board, within `END_S`."""
        self._ending.set()
        self._again.set()
        self._thread.join(END_S)

    # -- called by the screen

    def view(self) -> BoardView:
        """Return the current view."""
        return self._view

    def turn_to(self, part: BoardPage) -> None:
        """Switch to another page."""
        self._change(part=part, asked=(), outcome=None, notice="")
        self._break = True

    def begin(self) -> None:
        """Start the page's procedure, or search again for a lost board."""
        view = self._view
        if view.lost:
            self._again.set()
        elif not view.asked and view.wires and view.part is not BoardPage.MONITOR:
            if view.part is BoardPage.CALIBRATE:
                self._orders.append(self._calibrate)
            else:
                self._orders.append(self._selftest)

    def discard(self) -> None:
        """Discard the events that the board keeps for a session."""
        if self._view.keeps:
            self._discard = True
            self._again.set()

    def skip(self) -> None:
        """Continue without an answer to this step."""
        self._skip = bool(self._view.asked)

    def break_off(self) -> None:
        """Cancel the running procedure."""
        self._change(asked=(), notice="Broken off; nothing was changed.")
        self._break = True

    def store(self) -> None:
        """Send the new settings to the board, and keep them for later games."""
        if self._view.outcome is not None and self._view.outcome.can_store:
            self._orders.append(self._store)

    # -- the thread

    def _run(self) -> None:
        try:
            while not self._ending.is_set():
                self._talk()
                self._again.wait()
        except Exception as fault:
            self.failure = fault
            self._change(
                lost="This screen stopped by a fault of its own; leave it (q), and it says where the details are.",
                asked=(),
            )

    def _talk(self) -> None:
        self._again.clear()
        self._change(lost="", keeps=False, notice="", wires=(), asked=(), outcome=None)
        try:
            with open_board(
                self._port, self._on_sentence, discard=self._discard, pace=self._pace
            ) as board:
                self._watch(board)
        except EventsKept as problem:
            self._change(lost=str(problem).replace("--discard", "d"), keeps=True)
        except CommandError as problem:
            self._change(lost=str(problem), asked=())

    def _watch(self, board: SelftestBoard) -> None:
        monitor = Monitor(board.hello)
        board.plan, board.ask = self._on_plan, self._on_step
        board.hear = lambda message: self._on_message(monitor, message)
        board.draw = lambda wave: self._change(wave=wave_lines(wave), low_wave=wave_lines(wave, 1))
        board.skip_requested = self._skip_requested
        self._change(board=f"{board.hello.board} at {self._port}", wires=monitor.wires())
        while not self._ending.is_set():
            self._break = False
            try:
                board.arm()
                if self._orders:
                    self._orders.popleft()(board)
                board.events(IDLE_S, lambda: bool(self._orders))
            except BrokenOff:
                self._orders.clear()

    def _skip_requested(self) -> bool:
        if self._ending.is_set() or self._break:
            raise BrokenOff
        skip, self._skip = self._skip, False
        return skip

    def _on_message(self, monitor: Monitor, message: Numbered) -> None:
        line = monitor.line(message)
        if isinstance(message, Event):
            self._step_events.append(message)
        came = self._view.came
        if self._view.asked:
            came = (*came[:-1], step_summary(self._step_events, self._steps[len(came) - 1]))
        self._change(wires=monitor.wires(), lines=(*self._view.lines, line)[-LINES:], came=came)

    def _on_sentence(self, sentence: str) -> None:
        """Show a sentence beside the steps."""
        self._change(notice=sentence)

    def _on_plan(self, steps: Sequence[AskedStep]) -> None:
        self._steps = steps

    def _on_step(self, step: AskedStep) -> None:
        place = self._steps.index(step)
        self._skip = False
        done = []
        for came, earlier in zip(self._view.came[:place], self._steps, strict=False):
            if came:
                done.append(came)
            elif earlier.kind is StepKind.STILL:
                done.append("quiet")
            else:
                done.append("nothing came")
        self._step_events = []
        self._change(asked=tuple(ask.sentence for ask in self._steps), came=(*done, ""), notice="")

    def _calibrate(self, board: SelftestBoard) -> None:
        self._change(outcome=None, notice="")
        self._proposal = calibrate(board)
        self._change(asked=(), outcome=proposal_outcome(self._proposal))

    def _selftest(self, board: SelftestBoard) -> None:
        self._change(outcome=None, notice="")
        results = examine(board, press=True)
        self._change(asked=(), outcome=verdict_outcome(results))

    def _store(self, board: SelftestBoard) -> None:
        if self._proposal is None:
            return
        try:
            store(board, self._proposal.config)
            where = self._keep(self._proposal.config)
        except CommandError as problem:
            self._change(notice=str(problem))
            return
        self._change(notice=f"{STORED} {where}")

    def _change(self, **changes: Any) -> None:
        with self._lock:
            self._view = replace(self._view, **changes)
        self.changed.set()
