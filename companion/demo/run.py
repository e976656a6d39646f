"""A demo performed: the players' steps done on the virtual board, shown on the dashboard or as plain lines."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.dashboard.preferences import in_force
from companion.demo.capture import captured
from companion.demo.steps import DemoStep, ScriptedPlayers, random_players
from companion.errors import ErrorKind
from companion.paths import temporary_folder
from companion.rules.registry import info_of
from companion.session.opening import begin
from companion.session.table import Table
from companion.system.devices import has_ptys
from companion.terminal import shows_screens
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.hands import Hands
from firmware_protocol.virtual.runtime import VirtualBoardError

# The shortest wait. A board's clock may be slower than the computer's, so a wait can end too early and is repeated.
CHECK_S = 0.002


class Stopped(Exception):
    """The audience has left."""


class Waiting:
    """Waits by `clock_s`, in seconds, which may run slower than the computer's clock.

    `end`, from any thread, ends every wait with `Stopped`. During a wait `advance` passes the time on to the table; it
    returns in how many seconds to call it again, None for after the next change.
    """

    def __init__(
        self,
        clock_s: Callable[[], float] = time.monotonic,
        advance: Callable[[], float | None] = lambda: None,
    ) -> None:
        self.clock_s = clock_s
        self._advance = advance
        self._ended = False
        self._changed = threading.Condition()

    def rest(self, seconds: float) -> None:
        """Wait so many seconds."""
        self.sees(lambda: False, seconds)

    def sees(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until a condition holds, checking it at each `wake`; return False if it does not within `seconds`."""
        until_s = self.clock_s() + seconds
        with self._changed:
            while not self._ended:
                if condition():
                    return True
                wait_s = until_s - self.clock_s()
                next_s = self._advance()
                if wait_s <= 0:
                    return False
                if next_s is not None:
                    wait_s = min(wait_s, next_s)
                self._changed.wait(max(wait_s, CHECK_S))
        raise Stopped

    def wake(self) -> None:
        """Check the conditions again: the view changed."""
        with self._changed:
            self._changed.notify_all()

    def end(self) -> None:
        """End all waits."""
        self._ended = True
        self.wake()


STEP_TIMEOUT_S = 15.0
RUNTIMES = {"micropython": "the MicroPython VM", "cpython": "CPython"}


class Stuck(Exception):
    """The screen does not show what the players did."""


@dataclass(slots=True)
class Performance:
    """Runs the players' steps: does one, waits until the screen shows it, rests.

    `speed` shortens the rests only: hands and eyes are no faster. `look` are the dashboard's preferences, None for
    plain lines.
    """

    players: ScriptedPlayers[Any]
    speed: float
    waiting: Waiting
    look: Mapping[str, Any] | None = None

    def run(self) -> None:
        """Play to the end; raise `Stuck` if the screen does not show what was done, `Stopped` if asked to."""
        if not self.waiting.sees(self._is_live, STEP_TIMEOUT_S):
            raise self._stuck("the board is live")
        for step in self.players.steps():
            self._perform(step)
            self.waiting.rest(step.rest_s / self.speed)

    def _perform(self, step: DemoStep) -> None:
        self.waiting.rest(step.reads_s)
        step.do()
        self.waiting.rest(step.takes_s)
        if not self.waiting.sees(lambda: step.until(self.players.look()), STEP_TIMEOUT_S):
            raise self._stuck(step.wanted)

    def _is_live(self) -> bool:
        link = self.players.table.view().link
        return link.state == "live" and link.armed

    def _stuck(self, wanted: str, timeout_s: float = STEP_TIMEOUT_S) -> Stuck:
        return Stuck(f"The demo is stuck: waited {timeout_s:.0f} s to see that {wanted}.")


def scripted_players_of(game: str) -> type[ScriptedPlayers[Any]]:
    """Return the players of a game's demo: its own, or random ones."""
    info = info_of(game)
    if not info.players:
        return random_players(game, info.seats)
    players: type[ScriptedPlayers[Any]] = info.part(info.players)
    return players


