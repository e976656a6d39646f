"""The thread that talks with a board for the screen: it watches every channel, asks step by step, and stores."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from companion.board.asking import AskingPace
from companion.board.calibrated import keep
from companion.board.procedures import STORED, EventsKept, SelftestBoard, open_board, store
from companion.board.shown import STOPPED, BrokenOff, ShownProcedure
from companion.errors import CommandError
from companion.session.board_pages import BoardPage, BoardView
from firmware_protocol.messages import Config

IDLE_S = 0.5
END_S = 5.0


class BoardDesk:
    """The screen's `companion.session.board_pages.Desk`, with a real port behind it until `end`.

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
        self._orders: deque[Callable[[SelftestBoard], None]] = deque()
        self._again = threading.Event()
        self._ending = threading.Event()
        self._break = False
        self.changed = threading.Event()
        """Set with every new view; cleared by whoever waits for one."""
        self._shown = ShownProcedure(part, self.changed.set)
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
        return self._shown.view

    def turn_to(self, part: BoardPage) -> None:
        """Switch to another page."""
        self._shown.change(part=part, asked=(), outcome=None, notice="")
        self._break = True

    def begin(self) -> None:
        """Start the page's procedure, or search again for a lost board."""
        view = self.view()
        if view.lost:
            self._again.set()
        elif not view.asked and view.wires and view.part is not BoardPage.MONITOR:
            if view.part is BoardPage.CALIBRATE:
                self._orders.append(self._shown.calibrate)
            else:
                self._orders.append(self._shown.selftest)

    def discard(self) -> None:
        """Discard the events that the board keeps for a session."""
        if self.view().keeps:
            self._discard = True
            self._again.set()

    def skip(self) -> None:
        """Continue without an answer to this step."""
        self._shown.skip(self._shown.step)

    def break_off(self) -> None:
        """Cancel the running procedure."""
        self._shown.change(asked=(), notice=STOPPED)
        self._break = True

    def store(self) -> None:
        """Send the new settings to the board, and keep them for later games."""
        outcome = self.view().outcome
        if outcome is not None and outcome.can_store:
            self._orders.append(self._store)

    # -- the thread

    def _run(self) -> None:
        try:
            while not self._ending.is_set():
                self._talk()
                self._again.wait()
        except Exception as fault:
            self.failure = fault
            self._shown.change(
                lost="This screen stopped by a fault of its own; leave it (q), and it says where the details are.",
                asked=(),
            )

    def _talk(self) -> None:
        self._again.clear()
        shown = self._shown
        shown.change(lost="", keeps=False, notice="", wires=(), asked=(), outcome=None)
        try:
            with open_board(self._port, shown.say, discard=self._discard, pace=self._pace) as board:
                self._watch(board)
        except EventsKept as problem:
            shown.change(lost=str(problem).replace("--discard", "d"), keeps=True)
        except CommandError as problem:
            shown.change(lost=str(problem), asked=())

    def _watch(self, board: SelftestBoard) -> None:
        self._shown.watch(board, self._skip_requested, f" at {self._port}")
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
        return self._shown.take_skip()

    def _store(self, board: SelftestBoard) -> None:
        proposal = self._shown.proposal
        if proposal is None:
            return
        try:
            store(board, proposal.config)
            where = self._keep(proposal.config)
        except CommandError as problem:
            self._shown.say(str(problem))
            return
        self._shown.say(f"{STORED} {where}")
