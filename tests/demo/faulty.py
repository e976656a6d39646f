"""A demo on a board with faults: its players repeat what was lost, and at the end every press is accounted for.

`python -m tests.demo.faulty --faults rough` plays one. Exit code 70 means that a press is neither in the record once
nor among those that the record shows as missing.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from companion.demo.run import Performance, perform, run_demo
from companion.demo.steps import DemoStep
from companion.errors import ErrorKind
from companion.exits import code_of
from companion.journal.store import read_entries
from companion.rules.actions import Action
from companion.session.table import Table
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.demo.director import Director, menu, script
from tests.demo.fault_script import PROFILES, SMALL_RING
from tests.demo.presses import Account, Press, PressRecorder, Record, RecordedBoard

# How long the players look at the screen before they wonder whether the board got it.
WONDER_S = 2.0
# Silence (2 s), a refused connection (retried after 2 s) and a resend (2 s) can stand in a row.
PATIENCE_S = 60.0
SETTLE_S = 20.0


@dataclass(slots=True)
class FaultyPerformance(Performance):
    """Players who know that the board may miss their actions: they repeat one if the record shows that it had no
    effect."""

    def _perform(self, step: DemoStep) -> None:
        deadline_s = self.waiting.clock_s() + PATIENCE_S
        while not self._done_once(step):
            if self.waiting.clock_s() > deadline_s:
                raise self._stuck(step.wanted, PATIENCE_S)

    def _done_once(self, step: DemoStep) -> bool:
        """Do a step and wait; return False if it must be repeated."""
        self.waiting.rest(step.reads_s)
        presses = self._do(step)
        self.waiting.rest(step.takes_s)
        until_s = self.waiting.clock_s() + PATIENCE_S / 2
        while not self.waiting.sees(lambda: step.until(self.players.look()), WONDER_S):
            if self._is_live() and (
                not presses
                or Record(read_entries(self.players.table.path)).came_to_nothing(presses)
            ):
                return False
            if self.waiting.clock_s() > until_s:
                return False
        return True

    def _do(self, step: DemoStep) -> list[Press]:
        board = self.players.board
        assert isinstance(board, PressRecorder)
        before = len(board.made)
        while True:
            try:
                step.do()
            except VirtualBoardError:  # without power nobody can press anything
                self.waiting.rest(0.2)
            else:
                # What a fault presses meanwhile is on a button of its own, which no step waits for.
                return [press for press in board.made[before:] if press.channel != "zone-10"]

    def _is_live(self) -> bool:
        return self.players.table.view().link.state == "live"


class TableWithFaults:
    """A table with faults among its actions, for a screen to offer; everything else is the table's own."""

    def __init__(self, table: Table, director: Director) -> None:
        self._table = table
        self._faults = {action.id: (action, play) for action, play in menu(director)}

    @property
    def actions(self) -> tuple[Action, ...]:
        """Return the keyboard's actions, followed by the faults."""
        return (*self._table.actions, *(action for action, _ in self._faults.values()))

    def do(self, action_id: str) -> None:
        """Do an action; a fault begins as soon as the present one is over."""
        if action_id not in self._faults:
            self._table.do(action_id)
            return
        action, play = self._faults[action_id]
        play()
        self._table.tell(action.help)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


def verdict(table: Table, board: PressRecorder, out: TextIO) -> ErrorKind | None:
    """Return the account of every press; the table must still be open."""
    account = settled(table, board)
    print(account.sentence(), file=out)
    for press in (*account.twice, *account.lost):
        print(f"  {press.channel} at {press.t_us} us of boot {press.boot_id:04x}", file=out)
    return None if account.good else ErrorKind.SOFTWARE


def recorded_board(folder: Path, seed: int) -> RecordedBoard:
    """Return a virtual board whose presses are recorded, with a ring small enough for a fault to overflow."""
    return RecordedBoard.spawn(
        seed=seed, path=None if sys.platform == "win32" else folder / "port", ring_size=SMALL_RING
    )


def rough(profile: str | None, seed: int, out: TextIO) -> Callable[[Performance], ErrorKind | None]:
    """Return a function that plays a demo with the faults of a profile and prints their account at the end."""

    def play(stage: Performance) -> ErrorKind | None:
        board, table = stage.players.board, stage.players.table
        assert isinstance(board, RecordedBoard)
        director = Director(board, script(profile, seed), seed)
        performance = FaultyPerformance(stage.players, stage.speed, stage.waiting, stage.look)
        director.start()
        try:
            failed = perform(performance, TableWithFaults(table, director))
        finally:
            director.stop()
        print(director.sentence(), file=out)
        lost = verdict(table, board, out)
        return failed or lost

    return play


def settled(table: Table, board: PressRecorder) -> Account:
    """Wait for a while until the board is live and all its events are in the record; return the account of each
    press."""
    changed = threading.Event()
    leave = table.subscribe(changed.set)
    deadline_s = time.monotonic() + SETTLE_S
    try:
        while True:
            changed.clear()
            account = Record(read_entries(table.path)).account(board.made)
            if (
                account.good and table.view().link.state == "live"
            ) or time.monotonic() > deadline_s:
                return account
            changed.wait(0.5)
    finally:
        leave()


def main() -> int:
    """Play a demo with faults; the palette (ctrl+p) offers each of them, too."""
    parser = argparse.ArgumentParser(prog="python -m tests.demo.faulty", description=main.__doc__)
    parser.add_argument("--game", default="panic-fire")
    parser.add_argument(
        "--faults",
        choices=PROFILES,
        help="by a script of the seed (default: only those you choose)",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--plain", action="store_true")
    args = parser.parse_args()
    play = rough(args.faults, args.seed, sys.stdout)
    ending = run_demo(
        args.game,
        seed=args.seed,
        speed=args.speed,
        plain=args.plain,
        board=recorded_board,
        play=play,
    )
    return code_of(ending)


if __name__ == "__main__":
    sys.exit(main())