def virtual(folder: Path, seed: int) -> AbstractContextManager[Hands]:
    """Return the virtual board.

    Without pseudo-terminals, as on Windows, it chooses a URL for its port.
    """
    path = folder / "port" if has_ptys() else None
    return VirtualBoard.spawn(seed=seed, path=path)


def command(args: argparse.Namespace) -> ErrorKind | None:
    """Run `companion demo`; without a terminal in plain lines."""
    plain = args.plain or not shows_screens()
    return run_demo(args.game, seed=args.seed, speed=args.speed, plain=plain, capture=args.capture)


def perform(performance: Performance, shown: Any = None) -> ErrorKind | None:
    """Plug the board in and play to the end; return the error kind, see `run_demo`.

    `shown` is the table on the dashboard, if that is another one.
    """
    board, table = performance.players.board, performance.players.table
    leave = table.subscribe(performance.waiting.wake)
    try:
        table.board.connect(board.url, board.clock_ns)
        if performance.look is None:
            return _in_lines(table, performance)
        if shown is None:
            shown = table
        return _on_screen(shown, performance, performance.look)
    finally:
        leave()


def run_demo(
    game: str,
    *,
    seed: int,
    speed: float,
    plain: bool,
    capture: Path | None = None,
    board: Callable[[Path, int], AbstractContextManager[Hands]] = virtual,
    play: Callable[[Performance], ErrorKind | None] = perform,
) -> ErrorKind | None:
    """Play one game on a `board` created in a folder, by a seed.

    Return None if it was played to the end or left, `SOFTWARE` if it is stuck. Raise `VirtualBoardError` if there is no
    such board here, or `CommandError`.
    """
    performers = scripted_players_of(game)
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("The demo"))
        virtual_board = stack.enter_context(board(folder, seed))
        look = in_force(argparse.Namespace(), [game]).look
        table_of: Callable[..., Table] = Table
        if capture is not None:
            table_of = captured(capture)
        make = partial(table_of, keys=look["keys"])
        box = performers.components()
        file, chance = folder / "demo.sqlite", Random(seed)
        table = begin(
            game,
            performers.seats,
            performers.options,
            file,
            components=box,
            make=make,
            chance=chance,
            clock_us=lambda: virtual_board.clock_ns() // 1000,
        )
        stack.callback(table.close)
        runtime = RUNTIMES.get(virtual_board.runtime, virtual_board.runtime)
        table.tell(
            f"demo, seed {seed}: the board's firmware runs under {runtime}; nothing here is kept"
        )
        players = performers(virtual_board, table, Random(seed))
        waiting = _waiting(virtual_board, table)
        return play(Performance(players, speed, waiting, None if plain else look))


def _waiting(board: Hands, table: Table) -> Waiting:
    """Return the players' waits, by the board's clock: an emulated chip's is slower than the computer's."""

    def advance() -> float | None:
        table.tick()
        return table.next_look_s()

    return Waiting(lambda: board.clock_ns() / 1e9, advance)


def _in_lines(table: Table, performance: Performance) -> ErrorKind | None:
    from companion.session.plain import printing

    with printing(table, sys.stdout, gone=performance.waiting.end) as printer:
        try:
            performance.run()
        except Stopped:
            pass  # the output was closed; `finish` reports that
        except (Stuck, VirtualBoardError) as problem:
            print(problem, file=sys.stderr)
            return ErrorKind.SOFTWARE
    printer.finish()
    return None


def _on_screen(shown: Any, performance: Performance, look: Mapping[str, Any]) -> ErrorKind | None:
    from companion.dashboard.app import run_dashboard

    playing = threading.Thread(target=_play_in_background, args=(performance,), name="players")
    playing.start()
    try:
        return run_dashboard(shown, clock=performance.waiting.clock_s, **look)
    finally:
        performance.waiting.end()
        playing.join()


def _play_in_background(performance: Performance) -> None:
    try:
        performance.run()
    except Stopped:
        return
    except (Stuck, VirtualBoardError) as problem:
        performance.players.table.tell(
            f"{problem} The players have stopped. Play on with the keyboard, or quit with ^q."
        )
