"""A demo played: the steps of its players done on the virtual board, shown on the dashboard or as plain lines."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random

from companion.demo.steps import Step, Troupe
from companion.exits import CommandError, Exit
from companion.opening import begin
from companion.table import Table
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError

TROUPES = {"panic-fire": "companion.demo.panic_fire:PanicFirePlayers"}
PATIENCE_S = 15.0


class Stopped(Exception):  # noqa: N818  somebody left the demo: nothing failed
    """The audience has left."""


class Stuck(Exception):  # noqa: N818  read as a sentence by the user
    """The screen does not show what the players did."""


@dataclass(slots=True)
class Performance:
    """Runs the steps: does one, waits until the screen shows it, rests. `speed` shortens the rests only."""

    table: Table
    players: Troupe
    speed: float
    stop: threading.Event
    changed: threading.Condition

    def run(self) -> None:
        """Play to the end; raise `Stuck` when the screen does not show what was done, `Stopped` when asked to."""
        self._wait_for(lambda: self.table.view().link.state == "live", "the board is live")
        for step in self.players.steps():
            step.do()
            self._rest(step.takes_s)
            self._wait_for(partial(self._shows, step), step.wanted)
            self._rest(step.rest_s / self.speed)

    def _shows(self, step: Step) -> bool:
        return step.until(self.players.look())

    def _rest(self, seconds: float) -> None:
        if self.stop.wait(seconds):
            raise Stopped

    def end(self) -> None:
        """Make `run` stop at once; from any thread."""
        self.stop.set()
        self.wake()

    def wake(self) -> None:
        """Look again: the view changed."""
        with self.changed:
            self.changed.notify_all()

    def _wait_for(self, seen: Callable[[], bool], wanted: str) -> None:
        with self.changed:
            if not self.changed.wait_for(lambda: self.stop.is_set() or seen(), PATIENCE_S):
                raise Stuck(f"The demo is stuck: waited {PATIENCE_S:.0f} s to see that {wanted}.")
        if self.stop.is_set():
            raise Stopped


def _troupe(game: str) -> type[Troupe]:
    module, _, name = TROUPES[game].partition(":")
    troupe: type[Troupe] = getattr(import_module(module), name)
    return troupe


def run_demo(game: str, *, seed: int, speed: float, plain: bool) -> int:
    """Play one game; return the exit code: 0 played to the end or left, 69 no virtual board, 70 stuck."""
    troupe = _troupe(game)
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-")))
            board = stack.enter_context(VirtualBoard.spawn(seed=seed, path=_port(folder)))
            table = begin(game, troupe.seats, troupe.options, folder / "demo.sqlite", components={})
        except VirtualBoardError as problem:
            return _cannot_start(problem, Exit.UNAVAILABLE)
        except CommandError as problem:
            return _cannot_start(problem, problem.exit_code)
        except OSError as problem:
            return _cannot_start(f"no folder for its files can be made: {problem.strerror}.", Exit.CANNOT_CREATE)
        stack.callback(table.close)
        table.tell(f"demo, seed {seed}: the board's firmware runs under {_runtime(board)}; nothing here is kept")
        performance = _perform(stack, table, troupe(board, table, Random(seed)), speed)
        table.connect(board.url)
        return _show_plain(table, performance) if plain else _show(table, performance)


def _cannot_start(why: object, code: Exit) -> Exit:
    print(f"The demo cannot start: {why}", file=sys.stderr)
    return code


def _port(folder: Path) -> Path | None:
    """Where the board's port stands; on Windows there are no ptys, and the board chooses a URL."""
    return None if sys.platform == "win32" else folder / "port"


def _runtime(board: VirtualBoard) -> str:
    return {"micropython": "the MicroPython VM", "cpython": "CPython"}.get(board.runtime, board.runtime)


def _perform(stack: ExitStack, table: Table, players: Troupe, speed: float) -> Performance:
    performance = Performance(table, players, speed, threading.Event(), threading.Condition())
    stack.callback(table.subscribe(performance.wake))
    return performance


def _show_plain(table: Table, performance: Performance) -> int:
    from companion.plain import printing

    with printing(table, sys.stdout, gone=performance.end) as printer:
        try:
            performance.run()
        except Stopped:
            pass  # nobody reads any more, and `finish` says so
        except Stuck as problem:
            print(problem, file=sys.stderr)
            return Exit.SOFTWARE
    printer.finish(table.summary())
    return Exit.DONE


def _show(table: Table, performance: Performance) -> int:
    from companion.dashboard.app import run_dashboard

    playing = threading.Thread(target=_play_behind, args=(table, performance), name="players")
    playing.start()
    try:
        return run_dashboard(table)
    finally:
        performance.end()
        playing.join()


def _play_behind(table: Table, performance: Performance) -> None:
    try:
        performance.run()
    except Stopped:
        return
    except (Stuck, VirtualBoardError) as problem:
        table.tell(f"{problem} The players have left; play on with the keyboard, or leave with ^q.")
